"""People who play by mouse or finger alone, without scrolling: what they press lies in view, uncovered."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tests.patience import PATIENCE_MS
from tests.web.shell.server_process import Visitor, visit
from tests.web.whole.players import LONGEST, Player, Seen

SIZES: Final = {"phone": (360, 780), "sideways": (740, 360), "tablet": (768, 1024), "laptop": (1440, 900)}
"""By device; all but the laptop are touched."""

_SPOT: Final = """(where) => {
  for (const each of document.querySelectorAll(where)) {
    const box = each.getBoundingClientRect();
    const free = (x, y) => each.contains(document.elementFromPoint(x, y));
    const across = [0.5, 0.3, 0.15, 0.7, 0.85].map((part) => box.left + part * box.width);
    const down = [0.5, 0.25, 0.1].map((part) => box.top + part * box.height);
    for (const y of down) for (const x of across) {
      if (!free(x, y)) continue;
      globalThis.reached = null;
      const note = (event) => { globalThis.reached = each.contains(event.target); };
      addEventListener("click", note, { capture: true, once: true });
      return [x, y, navigator.maxTouchPoints > 0];
    }
  }
  return null;
}"""
"""Where the first of these can be pressed, and whether by finger; cards of a hand show a part of themselves.

The page notes whether the next click reaches it.
"""
_REACHED: Final = """(most) => new Promise((resolve) => {
  const from = performance.now();
  const look = () => {
    if (reached !== null || performance.now() - from > most) resolve(reached === true);
    else setTimeout(look, 5);
  };
  look();
})"""

_RAISED: Final = "Boolean(document.querySelector('.stage [data-raised=true]'))"
_MISSED: Final = PATIENCE_MS / 10
"""Milliseconds without any click, after which a press counts as missed, and is made again."""


class PointerPlayer(Player):
    """A pointer: a mouse, or a finger on a touch screen."""

    def presses(self, where: str, done: str) -> None:
        """Press what answers to this once it lies in view; again where the page moved under the hand."""
        end = time.monotonic() + LONGEST
        while not self.page.evaluate(done):
            assert time.monotonic() < end, f"{where} could not be pressed: {self.sees()}"
            if self._pressed(where):
                # It will answer: a second press could mean something else. The policy allows functions alone.
                self.page.wait_for_function(f"() => {done}")
            else:
                self.page.wait_for_timeout(20)

    def _pressed(self, where: str) -> bool:
        """Whether a press reached what answers to this."""
        spot = self.page.evaluate(_SPOT, where)
        if spot is None:
            return False
        x, y, by_finger = spot
        (self.page.touchscreen.tap if by_finger else self.page.mouse.click)(x, y)
        return bool(self.page.evaluate(_REACHED, _MISSED))

    def raises(self, card: str, seen: Seen) -> None:
        """A tap on the card."""
        assert card in seen.playable, f"{card} cannot be played: {seen}"
        self.presses(f".stage [data-pick='{card}'][aria-disabled=false]", _RAISED)
        assert self.sees().raised == card

    def places(self, how: str) -> None:
        """The button under, over or beside the hand."""
        self.presses(".dv-exchange" if how else ".ec-seal, .dv-play", f"!({_RAISED})")

    def names(self, stake: int, seen: Seen) -> None:
        """By plus and minus."""
        for number in range(seen.stake + 1, stake + 1):
            self.presses(
                ".ec-step:last-of-type", f"Number(document.querySelector('output').value) >= {number}"
            )
        self.presses(".ec-stake .ec-seal", "!document.querySelector('.ec-stake')")

    def goes_on(self, seen: Seen) -> None:
        """The curtain's button; else what leads on from a result, or a tap on the table to hurry it."""
        if seen.curtain:
            self.presses("dialog.curtain button", "!document.querySelector('dialog.curtain[open]')")
        elif not self._pressed(".ec-scene .ec-seal, .dv-on"):
            self._pressed(".stage .grain, .stage")


def device(name: str) -> dict[str, int | bool]:
    """The size of a screen by its name, and whether it is touched."""
    wide, high = SIZES[name]
    return {"wide": wide, "high": high, "phone": name != "laptop"}


def opens_a_table(visitor: Visitor, game: str, options: dict[str, str], other: str) -> None:
    """From home over the sheet of a new table, as a person would; `other`: who sits opposite."""
    page = visitor.goes_to("/")
    press = _press(visitor)
    press(page.get_by_role("link", name="Open a table"))
    press(page.get_by_role("dialog").locator(f"label:has(input[value={game}])"))
    if options:
        press(page.get_by_role("dialog").get_by_text("More options"))
    for option, value in options.items():
        press(page.locator(f"#option-{option}"))
        page.locator(f"#option-{option}").fill(value)
    page.get_by_label("Seat 2").select_option(other)
    if other == "person":
        page.get_by_label("Your name").fill("Ann")
    press(page.get_by_role("button", name="Open the table"))
    page.wait_for_selector(".table-frame")


def _press(visitor: Visitor) -> Callable[..., None]:
    touched = visitor.page.evaluate("navigator.maxTouchPoints > 0")
    return lambda control: control.tap() if touched else control.click()


def joins(visitor: Visitor, link: str) -> None:
    """By the link that a friend sent."""
    visit(visitor.page, link)
    visitor.page.get_by_label("Your name").fill("Bo")
    _press(visitor)(visitor.page.get_by_role("button", name="Join"))
    visitor.page.wait_for_selector(".table-frame")
