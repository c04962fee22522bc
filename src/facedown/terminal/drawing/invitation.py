"""The page of a table before its game: the invitation on a line of its own."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.terminal.drawing.spans import Keys, Line, blank, fit, frame, page_room, wrap
from facedown.terminal.settings import Look


def waiting_page(
    title: str,
    said: Sequence[tuple[str, str]],
    link: str,
    keys: Keys,
    width: int,
    height: int,
    look: Look,
) -> list[Line]:
    """The page of a table whose game has not begun: the sentences with their roles, the link after the first
    of them."""
    sentences = [[[(f"  {line}", role)] for line in wrap(text, width - 4)] for text, role in said]
    rows = _link_rows(link, width)
    body: list[Line] = [*(sentences[0] if sentences else []), *blank(len(rows))]
    at = len(body) - len(rows)
    body += [line for lines in sentences[1:] for line in lines]
    top = min(1, page_room(height) - len(body))
    page = frame(title, [*blank(top), *body], keys, width, height, look)
    for number, row in enumerate(rows):
        page[2 + top + at + number] = fit(row, width)
    return page


def _link_rows(link: str, width: int) -> list[Line]:
    """The link from the first column on; a row after the first is marked as the continuation of the line."""
    parts = [link[start : start + width] for start in range(0, len(link), width)]
    return [[(part, "strong continued" if number else "strong link")] for number, part in enumerate(parts)]
