"""French playing cards as interned values. Suits never rank; the canonical order is C D H S, Ace to King."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from facedown.core.errors import UnreadablePick

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"


class Card(str):
    """One card of the French deck. A card *is* its text, rank then suit, and knows its value.

    There is one object per card: cards cost nothing to hold, and go into records as they are.

    >>> Card("7H"), Card("7H") is Card("7H"), Card("KS").value, Card("7H") == "7H"
    (Card('7H'), True, 13, True)
    """

    __slots__ = ("order", "value")

    value: int
    """Ace 1, numbers as they are, Jack 11, Queen 12, King 13."""
    order: int
    """The place in the canonical deck, from 0."""

    def __new__(cls, text: str) -> Card:
        try:
            return _BY_TEXT[text]
        except KeyError:
            say = f"{text!r} is not a card: write rank then suit, like 7H, TD or AS"
            raise UnreadablePick(say, text=text) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card never changes: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a card never changes: {name}")

    def __repr__(self) -> str:
        return f"Card({str.__repr__(self)})"

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return (Card, (str(self),))


_BY_TEXT: dict[str, Card] = {}


def _print_deck() -> tuple[Card, ...]:
    for order, (suit, rank) in enumerate((suit, rank) for suit in SUITS for rank in RANKS):
        card = str.__new__(Card, rank + suit)
        object.__setattr__(card, "value", RANKS.index(rank) + 1)
        object.__setattr__(card, "order", order)
        _BY_TEXT[rank + suit] = card
    return tuple(_BY_TEXT.values())


DECK: Final[tuple[Card, ...]] = _print_deck()
"""All 52 cards in canonical order."""

_BY_ORDER = {card: card.order for card in DECK}.__getitem__


def canonical(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The same cards in the order of the canonical deck.

    >>> canonical([Card("AD"), Card("KC"), Card("AC")])
    (Card('AC'), Card('KC'), Card('AD'))
    """
    return tuple(sorted(cards, key=_BY_ORDER))
