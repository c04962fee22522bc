"""People who play through the page: they read what is legal from it, and press keys; they ask no server.

Those of `pointer` do the same by mouse or finger.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from playwright.sync_api import Page

from tests.patience import PATIENCE
from tests.web.shell.server_process import Visitor

LONGEST: Final = PATIENCE
"""Seconds without anything to do, after which a game counts as stuck."""

_PATIENCE: Final = 0.3
"""Seconds before one page is left for a look at all others."""

READ: Final = """() => {
  const one = (where) => document.querySelector(where);
  const hand = one('.stage ul[data-free]');
  const cards = [...document.querySelectorAll('.stage [data-pick]')];
  const free = hand?.dataset.free === 'true';
  const stage = one('.stage [data-stage]')?.dataset.stage ?? '';
  const curtain = one('dialog.curtain[open] h2')?.textContent ?? '';
  const stake = Number(one('.stage output')?.textContent ?? 0);
  return {
    state: one('.table-frame')?.dataset.state ?? '',
    seat: Number(one('.table-frame')?.dataset.seat ?? -1),
    stage,
    due: (free || stake > 0) && stage === 'rest' && !curtain,
    hand: cards.map((card) => card.dataset.pick),
    playable: cards.filter((card) => card.ariaDisabled === 'false').map((card) => card.dataset.pick),
    sealed: Boolean(one('.ec-place[data-who=you][data-state=sealed], .dv-mine [data-state=sealed]')),
    raised: one('.stage [data-pick][data-raised=true]')?.dataset.pick ?? '',
    stake,
    place: one('.table-bar h1 .narrow')?.textContent ?? '',
    curtain,
    ending: one('.ending h2')?.textContent ?? '',
  };
}"""


_WAIT: Final = f"""async ([until, most]) => {{
  const look = {READ};
  const busy = (seen) => seen.due || seen.curtain || seen.ending || !['', 'rest'].includes(seen.stage);
  for (const from = performance.now(); ; await new Promise((go) => setTimeout(go, 15))) {{
    const seen = look();
    if (until === 'sealed' ? !seen.due : busy(seen)) return seen;
    if (performance.now() - from > most) return seen;
  }}
}}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page shows to its player."""

    state: str
    seat: int
    stage: str
    due: bool
    """Something is to be chosen here, now."""
    hand: list[str]
    playable: list[str]
    sealed: bool
    raised: str
    stake: int
    place: str
    curtain: str
    ending: str

    @property
    def turning(self) -> bool:
        """Cards are being turned."""
        return self.stage not in ("", "rest")


Plan = Callable[[Mapping[int, Seen]], dict[int, str]]
"""From what every page shows before a decision to everybody's pick; a seat that is left out picks nothing."""


@dataclass(eq=False)
class Player:
    """A player with a page."""

    visitor: Visitor
    picked: list[str] = field(default_factory=list)
    """Everything sealed by hand, in order."""

    @property
    def page(self) -> Page:
        """Where they play."""
        return self.visitor.page

    def sees(self) -> Seen:
        """One look at the page."""
        return Seen(**self.page.evaluate(READ))

    def waits(self, until: Literal["sealed", "busy"], seconds: float) -> Seen:
        """Waits until there is nothing to choose or something happens, up to a limit."""
        return Seen(**self.page.evaluate(_WAIT, [until, seconds * 1000]))

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def seals(self, pick: str, seen: Seen | None = None) -> None:
        """Choose by keys, seal, and see it lie there."""
        seen = seen or self.waits("busy", LONGEST)
        assert seen.due, f"nothing to choose: {seen}"
        if seen.stake:
            self.names(int(pick), seen)
        else:
            self.raises(pick.removeprefix("x"), seen)
            self.places("x" if pick.startswith("x") else "")
        self.picked.append(pick)
        assert not self.waits("sealed", LONGEST).due

    def raises(self, card: str, seen: Seen) -> None:
        """Raise a card by its number, or by arrows where the hand is too large for numbers."""
        assert card in seen.playable, f"{card} cannot be played: {seen}"
        place = seen.hand.index(card)
        self.press(*([str(place + 1)] if place < 9 else ["9"] + ["ArrowRight"] * (place - 8)))
        assert self.sees().raised == card

    def places(self, how: str) -> None:
        """Seal the raised card, or exchange it (`x`)."""
        self.press(how or "Enter")

    def names(self, stake: int, seen: Seen) -> None:
        """Choose a stake, and name it."""
        assert stake >= seen.stake
        self.press(*(["ArrowRight"] * (stake - seen.stake) or ["ArrowRight", "ArrowLeft"]), "Enter")

    def goes_on(self, seen: Seen) -> None:
        """Past a reveal, or a curtain: what is not a choice."""
        self.press("Enter" if seen.curtain else "Escape")


def play(
    players: Sequence[Player],
    plan: Plan,
    *,
    until: Callable[[Mapping[int, Seen]], bool] | None = None,
    before_last: Callable[[], Any] | None = None,
) -> None:
    """One loop for all pages, to the end of the game, or until something holds between two decisions.

    `before_last` is called in every decision when all but one have sealed.
    """
    over = until or (lambda seen: all(each.ending for each in seen.values()))
    picks: dict[int, str] = {}
    before: dict[int, Seen] = {}
    stuck = time.monotonic() + LONGEST
    while True:
        looks = {player: player.sees() for player in players}
        seen = {each.seat: each for each in looks.values()}
        if not (picks or _behind(seen) or any(each.turning for each in seen.values())) and over(seen):
            return
        acted = [player for player, each in looks.items() if _goes_on(player, each)]
        if not acted and not picks and any(each.due for each in seen.values()) and not _behind(seen):
            picks = plan(seen)
        for player, each in looks.items():
            if each.due and each.seat in picks:
                if len(picks) == 1 and before_last is not None:
                    before_last()
                player.seals(picks.pop(each.seat), each)
                acted.append(player)
        if seen != before:
            before, stuck = seen, time.monotonic() + LONGEST
        assert time.monotonic() < stuck, f"no player gets on: {seen}; still to come: {picks}"
        if not acted:
            idle = [player for player, each in looks.items() if not each.due and not each.ending]
            (idle or players)[0].waits("busy", _PATIENCE)


def _goes_on(player: Player, seen: Seen) -> bool:
    """Past a reveal, or a curtain: what is not a choice."""
    if seen.turning or seen.curtain:
        player.goes_on(seen)
    return seen.turning or bool(seen.curtain)


def _behind(seen: Mapping[int, Seen]) -> bool:
    """A page that has not received the end of the last decision."""
    return any(each.sealed for each in seen.values())


def endings(players: Sequence[Player]) -> list[str]:
    """What each page says at the end."""
    return [player.sees().ending for player in players]
