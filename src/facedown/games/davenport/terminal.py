"""What a full screen shows of Davenport: chairs, stock and discards, and what each card in hand may do.

Sees views and seen events; hands out plain values (`facedown.core.parts.scene` gives them names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from facedown.core.cards import Card
from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.games.davenport import text, text_ja
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.state import PLAYOFF, Round
from facedown.games.davenport.text import by_value
from facedown.games.davenport.view import DavenportView

_TEXTS: Final[Mapping[str, ModuleType]] = {"en": text, "ja": text_ja}
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED: Final = "DH"


def scene(view: DavenportView, names: Sequence[str], language: str) -> Mapping[str, Any]:
    """Who holds how many cards and showed what; stock and discards."""
    words = _TEXTS[language].WORDS
    playing_off = view.phase == PLAYOFF
    heading = words["playoff" if playing_off else "round"].format(number=view.round)
    return {
        "heading": words["over"] if view.outcome is not None else heading,
        "mood": words["mood"] if playing_off and view.outcome is None else "",
        "chairs": [_chair(view, seat, language) for seat in range(1, view.seats + 1)],
        "piles": [(words["stock"], view.stock), (words["discards"], view.discards)],
    }


def _chair(view: DavenportView, seat: Seat, language: str) -> Mapping[str, Any]:
    words = _TEXTS[language].WORDS
    last = _last_round(view)
    shown = None if last is None else last.shown[seat - 1]
    note = ""
    if last is not None and shown is not None:
        won, exchanged = seat in last.winners, last.exchanged[seat - 1]
        key = "won_exchanged" if won and exchanged else "won" if won else "exchanged" if exchanged else ""
        note = words[key] if key else ""
    return {
        "account": " ".join(_TEXTS[language].place(view, seat).split()),
        "cards": view.hands[seat - 1],
        "away": seat not in view.seats_in,
        "shown": shown or "",
        "note": note,
    }


def _last_round(view: DavenportView) -> Round | None:
    last = view.history[-1] if view.history else None
    return last if isinstance(last, Round) else None


# --- the hand --------------------------------------------------------------------------------------------


def hand(view: DavenportView, legal: tuple[Pick, ...], language: str) -> Sequence[Mapping[str, Any]]:
    """One's own cards by value; each may be played, or exchanged (D3)."""
    words = _TEXTS[language].WORDS
    held = []
    for card in by_value(view.hand):
        exchange = EXCHANGE[card]
        tip: str = words["tip"].format(card=card)
        also = []
        if exchange in legal:
            also.append(("x", exchange, words["exchange"]))
            tip = f"{tip} {words['tip_exchange'].format(card=card)}"
        held.append({"card": card, "pick": card if card in legal else "", "tip": tip, "also": also})
    return held


def face(card: str, language: str) -> Mapping[str, Any]:
    """A card of the French deck; red suits have their sign as well as their colour."""
    known = Card(card)
    rank, suit = known[0], known[1]
    index = ("10" if rank == "T" else rank) + _SUITS[suit]
    role = "seal" if suit in _RED else "bone"
    return {"index": index, "ascii_index": str(known), "sign": _SUITS[suit], "role": role}


# --- the reveal ------------------------------------------------------------------------------------------


def turned(seen: Seen) -> Sequence[str | None] | None:
    """The cards of all who were in."""
    shown: Any = seen.facts.get("shown")
    return tuple(shown) if seen.kind == "reveal" else None


def weight(seen: Seen) -> int:
    """A playoff is heavier than a round before it."""
    return 3 if seen.facts.get("phase") == PLAYOFF else 1
