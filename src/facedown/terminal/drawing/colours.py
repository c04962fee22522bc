"""Colours of the roles: night and day themes, the terminal's own sixteen, or none.

Nothing is shown by colour alone: every role that matters has a shape or a word beside it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.color import Color
from rich.style import Style

from facedown.core.parts.scene import DAY, NIGHT

_TERMINAL: Final = {  # what a light and a dark terminal both can show
    "seal": "red",
    "gold": "yellow",
    "moss": "green",
    "iron": "cyan",
    "lamp": "yellow",
}
_COLOURS: Final = {"night": NIGHT, "day": DAY, "terminal": _TERMINAL, "mono": {}}


def background(theme: str) -> str:
    """The colour behind everything, as Textual writes it."""
    return _COLOURS[theme].get("ink", "ansi_default")


def foreground(theme: str) -> str:
    """The colour of plain text, as Textual writes it."""
    return _COLOURS[theme].get("bone", "ansi_default")


def is_native(theme: str) -> bool:
    """Whether the terminal's own colours show through."""
    return theme in ("terminal", "mono")


@lru_cache(maxsize=512)
def style_of(roles: str, theme: str) -> Style:
    """How a span with these roles is drawn."""
    named = roles.split()
    colours = _COLOURS[theme]
    colour = next((colours[role] for role in reversed(named) if role in colours), colours.get("bone"))
    native = is_native(theme)
    return Style(
        color=None if colour is None else Color.parse(colour),
        bgcolor=Color.parse("default") if native else Color.parse(colours["ink"]),
        bold="strong" in named or (native and "lamp" in named),
        dim=native and ("line" in named or "faint" in named),
        reverse="picked" in named,
    )
