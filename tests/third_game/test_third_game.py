"""A third game in one folder: found by its entry point, it gets everything, and nothing else was touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.core.chance import Scripted
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.testing import CHECKS, Check
from tests.third_game.goofspiel.game import GAME
from tests.third_game.goofspiel.rules import GoofspielRules

HERE = Path(__file__).parent
FOLDER = HERE / "goofspiel"


def facedown(*words: str, typed: str = "") -> str:
    """What the real command prints where this folder is on the path."""
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(
        [sys.executable, "-m", "facedown", *words],
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_it_is_one_small_folder() -> None:
    lines = sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in FOLDER.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    )
    assert 50 < lines < 150


def test_nobody_knows_it_unless_it_is_installed() -> None:
    assert GAME.name not in registry.names()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_both_suites_pass(check: Check) -> None:
    check(GAME)


# --- its rules -------------------------------------------------------------------------------------------


def test_G4_the_highest_bid_wins_the_prize() -> None:
    match = Match(GAME, GoofspielRules.of("quick"), ("Ann", "Bo"), Scripted([]))
    match.decide(("2", "1"))
    assert match.state.score == (1, 0)
    assert match.state.hands == (("1", "3", "4", "5"), ("2", "3", "4", "5"))


@pytest.mark.parametrize(("tie", "score"), [("discard", (2, 0)), ("carry", (3, 0))])
def test_G4_a_prize_that_nobody_wins_is_lost_or_carried_over(tie: str, score: tuple[int, int]) -> None:
    match = Match(GAME, GoofspielRules.of("quick", tie=tie), ("Ann", "Bo"), Scripted([]))
    match.decide(("1", "1"))
    match.decide(("5", "2"))
    assert match.state.score == score


def test_G2_chance_turns_the_prizes_up() -> None:
    match = Match(GAME, GoofspielRules.of(cards=2), ("Ann", "Bo"), Scripted(["2", "1"]))
    match.decide(("2", "1"))
    match.decide(("1", "2"))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.score) == (1, (2, 1))


# --- what it got without touching anything ---------------------------------------------------------------


def test_the_command_line_lists_it_and_shows_its_page() -> None:
    assert "Goofspiel, 2 to 5 seats" in facedown("games")
    assert "**G4**" in facedown("rules", "goofspiel", "quick(tie=carry)")


def test_it_is_played_recorded_replayed_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    typed = "".join(f"{card}\n" for card in (3, 1, 2, 5, 4)) + "\n"
    facedown(
        "play",
        "goofspiel",
        "--rules",
        "quick(order=random)",
        "--seed",
        "s",
        "--record",
        str(path),
        typed=typed,
    )
    record = Record.read(path.read_text(encoding="utf-8"))
    told = json.loads(facedown("replay", str(path), "--json"))

    assert [joint[0] for joint in record.picks] == ["3", "1", "2", "5", "4"]
    assert sorted(record.chance) == ["1", "2", "3", "4", "5"]
    assert told["outcome"] == record.result
    assert [step["picks"] for step in told["steps"]] == [list(joint) for joint in record.picks]
    assert "chance entries come from the seed" in facedown("verify", str(path))


def test_it_is_simulated_the_same_with_any_number_of_jobs() -> None:
    words = ("simulate", "goofspiel", "--seats", "3", "--games", "40", "--seed", "s", "--json")
    alone = json.loads(facedown(*words, "--jobs", "1"))
    shared = json.loads(facedown(*words, "--jobs", "2"))

    assert alone["games"] == 40
    assert alone["wins"] == shared["wins"]
    assert sum(each["count"] for each in alone["wins"]) + alone["draws"]["count"] == 40
