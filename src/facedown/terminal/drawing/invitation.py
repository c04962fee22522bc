"""The invitation to a table: its link on a line of its own, as a QR code, and on the clipboard."""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

from facedown.terminal.drawing.spans import Line, blank, fit, frame, page_room, wrap
from facedown.terminal.settings import Look


def waiting_page(
    title: str,
    said: Sequence[tuple[str, str]],
    link: str,
    keys: Sequence[tuple[str, str]],
    width: int,
    height: int,
    look: Look,
) -> list[Line]:
    """The page of a table whose game has not begun: the sentences with their roles, the link after the first
    of them, and its QR code where there is room for it."""
    sentences = [[[(f"  {line}", role)] for line in wrap(text, width - 4)] for text, role in said]
    rows = _link_rows(link, width)
    body: list[Line] = [*(sentences[0] if sentences else []), *blank(len(rows))]
    at = len(body) - len(rows)
    body += [line for lines in sentences[1:] for line in lines]
    code = qr_lines(link, ascii_only=look.ascii) if link else []
    free = page_room(height) - len(body) - len(code)
    if code and free >= 0 and len(code[0]) <= width:
        body += [*blank(min(free, 1)), *([("  ", ""), (line, "code")] for line in code)]
    top = min(1, page_room(height) - len(body))
    page = frame(title, [*blank(top), *body], keys, width, height, look)
    for number, row in enumerate(rows):
        page[2 + top + at + number] = fit(row, width)
    return page


def _link_rows(link: str, width: int) -> list[Line]:
    """The link from the first column on; a row after the first is marked as the continuation of the line."""
    parts = [link[start : start + width] for start in range(0, len(link), width)]
    return [[(part, "strong continued" if number else "strong link")] for number, part in enumerate(parts)]


def qr_lines(text: str, *, ascii_only: bool) -> list[str]:
    """The text as a QR code, light on dark: two rows of it in one, or in ASCII two columns for each of its
    squares. Empty if segno is not installed."""
    try:
        import segno
    except ImportError:
        return []
    dark = [list(row) for row in segno.make(text, micro=False, error="l").matrix_iter(border=2)]
    if ascii_only:
        return ["".join("  " if square else "##" for square in row) for row in dark]
    dark += [[1] * len(dark[0])] * (len(dark) % 2)
    pairs = zip(dark[::2], dark[1::2], strict=True)
    return ["".join("█▀▄ "[2 * up + down] for up, down in zip(*pair, strict=True)) for pair in pairs]


def copy_to_clipboard(text: str, write: Callable[[str], object]) -> None:
    """Ask the terminal to copy the text (OSC 52, by `write`); in tmux, which may ignore that, ask tmux."""
    if os.environ.get("TMUX"):
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                ["tmux", "load-buffer", "-w", "-"],
                input=text.encode(),
                check=True,
                timeout=2,
                capture_output=True,
            )
            return
    write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a")
