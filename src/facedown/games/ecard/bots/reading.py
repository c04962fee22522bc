"""Prediction of an opponent from their play so far: how often the special card came, when, and after what.

Owns the prediction and its notes. Must not know what anything is worth, nor what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log2
from typing import Final, NamedTuple, TypeAlias, TypedDict, cast

from facedown.core.parts.bot import Memory
from facedown.core.seats import Seat
from facedown.core.views import Plain
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.view import ECardView

Context: TypeAlias = "tuple[int | str, ...]"
"""What a play has in common with others that are counted together."""

Counted: TypeAlias = "tuple[Context, int, int]"
"""How often the special card was shown in a context, and how often it could have been."""

TRUST: Final = (30.0, 15.0, 30.0, 100.0, 100.0)
"""How many plays of a context it takes until they count as much as everything in the wider context."""

_SURELY: Final = 0.99
"""No prediction is credited with more than this, nor charged for more."""

_FEW: Final = 3
"""Fewer plays of a context are no reason to name."""

_KEPT: Final = 256
"""Notes whose counts are kept."""


class OpponentRound(NamedTuple):
    """A finished round, as far as one opponent is concerned."""

    side: str
    """The opponent's."""
    plays: int
    special: bool
    """Whether their special card was in the last play; in the earlier ones it was not."""
    result: int
    """1 where they won the round, -1 where they lost it, 0 for a draw."""

    @classmethod
    def of(
        cls, seat: Seat, emperor: Seat, plays: int, cards: Sequence[str], winner: Seat | None
    ) -> OpponentRound:
        """The round as the table showed it; `seat` is the opponent's."""
        side = EMPEROR if emperor == seat else SLAVE
        result = 0 if winner is None else 1 if winner == seat else -1
        return cls(side, plays, cards[seat - 1] != CITIZEN, result)

    @property
    def choices(self) -> range:
        return range(1, min(self.plays, DECIDED - 1) + 1)

    def showed_special(self, play: int) -> bool:
        return self.special and play == self.plays


class OpponentReading:
    """Counts over a tree of contexts, each narrower than the one before.

    A play is counted by its number; then, narrower and narrower, by whether their special card was shown at
    this very play last time on this side, how the last round ended for them, which side they have, and when
    the special card was shown last. Where a context was seen little, the wider one speaks, and the widest
    falls back on the equilibrium: an unknown opponent is expected to play well.
    """

    __slots__ = ("_counts", "_last", "_result")

    def __init__(self) -> None:
        self._counts: dict[Context, list[int]] = {}
        self._last: dict[str, int] = {}
        self._result = 0

    def see(self, seen: OpponentRound) -> None:
        for play in seen.choices:
            shown = seen.showed_special(play)
            for context in self._contexts(seen.side, play):
                counts = self._counts.setdefault(context, [0, 0])
                counts[0] += shown
                counts[1] += 1
        if seen.special:
            self._last[seen.side] = seen.plays
        self._result = seen.result

    def remember(self, note: Note) -> None:
        """Count the rounds of an earlier game."""
        for context, shown, seen in _counts(note["you"], tuple(map(tuple, note["rounds"]))):
            counts = self._counts.setdefault(context, [0, 0])
            counts[0] += shown
            counts[1] += seen

    def chances(self, side: str, equilibrium: Sequence[float]) -> tuple[float, ...]:
        """How likely the opponent's special card is at each play of the next round, if it is still held."""
        return tuple(self._chance(side, play, start) for play, start in enumerate(equilibrium, 1))

    def counts(self) -> Iterator[Counted]:
        return ((context, shown, seen) for context, (shown, seen) in self._counts.items())

    def narrowest(self, side: str, play: int) -> tuple[int, int, int] | None:
        """The narrowest context of a play that was seen a few times, else the widest: how narrow it is, how
        often the special card was shown, of how many times."""
        found = None
        for width, context in enumerate(self._contexts(side, play)):
            shown, seen = self._counts.get(context, (0, 0))
            if seen >= (_FEW if found else 1):
                found = (width, shown, seen)
        return found

    def _chance(self, side: str, play: int, start: float) -> float:
        chance = start
        for context, trust in zip(self._contexts(side, play), TRUST, strict=True):
            counts = self._counts.get(context)
            if counts is None:
                break
            chance = (counts[0] + trust * chance) / (counts[1] + trust)
        return chance

    def _contexts(self, side: str, play: int) -> tuple[Context, ...]:
        last, result = self._last.get(side, 0), self._result
        again = last == play
        return (
            (play,),
            (play, again),
            (play, again, result),
            (play, again, result, side),
            (play, again, result, side, last),
        )


@lru_cache(maxsize=_KEPT)
def _counts(seat: Seat, rounds: tuple[tuple[Seat, int, str, Seat | None], ...]) -> tuple[Counted, ...]:
    """The counts of one game; a note is read again in every game for as long as it is kept."""
    reading = OpponentReading()
    for emperor, plays, cards, winner in rounds:
        reading.see(OpponentRound.of(seat, emperor, plays, cards, winner))
    return tuple(reading.counts())


def bits(seen: OpponentRound, chances: Sequence[float], equilibrium: Sequence[float]) -> float:
    """How much better than the equilibrium the chances foretold this round; negative where they did worse.

    >>> bits(OpponentRound("E", 1, True, 1), [0.4, 0.5], [0.2, 0.25])
    1.0
    """
    gained = 0.0
    for play in seen.choices:
        foretold, usual = (
            _credit(each[play - 1], seen.showed_special(play)) for each in (chances, equilibrium)
        )
        gained += log2(foretold / usual)
    return gained


def _credit(chance: float, shown: bool) -> float:
    return min(max(chance if shown else 1.0 - chance, 1.0 - _SURELY), _SURELY)


# --- notes -----------------------------------------------------------------------------------------------


class Note(TypedDict):
    """A finished game, as it is remembered."""

    rules: str
    you: Seat
    """The seat of the one who is remembered."""
    rounds: list[tuple[Seat, int, str, Seat | None]]
    """Emperor side, plays, the cards of the last play by seat, winner."""
    millibits: int
    """How much better than the equilibrium the rounds were foretold."""


def write_note(view: ECardView, gained: float) -> Plain:
    """The note of a finished game, and how many bits of it were foretold."""
    return {
        "rules": str(view.rules),
        "you": 3 - view.viewer,
        "rounds": [[each.emperor, each.plays, "".join(each.cards), each.winner] for each in view.rounds],
        "millibits": round(1000 * gained),
    }


def notes_of(memory: Memory, rules: ECardRules) -> list[Note]:
    """The notes of games under these rules only: what an opponent does depends on what it pays."""
    text = str(rules)
    return [cast(Note, note) for note in memory if isinstance(note, dict) and note.get("rules") == text]
