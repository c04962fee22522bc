"""A third game in one folder: found by its entry point, it gets everything, and nothing else was touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from facedown.core import registry
from facedown.core.chance import Scripted
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.testing import CHECKS, HOW, Check
from tests.third_game.goofspiel.game import GAME, GoofspielView, State
from tests.third_game.goofspiel.rules import GoofspielRules

HERE = Path(__file__).parent
FOLDER = HERE / "goofspiel"
ALONE = ("arena", "goofspiel", "--bots", "uniform")


def facedown(
    *words: str, typed: str = "", home: Path = HERE, program: str = "facedown", status: int = 0
) -> str:
    """The output of the real command, with this folder on the path."""
    path = os.pathsep.join([str(home), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(
        [sys.executable, "-m", program, *words],
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert ran.returncode == status, ran.stderr
    return ran.stdout


def test_the_game_is_unknown_unless_it_is_installed() -> None:
    assert GAME.name not in registry.names()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_both_suites_pass(check: Check) -> None:
    check(GAME, settings(HOW, max_examples=5))  # after every kind of table, which are tried anyway


# --- its rules -------------------------------------------------------------------------------------------


def test_G4_the_highest_bid_wins_the_prize() -> None:
    match = Match(GAME, GoofspielRules.of("quick"), ("Ann", "Bo"), Scripted([]))
    match.decide(("2", "1"))
    assert match.state.score == (1, 0)
    assert match.state.hands == (("1", "3", "4", "5"), ("2", "3", "4", "5"))


@pytest.mark.parametrize(("tie", "score"), [("discard", (2, 0)), ("carry", (3, 0))])
def test_G4_a_prize_without_a_winner_is_lost_or_carried_over(tie: str, score: tuple[int, int]) -> None:
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


def early_end() -> Match[GoofspielRules, State, GoofspielView]:
    """A game that is decided before the last prize: 2 + 3 + 4 of 15 points are one seat's."""
    match = Match(GAME, GoofspielRules.of("quick", early=True), ("Ann", "Bo"), Scripted([]))
    for joint in (("1", "2"), ("3", "1"), ("4", "3"), ("5", "4")):
        match.decide(joint)
    return match


def test_G7_a_game_ends_once_no_seat_can_catch_up() -> None:
    outcome = early_end().outcome

    assert outcome is not None
    assert (outcome.winner, outcome.termination, outcome.score) == (1, "beyond_reach", (9, 1))
    assert outcome.termination in GAME.terminations


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
    replay_json = json.loads(facedown("replay", str(path), "--json"))

    assert [joint[0] for joint in record.picks] == ["3", "1", "2", "5", "4"]
    assert sorted(record.chance) == ["1", "2", "3", "4", "5"]
    assert replay_json["outcome"] == record.result
    assert [step["picks"] for step in replay_json["steps"]] == [list(joint) for joint in record.picks]
    assert "chance entries come from the seed" in facedown("verify", str(path), status=3)


# --- an end and a position of its own --------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a game that ended in its own way."""
    path = tmp_path / "early.json"
    path.write_text(early_end().record().write(), encoding="utf-8")
    return path


def test_its_own_end_is_recorded_verified_and_shown_in_the_terminal(record: Path) -> None:
    assert json.loads(record.read_text(encoding="utf-8"))["result"]["termination"] == "beyond_reach"
    assert "beyond_reach" in facedown("verify", str(record), status=3)
    assert "end: winner Ann, termination beyond_reach." in facedown("replay", str(record))


@pytest.mark.parametrize(
    ("language", "headline"),
    [("en", "Ann won, 9 to 1: nobody could catch up"), ("ja", "Annの勝ち、9対1：誰も追いつけなくなりました")],
)
def test_a_review_reports_its_own_end_in_its_own_words(
    record: Path, tmp_path: Path, language: str, headline: str
) -> None:
    for folder in (FOLDER, HERE / "goofspiel-1.0.dist-info"):
        shutil.copytree(folder, tmp_path / folder.name)
    bots = "from facedown.bots.uniform import Uniform\nBOTS = (Uniform,)\nREVIEWER = Uniform\n"
    (tmp_path / "goofspiel" / "bots.py").write_text(bots, encoding="utf-8")

    text = facedown("review", str(record), "--language", language, "--rollouts", "2", home=tmp_path)

    assert headline in text


def test_it_is_solved_at_a_position_of_its_own() -> None:
    words = ("solve", "goofspiel", "--rules", "goofspiel(order=rising)", "--at", "one=2:3,two=1:3,prizes=2:3")

    facts = json.loads(facedown(*words, "--json"))

    assert (facts["value"], facts["favoured"]) == (pytest.approx(1), {"seat": 1})
    assert "Seat 1 is favoured" in facedown(*words)


def test_the_server_has_its_verdict() -> None:
    """By the process that a server asks, in which the third game is installed."""
    question = json.dumps(
        {"kind": "verdict", "game": "goofspiel", "rules": "goofspiel(cards=3,order=rising)"}
    )

    lines = facedown(typed=question, program="facedown.server.analysis").splitlines()
    found = json.loads(lines[-1])["answer"]  # the others are its progress

    assert (found["rules"], found["favoured"]) == ("goofspiel(cards=3,order=rising)", None)
    assert found["value"] == pytest.approx(0, abs=1e-9)
    assert any("Neither seat is favoured" in sentence for sentence in found["sentences"])
