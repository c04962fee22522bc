"""Predictability of a player: how much less a reader of their earlier picks was surprised than chance is.

One number from 0 (unpredictable) to 100 (an open book), with an interval: one game shows little.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Final, NamedTuple

from facedown.bots.find import bots_of
from facedown.bots.house import house_of
from facedown.core.chance import Stream, seed_of
from facedown.core.game import AnyGame, Pick
from facedown.core.parts.bot import AnyBot
from facedown.core.parts.judge import Foretold, ReaderReport
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.views import View
from facedown.review import message

# --- the reader ------------------------------------------------------------------------------------------


_SLIP: Final = 0.2
"""How often a player is thought to pick anything at all instead of what their kind would."""
_ASKED: Final = 16
"""How often a bot is asked what it would pick: some draw."""


def read_by_kind(game: AnyGame, turns: Sequence[ReplayedTurn], seat: Seat, key: bytes) -> ReaderReport:
    """What the reader thought of every pick of this seat, before it came."""
    characters = {each.bot.name for each in house_of(game.name)}  # they play as one of the others, mostly
    kinds = {name: bot for name, bot in bots_of(game.name).items() if name not in characters}
    weights = dict.fromkeys(kinds, 1 / len(kinds))
    foretold = []
    for number, turn in enumerate(turns, 1):
        legal, pick = game.legal(turn.before, seat), turn.joint[seat - 1]
        if pick not in legal or len(legal) == 1:
            continue
        view = game.view(turn.before, seat)
        likely = {
            name: _likely(kind, view, legal, pick, Stream(key, f"kind/{name}/{number}"))
            for name, kind in kinds.items()
        }
        expected = sum(weights[name] * chance for name, chance in likely.items())
        foretold.append(Foretold(number, expected, 1 / len(legal)))
        weights = {name: weights[name] * chance / expected for name, chance in likely.items()}
    return ReaderReport(message("rollouts.reader"), message("rollouts.blind"), tuple(foretold))


def _likely(kind: type[AnyBot], view: View, legal: tuple[Pick, ...], pick: Pick, stream: Stream) -> float:
    machine = kind()
    first = machine.pick(view, legal, stream)
    if stream.untouched:  # it leaves nothing to chance
        share = float(first == pick)
    else:
        picks = [first, *(machine.pick(view, legal, stream) for _ in range(_ASKED - 1))]
        share = picks.count(pick) / _ASKED
    return _SLIP / len(legal) + (1 - _SLIP) * share


# --- how readable a seat was -----------------------------------------------------------------------------


_RESAMPLES: Final = 1000
_LEAST_ROUNDS: Final = 5
_WIDEST: Final = 50.0
"""An interval that is wider says less than it seems to."""
_SURELY: Final = 0.99
"""No prediction is credited with more than this, nor charged for more."""


class Predictability(NamedTuple):
    """How predictable a seat was."""

    number: float
    """The part of the surprise in its picks that the reader took away, in percent; never below 0."""
    low: float
    """The lower end of the interval."""
    high: float
    """From `low` to `high`: a 95 % interval."""
    bits: float
    """What the reader gained over chance in the whole game; below 0 where it was misled."""
    picks: int
    """How many picks were read."""
    rounds: int
    """In how many rounds."""

    @property
    def tells(self) -> bool:
        """Whether the interval is narrow enough for the number to mean anything."""
        return self.high - self.low <= _WIDEST


def predictability(foretold: Sequence[Foretold]) -> Predictability | None:
    """The number, with an interval from resampled rounds; None where there was nothing to read.

    >>> found = predictability([Foretold(round, 0.5, 0.25) for round in range(8)])
    >>> found.number, found.bits, found.low < 50 < found.high
    (50.0, 8.0, True)
    >>> predictability([Foretold(1, 0.5, 0.25)])
    Predictability(number=50.0, low=0.0, high=100.0, bits=1.0, picks=1, rounds=1)
    """
    if not foretold:
        return None
    rounds: dict[int, list[Foretold]] = {}
    for each in foretold:
        rounds.setdefault(each.round, []).append(each)
    sums = [(_bits(picks), _surprise(picks)) for picks in rounds.values()]
    number = _number(sums)
    low, high = _interval(sums)
    return Predictability(
        number, min(number, low), max(number, high), _bits(foretold), len(foretold), len(rounds)
    )


def _interval(sums: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the number lies in 95 % of resampled games; anywhere, if there is little to resample.

    It is resampled as if there had been two rounds more, one that the reader knew and one that showed it
    nothing: rounds that were all alike do not prove that the next one will be.
    """
    if len(sums) < _LEAST_ROUNDS:
        return 0.0, 100.0
    stream = Stream(seed_of(repr(sums)), "readable")
    usual = sum(surprise for _, surprise in sums) / len(sums)
    drawn = [*sums, (0.0, usual), (usual, usual)]
    again = sorted(_number([drawn[stream.below(len(drawn))] for _ in sums]) for _ in range(_RESAMPLES))
    cut = _RESAMPLES // 40
    return again[cut], again[-1 - cut]


def _number(sums: Sequence[tuple[float, float]]) -> float:
    """The gain of all rounds as a part of their surprise."""
    gained, surprise = sum(each[0] for each in sums), sum(each[1] for each in sums)
    return 100 * min(max(0.0, gained) / surprise, 1.0)


def _bits(picks: Sequence[Foretold]) -> float:
    return sum(log2(_credit(each.reader) / _credit(each.chance)) for each in picks)


def _surprise(picks: Sequence[Foretold]) -> float:
    return sum(-log2(_credit(each.chance)) for each in picks)


def _credit(chance: float) -> float:
    return min(max(chance, 1 - _SURELY), _SURELY)
