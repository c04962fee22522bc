"""Timing habits of a seat: when its special card came, when the equilibrium's would have, and the cost.

Owns the counts over one game and how far so few rounds can be off. Must not know what anything is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from facedown.core.chance import Stream, seed_of
from facedown.core.parts.judge import Exposure, Timing
from facedown.core.text.translation import Message, Slot
from facedown.games.ecard import message
from facedown.games.ecard.notation import EMPEROR

RoundKind: TypeAlias = "tuple[str, bool]"
"""Rounds that are alike: the side, and whether they last until the special cards meet (E6)."""

ShownCard: TypeAlias = "tuple[int, bool, float]"
"""A card that was shown: its round, whether it was the special one, and how likely the equilibrium's was."""

CountedAt: TypeAlias = "tuple[str | None, int | None]"
"""Cards that are counted together: a side and a play, from 0; None for all."""

_PRIOR: Final = 1.0
"""The plays of the equilibrium that are added to what was seen at each: a few rounds say little."""
_RESAMPLES: Final = 200
_FINE: Final = 1 << 53
_RARE: Final = 0.05
"""A habit stands out if chance alone would show one as striking in fewer games than this."""


class Shown(NamedTuple):
    """One round of a seat: the equilibrium's chance of the special card at each play with a choice, if it
    is still held, and for each of these plays that came, whether the card was shown."""

    usual: tuple[float, ...]
    special: tuple[bool, ...]

    @property
    def cut(self) -> int:
        """The play after which nothing more can be known of the round: the other's special card ended it."""
        return len(self.usual) if not self.special or self.special[-1] else len(self.special)


@dataclass(slots=True)
class SpecialCardHabits:
    """Counts of one seat's special card."""

    shown: dict[tuple[RoundKind, int], Shown] = field(default_factory=dict)
    """By kind and number, the rounds in which neither side may be predictable."""
    timed: list[tuple[int, bool, float]] = field(default_factory=list)

    def time(self, at: int, special: bool, usual: float) -> None:
        """Count a card for the table of when the special one came; `at` is the play, from 0."""
        self.timed.append((at, special, usual))

    def add(self, number: int, kind: RoundKind, usual: tuple[float, ...], special: bool) -> None:
        """Count a card of a round in which it matters to be unreadable."""
        so_far = self.shown.get((kind, number), Shown(usual, ()))
        self.shown[kind, number] = Shown(usual, (*so_far.special, special))

    def timing(self) -> Timing | None:
        """How often the special card came at each play, and how often it would have."""
        if not self.timed:
            return None
        plays = range(max(at for at, _, _ in self.timed) + 1)
        return Timing(
            message("timing"),
            tuple(message("timing.play", number=play + 1) for play in plays),
            tuple(sum(special for at, special, _ in self.timed if at == play) for play in plays),
            tuple(sum(usual for at, _, usual in self.timed if at == play) for play in plays),
        )

    def exposure(self) -> Exposure | None:
        """What a perfect reader would have won; resampled rounds say how far so few of them can be off."""
        if not self.shown:
            return None
        rounds = [(kind, shown) for (kind, _), shown in self.shown.items()]
        stream = Stream(seed_of(repr(rounds)), "exposure")
        found = _share(rounds)
        again = sorted(_share(_resampled(rounds, stream)) for _ in range(_RESAMPLES))
        blind = [
            _share([(kind, _thrown(shown, stream)) for kind, shown in rounds]) for _ in range(_RESAMPLES)
        ]
        cut = _RESAMPLES // 40
        return Exposure(
            found,
            low=min(found, again[cut]),
            high=max(found, again[-1 - cut]),
            usual=sum(blind) / _RESAMPLES,
            rounds=len(rounds),
        )

    def most_telling(self) -> Message | None:
        """The habit that chance explains least, if it hardly does; None where there was nothing to choose."""
        if not self.shown:
            return None
        found = [_striking(where, cards) for where, cards in self._cards().items()]
        best = min(found, key=lambda each: each.chance)
        if best.chance * len(found) > _RARE:
            return message("habit.none")
        return best.message()

    def _cards(self) -> dict[CountedAt, list[ShownCard]]:
        """All cards, by side and play, by side, by play, and together."""
        found: dict[CountedAt, list[ShownCard]] = {}
        for ((side, _), number), shown in self.shown.items():
            for at, (special, usual) in enumerate(zip(shown.special, shown.usual, strict=False)):
                for where in ((side, at), (side, None), (None, at), (None, None)):
                    found.setdefault(where, []).append((number, special, usual))
        return found


# --- the perfect reader ----------------------------------------------------------------------------------


def _share(rounds: Sequence[tuple[RoundKind, Shown]]) -> float:
    """The share of these rounds that the best answer to their own habits wins."""
    won = 0.0
    for kind in dict.fromkeys(kind for kind, _ in rounds):  # in order: sums of floats depend on it
        alike = [shown for each, shown in rounds if each == kind]
        won += len(alike) * best_share(*kind, _hazards(alike))
    return won / len(rounds)


def _hazards(rounds: Sequence[Shown]) -> list[float]:
    """How often the special card came at each play where it was still held, drawn to the equilibrium."""
    hazards = []
    for at in range(len(rounds[0].usual)):
        cards = [shown.special[at] for shown in rounds if len(shown.special) > at]
        usual = sum(shown.usual[at] for shown in rounds) / len(rounds)
        hazards.append((sum(cards) + _PRIOR * usual) / (len(cards) + _PRIOR))
    return hazards


def best_share(side: str, decided: bool, hazards: Sequence[float]) -> float:
    """How often the best time for the other's special card wins a round against a seat on this side.

    The Slave side wins only where the special cards meet; the Emperor side wherever one meets a Citizen.

    >>> best_share("E", False, [0.5, 0.5]), best_share("S", False, [0.5, 0.5]), best_share("E", True, [0.1])
    (0.5, 0.75, 0.9)
    """
    times = []
    held = 1.0
    for hazard in hazards:
        times.append(held * hazard)
        held -= times[-1]
    if side == EMPEROR:
        return max(*times, held if decided else 0.0)
    return max(1.0 - min(times), sum(times))


def _resampled(rounds: Sequence[tuple[RoundKind, Shown]], stream: Stream) -> list[tuple[RoundKind, Shown]]:
    """As many rounds, each one of these, or now and then, as if there had been one more, one by the dice."""
    drawn = []
    for _ in rounds:
        kind, shown = rounds[stream.below(len(rounds))]
        drawn.append((kind, shown if stream.below(len(rounds) + 1) else _thrown(shown, stream)))
    return drawn


def _thrown(shown: Shown, stream: Stream) -> Shown:
    """The same round, played by the equilibrium's dice; the other's card comes when it came."""
    special: list[bool] = []
    for usual in shown.usual[: shown.cut]:
        special.append(stream.below(_FINE) < usual * _FINE)
        if special[-1]:
            break
    return Shown(shown.usual, tuple(special))


# --- what stands out -------------------------------------------------------------------------------------


class _Striking(NamedTuple):
    """How often the special card came somewhere, and how likely the equilibrium would come so far off."""

    where: CountedAt
    came: int
    rounds: int
    usual: float
    chance: float

    def message(self) -> Message:
        """The habit in a sentence."""
        side, at = self.where
        slots: dict[str, Slot] = {
            "came": self.came,
            "rounds": self.rounds,
            "usual": self.usual,
            "use": message("habit.use.count" if self.came > self.usual else "habit.use.safe"),
        }
        if at is not None:
            slots["play"] = at + 1
        if side is None:
            return message("habit" if at is None else "habit.play", **slots)
        return message(
            "habit.side" if at is None else "habit.side_play", card=message(f"card.{side}"), **slots
        )


def _striking(where: CountedAt, cards: Sequence[ShownCard]) -> _Striking:
    """How likely the equilibrium would be at least so far off, to this side or to that."""
    came, usual = sum(special for _, special, _ in cards), sum(chance for _, _, chance in cards)
    odds = [1.0]  # of every number of times
    for _, _, chance in cards:
        odds = [
            same * (1 - chance) + less * chance for same, less in zip([*odds, 0.0], [0.0, *odds], strict=True)
        ]
    tail = min(sum(odds[: came + 1]), sum(odds[came:]))
    return _Striking(where, came, len({number for number, _, _ in cards}), usual, min(1.0, 2 * tail))
