"""People who play by mouse or finger alone, without scrolling: what they press lies in view, uncovered."""

from __future__ import annotations

import time
from typing import Final, Literal

from tests.patience import PATIENCE_MS
from tests.web.whole.players import LONGEST, Player, Seen

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

    def goes_on(self, seen: Seen) -> None:
        """The curtain's button; else what leads on from a result, or a tap on the table to hurry it."""
        if seen.curtain:
            self.presses("dialog.curtain button", "!document.querySelector('dialog.curtain[open]')")
        elif not self._pressed(".ec-scene .ec-seal, .dv-on"):
            self._pressed(".stage .grain, .stage")


def device(name: Literal["phone", "laptop"]) -> dict[str, int | bool]:
    """The size of a screen, and whether it is touched."""
    if name == "phone":
        return {"wide": 360, "high": 780, "phone": True}
    return {"wide": 1440, "high": 900}
