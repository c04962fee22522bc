"""Every control of every screen is pressed once, by a real pointer at its middle, as a person would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.reach import CONTROLS
from tests.web.shell.server_process import Visitor

Comes = Callable[..., Visitor]

NEXT = """([controls, done]) => {
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(":disabled")
    && !each.closest("[inert], [aria-hidden=true]");
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const counts = {};
  for (const each of modal.querySelectorAll(controls)) {
    const name = each.getAttribute("aria-label") || each.labels?.[0]?.textContent || each.textContent;
    const sort = `${each.tagName.toLowerCase()} ${name.trim().replace(/\\s+/g, " ").slice(0, 60)}`;
    counts[sort] = (counts[sort] ?? 0) + 1;
    const key = `${sort} ${counts[sort]}`;
    if (done.includes(key) || !seen(each)) continue;
    each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = [...each.getClientRects()].find((part) => part.width > 1 && part.height > 1);
    if (!box) continue;
    const parts = [each, ...(each.labels ?? [])];
    sessionStorage.removeItem("pressed");
    addEventListener("pointerdown", (event) => {
      if (event.isTrusted && parts.some((part) => part.contains(event.target)))
        sessionStorage.setItem("pressed", key);
    }, { capture: true, once: true });
    const y = (box.top + box.bottom) / 2;
    const across = [0.5, 0.3, 0.15, 0.7, 0.85].map((part) => box.left + part * box.width);
    const free = (x) => parts.some((part) => part.contains(document.elementFromPoint(x, y)));
    const x = each.matches("[data-pick]") ? across.find(free) : across[0]; // cards lie over each other
    return { key, x: x ?? across[0], y };
  }
  return null;
}"""
"""The next control that was not pressed yet: what it is called, and where its middle lies."""


@pytest.mark.parametrize("path", ["/", "/new", "/rules", "/people", "/settings", "/tables"])
def test_every_control_takes_the_press_of_a_pointer(comes: Comes, path: str) -> None:
    visitor = comes(wide=1440, high=900)
    visitor.context.grant_permissions(["clipboard-write"])
    page = arrives(visitor, path)
    shown = page.url
    tried: list[str] = []
    done: list[str] = []
    missed: list[str] = []

    while (control := next_control(page, done)) is not None:
        tried.append(control["key"])
        page.mouse.click(control["x"], control["y"])
        took = page.evaluate("sessionStorage.getItem('pressed')") == control["key"]
        if took or tried.count(control["key"]) == 3:  # twice more, should a list have arrived and moved it
            done.append(control["key"])
            if not took:
                missed.append(control["key"])
        if page.url.split("#")[0] != shown:
            page.go_back()
            expect(page.locator("main h1, main h2").first).to_be_attached()
        if page.url.split("#")[0] != shown or page.locator("dialog:modal").count() != (path == "/new"):
            arrives(visitor, path)

    assert done
    assert missed == []


def arrives(visitor: Visitor, path: str) -> Page:
    """A screen, once it shows what it has."""
    page = visitor.goes_to(path)
    expect(page.locator("main h1, main h2").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    return page


def next_control(page: Page, done: list[str]) -> dict[str, Any] | None:
    """The next one that was not pressed yet; None where all were."""
    found: dict[str, Any] | None = page.evaluate(NEXT, [CONTROLS, done])
    return found
