"""The selection in the hand: maps key presses to the selected card (pure)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from facedown.core.parts.scene import Held

SEALING: Final = ("enter", "space")
_STEPS: Final = {"left": -1, "right": 1, "up": -1, "down": 1, "shift+tab": -1, "tab": 1}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is raised in the fan, and what else is to be done with it."""

    place: int | None = None
    """None at the start of every turn: nothing is sealed that was not raised in it."""
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
    if here is not None and letter and letter in (other for other, _, _ in held[here].also):
        return Selection(here, "" if selection.also == letter else letter)
    place = _next_with_letter(held, -1 if here is None else here, letter)
    return None if place is None else Selection(place)


def place_of(held: tuple[Held, ...], selection: Selection) -> int | None:
    """Which card of the hand is raised; None for none."""
    return None if selection.place is None or not held else min(selection.place, len(held) - 1)


def chosen_pick(held: tuple[Held, ...], selection: Selection) -> tuple[Held, str] | None:
    """The raised card, and what sealing it places; None where none is raised that may be sealed."""
    place = place_of(held, selection)
    if place is None:
        return None
    card = held[place]
    pick = next((pick for key, pick, _ in card.also if key == selection.also), card.pick)
    return (card, pick) if pick else None


def _next_with_letter(held: tuple[Held, ...], here: int, letter: str) -> int | None:
    """The next card whose index begins with the letter, after the one that is raised."""
    if not letter.isalnum():
        return None
    found = [
        place
        for place, each in enumerate(held)
        if letter in (each.face.index[:1].lower(), each.face.ascii_index[:1].lower())
    ]
    return next((place for place in found if place > here), found[0] if found else None)
