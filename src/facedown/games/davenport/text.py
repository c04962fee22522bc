"""Davenport in text: the table, the question to a seat, a sentence for each event. Sees views and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from facedown.core.cards import Card
from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.parts.text import Facts, Names
from facedown.core.seats import Seat
from facedown.core.text.translation import Message, Text, all_of, in_row, translate
from facedown.games.davenport import message
from facedown.games.davenport.notation import EXCHANGE, card_of, card_text, is_exchange
from facedown.games.davenport.state import PLAYOFF, DavenportRound
from facedown.games.davenport.view import DavenportView

# --- the table -------------------------------------------------------------------------------------------


def table(view: DavenportView, names: Names, language: str) -> str:
    """Who holds how many cards and showed what, the stock, and one's own hand by value."""
    if view.outcome is None:
        where = heading(view.phase, view.round)
        lines = [message("table.now", where=where, stock=view.stock, discards=view.discards)]
    else:
        lines = [message("table.over", stock=view.stock, discards=view.discards)]
    last = view.history[-1] if view.history else None
    shown = last.shown if isinstance(last, DavenportRound) else (None,) * view.seats
    width = max(map(len, names))
    for seat, name in enumerate(names, 1):
        lines.append(_row(view, seat, name, width, shown[seat - 1]))
    if view.hand:
        lines.append(message("table.hand", cards=" ".join(map(card_text, by_value(view.hand)))))
    return "\n".join(translate(line, language) for line in lines)


def heading(phase: str, number: int) -> Message:
    """Which round it is, of the game or of its playoff."""
    return message("playoff" if phase == PLAYOFF else "round", number=number)


def _row(view: DavenportView, seat: Seat, name: str, width: int, shown: Card | None) -> Message:
    cards, wins = _cards(view, seat), _wins(view, seat)
    if shown is None:
        if wins is None:
            return message("table.row", name=name, width=width, cards=cards)
        return message("table.row.wins", name=name, width=width, cards=cards, wins=wins)
    card = card_text(shown)
    if wins is None:
        return message("table.row.showed", name=name, width=width, cards=cards, card=card)
    return message("table.row.wins_showed", name=name, width=width, cards=cards, wins=wins, card=card)


def account(view: DavenportView, seat: Seat) -> Message:
    """What a seat holds, and its wins where a playoff counts them."""
    cards, wins = _cards(view, seat), _wins(view, seat)
    return cards if wins is None else message("account.both", cards=cards, wins=wins)


def _cards(view: DavenportView, seat: Seat) -> Message:
    if seat not in view.seats_in:
        return message("account.not_in")
    return message("account.cards", count=view.hands[seat - 1])


def _wins(view: DavenportView, seat: Seat) -> Message | None:
    if seat not in view.seats_in or view.phase != PLAYOFF or view.rules.playoff != "wins":
        return None
    return message("account.wins", count=view.wins[seat - 1])


def by_value(hand: Sequence[str]) -> list[Card]:
    """A hand as people sort it: by value, then in the deck's order."""
    return sorted(map(Card, hand), key=lambda card: (card.value, card.order))


# --- what can be placed ----------------------------------------------------------------------------------


def ask(view: DavenportView, legal: tuple[Pick, ...], names: Names) -> Message:
    """What the seat has to decide, and how it is written."""
    if not legal:
        return message("ask.nothing")
    card = by_value(view.hand)[-1]
    if any(map(is_exchange, legal)):
        return message("ask.exchange", card=card, exchange=EXCHANGE[card])
    return message("ask.play", card=card)


def pick_shown(pick: Pick) -> Message | str:
    """A pick as reports write it: `10♦`, and what an exchange is."""
    card = card_text(card_of(pick))
    return message("pick.exchange", card=card) if is_exchange(pick) else card


# --- what happened ---------------------------------------------------------------------------------------


def tell(seen: Seen, names: Names) -> Message | None:
    """One sentence for what happened."""
    teller = TELLERS.get(seen.kind)
    return None if teller is None else teller(seen.facts, names)


def _deal(facts: Facts, names: Names) -> Message:
    return message("deal", count=facts["cards"])


def _hand(facts: Facts, names: Names) -> Message:
    return message(
        "hand", name=names[facts["seat"] - 1], cards=" ".join(map(card_text, by_value(facts["cards"])))
    )


def _reveal(facts: Facts, names: Names) -> Message:
    showed = [
        message("reveal.exchanged" if exchanged else "reveal.card", name=name, card=card_text(card))
        for name, card, exchanged in zip(names, facts["shown"], facts["exchanged"], strict=True)
        if card is not None
    ]
    everybody = len(showed) > 1 and len(facts["winners"]) == len(showed)
    winners = message("reveal.everybody") if everybody else _seats(facts["winners"], names)
    where = heading(facts["phase"], facts["round"])
    return message("reveal", where=where, showed=in_row(showed), winners=winners)


def _seats(seats: Sequence[Seat], names: Names) -> Text:
    return all_of([names[seat - 1] for seat in seats])


def _draws(facts: Facts, names: Names) -> Message:
    """Those who drew the same number stand together."""
    drew: tuple[int, ...] = facts["drew"]
    parts = []
    for number in sorted(set(drew) - {0}):
        seats = [seat for seat, count in enumerate(drew, 1) if count == number]
        if len(seats) == 1:
            parts.append(message("draws.one", name=names[seats[0] - 1], count=number))
        else:
            parts.append(message("draws.each", seats=_seats(seats, names), count=number))
    return message("draws", parts=in_row(parts))


def _draw_text(facts: Facts, names: Names) -> Message:
    return message("drawn", name=names[facts["seat"] - 1], cards=" ".join(map(card_text, facts["cards"])))


def _shuffle(facts: Facts, names: Names) -> Message:
    return message("shuffle")


def _skip_text(facts: Facts, names: Names) -> Message:
    return message("skipped")


def _out(facts: Facts, names: Names) -> Message:
    return message("out", seats=_seats(facts["seats"], names))


def _playoff(facts: Facts, names: Names) -> Message:
    cards = message("account.cards", count=facts["cards"])
    return message(f"playoff.{facts['playoff']}", seats=_seats(facts["seats"], names), cards=cards)


def _elimination_text(facts: Facts, names: Names) -> Message:
    return message("eliminated", seats=_seats(facts["seats"], names))


def _resignation(facts: Facts, names: Names) -> Message:
    return message("resignation", name=names[facts["seat"] - 1])


def _forfeit(facts: Facts, names: Names) -> Message:
    return message("forfeit", name=names[facts["seat"] - 1])


def _end(facts: Facts, names: Names) -> Message:
    key = f"ending.{facts['termination']}"
    ending: Text = message(key) if message.has(key) else str(facts["termination"])
    return message("end", name=names[facts["winner"] - 1], ending=ending)


TELLERS: Final[Mapping[str, Callable[[Facts, Names], Message]]] = {
    "deal": _deal,
    "hand": _hand,
    "reveal": _reveal,
    "draws": _draws,
    "drawn": _draw_text,
    "shuffle": _shuffle,
    "skipped": _skip_text,
    "out": _out,
    "playoff": _playoff,
    "eliminated": _elimination_text,
    "resignation": _resignation,
    "forfeit": _forfeit,
    "end": _end,
}
