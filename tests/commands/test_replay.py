"""`facedown replay` on good records: JSON for programs, and the retelling for people."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import facedown
from facedown.commands import replay
from facedown.core import registry
from facedown.core.events import Event
from facedown.core.parts.text import everything, text_of
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.seats import all_seats
from tests.cli.command import Ran, command, environment, run
from tests.cli.conftest import Here
from tests.commands.recorded import finished_game, running_game

RECORDS = Path(__file__).parents[1] / "records"
FILES = sorted(path for path in RECORDS.glob("*.jsonl") if not path.name.endswith(".replay.jsonl"))
OF_FILES = pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
OF_GAMES = pytest.mark.parametrize("game", registry.names())


def stories(file: Path) -> list[Any]:
    """What is printed for each record: what it is, then its story."""
    records = map(Record.read, file.read_text().splitlines())
    replays = map(json.loads, file.with_suffix(".replay.jsonl").read_text().splitlines())
    heads = (
        {"id": each.id, "game": each.game, "rules": each.rules, "seats": list(each.seats)} for each in records
    )
    return [head | story for head, story in zip(heads, replays, strict=True)]


def json_lines(ran: Ran) -> list[Any]:
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


# --- for programs ----------------------------------------------------------------------------------------


@OF_FILES
def test_every_record_of_a_file_gives_one_object_in_order(here: Here, file: Path) -> None:
    assert json_lines(here("replay", "--json", "--jobs", "1", str(file))) == stories(file)


def test_a_record_begins_with_what_it_is(here: Here, tmp_path: Path) -> None:
    record = Record.read(FILES[0].read_text().splitlines()[0])
    record = replace(record, seats=tuple(f"安{name}" for name in record.seats))
    file = tmp_path / "game.json"
    facedown.save(record, file)

    ran = here("replay", "--json", str(file))

    assert list(json.loads(ran.out))[:4] == ["id", "game", "rules", "seats"]
    assert json.loads(ran.out)["seats"] == list(record.seats)


@OF_FILES
def test_msgspec_writes_the_bytes_of_json(file: Path) -> None:
    """Where msgspec is installed it writes what is printed; elsewhere `json` does."""
    assert replay._quick() is not None, "the tests install it"
    for line in file.read_text().splitlines():
        record = Record.read(line)
        whole = replay.record_json(record)
        assert replay._compact_json(record.game, whole) == replay._compact(whole)


def test_without_msgspec_all_is_printed_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record.read(FILES[0].read_text().splitlines()[0])
    whole = replay.record_json(record)
    quick = replay._compact_json(record.game, whole)
    monkeypatch.setitem(sys.modules, "msgspec.json", None)
    replay._quick.cache_clear()
    try:
        assert replay._quick() is None
        assert replay._compact_json(record.game, whole) == quick
    finally:
        replay._quick.cache_clear()


@OF_FILES
def test_the_number_of_processes_changes_nothing(here: Here, file: Path) -> None:
    one = here("replay", "--json", "--jobs", "1", str(file))

    assert one.status == 0
    assert run("replay", "--json", "--jobs", "2", str(file)) == one


@OF_FILES
def test_one_record_over_many_lines_is_one_record(here: Here, tmp_path: Path, file: Path) -> None:
    one = tmp_path / "one.json"
    one.write_text("\n\n" + json.dumps(json.loads(file.read_text().splitlines()[0]), indent=2))

    assert json_lines(here("replay", "--json", str(one))) == stories(file)[:1]
    assert json_lines(here("replay", "--json", "-", stdin=one.read_bytes())) == stories(file)[:1]


@OF_GAMES
def test_a_running_game_has_no_outcome_yet(here: Here, game: str) -> None:
    ran = here("replay", "--json", "-", stdin=running_game(game, 2).write().encode())

    (found,) = json_lines(ran)
    assert found["outcome"] is None
    assert [step["decision"] for step in found["steps"]] == [1, 2]


def test_a_pipe_gets_its_answer_before_the_next_record() -> None:
    record = finished_game(registry.names()[0]).write().encode()
    process = subprocess.Popen(
        command("replay", "--json", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for _ in range(2):
            process.stdin.write(record + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["outcome"] is not None
        process.stdin.close()
    assert process.returncode == 0


# --- for people ------------------------------------------------------------------------------------------


def all_events(record: Record) -> list[Event]:
    """All events of the game, the deal first."""
    match = start(record)
    return [*match.dealt.events, *(event for turn in turns(record, match) for event in turn.step.events)]


def sentence(record: Record, event: Event) -> str:
    """The event in words, as the telling has them but for the line breaks."""
    return text_of(record.game).tell(everything(event), record.seats) or ""


def words(out: str) -> str:
    return " ".join(out.split())


@OF_GAMES
def test_a_viewer_sees_only_what_it_could_know(here: Here, game: str) -> None:
    record = finished_game(game)
    for viewer in (0, *all_seats(len(record.seats))):
        out = words(
            here("replay", "--as", str(viewer or "spectator"), "-", stdin=record.write().encode()).out
        )

        for event in all_events(record):
            may_know = event.audience is None or viewer in event.audience
            assert (sentence(record, event) in out) is may_know, (viewer, event)


@OF_GAMES
def test_a_running_game_is_narrated_for_the_spectator(here: Here, game: str) -> None:
    record = running_game(game, 1).write().encode()

    ran = here("replay", "-", stdin=record)

    assert ran.status == 0
    assert "The game is not over: 1 decision so far." in ran.out
    assert ran.out == here("replay", "--as", "spectator", "-", stdin=record).out


def test_names_of_others_do_not_steer_the_terminal(here: Here) -> None:
    record = json.loads(finished_game(registry.names()[0]).write())
    record["seats"] = ["\x1b[2J\r\nAnn\x07", "", *record["seats"][2:]]

    ran = here("replay", "-", stdin=json.dumps(record).encode())

    assert ran.status == 0
    assert not any(sign in ran.out for sign in "\x1b\r\x07")
    assert "Seat 2" in ran.out
