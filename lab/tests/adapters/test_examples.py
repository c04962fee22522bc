"""The examples: each trains or evaluates something real; here with very little to learn from."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lab.tests.solve.openspiel import pyspiel

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, amount: int) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, str(amount)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_two_agents_learn_a_round_by_playing_it() -> None:
    output = run("pettingzoo_self_play.py", 600)

    learnt = [float(each) for each in re.findall(r"learnt ([\d.]+)", output)]
    assert re.findall(r"exact ([\d. ]+)", output) == ["0.20 0.25 0.33 0.50"] * 2
    assert all(share < 0.4 for share in learnt), "far from the coin that they began with"
    assert "closer with more games" in output


def test_an_agent_learns_to_beat_habit() -> None:
    anything, learnt = map(int, re.findall(r"(\d+)%", run("gymnasium_against_habit.py", 400)))
    assert learnt > anything + 10


def test_openspiel_agrees_with_the_solver() -> None:
    pyspiel()
    found, exact = map(float, re.findall(r"0\.\d{4}", run("openspiel_cfr.py", 20))[:2])
    assert found == pytest.approx(exact, abs=0.02)
