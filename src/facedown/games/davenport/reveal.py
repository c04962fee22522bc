"""Turning the cards in Davenport (D3 to D15): who shows what, who wins, who draws how many and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, final

from facedown.core.cards import DECK, Card, canonical
from facedown.core.chance import Chance, take
from facedown.core.events import Event, private, public
from facedown.core.game import Joint
from facedown.core.seats import Seat
from facedown.games.davenport.notation import EXCHANGED, PLAYED
from facedown.games.davenport.state import DavenportState, by_place

# --- stock and discards ----------------------------------------------------------------------------------


@final
class Supply:
    """Lives inside one `resolve`; states hold its frozen `stock` and `discards`."""

    __slots__ = ("discards", "reshuffled", "skipped", "stock")

    def __init__(self, stock: Iterable[Card] = DECK, discards: Iterable[Card] = ()) -> None:
        self.stock = [*stock]
        self.discards = [*discards]
        self.reshuffled = False
        self.skipped = False

    def draw(self, count: int, chance: Chance) -> list[Card]:
        """D9: the next cards; where the stock is empty the discards become it; fewer where both are empty."""
        if count <= len(self.stock):
            return take(chance, self.stock, count)
        drawn = take(chance, self.stock, len(self.stock))
        if not self.discards:
            self.skipped = True
            return drawn
        self.stock = list(canonical(self.discards))
        self.discards = []
        self.reshuffled = True
        return drawn + self.draw(count - len(drawn), chance)

    def exchange(self, cards: list[Card], chance: Chance) -> list[Card]:
        """D3: one after the other goes to the discards, and the next card of the stock comes for it."""
        if len(cards) <= len(self.stock):
            self.discards += cards
            return self.draw(len(cards), chance)
        drawn = []
        for card in cards:  # what is discarded late does not become stock before
            self.discards.append(card)
            drawn += self.draw(1, chance)
        return drawn


def dealt(seats: tuple[int, ...], cards: int, supply: Supply, chance: Chance) -> dict[int, tuple[Card, ...]]:
    """D2, D16: that number of cards for each seat, one at a time in seat order."""
    around = supply.draw(cards * len(seats), chance)
    assert len(around) == cards * len(seats), "a fresh deck has enough for every seat"
    return {seat: tuple(around[place :: len(seats)]) for place, seat in enumerate(seats)}


# --- the reveal ------------------------------------------------------------------------------------------


_ACE: Final = 1
_JACK: Final = 11


class Turned(NamedTuple):
    """All picks of a round carried out: the cards on the table, and the hands without them; all by seat."""

    shown: list[Card | None]
    """None for a seat that is not in."""
    exchanged: list[bool]
    hands: list[list[Card]]
    values: list[int]
    """What the shown cards are worth: of the seats that are in, in their order."""


class RoundVerdict(NamedTuple):
    """Who wins the round, who draws an additional card, and the rules that say so."""

    winners: tuple[Seat, ...]
    additional: tuple[Seat, ...]
    why: tuple[str, ...]


class DrawnCards(NamedTuple):
    """The cards that were drawn after a reveal, in their order, and who drew them."""

    seats: list[Seat]
    cards: list[Card]
    counts: list[int]
    """How many each seat drew."""

    def by_seat(self) -> dict[Seat, tuple[Card, ...]]:
        """The cards of each seat that drew some, in the order in which they first drew."""
        hands: dict[Seat, tuple[Card, ...]] = {}
        for seat, card in zip(self.seats, self.cards, strict=False):  # the last draws may have been skipped
            hands[seat] = (*hands.get(seat, ()), card)
        return hands


def turn(state: DavenportState, joint: Joint, supply: Supply, chance: Chance) -> Turned:
    """D3, D5: in seat order, a played card is shown; for an exchanged one, the next card of the stock is."""
    hands = [*map(list, state.hands)]
    shown: list[Card | None] = [*map(PLAYED.get, joint)]
    exchanged = [False] * len(hands)
    given = []
    for seat in state.seats_in:
        card = shown[seat - 1]
        if card is None:
            card = EXCHANGED[joint[seat - 1]]
            given.append(card)
            exchanged[seat - 1] = True
        hands[seat - 1].remove(card)
    if given:
        came = iter(supply.exchange(given, chance))
        shown = [next(came) if each else card for card, each in zip(shown, exchanged, strict=True)]
    table = [card for card in shown if card]
    supply.discards += table  # D8: before anybody draws
    return by_place(Turned, (shown, exchanged, hands, [card.value for card in table]))


def highest(seats: tuple[Seat, ...], values: list[int]) -> tuple[Seat, ...]:
    """D6: all seats that show the highest value."""
    top = max(values)
    if values.count(top) == 1:
        return (seats[values.index(top)],)
    return tuple([seat for seat, value in zip(seats, values, strict=True) if value == top])


def judge(seats: tuple[Seat, ...], values: list[int], ace_rules: bool) -> RoundVerdict:
    """D6, D11 to D14: who wins a round of the main game, and who draws an additional card."""
    best = highest(seats, values)
    if not ace_rules or _ACE not in values:
        return by_place(RoundVerdict, (best, (), ("D6",)))
    aces = tuple([seat for seat, value in zip(seats, values, strict=True) if value == _ACE])
    top = max(values)
    if top == _ACE:
        return RoundVerdict(best, (), ("D14",))
    if top >= _JACK:
        return RoundVerdict(aces, best, ("D11", "D12"))
    return RoundVerdict(best, aces, ("D6", "D13"))


def draw_cards(seats: list[Seat], hands: list[list[Card]], supply: Supply, chance: Chance) -> DrawnCards:
    """D7, D9: these seats draw one card each, in this order; where there is none, the draw is skipped."""
    cards, counts = supply.draw(len(seats), chance), [0] * len(hands)
    for seat, card in zip(seats, cards, strict=False):  # the last draws may have been skipped
        hands[seat - 1].append(card)
        counts[seat - 1] += 1
    return by_place(DrawnCards, (seats, cards, counts))


def draw_events(drawn: DrawnCards, supply: Supply, why: tuple[str, ...]) -> tuple[Event, ...]:
    """How many everybody drew is public; which cards, only the seat's own."""
    events: list[Event] = []
    if supply.reshuffled:
        events.append(public("shuffle", ("D9",), stock=len(supply.stock)))
    if drawn.cards:
        events.append(public("draws", why, drew=tuple(drawn.counts)))
    events.extend(
        private(seat, "drawn", why, seat=seat, cards=cards) for seat, cards in drawn.by_seat().items()
    )
    if supply.skipped:
        events.append(public("skipped", ("D9",)))
    return tuple(events)
