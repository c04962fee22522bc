"""How Davenport writes its picks (D1, D3): `7H` plays a card, `x7H` exchanges it."""

from __future__ import annotations

from typing import Final

from facedown.core.cards import DECK, Card
from facedown.core.errors import UnreadablePick
from facedown.core.game import Pick

EXCHANGE: Final[dict[Card, Pick]] = {card: "x" + card for card in DECK}
"""The pick that exchanges a card."""

EXCHANGED: Final[dict[Pick | None, Card]] = {pick: card for card, pick in EXCHANGE.items()}
"""The card that a pick exchanges."""
PLAYED: Final[dict[Pick | None, Card]] = {str(card): card for card in DECK}
"""The card that a pick plays."""


_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_LETTERS: Final = str.maketrans({sign: letter for letter, sign in _SIGNS.items()})


def card_text(card: str) -> str:
    """A card as it is shown to people: with the sign of its suit, and ten in figures.

    >>> card_text("TD"), card_text("AS")
    ('10♦', 'A♠')
    """
    return card[0].replace("T", "10") + _SIGNS[card[1]]


def card_of(pick: Pick) -> Card:
    """The card that a pick plays or exchanges."""
    return PLAYED.get(pick) or EXCHANGED[pick]


def is_exchange(pick: Pick) -> bool:
    """Whether the pick exchanges its card."""
    return pick in EXCHANGED


def read_pick(text: str) -> Pick:
    """A pick in any case, ten as `T` or `10`, suits as letters or signs, a space after the `x` or none.

    >>> read_pick("10d"), read_pick("X 7h"), read_pick("10♠")
    ('TD', 'x7H', 'TS')
    """
    word = "".join(text.split()).upper().replace("10", "T").translate(_LETTERS)
    exchange = word.startswith("X")
    try:
        card = Card(word.removeprefix("X"))
    except UnreadablePick:
        shown = text.strip()[:40]
        say = f"{shown!r} is not a pick: write a card like 7H or TD, with an x before it to exchange it"
        raise UnreadablePick(say, text=text[:200], rule="D3") from None
    return EXCHANGE[card] if exchange else str(card)
