"""Stock and discards while one decision is carried out (D8, D9). The stock is a set: it has no order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from facedown.core.cards import DECK, Card, canonical
from facedown.core.chance import Chance, take


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
