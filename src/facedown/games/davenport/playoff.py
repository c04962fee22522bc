"""The playoff of Davenport (D16 to D19): the seats that went out together, a fresh deck, three cards each."""

from __future__ import annotations

from typing import Final

from facedown.core.cards import Card
from facedown.core.chance import Chance
from facedown.core.events import Event, private, public
from facedown.core.seats import Seat
from facedown.games.davenport.state import PLAYOFF, DavenportState
from facedown.games.davenport.supply import Supply, dealt

CARDS_EACH: Final = 3


def start(
    state: DavenportState, seats: tuple[Seat, ...], chance: Chance
) -> tuple[DavenportState, tuple[Event, ...]]:
    """D16: only these seats take part; a fresh deck, three cards each."""
    supply = Supply()
    hands = dealt(seats, CARDS_EACH, supply, chance)
    everybody = range(1, len(state.hands) + 1)
    begun = state._replace(
        phase=PLAYOFF,
        round=1,
        seats_in=seats,
        hands=tuple(hands.get(seat, ()) for seat in everybody),
        stock=tuple(supply.stock),
        discards=(),
        wins=(0,) * len(state.hands),
    )
    events = [public("playoff", ("D10", "D16"), seats=seats, playoff=state.rules.playoff)]
    events.extend(private(seat, "hand", ("D16",), seat=seat, cards=hand) for seat, hand in hands.items())
    return begun, tuple(events)


def lowest_alone(shown: dict[Seat, Card]) -> tuple[Seat, ...]:
    """D17: the seat with the lowest card is eliminated; where several share it, nobody is."""
    low = min(card.value for card in shown.values())
    lows = tuple(seat for seat, card in shown.items() if card.value == low)
    return lows if len(lows) == 1 else ()


def scored(state: DavenportState, winners: tuple[Seat, ...]) -> tuple[int, ...]:
    """D19: the highest card scores a win, all who share it do."""
    return tuple(wins + (seat in winners) for seat, wins in enumerate(state.wins, 1))


def ahead(state: DavenportState, wins: tuple[int, ...]) -> tuple[Seat, ...]:
    """D19: the seats with the most wins, once these are enough; nobody before that."""
    best = max(wins[seat - 1] for seat in state.seats_in)
    if best < state.rules.playoff_wins:
        return ()
    return tuple(seat for seat in state.seats_in if wins[seat - 1] == best)


def behind(state: DavenportState, ahead: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """D19: nobody is out, unless several reached the number together: then those with fewer wins are."""
    reached_before = max(state.wins) >= state.rules.playoff_wins
    if len(ahead) > 1 or reached_before:
        return tuple(seat for seat in state.seats_in if seat not in ahead)
    return ()
