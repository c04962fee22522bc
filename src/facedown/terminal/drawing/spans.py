"""Lines of spans: texts with the roles they are shown in, fitted and joined by their width in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from facedown.core.text.widths import cells as cells
from facedown.core.text.widths import centre as centre
from facedown.core.text.widths import cut as cut
from facedown.core.text.widths import pad as pad
from facedown.core.text.widths import wrap as wrap

Span: TypeAlias = "tuple[str, str]"
"""A text and its roles, with a space between them: `("Ann", "bone strong")`."""
Line: TypeAlias = "list[Span]"


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
    | {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
)


def in_ascii(line: Line) -> Line:
    """The line without signs beyond ASCII; letters of names and languages stay."""
    return [(text.translate(_PLAIN_SIGNS), roles) for text, roles in line]


def in_the_middle(lines: Sequence[Line], width: int) -> list[Line]:
    """The lines as one block in the middle of this width."""
    widest = max(map(line_cells, lines), default=0)
    return indented(lines, max(0, (width - widest) // 2))
