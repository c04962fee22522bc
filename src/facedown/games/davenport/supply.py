"""Stock and discards while one decision is carried out (D8, D9). The stock is a set: it has no order."""

from __future__ import annotations

from collections.abc import Iterable

from facedown.core.cards import DECK, Card, canonical
from facedown.core.chance import Chance


class Supply:
    """Lives inside one `resolve`; states hold its frozen `stock` and `discards`."""

    __slots__ = ("discards", "reshuffled", "skipped", "stock")

    def __init__(self, stock: Iterable[Card] = DECK, discards: Iterable[Card] = ()) -> None:
        self.stock = [*stock]
        self.discards = [*discards]
        self.reshuffled = False
        self.skipped = False

    def draw(self, chance: Chance) -> Card | None:
        """D9: the next card; where the stock is empty the discards become it; None where both are empty."""
        stock = self.stock
        if not stock:
            if not self.discards:
                self.skipped = True
                return None
            self.stock = stock = list(canonical(self.discards))
            self.discards = []
            self.reshuffled = True
        card = chance.draw(stock)
        stock.remove(card)
        return card


def dealt(seats: tuple[int, ...], cards: int, supply: Supply, chance: Chance) -> dict[int, tuple[Card, ...]]:
    """D2, D16: that number of cards for each seat, one at a time in seat order."""
    hands: dict[int, list[Card]] = {seat: [] for seat in seats}
    for _ in range(cards):
        for hand in hands.values():
            card = supply.draw(chance)
            assert card is not None, "a fresh deck has enough for every seat"
            hand.append(card)
    return {seat: tuple(hand) for seat, hand in hands.items()}
