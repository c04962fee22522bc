"""The terminal scene of E-Card: chairs, the grid of rounds, and what the cards in hand would do.

Sees views and seen events; hands out plain values (`facedown.core.parts.scene` gives them names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from facedown.core.events import Seen
from facedown.core.game import Pick
from facedown.core.seats import SPECTATOR, Seat
from facedown.core.text.translation import Text, in_groups, translate
from facedown.games.ecard import message, text
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView

_FACES: Final = {EMPEROR: ("♛", "gold"), CITIZEN: ("⌂", "moss"), SLAVE: ("∞", "iron")}


def scene(view: ECardView, names: Sequence[str], language: str) -> Mapping[str, Any]:
    """The sides, what each has, and the rounds in their groups."""
    heading = text.heading(view) if view.outcome is None else message("heading.over")
    whose = message("grid.side_of", name=names[0]) if view.viewer == SPECTATOR else message("grid.yours")
    return {
        "heading": translate(heading, language),
        "chairs": [_chair(view, seat, language) for seat in (1, 2)],
        "grid_title": translate(whose, language),
        "grid": _grid(view, language),
    }


def _chair(view: ECardView, seat: Seat, language: str) -> Mapping[str, Any]:
    emperor = seat == view.emperor
    return {
        "role": translate(message(f"side.{EMPEROR if emperor else SLAVE}"), language),
        "account": translate(text.account(view, seat, "account.wins.short"), language),
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


def _grid(view: ECardView, language: str) -> list[Mapping[str, Any]]:
    """One row for each time the sides are kept, and one for each two extra rounds."""
    rows: list[Mapping[str, Any]] = []
    number = 1
    for emperor, kept in groupby(view.sides):
        cells = [_cell(view, number + place) for place, _ in enumerate(kept)]
        side = EMPEROR if (view.viewer or 1) == emperor else SLAVE
        rows.append({"label": _name(side, language), "cells": cells})
        number += len(cells)
    last = max(len(view.rounds), view.round if view.outcome is None else 0)
    for first in range(number, last + 1, 2):
        cells = [_cell(view, each) for each in range(first, min(first + 2, last + 1))]
        rows.append({"label": translate(message("grid.extra"), language), "cells": cells})
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
        return [
            {"card": stake, "pick": stake, "tip": translate(message("tip.stake", stake=stake), language)}
            for stake in legal
        ]
    return [
        {"card": card, "pick": card if card in legal else "", "tip": translate(_tip(view, card), language)}
        for card in view.hand
    ]


def _tip(view: ECardView, card: str) -> Text:
    """What the card comes to against each that the other may show, as the view says."""
    cases = []
    for each in view.meets:
        if each.card == card:
            other = message(f"card.{each.other}")
            if each.winner is None:
                cases.append(message("tip.draw", card=other))
            else:
                key = "tip.yours" if each.winner == view.viewer else "tip.theirs"
                cases.append(message(key, card=other, paid=each.paid))
    return message("tip.meets", cases=in_groups(cases)) if cases else ""


def face(card: str, language: str) -> Mapping[str, Any]:
    """A card, or a stake."""
    if card not in _FACES:
        return {"index": card, "ascii_index": card}
    sign, role = _FACES[card]
    return {"index": card, "ascii_index": card, "name": _name(card, language), "sign": sign, "role": role}


def _name(card: str, language: str) -> str:
    return translate(message(f"card.{card}"), language)


# --- the reveal ------------------------------------------------------------------------------------------


def revealed_cards(seen: Seen) -> Sequence[str | None] | None:
    """Both cards of a play."""
    cards: Any = seen.facts.get("cards")
    return tuple(cards) if seen.kind == "reveal" else None


def weight(seen: Seen) -> int:
    """The later in its round, the heavier."""
    play: Any = seen.facts.get("play", 1)
    return int(play)
