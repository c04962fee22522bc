"""The shapes that both reference games share, and the canonical text of rules (R2). Knows no game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rules = dict[str, int | str]
Pick = int | str
Chooser = Callable[[int, list[Pick]], Pick | None]
"""Gets a seat and its legal picks; answers with one of them, or with "resign". A seat that has nothing to
decide is asked with an empty list: only the answer "resign" counts there."""
Dealer = Callable[[list[str]], str]
"""Gets everything that chance could bring, in canonical order, and answers with one of it."""
Json = dict[str, Any]
"""A JSON object: a record, or what `replay --json` prints."""

FORMAT = "facedown/1"
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]


class WrongPick(Exception):
    """The chooser answered with something that was not offered."""


def complete(presets: dict[str, Rules], preset: str, **changes: int | str) -> Rules:
    """The rules of a preset with some options changed; the preset's name is kept under `preset`."""
    rules: Rules = {"preset": preset, **presets[preset]}
    for option, value in changes.items():
        if option not in presets[preset]:
            raise KeyError(option)
        rules[option] = value
    return rules


def text(presets: dict[str, Rules], rules: Rules) -> str:
    """R2: the preset's name, and in brackets only what differs from it, in the order of the tables."""
    name = str(rules["preset"])
    preset = presets[name]
    differing = [f"{option}={rules[option]}" for option in preset if rules[option] != preset[option]]
    if not differing:
        return name
    return name + "(" + ",".join(differing) + ")"
