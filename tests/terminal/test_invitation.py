"""The invitation to a table: its QR code says the link, and the clipboard gets it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
import segno

from facedown.terminal.drawing.invitation import copy_to_clipboard, qr_lines, waiting_page
from facedown.terminal.drawing.spans import text_of_line
from facedown.terminal.settings import Look

LINK = "https://cards.example/i/u5e3iVWQedYWgEaJpBi5DQ"
DARK = [
    [bool(square) for square in row] for row in segno.make(LINK, micro=False, error="l").matrix_iter(border=2)
]


def test_the_code_is_that_of_the_link_in_half_blocks_and_in_ascii() -> None:
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows = [
        [halves[sign][half] for sign in line] for line in qr_lines(LINK, ascii_only=False) for half in (0, 1)
    ]
    assert rows[: len(DARK)] == DARK

    lines = qr_lines(LINK, ascii_only=True)
    assert [[line[at] == " " for at in range(0, len(line), 2)] for line in lines] == DARK
    assert "".join(lines).isascii()


@pytest.mark.parametrize(
    ("height", "look", "fits"), [(24, Look(), True), (20, Look(), False), (24, Look(ascii=True), False)]
)
def test_a_code_that_does_not_fit_is_left_out_and_the_link_is_not(
    height: int, look: Look, fits: bool
) -> None:
    said = [("Send them this link:", "bone"), ("Seat 2 is free.", "bone")]

    page = waiting_page("Title", said, LINK, (), 80, height, look)

    lines = [text_of_line(line).rstrip() for line in page]
    assert len(lines) == height
    assert LINK in lines
    assert any("████" in line or "####" in line for line in lines) is fits


def test_a_terminal_is_asked_by_its_code_and_tmux_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.delenv("TMUX", raising=False)
    copy_to_clipboard(LINK, written.append)
    assert written == [f"\x1b]52;c;{base64.b64encode(LINK.encode()).decode()}\a"]

    monkeypatch.setenv("TMUX", "/nowhere,1,0")
    monkeypatch.setenv("PATH", str(tmp_path))  # without tmux, as over ssh with the variable passed on
    copy_to_clipboard(LINK, written.append)
    assert len(written) == 2
