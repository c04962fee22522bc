"""The look of a terminal, from its environment."""

from __future__ import annotations

import pytest

from facedown.terminal.settings import theme_of_terminal


@pytest.mark.parametrize(
    ("environment", "theme"),
    [
        ({"TERM": "xterm-256color"}, "night"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "COLORFGBG": "0;15"}, "day"),
        ({"TERM": "xterm"}, "terminal"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "mono"),
    ],
)
def test_the_colours_are_those_that_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], theme: str
) -> None:
    for name in ("TERM", "COLORTERM", "COLORFGBG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert theme_of_terminal() == theme
