"""The two programs of the README: short, and they do what they say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import facedown

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_ten_lines_play_solve_and_review(capsys: pytest.CaptureFixture[str]) -> None:
    path = EXAMPLES / "ten_lines.py"
    _, *lines = filter(None, path.read_text(encoding="utf-8").splitlines())
    assert len(lines) <= 10

    runpy.run_path(str(path))

    shown = capsys.readouterr().out
    assert re.search(r"Emperor side +14.33 %", shown)
    assert "Habit won, 10 to 4." in shown


def test_a_bot_in_twenty_lines_beats_habit_and_is_beaten_by_sage() -> None:
    path = EXAMPLES / "bot_in_twenty_lines.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 20
    bot = runpy.run_path(str(path))["Elsewhere"]

    result = facedown.arena("ecard", [bot, "habit", "sage"], games=40, seed=1)

    assert result.faults == {}
    assert result.share("elsewhere", "habit") > 0.6 > 0.4 > result.share("elsewhere", "sage")
    assert facedown.play("ecard", [bot, bot], "purse", seed=1).outcome is not None
