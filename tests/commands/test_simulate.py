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
def test_another_seed_gives_other_games(here: Here, game: str) -> None:
    one, two = (simulate(here, game, "--games", "50", "--seed", seed) for seed in ("one", "two"))

    assert one["lengths"] != two["lengths"]


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
def test_all_presets_are_played_to_the_end(here: Here, game: str) -> None:
    for preset in registry.get(game).rules.presets:
        assert simulate(here, game, "--games", "20", "--rules", preset.name)["rules"] == preset.name


@OF_GAMES
def test_without_a_seed_a_fresh_one_is_named_and_can_be_repeated(here: Here, game: str) -> None:
    first, second = simulate(here, game, "--games", "20"), simulate(here, game, "--games", "20")

    assert first["seed"] != second["seed"]
    assert simulate(here, game, "--games", "20", "--seed", first["seed"]) == first


@OF_GAMES
def test_the_text_shows_the_wins_of_each_seat(here: Here, game: str) -> None:
    status, out, err = here(*ARENA, game, "--games", "20", "--seed", "words", "--jobs", "1")

    assert (status, err) == (0, "")
    assert out.startswith(f"{registry.get(game).meta.title}, ")
    assert "seed words: 20 games" in out
    wins = [each["count"] for each in simulate(here, game, "--games", "20", "--seed", "words")["wins"]]
    for seat, count in enumerate(wins, 1):
        assert f"seat {seat} won {count:>11} " in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--games", "-1"],
        ["--games", "1000000000000"],
        ["--games", "99999999999999999999"],
        ["--games", "many"],
        ["--games", "1.5"],
        ["--jobs", "0"],
        ["--jobs", "100000"],
    ],
)
def test_numbers_that_make_no_sense_are_refused(here: Here, arguments: list[str]) -> None:
    assert failed_in_one_sentence(here(*ARENA, registry.names()[0], *arguments), "usage")


def test_a_file_that_cannot_be_written_is_refused_before_the_games(here: Here, tmp_path: Path) -> None:
    ran = here(*ARENA, registry.names()[0], "--games", "1000000000", "--records", str(tmp_path))

    assert failed_in_one_sentence(ran, "unwritable_file")


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
