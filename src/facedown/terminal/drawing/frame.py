"""The frame of every page: title, keys, width, and what is shown where the terminal is too small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from facedown.terminal.drawing.spans import Line, centre, fitted, indented, line_cells, wrap
from facedown.terminal.look import Look
from facedown.terminal.words.words import Words

LEAST: Final = (72, 20)
"""Columns and rows without which nothing can be played."""
WIDEST: Final = 116


def framed(
    title: str,
    body: Sequence[Line],
    keys: Sequence[tuple[str, str]],
    width: int,
    height: int,
    look: Look,
) -> list[Line]:
    """A page with a title and keys around its body."""
    room = min(width, WIDEST)
    margin = (width - room) // 2
    shown = list(body[: page_room(height)])
    lines = [*heading(title, room, look), *shown, *blank(height - len(shown) - 3), keys_line(keys, room)]
    return [fitted(line, width) for line in indented(lines[:height], margin)]


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
    return [fitted(line, width) for line in (lines + blank(height))[:height]]


def blank(count: int) -> list[Line]:
    """Empty lines."""
    return [[] for _ in range(max(0, count))]


def keys_line(keys: Sequence[tuple[str, str]], width: int) -> Line:
    """The keys and what they do, as many as there is room for."""
    line: Line = [(" ", "")]
    for key, word in keys:
        span: Line = [(key, "bone strong"), (f" {word}  ", "ash")]
        if line_cells(line) + line_cells(span) <= width:
            line += span
    return line


def curtain(title: str, name: str, width: int, height: int, look: Look, words: Words) -> list[Line]:
    """What hides a table on a shared screen until the player of that name has taken it."""
    texts = (
        (words("handover", name=name), "bone strong"),
        ("", ""),
        (words("handover.how", name=name), "lamp"),
        (words("handover.hides"), "ash"),
    )
    body: list[Line] = blank(height // 2 - 4)
    body += [[(centre(text, min(width, WIDEST)), role)] for text, role in texts]
    keys = (("Enter", words("key.show")), ("Esc", words("key.menu")))
    return framed(title, body, keys, width, height, look)
