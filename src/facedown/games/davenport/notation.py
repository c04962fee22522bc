"""How Davenport writes its picks (D1, D3): `7H` plays a card, `x7H` exchanges it."""

from __future__ import annotations

from typing import Final

from facedown.core.cards import DECK, Card
from facedown.core.errors import UnreadablePick
from facedown.core.game import Pick

EXCHANGE: Final[dict[Card, Pick]] = {card: "x" + card for card in DECK}
"""The pick that exchanges a card."""

_EXCHANGED: Final[dict[Pick, Card]] = {pick: card for card, pick in EXCHANGE.items()}
_PLAYED: Final[dict[Pick, Card]] = {str(card): card for card in DECK}


def card_of(pick: Pick) -> Card:
    """The card that a pick plays or exchanges."""
    return _PLAYED.get(pick) or _EXCHANGED[pick]


def is_exchange(pick: Pick) -> bool:
    """Whether the pick exchanges its card."""
    return pick in _EXCHANGED


def read_pick(text: str) -> Pick:
    """A pick in any case, ten as `T` or `10`, a space after the `x` or none.

    >>> read_pick("10d"), read_pick("X 7h"), read_pick("as")
    ('TD', 'x7H', 'AS')
    """
    word = "".join(text.split()).upper().replace("10", "T")
    exchange = word.startswith("X")
    try:
        card = Card(word.removeprefix("X"))
    except UnreadablePick:
        shown = text.strip()[:40]
        say = f"{shown!r} is not a pick: write a card like 7H or TD, with an x before it to exchange it"
        raise UnreadablePick(say, text=text[:200], rule="D3") from None
    return EXCHANGE[card] if exchange else str(card)
