"""Lines of spans: texts with the roles they are shown in, fitted and joined by their width in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from facedown.core.text.widths import cells as cells
from facedown.core.text.widths import centre as centre
from facedown.core.text.widths import cut as cut
from facedown.core.text.widths import pad as pad
from facedown.core.text.widths import wrap as wrap
from facedown.terminal.settings import Look
from facedown.terminal.words import Words

Span: TypeAlias = "tuple[str, str]"
"""A text and its roles, with a space between them: `("Ann", "bone strong")`."""
Line: TypeAlias = "list[Span]"
Keys: TypeAlias = "Sequence[tuple[str, str]]"
"""Keys, and what they do."""


def line_cells(line: Iterable[Span]) -> int:
    """How wide a line is."""
    return sum(cells(text) for text, _ in line)


def fit(line: Line, width: int) -> Line:
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
            line += fit(block[row] if row < len(block) else [], width)
        rows.append(line)
    return rows


def indent(lines: Iterable[Line], by: int) -> list[Line]:
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
    return indent(lines, max(0, (width - widest) // 2))


# --- frames and curtains ---------------------------------------------------------------------------------


LEAST: Final = (72, 20)
"""Columns and rows without which nothing can be played."""
WIDEST: Final = 116


def frame(
    title: str,
    body: Sequence[Line],
    keys: Keys,
    width: int,
    height: int,
    look: Look,
) -> list[Line]:
    """A page with a title and keys around its body."""
    room = min(width, WIDEST)
    margin = (width - room) // 2
    shown = list(body[: page_room(height)])
    lines = [*heading(title, room, look), *shown, *blank(height - len(shown) - 3), keys_line(keys, room)]
    return [fit(line, width) for line in indent(lines[:height], margin)]


def heading(title: str, room: int, look: Look) -> list[Line]:
    """The title of a page, and the rule below it."""
    seal = "@" if look.ascii else "◉"
    rule = ("-" if look.ascii else "─") * room
    return [[(f" {seal} ", "seal strong"), (title, "bone strong")], [(rule, "line")]]


def page_room(height: int) -> int:
    """How many lines of a page's body a screen shows."""
    return max(1, height - 3)


def too_small(width: int, height: int, words: Words) -> list[Line]:
    """What is said where there is no room for anything else."""
    said = [
        words("too_small", width=width, height=height),
        words("too_small_needs", width=LEAST[0], height=LEAST[1]),
    ]
    lines: list[Line] = [[(line, "bone")] for text in said for line in wrap(text, max(8, width))]
    return [fit(line, width) for line in (lines + blank(height))[:height]]


def blank(count: int) -> list[Line]:
    """Empty lines."""
    return [[] for _ in range(max(0, count))]


def keys_line(keys: Keys, width: int) -> Line:
    """The keys and what they do, as many as there is room for."""
    line: Line = [(" ", "")]
    for key, word in keys:
        span: Line = [(key, "bone strong"), (f" {word}  ", "ash")]
        if line_cells(line) + line_cells(span) <= width:
            line += span
    return line


def curtain(title: str, said: Sequence[str], keys: Keys, width: int, height: int, look: Look) -> list[Line]:
    """What hides a table on a shared screen until the player who is next has taken it."""
    name, how, hides = said
    texts = ((name, "bone strong"), ("", ""), (how, "lamp"), (hides, "ash"))
    body: list[Line] = blank(height // 2 - 4)
    body += [[(centre(text, min(width, WIDEST)), role)] for text, role in texts]
    return frame(title, body, keys, width, height, look)


LINK: Final = "strong link"
"""The roles of a link that is cut at the last column; `Lines` lets the terminal copy its rows as one line."""


def invitation(
    title: str, said: Sequence[str], link: str, keys: Keys, width: int, height: int, look: Look
) -> list[Line]:
    """A table before its game: what is said, and the link below the first sentence, from the first column."""
    room = min(width, WIDEST) - 4
    first, *others = ([[(f"  {line}", "bone")] for line in wrap(text, room)] for text in said or [""])
    rows = [link[start : start + width] for start in range(0, len(link), width)]
    body = [*blank(1), *first, *blank(len(rows)), *(line for lines in others for line in lines)]
    page = frame(title, body, keys, width, height, look)
    for number, row in enumerate(rows, 3 + len(first)):
        page[number] = fit([(row, LINK)], width)
    return page
