"""The strong machines, `expert` and `steady`: what `careful` counts, and a trained network that chooses.

Each has its own network, trained by self-play (`learn`); the weights lie beside this module. Needs NumPy.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import Any, ClassVar, Final

from facedown.core.chance import Stream
from facedown.core.errors import missing_extra
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Memory
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.bots.reading import GameReading
from facedown.games.davenport.encoding import encode
from facedown.games.davenport.learn.network import SeatSight, Weights, decide
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.view import PLAYOFF, DavenportView

_VALUES: Final = 13
_OF_EACH: Final = 4
_FIRST_DISCARDED: Final = 6
"""Where the known discards begin in an encoded view."""
_FINE: Final = 1 << 53


class NetworkBot(Bot[DavenportView]):
    """Chooses by a network that learned from billions of its own picks."""

    network: ClassVar[str]
    """Which of the shipped networks."""

    def __init__(self, memory: Memory | None = None) -> None:
        shipped_weights(self.network)  # what is missing is said before the first pick

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        if len(legal) == 1:
            return legal[0]
        likely = chances(self.network, view)
        left = stream.below(_FINE) / _FINE
        chosen = likely.index(max(likely))  # what rounding has left over belongs to the likeliest
        for number, chance in enumerate(likely):
            if left < chance:
                chosen = number
                break
            left -= chance
        value = chosen % _VALUES + 1
        card = next(card for card in view.hand if card.value == value)
        return EXCHANGE[card] if chosen >= _VALUES else card


class Expert(NetworkBot):
    """Wins most against the machines that there are; one that knows it can win against it."""

    name: ClassVar[str] = "expert"
    says: ClassVar[Text] = message("bot.expert.says")
    network: ClassVar[str] = name


class Steady(NetworkBot):
    """Learned against itself alone: knowing it gains next to nothing."""

    name: ClassVar[str] = "steady"
    says: ClassVar[Text] = message("bot.steady.says")
    network: ClassVar[str] = name


@lru_cache(maxsize=16)
def chances(network: str, view: DavenportView) -> tuple[float, ...]:
    """How likely it is to play a card of each value, from the Ace on, then to exchange one of each.

    Kept for a few views: where games are played out from one position, its seats pick there many times.
    """
    np = _numpy()
    found: list[float] = decide(np, shipped_weights(network), _sight(np, view))[0].tolist()
    return tuple(found)


def _sight(np: Any, view: DavenportView) -> SeatSight:
    from facedown.games.davenport.batch.thinking import (  # they import this package
        HabitTables,
        SeatCounts,
        first_habits,
    )
    from facedown.games.davenport.learn.sight import TableCounts, sight

    rules = view.rules
    playoff = view.phase == PLAYOFF
    others = [seat for seat in view.seats_in if seat != view.viewer]
    known = encode(view)[_FIRST_DISCARDED : _FIRST_DISCARDED + _VALUES]
    held = [0] * _VALUES
    for card in view.hand:
        held[card.value - 1] += 1

    def row(values: Any) -> Any:
        return np.asarray([values], dtype=np.float32)

    habits = first_habits(np, 1, len(others))
    if not playoff:
        reading = GameReading(view)
        reading.go_on(view)
        counts = [reading.habits[seat].as_counts() for seat in others]
        habits = HabitTables(*[row(each) for each in zip(*counts, strict=True)])
    return sight(
        np,
        SeatCounts(
            held=row(held),
            gone=row(known) * _OF_EACH,
            others=np.ones((1, len(others)), dtype=bool),
            cards=row([view.hands[seat - 1] for seat in others]),
            own=row(len(view.hand)),
            ace=rules.ace,
            exchange=rules.exchange,
            playoff=np.asarray([playoff]),
        ),
        habits,
        TableCounts(
            by_wins=rules.playoff == "wins",
            own_wins=row(view.wins[view.viewer - 1] / rules.playoff_wins),
            wins=row([view.wins[seat - 1] / rules.playoff_wins for seat in others]),
            stock=row(view.stock),
            discards=row(view.discards),
        ),
    )


def _numpy() -> Any:
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise missing_extra("expert needs", "batch") from None
    return np


@cache
def shipped_weights(network: str) -> Weights:
    """What this network has learned."""
    np = _numpy()
    path = resources.files(__package__) / f"{network}.npz"
    with path.open("rb") as file, np.load(file) as found:
        return Weights(**{name: found[name].astype(np.float32) for name in Weights._fields})
