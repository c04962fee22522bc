"""`facedown arena` with one bot: the same seed gives the same games, in one process or many."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.record import Record
from facedown.sim.simulate import SimulationPlan, play_game
from tests.cli.command import command, environment, failed_in_one_sentence, run
from tests.cli.conftest import Here

ARENA = ("arena", "--bots", "uniform")
OF_GAMES = pytest.mark.parametrize("game", registry.names())
GAMES = 230  # more than two batches, and no whole number of them


def simulate(here: Here, game: str, *arguments: str) -> dict[str, Any]:
    status, out, err = here(*ARENA, game, "--json", "--jobs", "1", *arguments)
    assert (status, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


@OF_GAMES
def test_the_number_of_processes_changes_nothing(here: Here, tmp_path: Path, game: str) -> None:
    ran = []
    for jobs, way in (("1", here), ("2", run), ("3", run)):
        table = ["--games", str(GAMES), "--seed", "same", "--jobs", jobs]
        done = way(*ARENA, game, "--json", *table, "--records", str(tmp_path / f"{jobs}.jsonl"))
        assert (done.status, done.err) == (0, "")
        ran.append((done.out, (tmp_path / f"{jobs}.jsonl").read_bytes()))

    assert ran[0] == ran[1] == ran[2]


@OF_GAMES
def test_everything_adds_up(here: Here, game: str) -> None:
    result = simulate(here, game, "--games", str(GAMES), "--seed", "sums")

    wins = sum(each["count"] for each in result["wins"])
    assert result["games"] == wins + result["draws"]["count"] == GAMES
    assert sum(each["count"] for each in result["terminations"].values()) == GAMES
    assert sum(result["lengths"].values()) == GAMES
    assert sum(int(length) * count for length, count in result["lengths"].items()) == result["decisions"]
    assert all(each["low"] <= each["share"] <= each["high"] for each in result["wins"])
    assert all(each["low"] <= each["value"] <= each["high"] for each in result["scores"])
    assert result["partial"] is False


@OF_GAMES
def test_every_game_can_be_proved_and_played_again_alone(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "games.jsonl"
    seats = registry.get(game).meta.most_seats
    simulate(here, game, "--games", "120", "--seed", "proof", "--seats", str(seats), "--records", str(file))

    records = [Record.read(line) for line in file.read_text().splitlines()]

    assert [record.id for record in records] == [str(number) for number in range(1, 121)]
    alone = play_game(SimulationPlan(game, "", seats, seed_of("proof"), 1), 117)
    assert alone.record(game_id="117", seed=seed_of("proof")) == records[116]
    checked = here("verify", str(file))
    assert checked.status == 3
    marks = {line.partition(": ")[2] for line in checked.out.splitlines()}
    assert marks == {"✓ picks  ✓ result  – links  ✓ deal"}


@OF_GAMES
def test_without_a_seed_a_fresh_one_is_named_and_can_be_repeated(here: Here, game: str) -> None:
    first, second = simulate(here, game, "--games", "20"), simulate(here, game, "--games", "20")

    assert first["seed"] != second["seed"]
    assert simulate(here, game, "--games", "20", "--seed", first["seed"]) == first


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_the_results_so_far(tmp_path: Path, jobs: str) -> None:
    game = registry.names()[0]
    file = tmp_path / "games.jsonl"
    asked = ["--games", "100000000", "--seed", "stop", "--jobs", jobs, "--json", "--records", str(file)]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*ARENA, game, *asked),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(),
    )
    shown = b""
    while b"a second" not in shown:  # the bar shows a speed once there are games
        shown += os.read(ours, 1000)

    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()

    os.close(theirs)
    os.close(ours)
    assert process.returncode == 130
    result = json.loads(out)
    assert result["partial"] is True
    assert 0 < result["games"] < result["asked"]
    records = file.read_text().splitlines()
    assert len(records) == result["games"]
    whole = run(*ARENA, game, "--games", str(result["games"]), "--seed", "stop", "--json")
    assert json.loads(whole.out)["lengths"] == result["lengths"]


# --- records of a run that was cut off -------------------------------------------------------------------

PAIR = ("arena", "ecard", "--rules", "decisive", "--bots", "random,uniform", "--jobs", "1", "--seed", "x")


def test_a_run_that_was_killed_is_resumed_without_a_game_twice(here: Here, tmp_path: Path) -> None:
    save, records, whole = (str(tmp_path / name) for name in ("save", "records", "whole"))
    run = (*PAIR, "--games", "250")
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
    assert here(*PAIR, "--games", "100", "--save", str(save)).status == 0
    before = save.read_bytes()
    other.write_text("a letter\n")

    ran = here(*PAIR, "--games", "100", "--save", str(save), "--records", str(other))

    assert failed_in_one_sentence(ran, "usage")
    assert (other.read_text(), save.read_bytes()) == ("a letter\n", before)
