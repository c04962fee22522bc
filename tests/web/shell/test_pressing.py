"""Every control of a screen is pressed once, by a real pointer at its middle, as a person would.

By mouse on home and in the settings; by finger at a table of E-Card, with its menu, dialogs and review.
test_screens_fit hit-tests the controls of all screens, at every size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as Timeout

from tests.server.running import until
from tests.web.reach import CONTROLS
from tests.web.screenshots.conftest import shown
from tests.web.screenshots.positions import Guest, Set, lay
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import FOLLOW, ServerProcess, visit

NEXT: Final = """([controls, done, links]) => {
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
AT_REST: Final = """() => document.querySelector("#app main") && !history.state?.layer
  && document.querySelector("dialog:modal") === null"""
"""Whether a page can be led on: a dialog that was closed is forgotten by a step back."""
DIALOGS: Final = {
    "Log": "Log",
    "Chat": "Chat",
    "Rules": "How to play",
    "Other device": "Another device",
    "Leave": "Leave this game?",
}
"""What the table's menu opens: the control, and the name of the dialog."""
_LEAVES: Final = re.compile(
    "button (Play now|Play anyone|Open the table|Rematch|Accept|Leave|Continue from here)"
)
"""What leads away once the server has answered."""
_BEGINS: Final = "button Play anyone"
_STOPS: Final = "button Stop 1"
"""Pressed after every search for people: none is left to the next test."""
_ASKS: Final = {
    "button Create a link 1": ".device-qr",
    "button Switch chat off 1": ".chat-switch .row",
    "button Switch off for everyone 1": ".drawer:not(:has(form))",
    "button Switch chat on 1": ".drawer form",
}
"""What shows something once the server has answered."""
_SPARED: Final = ("button Block 1", "button Block 2")
"""What is not pressed: there is no rematch with a person who was blocked."""
_SLOW: Final = {"Log": "dialog .log button"}
"""What a dialog shows when all of it is there."""
_REVIEWED: Final = "main:has(.chances-line):has(.verification li)"
_IS_AT: Final = """([address, ready, ...names]) => location.href.split("#")[0] === address
  && ready.every((each) => document.querySelector(each) !== null)
  && JSON.stringify([...document.querySelectorAll("dialog[open]")].map((each) => each.ariaLabel))
    === JSON.stringify(names)"""
"""Whether a page is at an address, completely shown, with the dialogs of these names open."""
_STEP: Final = 5_000
"""Milliseconds for one step of a way, before the page is checked again."""


@dataclass
class Walk:
    """Presses everything once: what a page shows, and what every dialog shows that can be opened from it."""

    page: Page
    finger: bool
    address: str = ""
    ready: str = ""
    """What has to be there before anything is pressed."""
    pressed: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    """Where it was led; a link to there is pressed, and not followed again."""

    def through(self, *way: str, until_over: str = "") -> None:
        """All controls of a dialog, named last, after the buttons that lead there; of the page where none is.

        `until_over`: the control after which there is no way back.
        """
        done: list[str] = []
        tried: list[str] = []
        self.comes_to(way)
        while (control := self._next([*_SPARED, *done])) is not None:
            key = control["key"]
            tried.append(key)
            (self.page.touchscreen.tap if self.finger else self.page.mouse.click)(control["x"], control["y"])
            took = self.page.evaluate("sessionStorage.getItem('pressed')") == key
            if took or tried.count(key) == 5:  # again, should a list have arrived and moved it
                done.append(key)
                self.missed += [] if took else [f"{way}: {key}"]
            if took and control["link"]:
                self.links.append(control["link"])
            if took and key in _ASKS:
                self.page.wait_for_selector(_ASKS[key])
            if took and _LEAVES.match(key):
                self.page.wait_for_url(lambda url: url != self.address)
            if took and key.startswith(_BEGINS):
                tried, done = ([each for each in keys if each != _STOPS] for keys in (tried, done))
            if until_over and until_over in done:
                break
            self.comes_to(way)
        assert done, f"nothing to press: {way}"
        self.pressed += done

    def _next(self, done: list[str]) -> dict[str, Any] | None:
        """The next control that was not pressed yet; None where all were."""
        found: dict[str, Any] | None = self.page.evaluate(NEXT, [CONTROLS, done, self.links])
        return found

    def comes_to(self, way: Sequence[str]) -> None:
        """Where the walk goes on; a press may still be leading elsewhere."""
        try:
            until(lambda: self._is_at(way) or self._goes(way))
        except AssertionError:
            shown = self.page.locator("body").inner_text()
            raise AssertionError(f"did not come to {way}: {self.page.url} shows {shown!r}") from None

    def _is_at(self, way: Sequence[str]) -> bool:
        wanted = [self.address, [self.ready, *(_SLOW[each] for each in way[-1:] if each in _SLOW)], *way[-1:]]
        return bool(self.page.evaluate(_IS_AT, wanted))

    def _goes(self, way: Sequence[str]) -> bool:
        page = self.page
        with suppress(Timeout):
            if page.url.partition("#")[0] != self.address:
                self._returns()
                page.locator(self.ready).first.wait_for(state="attached", timeout=_STEP)
            elif page.get_by_role("dialog", name=way[-1] if way else "none", exact=True).count():
                page.locator(_SLOW.get(way[-1], "dialog")).first.wait_for(timeout=_STEP)
            elif page.locator("dialog[open]").count():
                page.keyboard.press("Escape")
            elif not way:
                page.locator(self.ready).first.wait_for(state="attached", timeout=_STEP)
            else:
                for name in way[:-1]:  # a pointer has pressed them before
                    named = page.get_by_role("button", name=re.compile(f"^{name}\\b"))
                    named.locator("visible=true").first.dispatch_event("click", timeout=_STEP)
        return False

    def _returns(self) -> None:
        """As by a link, unless one was led to another table or review, which looks like this one."""
        kind = "/t/" if "/t/" in self.address else "/review/"
        if kind not in self.page.url and self.page.evaluate(AT_REST):
            self.page.evaluate(FOLLOW, self.address)
        else:
            visit(self.page, self.address)


def test_everything_on_home_and_in_the_settings(comes: Comes) -> None:
    visitor = comes(wide=1440, high=900)
    visitor.context.grant_permissions(["clipboard-write"])
    visitor.context.route("**/run/files.json", lambda route: route.fulfill(status=204))  # see test_offline
    walk = Walk(visitor.page, finger=False, ready="main:not([aria-busy=true]) :is(h1, h2)")
    for path in ("/", "/settings"):  # the last one changes how all of them look and read
        walk.address = f"{visitor.url}{path}"
        visitor.goes_to(path).wait_for_load_state("networkidle")
        walk.through()

    assert walk.missed == []
    for control in ("Play anyone: E-Card", "Stop", "Light", "Erase me"):
        assert control in "\n".join(walk.pressed)


def test_everything_at_a_table(browser: Browser, server: ServerProcess) -> None:
    with shown(server, browser, wide=360, high=780, phone=True) as mara:
        table = lay(mara.guest, "ecard", [Guest(server.url, "Ines")])
        while not _may_look_back_and_play(table):
            table.plays([(table.snap(chair)["legal"] or ["C"])[0] for chair in table.chairs])
        table.says(table.chair(2), "Good luck.")
        mara.visitor.context.grant_permissions(["clipboard-write"])
        mara.visitor.context.route("**/run/files.json", lambda route: route.fulfill(status=204))
        mara.at(table)
        walk = Walk(mara.visitor.page, True, mara.visitor.page.url, ".table-frame .stage > *")

        walk.through()
        for control, dialog in DIALOGS.items():
            walk.through("Menu", control, dialog)
        walk.through("Menu", "Resign", "Resign this game?", until_over="button Resign 1")
        walk.ready = ".ending"
        walk.through()
        walk.address, walk.ready = f"{server.url}/review/{table.id}?seat=1", _REVIEWED
        walk.through()
        walk.through("Share", "Share this game")

        assert walk.missed == []
        said = "\n".join(walk.pressed)
        own = ("Seal the", "Copy the link", "Show every step", "Send", "Create a link")
        for control in (*own, "Last round", "Rematch"):
            assert control in said, said
        assert mara.visitor.complaints == []


def _may_look_back_and_play(table: Set) -> bool:
    seen = table.snap(table.chair(1))
    return seen["view"]["round"] > 1 and 1 in seen["table"]["turn"]["may_seal"]
