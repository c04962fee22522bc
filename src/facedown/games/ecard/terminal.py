"""What a full screen shows of E-Card: chairs, the grid of rounds, and what the cards in hand would do.

Sees views and seen events; hands out plain values (`facedown.core.parts.scene` gives them names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import ModuleType
from typing import Any, Final

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import SPECTATOR, Seat
from facedown.games.ecard import text, text_ja
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView

_TEXTS: Final[Mapping[str, ModuleType]] = {"en": text, "ja": text_ja}
_NAMES: Final = {EMPEROR: "emperor", CITIZEN: "citizen", SLAVE: "slave"}
_FACES: Final = {EMPEROR: ("♛", "gold"), CITIZEN: ("⌂", "moss"), SLAVE: ("∞", "iron")}


def scene(view: ECardView, names: Sequence[str], language: str) -> Mapping[str, Any]:
    """The sides, what each has, and the rounds in their groups."""
    words = _TEXTS[language].WORDS
    heading: str = words["over"] if view.outcome is not None else _TEXTS[language].heading(view)
    whose = words["your_sides"] if view.viewer != SPECTATOR else words["side_of"].format(name=names[0])
    return {
        "heading": heading,
        "chairs": [_chair(view, seat, language) for seat in (1, 2)],
        "grid_title": whose,
        "grid": _grid(view, words),
    }


def _chair(view: ECardView, seat: Seat, language: str) -> Mapping[str, Any]:
    emperor = seat == view.emperor
    side = _TEXTS[language].WORDS["emperor_side" if emperor else "slave_side"]
    return {
        "role": side,
        "account": _TEXTS[language].short_account(view, seat),
        "cards": view.cards_left,
        "tone": "gold" if emperor else "iron",
        "shown": _last_shown(view, seat),
    }


def _last_shown(view: ECardView, seat: Seat) -> str:
    """The card of the play before: within a round only Citizens fell."""
    if view.outcome is None and view.play > 1:
        return CITIZEN
    return view.rounds[-1].cards[seat - 1] if view.rounds else ""


# --- the grid --------------------------------------------------------------------------------------------


def _grid(view: ECardView, words: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """One row for each time the sides are kept, and one for each two extra rounds."""
    rows: list[Mapping[str, Any]] = []
    number = 1
    for emperor, kept in groupby(view.sides):
        cells = [_cell(view, number + place) for place, _ in enumerate(kept)]
        mine = (view.viewer or 1) == emperor
        rows.append({"label": words["emperor" if mine else "slave"], "cells": cells})
        number += len(cells)
    last = max(len(view.rounds), view.round if view.outcome is None else 0)
    for first in range(number, last + 1, 2):
        cells = [_cell(view, each) for each in range(first, min(first + 2, last + 1))]
        rows.append({"label": words["extra"], "cells": cells})
    return rows


def _cell(view: ECardView, number: int) -> Mapping[str, Any]:
    if number <= len(view.rounds):
        past = view.rounds[number - 1]
        if past.winner is None:
            return {"when": "past"}
        card = past.cards[past.winner - 1]
        return {"text": f"{card}+{past.paid}", "winner": past.winner, "when": "past"}
    now = number == view.round and view.outcome is None
    return {"text": str(number) if now else "", "when": "now" if now else "later"}


# --- the hand --------------------------------------------------------------------------------------------


def hand(view: ECardView, legal: tuple[Pick, ...], language: str) -> Sequence[Mapping[str, Any]]:
    """The cards, the special one first; or the stakes that may be named (E13)."""
    if view.stake is None and legal:
        words = _TEXTS[language].WORDS
        return [{"card": stake, "pick": stake, "tip": words["named"].format(stake=stake)} for stake in legal]
    return [
        {"card": card, "pick": card if card in legal else "", "tip": _tip(view, card, language)}
        for card in view.hand
    ]


def _tip(view: ECardView, card: str, language: str) -> str:
    """What the card comes to against each that the other may show, as the view says."""
    words = _TEXTS[language].WORDS
    cases = []
    for each in view.meets:
        if each.card == card:
            taken = "you_take" if each.winner == view.viewer else "other_takes"
            key = "draw" if each.winner is None else taken
            cases.append(words[key].format(card=words[_NAMES[each.other]], paid=each.paid))
    return str(words["meets"]).format(cases=words["between"].join(cases)) if cases else ""


def face(card: str, language: str) -> Mapping[str, Any]:
    """A card, or a stake."""
    if card not in _FACES:
        return {"index": card, "ascii_index": card}
    sign, role = _FACES[card]
    name = _TEXTS[language].WORDS[_NAMES[card]]
    return {"index": card, "ascii_index": card, "name": name, "sign": sign, "role": role}


# --- the reveal ------------------------------------------------------------------------------------------


def turned(seen: Seen) -> Sequence[str | None] | None:
    """Both cards of a play."""
    cards: Any = seen.facts.get("cards")
    return tuple(cards) if seen.kind == "reveal" else None


def weight(seen: Seen) -> int:
    """The later in its round, the heavier."""
    play: Any = seen.facts.get("play", 1)
    return int(play)
