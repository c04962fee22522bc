"""The progress of long work: a bar at a terminal, nothing elsewhere."""

from __future__ import annotations

import pytest

from facedown.cli.progress import Progress, bar
from tests.terminal.consoles import Screen


@pytest.mark.parametrize(("done", "percent"), [(0, "  0 %"), (1, " 33 %"), (3, "100 %")])
def test_the_bar_shows_the_progress(done: int, percent: str) -> None:
    assert percent in bar(done, 3, "games", 1.0)
    assert bar(done, 3, "games", 1.0).count("#") == 24 * done // 3


@pytest.mark.parametrize(
    ("seconds", "left"), [(1.0, "9 s left"), (100.0, "15 min left"), (4000.0, "10.0 h left")]
)
def test_the_bar_shows_the_remaining_time(seconds: float, left: str) -> None:
    assert bar(1, 10, "games", seconds).endswith(left)


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
