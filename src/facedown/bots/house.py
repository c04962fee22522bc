"""The house of a game: its characters, and the guess at a tell.

Owns which tells are offered for a guess, and the default opponents. A game without a house has no characters.
"""

from __future__ import annotations

import hashlib
from typing import Final

from facedown.bots.find import UnknownBot, usual_bot
from facedown.core import registry
from facedown.core.parts.house import Resident, Tell

OFFERED: Final = 4
"""How many tells a guess chooses from."""


def house_of(game: str) -> tuple[Resident, ...]:
    """The characters of a game, from the easiest to beat to the hardest."""
    residents: tuple[Resident, ...] = getattr(registry.part(game, "bots"), "HOUSE", ())
    return residents


def usual_bots(game: str, count: int) -> tuple[str, ...]:
    """The default opponents at one table: the usual one, and different others as far as the house goes."""
    names = [each.bot.name for each in house_of(game)]
    usual = usual_bot(game)
    different = (usual, *(name for name in names if name != usual)) if usual in names else (usual,)
    return tuple(different[place % len(different)] for place in range(count))


def resident(game: str, name: str) -> Resident:
    """The character of this name; raises `UnknownBot`."""
    for each in house_of(game):
        if each.bot.name == name:
            return each
    raise UnknownBot(f"there is no character {name[:60]!r} in the house of this game", text=name)


def offered_tells(game: str, name: str) -> tuple[Tell, ...]:
    """The tells that a guess about this character chooses from, always the same; none if it has no tell."""
    own = resident(game, name).tell
    if own is None:
        return ()
    others = {each.tell for each in house_of(game)} - {own, None}
    drawn = sorted(filter(None, others), key=lambda tell: _place(name, tell))[: OFFERED - 1]
    return tuple(sorted((own, *drawn), key=lambda tell: _place("order " + name, tell)))


def _place(name: str, tell: Tell) -> bytes:
    return hashlib.sha256(f"{name} {tell.id}".encode()).digest()
