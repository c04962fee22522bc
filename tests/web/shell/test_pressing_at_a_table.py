"""Every control of a table, its menu, its dialogs and its review is pressed once, by a real pointer.

A usual run does it for E-Card on a phone, `THOROUGH=1` for Davenport on a laptop as well, whose table other
tests play at by pointer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as Timeout

from tests.few import few
from tests.server.running import until
from tests.web.screenshots.conftest import shown
from tests.web.screenshots.positions import Guest, Set, lay
from tests.web.shell.server_process import FOLLOW, ServerProcess, visit
from tests.web.shell.test_pressing import AT_REST, next_control

DIALOGS = {
    "Log": "Log",
    "Chat": "Chat",
    "Rules": "How to play",
    "Keys": "Keys",
    "Other device": "Another device",
    "Leave": "Leave this game?",
}
"""What the table's menu opens: the control, and the name of the dialog."""
SELDOM = ("Keys", "Other device", "Leave")
"""Where there is room for a bar, these fold away."""

_LEAVES: Final = re.compile("button (Rematch|Accept|Leave|Continue from here)")
"""What leads away once the server has answered."""
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
        while (control := next_control(self.page, [*_SPARED, *done], self.links)) is not None:
            key = control["key"]
            tried.append(key)
            (self.page.touchscreen.tap if self.finger else self.page.mouse.click)(control["x"], control["y"])
            took = self.page.evaluate("sessionStorage.getItem('pressed')") == key
            if took or tried.count(key) == 3:  # twice more, should the page have moved
                done.append(key)
                self.missed += [] if took else [f"{way}: {key}"]
            if took and control["link"]:
                self.links.append(control["link"])
            if took and key in _ASKS:
                self.page.wait_for_selector(_ASKS[key])
            if took and _LEAVES.match(key):
                self.page.wait_for_url(lambda url: url != self.address)
            if until_over and until_over in done:
                break
            self.comes_to(way)
        assert done, f"nothing to press: {way}"
        self.pressed += done

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


@pytest.mark.parametrize(("game", "wide", "high"), few([("ecard", 360, 780), ("davenport", 1440, 900)], 1))
def test_everything_at_a_table(
    browser: Browser, server: ServerProcess, game: str, wide: int, high: int
) -> None:
    phone = wide < 500
    with shown(server, browser, wide=wide, high=high, phone=phone) as mara:
        table = lay(mara.guest, game, [Guest(server.url, "Ines")])
        while not _may_look_back_and_play(table):
            table.plays([(table.snap(chair)["legal"] or ["C"])[0] for chair in table.chairs])
        table.says(table.chair(2), "Good luck.")
        mara.visitor.context.grant_permissions(["clipboard-write"])
        mara.visitor.context.route("**/run/files.json", lambda route: route.fulfill(status=204))
        mara.at(table)
        walk = Walk(mara.visitor.page, phone, mara.visitor.page.url, ".table-frame .stage > *")

        def menu(control: str) -> list[str]:
            return ["Menu", control] if phone else ["More", control] if control in SELDOM else [control]

        walk.through()
        for control, dialog in DIALOGS.items():
            if phone and control == "Keys":
                continue
            walk.through(*menu(control), dialog)
        walk.through(*menu("Resign"), "Resign this game?", until_over="button Resign 1")
        walk.ready = ".ending"
        walk.through()
        if phone:  # the same for both games
            walk.address, walk.ready = f"{server.url}/review/{table.id}?seat=1", _REVIEWED
            walk.through()
            walk.through("Share", "Share this game")

        assert walk.missed == []
        said = "\n".join(walk.pressed)
        on_phone = ("Seal the", "Copy the link", "Show every step", "Send", "Create a link")
        own = on_phone if phone else ("raised: press again",)
        for control in (*own, "Last round", "Rematch"):
            assert control in said, said
        assert mara.visitor.complaints == []


def _may_look_back_and_play(table: Set) -> bool:
    seen = table.snap(table.chair(1))
    return seen["view"]["round"] > 1 and 1 in seen["table"]["turn"]["may_seal"]
