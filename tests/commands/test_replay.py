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
from tests.cli.command import Ran, command, environment, failed_in_one_sentence, run
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
def test_standard_input_is_as_good_as_a_file(here: Here, file: Path) -> None:
    assert json_lines(here("replay", "--json", "-", stdin=file.read_bytes())) == stories(file)


@OF_FILES
def test_one_record_over_many_lines_is_one_record(here: Here, tmp_path: Path, file: Path) -> None:
    one = tmp_path / "one.json"
    one.write_text("\n\n" + json.dumps(json.loads(file.read_text().splitlines()[0]), indent=2))

    assert json_lines(here("replay", "--json", str(one))) == stories(file)[:1]
    assert json_lines(here("replay", "--json", "-", stdin=one.read_bytes())) == stories(file)[:1]


@OF_FILES
def test_records_by_line_are_known_by_their_content_too(here: Here, tmp_path: Path, file: Path) -> None:
    other = tmp_path / "games.txt"
    other.write_bytes(b"\n" + file.read_bytes())

    assert json_lines(here("replay", "--json", "--jobs", "1", str(other))) == stories(file)


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
def test_a_finished_game_is_narrated_whole(here: Here, game: str) -> None:
    record = finished_game(game)

    ran = here("replay", "-", stdin=record.write().encode())

    assert (ran.status, ran.err) == (0, "")
    assert [event.kind for event in all_events(record) if sentence(record, event) not in words(ran.out)] == []
    assert [pick for joint in record.picks for pick in joint if pick and pick not in ran.out] == []
    assert max(map(len, ran.out.splitlines())) <= 80


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


@OF_GAMES
def test_step_waits_after_the_deal_and_every_decision_but_the_last(
    here: Here, tmp_path: Path, game: str
) -> None:
    record = finished_game(game)
    file = tmp_path / "game.json"
    file.write_text(record.write())

    status, out, err = here("replay", "--step", str(file), stdin=b"\n" * len(record.picks))

    assert (status, err) == (0, "")
    assert out.count("Enter to continue") == len(record.picks)
    plain = [line for line in out.splitlines() if "Enter to continue" not in line]
    assert plain == here("replay", str(file)).out.splitlines()


@OF_GAMES
def test_step_answers_questions_and_can_be_left(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(finished_game(game).write())
    asked = b"\nwhy\ntable\nlog\nnonsense\nquit\n"

    status, out, err = here("replay", "--step", str(file), stdin=asked)

    assert (status, err) == (0, "")
    record = finished_game(game)
    first = next(turns(record, start(record))).step.events
    assert all(f"\n  {rule:<4} " in out for event in first for rule in event.rules)
    assert out.count("Enter to continue") == 6  # the nonsense is answered with it, too
    assert here("replay", "--step", str(file), stdin=b"").status == 0


@OF_GAMES
def test_a_table_with_everything_shows_what_each_seat_holds(here: Here, tmp_path: Path, game: str) -> None:
    record = finished_game(game)
    file = tmp_path / "game.json"
    file.write_text(record.write())

    out = here("replay", "--step", str(file), stdin=b"table\nquit\n").out

    match = start(record)
    text = text_of(game)
    public = text.table(match.view(0), record.seats).splitlines()
    assert "\n".join(public) in out
    for seat, name in enumerate(record.seats, 1):
        own = [line for line in text.table(match.view(seat), record.seats).splitlines() if line not in public]
        shown = [line for line in out.splitlines() if line.startswith(f"  {name}: ")]
        assert len(shown) == (len(own) if registry.get(game).meta.hidden_hands else 0)
        assert all(line.strip() in shown[0] for line in own if shown)


def test_names_of_others_do_not_steer_the_terminal(here: Here) -> None:
    record = json.loads(finished_game(registry.names()[0]).write())
    record["seats"] = ["\x1b[2J\r\nAnn\x07", "", *record["seats"][2:]]

    ran = here("replay", "-", stdin=json.dumps(record).encode())

    assert ran.status == 0
    assert not any(sign in ran.out for sign in "\x1b\r\x07")
    assert "Seat 2" in ran.out


@pytest.mark.parametrize("viewer", ["0", "9", "-1", "Ann", "", "1.0", "²"])
def test_a_viewer_that_is_not_there_is_refused(here: Here, viewer: str) -> None:
    ran = here("replay", f"--as={viewer}", "-", stdin=finished_game(registry.names()[0]).write().encode())

    assert failed_in_one_sentence(ran, "usage"), ran


@pytest.mark.parametrize(
    "arguments",
    [["--json", "--as", "1", "x"], ["--json", "--step", "x"], ["--step", "-"], ["--jobs", "0", "x"]],
)
def test_options_that_exclude_each_other_are_refused(here: Here, arguments: list[str]) -> None:
    assert failed_in_one_sentence(here("replay", *arguments), "usage")
