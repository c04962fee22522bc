"""`facedown solve`: whole games, states, and long waits; what is printed is in `tests/cli/golden`, too."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from facedown.cli.progress import PATIENCE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here

PRESETS = [preset.name for preset in ECardRules.presets]
AT_SCORE = ["--at", "round=5,score=6:5"]


def solved_json(here: Here, *arguments: str) -> dict[str, Any]:
    ran = here("solve", *arguments, "--json")
    assert (ran.status, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


# --- the whole game --------------------------------------------------------------------------------------


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


def test_a_state_without_a_play_is_its_first(here: Here) -> None:
    assert solved_json(here, "ecard", *AT_SCORE) == solved_json(
        here, "ecard", "--at", "play=1,score=6:5,round=5"
    )
    assert solved_json(here, "ecard", "--at", "round=5,score= 6 : 5 ") == solved_json(
        here, "ecard", *AT_SCORE
    )


def test_E13_a_play_without_a_stake_is_that_after_the_best_one(here: Here) -> None:
    rules, state = ["--rules", "purse"], "round=2,score=20:40,play=2"

    found = solved_json(here, "ecard", *rules, "--at", state)

    assert found == solved_json(here, "ecard", *rules, "--at", f"{state},stake={found['stake']}")
    assert found["stake"] in solve(ECardRules.of("purse")).naming(2, (20, 40)).stakes


@pytest.mark.parametrize(
    ("arguments", "sentences"),
    [
        (["--rules", "classic"], ["is favoured, 55.55 % to 44.45 %", "At 55 of 372 starts of a round"]),
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
def test_the_text_describes_a_game_or_a_state(here: Here, arguments: list[str], sentences: list[str]) -> None:
    ran = here("solve", "ecard", *arguments)

    assert (ran.status, ran.err) == (0, "")
    flat = " ".join(ran.out.split())
    assert [each for each in sentences if each not in flat] == []


# --- what is refused -------------------------------------------------------------------------------------


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
