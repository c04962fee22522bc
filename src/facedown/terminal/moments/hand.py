"""The hand at one screen: the card that a key raises, the pick that is sealed or typed (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from facedown.core.game import Pick
from facedown.core.parts.scene import Face, Held

_STEPS: Final = {"left": -1, "right": 1, "up": -1, "down": 1, "shift+tab": -1, "tab": 1}
_PLACE: Final = re.compile(r"([a-z]?) *([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Selection:
    """What is raised in the hand, and what else is to be done with it."""

    place: int | None = None
    """None at the start of a turn with a choice: nothing is sealed that was not raised in it."""
    also: str = ""


def raise_card(
    held: tuple[Held, ...], selection: Selection, key: str, character: str | None
) -> Selection | None:
    """What is raised after this key; None if it raises nothing."""
    here = place_of(held, selection)
    if key in _STEPS:
        step = _STEPS[key]
        return Selection((step - 1) // 2 % len(held) if here is None else (here + step) % len(held))
    if key in ("home", "end"):
        return Selection(0 if key == "home" else len(held) - 1)
    letter = (character or "").lower()
    if letter.isdecimal():
        numbered = (int(letter) - 1) % 10  # 0 is the tenth
        return Selection(numbered) if numbered < len(held) else None
    if here is not None and letter and letter in (other for other, _, _ in held[here].also):
        return Selection(here, "" if selection.also == letter else letter)
    place = _next_with_letter(held, -1 if here is None else here, letter)
    return None if place is None else Selection(place)


def place_of(held: tuple[Held, ...], selection: Selection) -> int | None:
    """Which card of the hand is raised; None for none."""
    return None if selection.place is None or not held else min(selection.place, len(held) - 1)


def chosen_pick(held: tuple[Held, ...], selection: Selection) -> tuple[Held, Pick] | None:
    """The raised card, and what sealing it places; None where none is raised that may be sealed."""
    place = place_of(held, selection)
    if place is None:
        return None
    pick = _picks(held[place]).get(selection.also, held[place].pick)
    return (held[place], pick) if pick else None


def selection_of(held: tuple[Held, ...], pick: Pick) -> Selection:
    """The card raised for this pick."""
    found = (place for place, each in enumerate(held) if each.pick == pick)
    return Selection(next(found, None))


def pick_at_place(held: tuple[Held, ...], text: str) -> Pick | None:
    """The pick that a typed place means, from 1 at the left, after the key of what else is to be done with it
    (`3`, `x3`); None if it is no place of this hand."""
    found = _PLACE.fullmatch(text.strip().lower())
    if found is None or not 1 <= int(found[2]) <= len(held):
        return None
    return _picks(held[int(found[2]) - 1]).get(found[1]) or None


def _picks(held: Held) -> dict[str, Pick]:
    """What can be done with a card, by the key that is typed with it."""
    return {"": held.pick, **{key: pick for key, pick, _ in held.also}}


def has_letter(held: Sequence[Held], letter: str) -> bool:
    """Whether a letter raises a card of this hand."""
    return _next_with_letter(tuple(held), -1, letter) is not None


def _next_with_letter(held: tuple[Held, ...], here: int, letter: str) -> int | None:
    if not letter.isalpha():
        return None
    found = [
        place
        for place, each in enumerate(held)
        if letter in (each.face.index[:1].lower(), each.face.ascii_index[:1].lower())
    ]
    return next((place for place in found if place > here), found[0] if found else None)


def without(held: tuple[Held, ...], face: Face | None) -> tuple[Held, ...]:
    """The hand without one card of that face."""
    place = next((place for place, each in enumerate(held) if each.face == face), None)
    return held if place is None else held[:place] + held[place + 1 :]
