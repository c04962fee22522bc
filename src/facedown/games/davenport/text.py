"""How a terminal tells Davenport: the table, what can be placed, what happened.

Sees views and seen events only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from facedown.core.cards import Card
from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.english import counted, inside, listed, opened
from facedown.games.davenport.notation import is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import PLAYOFF, Round
from facedown.games.davenport.view import DavenportView

Names: TypeAlias = Sequence[str]
Facts: TypeAlias = Mapping[str, Any]  # every kind of event has facts of its own

_ENDINGS: Final = {
    "out": "out of cards first",
    "playoff": "by the playoff",
    "resignation": "all others resigned",
}
WORDS: Final = {
    "round": "Round {number}",
    "playoff": "Playoff, round {number}",
    "over": "The game is over",
    "mood": "PLAYOFF: a fresh deck, no Ace rules",
    "stock": "Stock",
    "discards": "Discards",
    "cards": "{count} cards",
    "card": "1 card",
    "wins": "{count} wins",
    "win": "1 win",
    "not_in": "not in",
    "exchange": "exch.",
    "exchanged": "exchanged",
    "won": "won",
    "won_exchanged": "won, exch.",
    "tip": "Plays {card}.",
    "tip_exchange": "x exchanges {card} for the top of the stock, unseen.",
}
"""What stands on a screen besides sentences."""


# --- the table -------------------------------------------------------------------------------------------


def table(view: DavenportView, names: Names) -> str:
    """Who holds how many cards and showed what, the stock, and one's own hand by value."""
    phase = "Playoff, round" if view.phase == PLAYOFF else "Round"
    piles = f"stock {view.stock}, discards {view.discards}"
    lines = [f"{phase} {view.round}: {piles}"] if view.outcome is None else [f"After the game: {piles}"]
    last = view.history[-1] if view.history else None
    shown = last.shown if isinstance(last, Round) else (None,) * view.seats
    width = max(map(len, names))
    for seat, name in enumerate(names, 1):
        lines.append(f"  {name:<{width}}  {place(view, seat)}{_showed(shown[seat - 1])}".rstrip())
    if view.hand:
        lines.append(f"  Your hand: {' '.join(by_value(view.hand))}")
    return "\n".join(lines)


def place(view: DavenportView, seat: Seat) -> str:
    """What a seat holds, and its wins where a playoff counts them."""
    if seat not in view.seats_in:
        return "not in  "
    cards = f"{counted(view.hands[seat - 1], 'card'):<8}"
    rules = view.rules
    assert isinstance(rules, DavenportRules)
    if view.phase == PLAYOFF and rules.playoff == "wins":
        return f"{cards} {counted(view.wins[seat - 1], 'win'):<7}"
    return cards


def _showed(card: Card | None) -> str:
    return "" if card is None else f"  showed {card}"


def by_value(hand: Sequence[str]) -> list[Card]:
    """A hand as people sort it: by value, then in the deck's order."""
    return sorted(map(Card, hand), key=lambda card: (card.value, card.order))


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: DavenportView, legal: tuple[Pick, ...], names: Names) -> str:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return "There is nothing to decide for you now."
    card = by_value(view.hand)[-1]
    if any(map(is_exchange, legal)):
        return f"Play a card, like {card}, or exchange one for the top of the stock, like x{card}."
    return f"Play a card, like {card}."


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> str | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else opened(teller(seen.facts, names))


def _deal(facts: Facts, names: Names) -> str:
    return f"Everybody was dealt {counted(facts['cards'], 'card')}."


def _hand(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]} got {' '.join(by_value(facts['cards']))}."


def _reveal(facts: Facts, names: Names) -> str:
    where = "Playoff, round" if facts["phase"] == PLAYOFF else "Round"
    showed = [
        f"{name}: {card}{' (exchanged)' if exchanged else ''}"
        for name, card, exchanged in zip(names, facts["shown"], facts["exchanged"], strict=True)
        if card is not None
    ]
    everybody = len(showed) > 1 and len(facts["winners"]) == len(showed)
    winners = "everybody" if everybody else _seats(facts["winners"], names)
    return f"{where} {facts['round']}. {', '.join(showed)}. {opened(winners)} won the round."


def _seats(seats: Sequence[Seat], names: Names) -> str:
    return listed([inside(names[seat - 1]) for seat in seats])


def _draws(facts: Facts, names: Names) -> str:
    """Those who drew the same number stand together."""
    drew: tuple[int, ...] = facts["drew"]
    parts = []
    for number in sorted(set(drew) - {0}):
        seats = [seat for seat, count in enumerate(drew, 1) if count == number]
        each = " each" if len(seats) > 1 else ""
        parts.append(f"{_seats(seats, names)} drew {counted(number, 'card')}{each}")
    return f"{', '.join(parts)}."


def _drawn(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]} drew {' '.join(facts['cards'])}."


def _shuffle(facts: Facts, names: Names) -> str:
    return "The stock was empty: the discards were shuffled and became the stock."


def _skipped(facts: Facts, names: Names) -> str:
    return "Stock and discards were both empty: what was still to be drawn was skipped."


def _out(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)} got rid of the last card."


def _playoff(facts: Facts, names: Names) -> str:
    how = "the lowest card leaves" if facts["playoff"] == "elimination" else "wins are counted"
    return f"Playoff between {_seats(facts['seats'], names)}, with a fresh deck and three cards each: {how}."


def _eliminated(facts: Facts, names: Names) -> str:
    return f"{_seats(facts['seats'], names)} left the playoff."


def _resignation(facts: Facts, names: Names) -> str:
    return f"{names[facts['seat'] - 1]} resigned."


def _end(facts: Facts, names: Names) -> str:
    ending = _ENDINGS.get(facts["termination"], facts["termination"])
    return f"{names[facts['winner'] - 1]} won the game: {ending}."


TELLERS: Final[Mapping[str, Callable[[Facts, Names], str]]] = {
    "deal": _deal,
    "hand": _hand,
    "reveal": _reveal,
    "draws": _draws,
    "drawn": _drawn,
    "shuffle": _shuffle,
    "skipped": _skipped,
    "out": _out,
    "playoff": _playoff,
    "eliminated": _eliminated,
    "resignation": _resignation,
    "end": _end,
}
