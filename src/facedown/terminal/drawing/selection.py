"""What a key raises in the fan: pure, from the cards that are held and what is raised now."""

from __future__ import annotations

from typing import Final

from facedown.core.parts.scene import Held
from facedown.terminal.drawing.stage import Choice

SEALING: Final = ("enter", "space")
_STEPS: Final = {"left": -1, "right": 1, "up": -1, "down": 1, "shift+tab": -1, "tab": 1}


def raised(held: tuple[Held, ...], choice: Choice, key: str, character: str | None) -> Choice | None:
    """What is raised after this key; None where it raises nothing."""
    here = min(choice.place, len(held) - 1)
    if key in _STEPS:
        return Choice((here + _STEPS[key]) % len(held))
    if key in ("home", "end"):
        return Choice(0 if key == "home" else len(held) - 1)
    letter = (character or "").lower()
    if letter and letter in (other for other, _, _ in held[here].also):
        return Choice(here, "" if choice.also == letter else letter)
    place = _lettered(held, here, letter)
    return None if place is None else Choice(place)


def chosen_pick(held: tuple[Held, ...], choice: Choice) -> tuple[Held, str]:
    """The raised card, and what sealing it places."""
    card = held[min(choice.place, len(held) - 1)]
    return card, next((pick for key, pick, _ in card.also if key == choice.also), card.pick)


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
