"""Turning the cards in Davenport (D3 to D15): who shows what, who wins, who draws how many and why."""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.core.cards import Card
from facedown.core.chance import Chance
from facedown.core.events import Event, private, public
from facedown.core.game import Joint
from facedown.core.seats import Seat
from facedown.games.davenport.notation import EXCHANGED, PLAYED
from facedown.games.davenport.state import DavenportState
from facedown.games.davenport.supply import Supply

_ACE: Final = 1
_JACK: Final = 11


class Turned(NamedTuple):
    """All picks of a round carried out: the cards on the table, and the hands without them."""

    shown: dict[Seat, Card]
    exchanged: list[bool]
    """By seat, as the finished round holds it."""
    hands: dict[Seat, list[Card]]


class RoundVerdict(NamedTuple):
    """Who wins the round, who draws an additional card, and the rules that say so."""

    winners: tuple[Seat, ...]
    additional: tuple[Seat, ...]
    why: tuple[str, ...]


def turn(state: DavenportState, joint: Joint, supply: Supply, chance: Chance) -> Turned:
    """D3, D5: in seat order, a played card is shown; for an exchanged one, the next card of the stock is."""
    held = state.hands
    shown: dict[Seat, Card] = {}
    exchanged = [False] * len(held)
    hands: dict[Seat, list[Card]] = {}
    for seat in state.seats_in:
        pick = joint[seat - 1]
        assert pick is not None, "every seat that is in has picked"
        card = PLAYED.get(pick)
        hands[seat] = hand = [*held[seat - 1]]
        if card is not None:
            hand.remove(card)
            shown[seat] = card
            continue
        card = EXCHANGED[pick]
        hand.remove(card)
        exchanged[seat - 1] = True
        supply.discards.append(card)
        drawn = supply.draw(chance)
        assert drawn is not None, "the card just discarded can be drawn at the least"
        shown[seat] = drawn
    supply.discards += shown.values()  # D8: before anybody draws
    return Turned(shown, exchanged, hands)


def highest(shown: dict[Seat, Card]) -> tuple[Seat, ...]:
    """D6: all seats that show the highest value."""
    top = max([card.value for card in shown.values()])
    return tuple([seat for seat, card in shown.items() if card.value == top])


def judge(shown: dict[Seat, Card], ace_rules: bool) -> RoundVerdict:
    """D6, D11 to D14: who wins a round of the main game, and who draws an additional card."""
    best = highest(shown)
    aces = tuple([seat for seat, card in shown.items() if card.value == _ACE]) if ace_rules else ()
    if not aces:
        return RoundVerdict(best, (), ("D6",))
    top = shown[best[0]].value
    if top == _ACE:
        return RoundVerdict(best, (), ("D14",))
    if top >= _JACK:
        return RoundVerdict(aces, best, ("D11", "D12"))
    return RoundVerdict(best, aces, ("D6", "D13"))


def draw_cards(
    seats: tuple[Seat, ...], hands: dict[Seat, list[Card]], supply: Supply, chance: Chance
) -> dict[Seat, list[Card]]:
    """D7, D9: these seats draw one card each, in this order; where there is none, the draw is skipped."""
    drawn: dict[Seat, list[Card]] = {}
    for seat in seats:
        card = supply.draw(chance)
        if card is None:
            continue
        hands[seat].append(card)
        if seat in drawn:
            drawn[seat].append(card)
        else:
            drawn[seat] = [card]
    return drawn


def draw_events(
    state: DavenportState, drawn: dict[Seat, list[Card]], supply: Supply, why: tuple[str, ...]
) -> tuple[Event, ...]:
    """How many everybody drew is public; which cards, only the seat's own."""
    events: list[Event] = []
    if supply.reshuffled:
        events.append(public("shuffle", ("D9",), stock=len(supply.stock)))
    if drawn:
        counts = tuple([len(drawn.get(seat, ())) for seat in range(1, len(state.hands) + 1)])
        events.append(public("draws", why, drew=counts))
    events.extend(private(seat, "drawn", why, seat=seat, cards=tuple(cards)) for seat, cards in drawn.items())
    if supply.skipped:
        events.append(public("skipped", ("D9",)))
    return tuple(events)
