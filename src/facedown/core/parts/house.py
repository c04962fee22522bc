"""A game's house: machines that are characters. Each has one tell, or none, and what a perfect reader wins.

A character sees what its seat may see, like every bot; what it does is known, and so is what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from facedown.core.parts.bot import AnyBot
from facedown.core.text.translation import Text

TALK: Final = ("hit", "pleased", "won", "lost")
"""When a character says something: a decisive reveal goes against it or for it, or the game is over."""


class Tell(NamedTuple):
    """What gives a character away."""

    id: str
    say: Text


class Resident(NamedTuple):
    """A character of the house."""

    bot: type[AnyBot]
    tell: Tell | None
    """None for the one who has none."""
    price: float
    """What a reader that knows it wins under the usual rules: P(win) + P(draw)/2."""
    error: float = 0.0
    """How far off the price may be, with 95 % certainty; 0 if it was computed."""
    talk: Mapping[str, Text] = {}
    """What it says, by the occasion (`TALK`)."""
