"""Every control of a screen is pressed once, by a real pointer at its middle, as a person would.

A usual run presses those of the home page and of the settings, `THOROUGH=1` those of all screens. Every run
hit-tests the controls of all screens in test_screens_fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page, Route, expect

from tests.few import few
from tests.web.reach import CONTROLS
from tests.web.shell.server_process import Visitor

Comes = Callable[..., Visitor]

NEXT = """([controls, done, links]) => {
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
    const link = each.getAttribute("href");
    if (links.includes(link)) addEventListener("click", (event) => {
      if (!each.contains(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true, once: true });
    const y = (box.top + box.bottom) / 2;
    const across = [0.5, 0.3, 0.15, 0.7, 0.85].map((part) => box.left + part * box.width);
    const free = (x) => parts.some((part) => part.contains(document.elementFromPoint(x, y)));
    const x = each.matches("[data-pick]") ? across.find(free) : across[0]; // cards lie over each other
    return { key, link, x: x ?? across[0], y };
  }
  return null;
}"""
"""The next control that was not pressed yet: what it is called, where it leads and where its middle lies.

A link to where another one led takes the press like any other, and is not followed again.
"""


SCREENS: Final = few(("/", "/new", "/rules", "/people", "/tables", "/settings"), 2)
"""The last one changes how all of them look and read."""
_LEAVES: Final = re.compile("button (Play now|Play anyone|Open the table)")
"""What leads away once the server has answered."""
_BEGINS: Final = "button Play anyone"
_STOPS: Final = "button Stop 1"
"""Pressed after every search for people: none is left to the next test."""
_IS_AT: Final = """([path, dialogs]) => location.pathname === path
  && document.querySelectorAll("dialog:modal").length === dialogs"""
_PRESSED: Final = f"where => [sessionStorage.getItem('pressed'), ({_IS_AT})(where)]"
"""What took the last press, and whether the page is still where it was."""
AT_REST: Final = """() => document.querySelector("#app main") && !history.state?.layer
  && document.querySelector("dialog:modal") === null"""
"""Whether a page can be led on: a dialog that was closed is forgotten by a step back."""


def test_every_control_takes_the_press_of_a_pointer(comes: Comes) -> None:
    visitor = comes(wide=1440, high=900)
    visitor.context.grant_permissions(["clipboard-write"])
    visitor.context.route("**/pairing/ticket?wait=*", answered_at_once)

    links: list[str] = []
    missed = {path: found for path in SCREENS if (found := missed_on(visitor, path, links))}

    assert missed == {}


def answered_at_once(route: Route) -> None:
    """A search asks all the time, and its network would never be idle: its pauses go between requests."""
    route.continue_(url=re.sub(r"wait=\d+", "wait=0", route.request.url))


def missed_on(visitor: Visitor, path: str, links: list[str]) -> list[str]:
    """The controls of a screen that did not take a press at their middle; `links`: where others led."""
    page, dialogs = arrives(visitor, path), int(path == "/new")
    tried: list[str] = []
    done: list[str] = []
    missed: list[str] = []
    while (control := next_control(page, done, links)) is not None:
        key = control["key"]
        tried.append(key)
        page.mouse.click(control["x"], control["y"])
        pressed, stays = page.evaluate(_PRESSED, [path, dialogs])
        took = pressed == key
        if took or tried.count(key) == 5:  # again, should a list have arrived and moved it
            done.append(key)
            missed += [] if took else [key]
        if not took:
            page.wait_for_timeout(500)
        if took and control["link"]:
            links.append(control["link"])
        if took and _LEAVES.match(key):
            page.wait_for_url(lambda url: "/t/" in url)
            stays = False
        if took and key.startswith(_BEGINS):
            tried, done = ([each for each in keys if each != _STOPS] for keys in (tried, done))
        if not stays:
            returns(visitor, path)
    assert done, f"nothing to press: {path}"
    return missed


def arrives(visitor: Visitor, path: str) -> Page:
    """A screen, once it shows what it has."""
    page = visitor.goes_to(path)
    expect(page.locator("main h1, main h2").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    return page


def returns(visitor: Visitor, path: str) -> None:
    """Where the presses go on: dialogs are closed, and what a press led to is left."""
    page, dialogs = visitor.page, int(path == "/new")
    if page.evaluate(_IS_AT, [path, dialogs]):
        return
    if page.locator("dialog:modal").count() > dialogs:
        page.keyboard.press("Escape")
        expect(page.locator("dialog:modal")).to_have_count(dialogs)
    if page.evaluate(_IS_AT, [path, dialogs]):
        return
    if page.evaluate(AT_REST):
        visitor.follows(path)
        page.wait_for_function(_IS_AT, arg=[path, dialogs])
        expect(page.locator("main h1, main h2").first).to_be_attached()
    else:
        arrives(visitor, path)


def next_control(page: Page, done: list[str], links: list[str]) -> dict[str, Any] | None:
    """The next one that was not pressed yet; None where all were. `links`: addresses not to follow again."""
    found: dict[str, Any] | None = page.evaluate(NEXT, [CONTROLS, done, links])
    return found
