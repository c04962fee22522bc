"""`facedown arena --records`: every game once, also where the run was cut off in between and resumed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here

ARENA = ("arena", "ecard", "--rules", "decisive", "--bots", "random,uniform", "--jobs", "1", "--seed", "x")


def test_a_run_that_was_killed_is_resumed_without_a_game_twice(here: Here, tmp_path: Path) -> None:
    save, records, whole = (str(tmp_path / name) for name in ("save", "records", "whole"))
    run = (*ARENA, "--games", "250")
    assert here(*run, "--records", whole).status == 0
    games = Path(whole).read_bytes().splitlines(keepends=True)
    assert [json.loads(each)["id"] for each in games] == [str(number) for number in range(1, 251)]
    assert here(*run, "--save", save, "--records", records).status == 0
    assert Path(records).read_bytes() == Path(whole).read_bytes()

    finished = Path(save).read_bytes().splitlines(keepends=True)
    Path(save).write_bytes(b"".join(finished[:2]))  # as `kill -9` leaves it: one batch noted,
    Path(records).write_bytes(b"".join(games[:170]) + games[170][:50])  # and a part of the next written down
    resumed = here(*run, "--save", save, "--records", records)

    assert resumed.status == 0
    assert Path(records).read_bytes() == Path(whole).read_bytes()
    assert here("verify", whole).status == 3


def test_a_file_that_does_not_fit_the_run_is_left_alone(here: Here, tmp_path: Path) -> None:
    save, other = tmp_path / "save", tmp_path / "other"
    assert here(*ARENA, "--games", "100", "--save", str(save)).status == 0
    before = save.read_bytes()
    other.write_text("a letter\n")

    ran = here(*ARENA, "--games", "100", "--save", str(save), "--records", str(other))

    assert failed_in_one_sentence(ran, "usage")
    assert (other.read_text(), save.read_bytes()) == ("a letter\n", before)
