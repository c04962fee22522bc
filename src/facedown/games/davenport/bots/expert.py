"""The strong machines, `expert` and `steady`: what `careful` counts, and a trained network that chooses.

Owns which network plays which game. The networks were trained by self-play; their weights are files
beside this module. Needs NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from math import prod
from typing import Any, ClassVar, Final

from facedown.core.cards import SUITS, Card
from facedown.core.chance import Stream
from facedown.core.errors import missing_extra
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Level, Memory
from facedown.core.seats import Seat
from facedown.core.text.translation import Text
from facedown.games.davenport import message
from facedown.games.davenport.bots.careful import Thoughts, best_pick, playoff_pick, think
from facedown.games.davenport.bots.network import PICKS, SeatSight, Weights, decide, from_file
from facedown.games.davenport.bots.reading import GameReading, shares_of
from facedown.games.davenport.encoding import encode
from facedown.games.davenport.notation import EXCHANGE, card_of, is_exchange
from facedown.games.davenport.view import PLAYOFF, DavenportRound, DavenportView

_VALUES: Final = 13
_OF_EACH: Final = 4
_FIRST_DISCARDED: Final = 6
"""Where the known discards begin in an encoded view."""
_FINE: Final = 1 << 53


class NetworkBot(Bot[DavenportView]):
    """Chooses by a network that learned from billions of its own picks."""

    def __init__(self, memory: Memory | None = None) -> None:
        shipped_weights(self.networks(2, ace=False)[0])  # what is missing is said before the first pick

    @staticmethod
    def networks(seats: int, *, ace: bool) -> tuple[str, ...]:
        """The networks that it may play a game by, all equally likely: one, or as many as there are suits."""
        raise NotImplementedError

    @classmethod
    def network_of(cls, view: DavenportView) -> str:
        """The network that plays this game: its dealt hand draws it, and it stays the same to the end."""
        networks = cls.networks(view.seats, ace=view.rules.ace)
        return networks[lot_of(view.choices[0].hand if view.choices else view.hand) % len(networks)]

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        if len(legal) == 1:
            return legal[0]
        likely = chances(self.network_of(view), view)
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
    """The strongest at three seats and more; at two it beats `careful`, and knowing it gains little."""

    name: ClassVar[str] = "expert"
    says: ClassVar[Text] = message("bot.expert.says")
    level: ClassVar[Level] = "hard"

    @staticmethod
    def networks(seats: int, *, ace: bool) -> tuple[str, ...]:
        if seats > 2:
            return ("expert",)
        return ("expert-two", "expert-two", "expert-two", "steady") if ace else ("expert-two",)


class Steady(NetworkBot):
    """Learned against itself alone: knowing it gains next to nothing."""

    says: ClassVar[Text] = message("bot.steady.says")
    level: ClassVar[Level] = "hard"

    @staticmethod
    def networks(seats: int, *, ace: bool) -> tuple[str, ...]:
        return ("steady",)


def lot_of(hand: tuple[Card, ...]) -> int:
    """A number from 0 to 3, drawn by the suits of a dealt hand of five; suits have no part in the game (D1).

    All four are equally likely whatever the values of all cards are: of some value the hand holds one card or
    three, and turning that value's suits on by one changes no value, and the number by one.
    """
    return sum(card.order // _VALUES for card in hand) % len(SUITS)


@lru_cache(maxsize=16)
def chances(network: str, view: DavenportView) -> tuple[float, ...]:
    """How likely it is to play a card of each value, from the Ace on, then to exchange one of each.

    Kept for a few views: where games are played out from one position, its seats pick there many times.
    """
    np = _numpy()
    found: list[float] = decide(np, shipped_weights(network), _sight(np, view))[0].tolist()
    return tuple(found)


def _sight(np: Any, view: DavenportView) -> SeatSight:
    """What the viewer knows, in one row: `careful`'s thoughts and what lies open."""
    rules = view.rules
    playoff = view.phase == PLAYOFF
    others = [seat for seat in view.seats_in if seat != view.viewer]
    held = _of_each([card.value for card in view.hand])
    known = encode(view)[_FIRST_DISCARDED : _FIRST_DISCARDED + _VALUES]
    unseen = [_OF_EACH - round(_OF_EACH * gone) - count for gone, count in zip(known, held, strict=True)]
    if playoff:
        shares = shares_of([0, *unseen])
        shown, worth, advised = [shares] * len(others), [0.0] * PICKS, playoff_pick(view)
        wins, costs = [prod(column) for column in zip(*shown, strict=True)], [0.0] * len(shares)
        habits, own_shown, others_shown = [0.0] * 4, [0] * PICKS, [0.0] * PICKS
    else:
        reading = GameReading(view)
        reading.go_on(view)
        thoughts = think(view, reading, unseen=[0, *unseen])
        shown, wins, costs = thoughts.shown, thoughts.wins, thoughts.costs
        worth, advised = _worth_of_picks(thoughts), best_pick(view, thoughts)
        habits = _means([reading.habits[seat].weights for seat in others])
        own_shown = _shown_by(view, view.viewer)
        others_shown = _means([_shown_by(view, seat) for seat in others])

    def row(values: Any) -> Any:
        return np.asarray([values], dtype=np.float32)

    return SeatSight(
        held=row(held),
        unseen=row(unseen),
        shown=row(shown),
        others=np.ones((1, len(others)), dtype=bool),
        cards=row([view.hands[seat - 1] for seat in others]),
        wins=row(wins),
        costs=row(costs),
        worth=row(worth),
        advice=np.asarray([card_of(advised).value - 1 + _VALUES * is_exchange(advised)]),
        own=row(len(view.hand)),
        ace=rules.ace,
        exchange=rules.exchange,
        playoff=np.asarray([playoff]),
        by_wins=rules.playoff == "wins",
        own_wins=row(view.wins[view.viewer - 1] / rules.playoff_wins),
        best_wins=row(max(view.wins[seat - 1] for seat in others) / rules.playoff_wins),
        stock=row(view.stock),
        discards=row(view.discards),
        habits=row(habits),
        own_shown=row(own_shown),
        others_shown=row(others_shown),
    )


def _of_each(values: list[int]) -> list[int]:
    """How many cards there are of each value, from the Ace on."""
    return [values.count(value) for value in range(1, _VALUES + 1)]


def _worth_of_picks(thoughts: Thoughts) -> list[float]:
    """The chance to win after playing a card of each value, from the Ace on, and after exchanging one."""
    worth = [0.0] * PICKS
    for card, played, exchanged in thoughts.worths:
        worth[card.value - 1], worth[card.value - 1 + _VALUES] = played, exchanged
    return worth


def _means(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each column."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _shown_by(view: DavenportView, seat: Seat) -> list[int]:
    """How many cards of each value, from the Ace on, a seat has played, then shown from the stock."""
    counts = [0] * (2 * _VALUES)
    for entry in view.history:
        if isinstance(entry, DavenportRound) and (card := entry.shown[seat - 1]) is not None:
            counts[card.value - 1 + _VALUES * entry.exchanged[seat - 1]] += 1
    return counts


def _numpy() -> Any:
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise missing_extra("expert needs", "expert") from None
    return np


@cache
def shipped_weights(network: str) -> Weights:
    """What this network has learned."""
    np = _numpy()
    path = resources.files(__package__) / f"{network}.npz"
    with path.open("rb") as file, np.load(file) as found:
        return from_file(np, found)
