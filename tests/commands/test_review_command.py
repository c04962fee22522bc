"""`facedown review`: one record, reviewed for one seat; what is printed is in `tests/cli/golden`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facedown.core import registry
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.commands.recorded import finished_game, running_game

RECORDS = Path(__file__).parents[1] / "records"
THIRD = Path(__file__).parents[1] / "third_game"
GOOD = finished_game("ecard").write().encode()
OF_GAMES = pytest.mark.parametrize("game", registry.names())
FEW = ("--rollouts", "2")


# --- which record ----------------------------------------------------------------------------------------


@OF_GAMES
def test_a_record_is_read_from_a_file_or_from_standard_input(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(json.loads(finished_game(game).write()), indent=1), encoding="utf-8")

    from_file = here("review", str(file), *FEW)
    from_input = here("review", "-", *FEW, stdin=file.read_bytes())

    assert (from_file.status, from_file.err) == (0, "")
    assert from_file == from_input
    assert str(registry.get(game).meta.title) in from_file.out
    assert "Luck and skill" in from_file.out


def test_a_line_of_many_is_chosen(here: Here, tmp_path: Path) -> None:
    games = [finished_game("ecard", number).write() for number in (1, 2, 3)]
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(games), encoding="utf-8")

    chosen = here("review", str(file), "--line", "2", "--json")

    assert chosen.status == 0
    assert chosen.out == here("review", "-", "--json", stdin=games[1].encode()).out
    assert chosen.out != here("review", str(file), "--line", "3", "--json").out


def test_a_review_is_written_in_the_requested_language(here: Here) -> None:
    assert "運と腕" in here("review", "-", "--language", "ja", stdin=GOOD).out
    assert failed_in_one_sentence(here("review", "-", "--language", "xx", stdin=GOOD), "usage")


def test_of_several_records_one_has_to_be_named(here: Here) -> None:
    ran = here("review", "-", stdin=GOOD + b"\n" + GOOD)

    assert failed_in_one_sentence(ran, "usage")
    assert "--line N" in ran.err


def test_one_record_in_a_file_of_lines_needs_no_number(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(GOOD + b"\n\n")

    assert here("review", str(file)).status == 0
    assert here("review", str(file), "--line", "1").status == 0


# --- nonsense --------------------------------------------------------------------------------------------


def test_a_bad_line_is_named(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(GOOD + b"\nnonsense\n")

    ran = here("review", str(file), "--line", "2")

    assert failed_in_one_sentence(ran, "unreadable_record")
    assert f"{file}: line 2" in ran.err


def test_a_false_record_is_not_reviewed(here: Here) -> None:
    lie = json.loads(GOOD) | {"result": {"winner": 1, "termination": "ruin", "score": [9, 9]}}

    assert failed_in_one_sentence(here("review", "-", stdin=json.dumps(lie).encode()), "not_verified")


# --- what comes out --------------------------------------------------------------------------------------


@OF_GAMES
def test_a_running_game_is_reviewed_so_far(here: Here, game: str) -> None:
    ran = here("review", "-", *FEW, stdin=running_game(game, 2).write().encode())

    assert (ran.status, ran.err) == (0, "")
    assert "game in progress" in ran.out
    assert "is now at" in ran.out
