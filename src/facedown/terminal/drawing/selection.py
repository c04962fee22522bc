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

    place: int = 0
    also: str = ""


def raised(held: tuple[Held, ...], selection: Selection, key: str, character: str | None) -> Selection | None:
    """What is raised after this key; None where it raises nothing."""
    here = min(selection.place, len(held) - 1)
    if key in _STEPS:
        return Selection((here + _STEPS[key]) % len(held))
    if key in ("home", "end"):
        return Selection(0 if key == "home" else len(held) - 1)
    letter = (character or "").lower()
    if letter and letter in (other for other, _, _ in held[here].also):
        return Selection(here, "" if selection.also == letter else letter)
    place = _lettered(held, here, letter)
    return None if place is None else Selection(place)


def chosen_pick(held: tuple[Held, ...], selection: Selection) -> tuple[Held, str]:
    """The raised card, and what sealing it places."""
    card = held[min(selection.place, len(held) - 1)]
    return card, next((pick for key, pick, _ in card.also if key == selection.also), card.pick)


def _lettered(held: tuple[Held, ...], here: int, letter: str) -> int | None:
    """The next card whose index begins with the letter, after the one that is raised."""
    if not letter.isalnum():
        return None
    found = [
        place
        for place, each in enumerate(held)
        if letter in (each.face.index[:1].lower(), each.face.ascii_index[:1].lower())
    ]
    return next((place for place in found if place > here), found[0] if found else None)
