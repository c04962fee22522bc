"""Finished games as fixtures: each is replayed, compared as JSON, written again and verified."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from facedown.core import registry
from facedown.core.errors import IllegalChance, UnknownVersion
from facedown.core.record import Record, result_of
from facedown.core.replay import replay, start, turns, verify
from tests.records.make import CASES, OF_EACH_CASE, VERSIONS, named
from tests.reference.odd import SINCE_VERSION_2, odd_cases

RECORDS = Path(__file__).parent / "records"


def lines(name: str) -> list[str]:
    return (RECORDS / name).read_text(encoding="utf-8").splitlines()


def replay_json(record: Record) -> dict[str, Any]:
    match = start(record)
    steps = [
        {"decision": number, **match.game.decision_json(turn.before, turn.joint, turn.step)}
        for number, turn in enumerate(turns(record, match), 1)
    ]
    assert match.outcome is not None
    replayed: dict[str, Any] = json.loads(json.dumps({"outcome": result_of(match.outcome), "steps": steps}))
    return replayed


FILES = [(game, version) for game, newest in VERSIONS.items() for version in range(1, newest + 1)]
"""Every version of every game: records of earlier ones are replayed as they were played."""

FIXTURES = [
    pytest.param(record, replayed, id=f"{named(game, version)}-{number}")
    for game, version in FILES
    for number, (record, replayed) in enumerate(
        zip(
            lines(f"{named(game, version)}.jsonl"), lines(f"{named(game, version)}.replay.jsonl"), strict=True
        ),
        1,
    )
]


def test_there_are_two_hundred_finished_games_or_more() -> None:
    assert len(FIXTURES) >= 200


def test_there_are_games_of_every_version() -> None:
    assert {game: registry.get(game).version for game in VERSIONS} == VERSIONS


@pytest.mark.parametrize(("game", "version"), FILES)
def test_every_odd_case_and_every_preset_is_among_them(game: str, version: int) -> None:
    records = [json.loads(line) for line in lines(f"{named(game, version)}.jsonl")]
    replays = [json.loads(line) for line in lines(f"{named(game, version)}.replay.jsonl")]
    assert {record.get("version", 1) for record in records} == {version}
    seen = Counter(case for pair in zip(records, replays, strict=True) for case in odd_cases(*pair))
    cases = set(CASES[game]) - (SINCE_VERSION_2 if version == 1 else set())
    assert {case for case in cases if seen[case] < OF_EACH_CASE} == set()
    presets = {preset.name for preset in registry.get(game).rules.presets}
    assert {record["rules"].partition("(")[0] for record in records} == presets


@pytest.mark.parametrize(("line", "expected"), FIXTURES)
def test_a_finished_game_replays_to_the_same_story(line: str, expected: str) -> None:
    assert replay_json(Record.read(line)) == json.loads(expected)


@pytest.mark.parametrize(("line", "expected"), FIXTURES)
def test_a_finished_game_survives_the_round_trip(line: str, expected: str) -> None:
    record = Record.read(line)
    again = replay(record).record()
    assert Record.read(again.write()) == again
    assert (again.version, again.rules, again.chance, again.picks, again.result) == (
        record.version,
        record.rules,
        record.chance,
        record.picks,
        json.loads(expected)["outcome"],
    )
    assert all(finding.holds is not False for finding in verify(record))


def decided_in_a_playoff(version: int) -> dict[str, Any]:
    """A record that ends in a playoff, whose last round is where the versions differ."""
    records = [json.loads(line) for line in lines(f"{named('davenport', version)}.jsonl")]
    ended: dict[str, Any] = next(each for each in records if each["result"]["termination"] == "playoff")
    return ended


@pytest.mark.parametrize(("played", "claimed"), [(1, 2), (2, 1)])
def test_a_record_is_replayed_by_its_own_version_and_by_no_other(played: int, claimed: int) -> None:
    record = decided_in_a_playoff(played)
    assert replay(Record.read(json.dumps(record))).game.version == played

    with pytest.raises(IllegalChance):
        replay(Record.read(json.dumps(record | {"version": claimed})))


def test_a_record_of_a_later_version_is_refused_in_one_sentence() -> None:
    later = Record.read(json.dumps(decided_in_a_playoff(2) | {"version": 3}))

    for refused in (replay, lambda record: list(verify(record))):
        with pytest.raises(UnknownVersion) as error:
            refused(later)
        assert str(error.value) == (
            "this game of davenport was played by version 3 of its rules, and this Facedown knows "
            "versions 1 and 2; a newer Facedown is needed"
        )
