"""The progress of long work: a bar at a terminal, nothing elsewhere."""

from __future__ import annotations

import pytest

from facedown.cli.progress import Progress
from tests.terminal.consoles import Screen


def test_progress_is_for_terminals_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = Progress(10, "games")
    quiet.reach(5)
    quiet.close()
    assert capsys.readouterr().err == ""

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    shown = Progress(10, "games")
    shown.reach(5)
    assert " 50 %" in screen.getvalue()
    shown.close()
    assert screen.getvalue().endswith("\r\x1b[K")
