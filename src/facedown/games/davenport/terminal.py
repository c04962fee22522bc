"""The terminal scene of Davenport: chairs, stock and discards, and what each card in hand may do.

Sees views and seen events; hands out plain values (`facedown.core.parts.scene` gives them names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from facedown.core.cards import Card
from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.translation import Text, translate
from facedown.games.davenport import message, text
from facedown.games.davenport.notation import EXCHANGE, card_text
from facedown.games.davenport.state import PLAYOFF, DavenportRound
from facedown.games.davenport.text import by_value
from facedown.games.davenport.view import DavenportView

_RED: Final = "DH"


def scene(view: DavenportView, names: Sequence[str], language: str) -> Mapping[str, Any]:
    """Who holds how many cards and showed what; stock and discards."""
    say = message.translator(language)
    heading = text.heading(view.phase, view.round) if view.outcome is None else message("over")
    playing_off = view.phase == PLAYOFF and view.outcome is None
    return {
        "heading": translate(heading, language),
        "mood": say("mood") if playing_off else "",
        "chairs": [_chair(view, seat, language) for seat in range(1, view.seats + 1)],
        "piles": [(say("pile.stock"), view.stock), (say("pile.discards"), view.discards)],
    }


def _chair(view: DavenportView, seat: Seat, language: str) -> Mapping[str, Any]:
    last = _last_round(view)
    shown = None if last is None else last.shown[seat - 1]
    return {
        "account": translate(text.account(view, seat), language),
        "cards": view.hands[seat - 1],
        "away": seat not in view.seats_in,
        "shown": shown or "",
        "note": "" if last is None or shown is None else translate(_note(last, seat), language),
    }


def _note(last: DavenportRound, seat: Seat) -> Text:
    """What became of the card that a seat showed."""
    won, exchanged = seat in last.winners, last.exchanged[seat - 1]
    if won:
        return message("chair.won_exchanged" if exchanged else "chair.won")
    return message("chair.exchanged") if exchanged else ""


def _last_round(view: DavenportView) -> DavenportRound | None:
    last = view.history[-1] if view.history else None
    return last if isinstance(last, DavenportRound) else None


# --- the hand --------------------------------------------------------------------------------------------


def hand(view: DavenportView, legal: tuple[Pick, ...], language: str) -> Sequence[Mapping[str, Any]]:
    """One's own cards by value; each may be played, or exchanged (D3)."""
    say = message.translator(language)
    held = []
    for card in by_value(view.hand):
        exchange = EXCHANGE[card]
        may_exchange = exchange in legal
        also = [("x", exchange, say("key.exchange"))] if may_exchange else []
        tip = say("tip.exchange" if may_exchange else "tip.play", card=card_text(card))
        held.append({"card": card, "pick": card if card in legal else "", "tip": tip, "also": also})
    return held


def face(card: str, language: str) -> Mapping[str, Any]:
    """A card of the French deck; red suits have their sign as well as their colour."""
    known = Card(card)
    suit = known[1]
    role = "seal" if suit in _RED else "bone"
    return {"index": card_text(known), "ascii_index": str(known), "sign": card_text(known)[-1], "role": role}


# --- the reveal ------------------------------------------------------------------------------------------


def revealed_cards(seen: Seen) -> Sequence[str | None] | None:
    """The cards of all who were in."""
    shown: Any = seen.facts.get("shown")
    return tuple(shown) if seen.kind == "reveal" else None


def weight(seen: Seen) -> int:
    """A playoff is heavier than a round before it."""
    return 3 if seen.facts.get("phase") == PLAYOFF else 1
