"""`facedown solve`: known values through the command, states, and what is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from facedown.cli.progress import PATIENCE
from facedown.core import registry
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from tests.cli.command import Ran, environment, failed_in_one_sentence, run_together
from tests.cli.conftest import Here

TESTS = Path(__file__).parents[1]
VECTORS = json.loads((TESTS / "vectors" / "ecard_values.json").read_text(encoding="utf-8"))
PRESETS = [preset.name for preset in ECardRules.presets]
FEW_STATES = "purse(purse=4,rounds=3,group=1)"
"""What is drawn quickly."""
AT_SCORE = ["--at", "round=5,score=6:5"]


def solved_json(here: Here, *arguments: str) -> dict[str, Any]:
    ran = here("solve", *arguments, "--json")
    assert (ran.status, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


# --- the whole game --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VECTORS["games"])
def test_games_have_the_values_that_are_known(here: Here, name: str) -> None:
    known = VECTORS["games"][name]

    found = solved_json(here, "ecard", "--rules", name)

    assert found["value"] == pytest.approx(known["value"], abs=1e-12)
    assert [found[end] for end in ("win", "draw", "lose")] == pytest.approx(known["wdl"], abs=1e-12)
    assert 0 <= found["exploitability"] <= 1e-12
    assert (found["game"], found["rules"]) == ("ecard", name)


@pytest.mark.parametrize("name", ["plays5_pm1", "plays3_pm1"])
def test_single_rounds_have_the_mixes_that_are_known(here: Here, name: str) -> None:
    """One round that wins the game: as far apart as +1 and -1, with a draw in the middle."""
    known = VECTORS["rounds"][name]
    rules = f"victories(plays={name[5]},rounds=1,group=1)"

    start = solved_json(here, "ecard", "--rules", rules)["start"]

    assert start["exact"]["emperor"] == start["exact"]["slave"] == known["hazards"]
    assert 2 * Fraction(start["exact"]["value"]) - 1 == Fraction(known["value"])
    assert start["exact"]["win"] == known["emperor_wins"]
    assert start["exact"]["draw"] == known["undecided"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_solved_and_shows_the_precision(here: Here, preset: str) -> None:
    found = solved_json(here, "ecard", "--rules", preset)

    assert found["value"] == pytest.approx(found["win"] + found["draw"] / 2, abs=1e-15)
    assert found["win"] + found["draw"] + found["lose"] == pytest.approx(1, abs=1e-15)
    assert found["exploitability"] <= 1e-12
    assert 0 < found["unique_starts"] <= found["starts"]
    assert found["unique"] == (found["unique_starts"] == found["starts"])
    assert found["start"]["value"] == found["value"]
    assert found["equal"][0] == {"round": 1, "emperor_side": "first", "value": found["value"]}


def test_fractions_are_shown_if_they_are_exact(here: Here) -> None:
    exact, rounded = (
        solved_json(here, "ecard", "--rules", "decisive"),
        solved_json(here, "ecard", "--rules", "classic"),
    )

    assert Fraction(exact["exact"]["value"]) == Fraction(4127943630848, 10**13)
    assert exact["exploitability"] == 0
    assert rounded["exact"] is None


def test_the_usual_rules_are_solved_if_none_are_named(here: Here) -> None:
    assert solved_json(here, "ecard") == solved_json(here, "ecard", "--rules", "classic()")


@pytest.mark.parametrize(
    ("rules", "sentences"),
    [
        (
            "classic",
            [
                "Seat 2, the first Slave side, is favoured, 55.55 % to 44.45 %",
                "11.76 % of games are drawn",
                "Emperor side  14.33 % 16.73 % 20.10 %",
                "worth     44.4 39.0 33.1 26.6",
                "At 55 of 372 starts of a round",
                "Exploitability",
            ],
        ),
        ("decisive", ["The first Slave side is favoured", "no game is drawn", "1/5", "(x: an extra round)"]),
        ("purse", ["The Slave side names the stake 6.", "with equal purses", "Exploitability 0:"]),
        ("decisive(rounds=1,group=1)", ["The first Emperor side is favoured, 80.00 % to 20.00 %", "unique"]),
        ("decisive(tie=pair,rounds=2,group=1)", ["is favoured"]),
    ],
)
def test_the_text_shows_the_favoured_side_and_how_to_play(
    here: Here, rules: str, sentences: list[str]
) -> None:
    ran = here("solve", "ecard", "--rules", rules)

    assert (ran.status, ran.err) == (0, "")
    flat = " ".join(ran.out.split())
    assert [each for each in sentences if " ".join(each.split()) not in flat] == []
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("rules", "favoured"),
    [
        ("classic", {"seat": 2}),
        ("classic(first=2)", {"seat": 1}),
        ("classic(rounds=1,group=1)", {"seat": 1}),
        ("decisive", {"role": "first_slave"}),
        ("decisive(rounds=1,group=1)", {"role": "first_emperor"}),
        ("purse(purse=5)", {"role": "first_slave"}),
    ],
)
def test_json_names_the_favoured_side(here: Here, rules: str, favoured: dict[str, Any]) -> None:
    assert solved_json(here, "ecard", "--rules", rules)["favoured"] == favoured


# --- one state -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("play", [1, 2, 3])
def test_a_state_is_shown_from_this_play_on(here: Here, play: int) -> None:
    found = solved_json(here, "ecard", "--at", f"round=5,score=6:5,play={play}")
    moment = solve(ECardRules.of()).at(5, (6, 5), play)

    assert (found["round"], found["play"], found["score"]) == (5, play, [6, 5])
    assert [found[end] for end in ("value", "win", "draw", "lose")] == [
        moment.value,
        moment.win,
        moment.draw,
        moment.lose,
    ]
    assert found["emperor"] == list(moment.emperor)
    assert found["slave"] == list(moment.slave)
    assert len(found["emperor"]) == 4 - play
    assert found["emperor_side"] == "other"
    assert found["unique"] is True
    assert found["exploitability"] <= 1e-12


def test_a_state_without_a_play_is_its_first(here: Here) -> None:
    assert solved_json(here, "ecard", *AT_SCORE) == solved_json(
        here, "ecard", "--at", "play=1,score=6:5,round=5"
    )
    assert solved_json(here, "ecard", "--at", "round=5,score= 6 : 5 ") == solved_json(
        here, "ecard", *AT_SCORE
    )


def test_a_leading_emperor_side_plays_citizens_only(here: Here) -> None:
    found = solved_json(here, "ecard", "--at", "round=12,score=0:3")

    assert (found["emperor"], found["slave"]) == ([0, 0, 0], [0.5, 0.5, 0.5])
    assert found["unique"] is False


def test_E12_the_extra_round_is_a_state(here: Here) -> None:
    found = solved_json(here, "ecard", "--rules", "decisive", "--at", "round=13,score=6:6")

    assert found["exact"]["value"] == "1/5"
    assert found["emperor"] == [1 / 5, 1 / 4, 1 / 3, 1 / 2, 1]


def test_E13_before_a_stake_the_answer_lists_stakes(here: Here) -> None:
    found = solved_json(here, "ecard", "--rules", "purse", "--at", "round=2,score=20:40")
    naming = solve(ECardRules.of("purse")).naming(2, (20, 40))

    assert found["stakes"] == {str(stake): float(chance) for stake, chance in naming.stakes.items()}
    assert found["values"].keys() == {str(stake) for stake in range(1, 11)}
    assert found["value"] == min(found["values"].values())
    assert found["stake"] == min(naming.stakes)
    assert found["emperor"] == found["slave"] == [1 / 5, 1 / 4, 1 / 3, 1 / 2, 1]


def test_E13_after_a_stake_the_answer_lists_plays(here: Here) -> None:
    found = solved_json(here, "ecard", "--rules", "purse", "--at", "round=2,score=20:40,stake=3,play=4")
    moment = solve(ECardRules.of("purse")).at(2, (20, 40), 4, 3)

    assert "stakes" not in found
    assert (found["stake"], found["play"], found["value"]) == (3, 4, float(moment.value))
    assert found["exact"]["value"] == str(moment.value)


def test_E13_a_play_without_a_stake_is_that_after_the_best_one(here: Here) -> None:
    rules, state = ["--rules", "purse"], "round=2,score=20:40,play=2"

    found = solved_json(here, "ecard", *rules, "--at", state)

    assert found == solved_json(here, "ecard", *rules, "--at", f"{state},stake={found['stake']}")
    assert found["stake"] in solve(ECardRules.of("purse")).naming(2, (20, 40)).stakes


@pytest.mark.parametrize(
    ("arguments", "sentences"),
    [
        (
            AT_SCORE,
            [
                "round 5, score 6 to 5 (the first Emperor side has 6), play 1",
                "is on the Slave side in this round",
                "the only equilibrium",
            ],
        ),
        (["--at", "round=12,score=0:3"], ["Other mixes are just as good"]),
        (["--rules", "purse", "--at", "round=1,score=30:30"], ["before the stake is named", "stake 6"]),
        (["--rules", "purse", "--at", "round=1,score=30:30,stake=2"], ["play 1, stake 2"]),
        (["--rules", "purse(purse=3,rounds=1,group=1)", "--at", "round=1,score=3:3"], ["1, 2 and 3"]),
        (["--rules", "classic(tie=pair)", "--at", "round=13,score=6:6"], ["Neither seat is favoured"]),
    ],
)
def test_the_text_describes_a_state(here: Here, arguments: list[str], sentences: list[str]) -> None:
    ran = here("solve", "ecard", *arguments)

    assert (ran.status, ran.err) == (0, "")
    flat = " ".join(ran.out.split())
    assert [each for each in sentences if each not in flat] == []


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--at", "round=3"], "unreadable_position"),
        (["--at", "score=1:2"], "unreadable_position"),
        (["--at", ""], "unreadable_position"),
        (["--at", "nonsense"], "unreadable_position"),
        (["--at", "round=1,score=0:0,colour=red"], "unreadable_position"),
        (["--at", "round=1,round=2,score=0:0"], "unreadable_position"),
        (["--round", "3"], "usage"),
        (["--at", "play=2"], "unreadable_position"),
        (["--at", "stake=2"], "unreadable_position"),
        (["--at", "round=2,score="], "unreadable_position"),
        (["--at", "round=2,score=1"], "unreadable_position"),
        (["--at", "round=2,score=1:2:3"], "unreadable_position"),
        (["--at", "round=2,score=one:two"], "unreadable_position"),
        (["--at", "round=2,score=1;0"], "unreadable_position"),
        (["--at", "round=2,score=1.0:0"], "unreadable_position"),
        (["--at", "round=2,score=-1:0"], "unreadable_position"),
        (["--at", "round=2,score=²:1"], "unreadable_position"),
        (["--at", "round=2,score=" + "9" * 100 + ":0"], "unreadable_position"),
        (["--at", "round=2,score=" + "9" * 5000 + ":0"], "unreadable_position"),
        (["--at", "round=2,score=\x1b[2J"], "unreadable_position"),
        (["--at", "round=-1,score=0:0"], "unreadable_position"),
        (["--at", "round=two,score=0:0"], "unreadable_position"),
        (["--at", "score=0:0,round=" + "9" * 400], "unreadable_position"),
        (["--at", "round=1,score=0:0,play=x"], "unreadable_position"),
        (["--at", "round=0,score=0:0"], "unreadable_position"),
        (["--at", "round=13,score=0:0"], "impossible_state"),
        (["--at", "round=999999999999,score=0:0"], "unreadable_position"),
        (["--rules", "classic(tie=pair)", "--at", "round=999999999999,score=0:0"], "unreadable_position"),
        (["--rules", "decisive", "--at", "round=14,score=7:6"], "impossible_state"),
        (["--rules", "decisive", "--at", "round=2,score=0:0"], "impossible_state"),
        (["--at", "round=2,score=2:0"], "impossible_state"),
        (["--at", "round=1,score=999999999:999999999"], "impossible_state"),
        (["--at", "round=1,score=0:0,play=0"], "unreadable_position"),
        (["--at", "round=1,score=0:0,play=4"], "impossible_state"),
        (["--at", "round=1,score=0:0,stake=2"], "impossible_state"),
        (["--rules", "purse", "--at", "round=1,score=30:30,play=6"], "impossible_state"),
        (["--rules", "purse", "--at", "round=1,score=30:30,stake=11"], "impossible_state"),
        (["--rules", "purse", "--at", "round=1,score=0:60"], "impossible_state"),
        (["--rules", "purse", "--at", "round=1,score=10:10"], "impossible_state"),
        (["--rules", "purse(purse=1000,max_stake=1000)"], "unsupported"),
        (["--rules", "nonsense"], "unreadable_rules"),
        (["--rules", "classic(plays=9,group=99)"], "unreadable_rules"),
        (["--rules", "("], "unreadable_rules"),
        (["--rules", "classic(tie=\x1b[2J)"], "unreadable_rules"),
        (["--nonsense"], "usage"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(here: Here, arguments: list[str], code: str) -> None:
    ran = here("solve", "ecard", *arguments)

    assert failed_in_one_sentence(ran, code), ran
    assert ran.out == ""
    assert "\x1b" not in ran.err
    assert len(ran.err) < 300


def test_a_round_that_is_not_there_is_named_though_the_score_is_missing(here: Here) -> None:
    ran = here("solve", "ecard", "--at", "round=99")

    assert failed_in_one_sentence(ran, "unreadable_position")
    assert "there is no round 99: a game has rounds 1 to 12; score is missing" in ran.err


def test_all_problems_of_a_position_at_once(here: Here) -> None:
    ran = here("solve", "ecard", "--at", "round=x,play=0,colour=red")

    assert failed_in_one_sentence(ran, "unreadable_position")
    assert all(f"{name}=" in ran.err for name in ("round", "play"))
    assert "'colour'" in ran.err
    assert "score is missing" in ran.err


@pytest.mark.parametrize("arguments", [["nonsense"], ["\x1b[2J"], [""]])
def test_an_unknown_game_is_refused(here: Here, arguments: list[str]) -> None:
    assert failed_in_one_sentence(here("solve", *arguments), "unknown_game")


def test_a_game_that_is_too_large_is_refused(here: Here) -> None:
    ran = here("solve", "davenport")

    assert failed_in_one_sentence(ran, "unsupported")
    assert "too many to lay out" in ran.err


@pytest.mark.parametrize("game", registry.names())
def test_every_game_is_solved_or_refused_in_one_sentence(here: Here, game: str) -> None:
    ran = here("solve", game)

    assert ran.status == 0 or failed_in_one_sentence(ran, "unsupported")


# --- a game that has no solver of its own ----------------------------------------------------------------


ONE_BY_ONE = "--rules goofspiel(cards=4,order=rising) --json"
IN_WORDS = "--rules goofspiel(cards=3,order=falling)"
BY_THE_DEAL = "--rules goofspiel(cards=3) --json"
UNKNOWN = {
    "--rules goofspiel(cards=2) --at round=1,score=0:0": "solved as a whole only",
}
if os.environ.get("THOROUGH"):  # to find that out takes long; `tests/solve` does it with fewer
    UNKNOWN["--rules goofspiel(cards=7,order=rising)"] = "Goofspiel has more than 100,000 positions"


@pytest.fixture(scope="module")
def third_game(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """What `solve` says of a game of another package without its solver, by the command's other words."""
    folder = tmp_path_factory.mktemp("installed")
    for name in ("goofspiel", "goofspiel-1.0.dist-info"):
        shutil.copytree(TESTS / "third_game" / name, folder / name)
    (folder / "goofspiel" / "solve.py").unlink()
    ours = environment()
    path = os.pathsep.join([str(folder), ours["PYTHONPATH"]])
    asked = (ONE_BY_ONE, IN_WORDS, BY_THE_DEAL, *UNKNOWN)
    commands = [(["solve", "goofspiel", *words.split()], "") for words in asked]
    return dict(zip(asked, run_together(commands, folder, ours | {"PYTHONPATH": path}), strict=True))


def test_a_small_game_without_a_solver_is_laid_out(third_game: dict[str, Ran]) -> None:
    found = json.loads(third_game[ONE_BY_ONE].out)

    assert found["value"] == pytest.approx(0, abs=1e-9)
    assert found["exploitability"] == pytest.approx(0, abs=1e-9)
    assert found["positions"] == 1313
    assert found["favoured"] is None
    assert [each["seat"] for each in found["opening"]] == [1, 2]
    for each in found["opening"]:
        assert list(each["mix"]) == ["1", "2", "3", "4"]
        assert sum(each["mix"].values()) == pytest.approx(1)


def test_a_small_game_without_a_solver_is_solved(third_game: dict[str, Ran]) -> None:
    out = third_game[IN_WORDS].out

    assert "Goofspiel, goofspiel(cards=3,order=falling), two seats: " in out
    assert "Neither seat is favoured" in out
    assert "Seat 2 opens with" in out


def test_an_opening_that_depends_on_the_deal_is_not_shown(third_game: dict[str, Ran]) -> None:
    assert json.loads(third_game[BY_THE_DEAL].out)["opening"] == []


@pytest.mark.parametrize("words", UNKNOWN)
def test_a_question_that_the_game_cannot_answer_is_refused(third_game: dict[str, Ran], words: str) -> None:
    ran = third_game[words]

    assert failed_in_one_sentence(ran, "unsupported")
    assert ran.out == ""
    assert UNKNOWN[words] in ran.err


def test_the_answer_is_in_the_requested_language(here: Here) -> None:
    ran = here("solve", "ecard", "--language", "ja")

    assert ran.status == 0
    assert "2番席（最初の奴隷側）が" in ran.out
    assert "favoured" not in ran.out


def test_a_language_that_is_not_there_is_refused(here: Here) -> None:
    assert failed_in_one_sentence(here("solve", "ecard", "--language", "xx"), "usage")


# --- long waits ------------------------------------------------------------------------------------------


def test_a_long_wait_shows_its_progress(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PATIENCE, False, 0.0)

    ran = here("solve", "ecard", "--rules", "classic(rounds=13,tie=extra)")

    first = ran.err.splitlines()[0]
    assert re.fullmatch(r"solving: \d+ of \d+ positions, \d+ s so far; Ctrl-C stops it", first)
    assert ran.status == 0
    assert "solving" not in ran.out


def test_a_long_wait_can_be_interrupted(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PATIENCE, False, 0.0)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.cli.progress._span", stop)

    ran = here("solve", "ecard", "--rules", "classic(rounds=14,tie=extra)")

    assert (ran.status, ran.out, ran.err) == (130, "", "\nfacedown: interrupted\n")
