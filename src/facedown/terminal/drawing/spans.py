"""How a terminal is drawn on: which letters and colours it has, its language, and how wide texts are in it.

Lines are made of spans, a text and the roles it is shown in; what a role looks like is decided elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from facedown.core.text.phrases import LANGUAGES as LANGUAGES
from facedown.core.text.widths import cells as cells
from facedown.core.text.widths import centred as centred
from facedown.core.text.widths import cut as cut
from facedown.core.text.widths import padded as padded
from facedown.core.text.widths import wrapped as wrapped

Span: TypeAlias = "tuple[str, str]"
"""A text and its roles, with a space between them: `("Ann", "bone strong")`."""
Line: TypeAlias = "list[Span]"

THEMES: Final = ("auto", "night", "day", "terminal")
MOTIONS: Final = ("full", "short", "off")
LETTERS: Final = ("auto", "all", "ascii")


@dataclass(frozen=True, slots=True)
class Look:
    """What this terminal shows, and how its owner wants it."""

    language: str = "en"
    ascii: bool = False
    """No letters beyond ASCII for lines, cards and signs; names stay as they are."""
    theme: str = "night"
    """`night`, `day`, `terminal` (the terminal's own 16 colours), or `mono` (no colours)."""
    motion: str = "full"


# --- lines -----------------------------------------------------------------------------------------------


def text_of_line(line: Iterable[Span]) -> str:
    """What a line says, without its roles."""
    return "".join(text for text, _ in line)


def line_cells(line: Iterable[Span]) -> int:
    """How wide a line is."""
    return sum(cells(text) for text, _ in line)


def fitted(line: Line, width: int) -> Line:
    """The line, cut or filled to exactly this width."""
    kept: Line = []
    room = width
    for text, roles in line:
        text = cut(text, room, "")
        if text:
            kept.append((text, roles))
            room -= cells(text)
    return [*kept, (" " * room, "")] if room > 0 else kept


def beside(blocks: Sequence[Sequence[Line]], gap: int = 1) -> list[Line]:
    """Blocks of lines next to each other; each is as wide as its widest line."""
    height = max(map(len, blocks), default=0)
    widths = [max(map(line_cells, block), default=0) for block in blocks]
    rows: list[Line] = []
    for row in range(height):
        line: Line = []
        for number, (block, width) in enumerate(zip(blocks, widths, strict=True)):
            if number:
                line.append((" " * gap, ""))
            line += fitted(block[row] if row < len(block) else [], width)
        rows.append(line)
    return rows


def indented(lines: Iterable[Line], by: int) -> list[Line]:
    """The lines, moved to the right."""
    return [[(" " * by, ""), *line] for line in lines]


_PLAIN_SIGNS: Final = str.maketrans(
    {"·": "-", "…": "~", "–": "-", "—": "-", "×": "x", "→": ">", "←": "<", "↑": "^", "↓": "v", "−": "-"}
)


def in_ascii(line: Line) -> Line:
    """The line without signs beyond ASCII; letters of names and languages stay."""
    return [(text.translate(_PLAIN_SIGNS), roles) for text, roles in line]


def in_the_middle(lines: Sequence[Line], width: int) -> list[Line]:
    """The lines as one block in the middle of this width."""
    widest = max(map(line_cells, lines), default=0)
    return indented(lines, max(0, (width - widest) // 2))


# --- what is known of the terminal -----------------------------------------------------------------------


def colours_of_terminal() -> str:
    """`none`, `16` or `many`, as the environment says."""
    term = os.environ.get("TERM", "").lower()
    if "NO_COLOR" in os.environ or term == "dumb":
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "256" in term or "direct" in term:
        return "many"
    return "16"


def theme_of_terminal(asked: str) -> str:
    """The theme that fits the terminal where none was asked for; never colours that it has not."""
    colours = colours_of_terminal()
    if colours == "none":
        return "mono"
    if colours == "16":
        return "terminal"
    if asked != "auto":
        return asked
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "day" if background in ("7", "15") else "night"


def has_letters(encoding: str | None) -> bool:
    """Whether the terminal has letters beyond ASCII."""
    return (encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def language_of_terminal() -> str:
    """The language of the environment, where we speak it; else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
