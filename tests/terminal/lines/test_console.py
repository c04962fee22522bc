"""The keyboard and the screen: what may be printed, how wide, and when a person is there."""

from __future__ import annotations

import io

import pytest

from facedown.core.text.names import record_names
from facedown.core.text.sanitise import printable
from facedown.terminal.lines.console import Console
from tests.terminal.consoles import Screen, console


def test_a_pipe_shows_the_answers_that_a_terminal_would() -> None:
    piped, screen = console("first\nsec\x1bond\r\n")

    assert [piped.ask("? "), piped.ask("? ")] == ["first", "sec\x1bond"]
    assert screen.getvalue() == "? first\n? sec?ond\n"


def test_a_screen_is_cleared_with_its_scrollback_and_a_pipe_gets_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen, pipe = Screen(), io.StringIO()

    Console(io.StringIO(), screen).clear()
    Console(io.StringIO(), pipe).clear()

    assert "\x1b[2J" in screen.getvalue()
    assert "\x1b[3J" in screen.getvalue()
    assert set(pipe.getvalue()) == {"-", "\n"}


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"TERM": "xterm"}, "\x1b[1mA\x1b[22m"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "A"),
        ({"TERM": "dumb"}, "A"),
    ],
)
def test_bold_is_used_if_the_screen_can(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert Console(io.StringIO(), Screen()).strong("A") == expected


def test_a_page_is_laid_out_on_a_screen_and_left_alone_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.delenv("NO_COLOR", raising=False)
    rule = "- **T1** A rule that is longer\n  than the screen."
    page = f"# Title\n\n{rule}\n\n| a table | as it is, however long |\n"
    screen, pipe = Screen(), io.StringIO()

    Console(io.StringIO(), screen).say_page(page)
    Console(io.StringIO(), pipe).say_page(page)

    assert pipe.getvalue() == page + "\n"
    assert screen.getvalue().splitlines() == [
        "\x1b[1m# Title\x1b[22m",
        "",
        "- \x1b[1mT1\x1b[22m A rule that is",
        "  longer than the screen.",
        "",
        "| a table | as it is, however long |",
    ]


def test_control_characters_in_names_are_removed() -> None:
    assert printable("a\x1b]0;title\x07\u202eb") == "a?]0;title??b"
    assert printable("x" * 300) == "x" * 199 + "…"
    assert record_names(("Ann", "", " \t", "y" * 99)) == ("Ann", "Seat 2", "?", "y" * 39 + "…")
