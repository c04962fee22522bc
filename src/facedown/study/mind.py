"""The mind of the day: one position, ten chips on its two picks, and everybody's mixture against all others.

Owns which position a day has, and how minds meet. Each takes one of the two seats; those on one seat meet
those on the other. The position follows from the date alone, so it is the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, cast

from facedown.core import registry
from facedown.core.chance import Stream, deal_key, seed_of
from facedown.core.errors import UnreadablePick, Unsupported
from facedown.core.game import AnyGame
from facedown.core.parts.mind import Mind, Minds
from facedown.core.parts.trainer import Exercise
from facedown.core.seats import Seat, all_seats
from facedown.study.train import draw, trainer_of, trainings

CHIPS: Final = 10
SQUARES: Final = 5
_SEATS: Final = 2
_EVEN: Final = 1e-12
_APART: Final = 3
"""How many different mixtures the house has at least: a crowd of one mind is none."""


def has_mind(game: str) -> bool:
    """Whether positions of a game can be the mind of a day."""
    return hasattr(registry.part(game, "study"), "mind")


class DayPosition(NamedTuple):
    """The position of a day."""

    game: AnyGame
    day: str
    state: Any
    seat: Seat
    """The seat of a person who has not been given another one."""

    def question(self, seat: Seat, language: str) -> Exercise:
        """What a person on this seat is asked."""
        trainer = trainer_of(self.game.name, _SEATS)
        asked = None if trainer is None else trainer.ask(self.state, seat, language)
        assert asked is not None, "it was drawn because both seats can be asked"
        return asked

    def mind(self, seat: Seat) -> Mind:
        return cast(Minds, registry.part(self.game.name, "study")).mind(self.state, seat)


def seat_of(day: str, person: str) -> Seat:
    """The seat of a person: as many on one as on the other, and no person chooses."""
    return 1 + Stream(deal_key(seed_of(f"mind {day}"), "seats"), person).below(_SEATS)


def position_of(game: str, day: str) -> DayPosition:
    """The position of a day, such as 2026-11-18; `Unsupported` if the game has none."""
    if not has_mind(game):
        raise Unsupported(f"{game} has no mind of the day: its positions are not solved")
    found = registry.get(game)
    asked = trainings(found, found.rules.of(found.rules.usual_preset()), _SEATS)
    trainer = trainer_of(game, _SEATS)
    for number in range(100):
        state, seat = draw(asked, f"mind {day} {number}")
        drawn = DayPosition(found, day, state, seat)
        is_asked = trainer and all(trainer.ask(state, each) for each in all_seats(_SEATS))
        if is_asked and all(
            len(set(drawn.mind(each).house.values())) >= _APART for each in all_seats(_SEATS)
        ):
            return drawn
    raise Unsupported("there is no position worth asking both seats about")


def read_chips(text: str) -> int:
    """Chips on the first pick, from 0 to 10; raises `UnreadablePick`."""
    if not (text.strip().isdecimal() and int(text) <= CHIPS):
        raise UnreadablePick(f"{text[:20]!r} is no number of chips: from 0 to {CHIPS}", text=text[:40])
    return int(text)


Crowd: TypeAlias = Mapping[float, int]
"""How many minds have each mixture."""


def crowd_of(house: Mapping[str, float], people: Sequence[int] = ()) -> Crowd:
    """The crowd on a seat: the house, and the people by their chips on the first pick."""
    crowd = Counter(house.values())
    for chips, count in enumerate(people):
        crowd[chips / CHIPS] += count
    return crowd


def mean_of(crowd: Crowd) -> float:
    """The average mixture of a crowd: what playing against all of it is worth follows from that alone."""
    return sum(mixture * count for mixture, count in crowd.items()) / sum(crowd.values())


class MindResult(NamedTuple):
    """How a mixture met the other seat's, and how it compares with those on the same seat."""

    gain: float
    """The chance to win against the crowd, less what the position is worth."""
    risk: float
    """What someone who knows the mixture can take from it."""
    beaten: float
    """The share of the minds on the same seat that did worse; those who did the same count half."""
    perfect_beaten: float
    """The same for the exact mixture."""
    squares: int
    """How many of five squares are filled: fifths of the crowd beaten."""


def settle(mind: Mind, chips: int, same: Crowd, others: Crowd) -> MindResult:
    """The result of chips on the first pick, among the mixtures on the same seat and on the other one."""
    crowd, own = mean_of(others), chips / CHIPS
    even = mind.value(mind.exact, mind.exact_other)

    def beaten(mixture: float) -> float:
        value, sum_beaten = mind.value(mixture, crowd), 0.0
        for each, count in same.items():
            rival = mind.value(each, crowd)
            sum_beaten += count * (0.5 if abs(value - rival) < _EVEN else float(value > rival))
        return sum_beaten / sum(same.values())

    share = beaten(own)
    return MindResult(
        gain=mind.value(own, crowd) - even,
        risk=even - min(mind.value(own, 0.0), mind.value(own, 1.0)),
        beaten=share,
        perfect_beaten=beaten(mind.exact),
        squares=round(share * SQUARES),
    )
