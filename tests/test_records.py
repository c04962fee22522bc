"""Finished games as fixtures: each is replayed, printed as JSON, written again and verified."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from facedown.core import registry
from facedown.core.errors import UnknownVersion
from facedown.core.parts.story import Story, story_of, story_text
from facedown.core.record import Record, result_of
from facedown.core.replay import replay, start, turns, verify
from facedown.core.seats import SPECTATOR
from facedown.core.text.translation import languages
from tests.records.make import CASES, OF_EACH_CASE
from tests.reference.odd import odd_cases

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


FIXTURES = [
    pytest.param(record, replayed, id=f"{game}-{number}")
    for game in CASES
    for number, (record, replayed) in enumerate(
        zip(lines(f"{game}.jsonl"), lines(f"{game}.replay.jsonl"), strict=True), 1
    )
]


def test_there_are_two_hundred_finished_games_or_more() -> None:
    assert len(FIXTURES) >= 200


@pytest.mark.parametrize("game", CASES)
def test_every_odd_case_and_every_preset_is_among_them(game: str) -> None:
    records = [json.loads(line) for line in lines(f"{game}.jsonl")]
    replays = [json.loads(line) for line in lines(f"{game}.replay.jsonl")]
    seen = Counter(case for pair in zip(records, replays, strict=True) for case in odd_cases(*pair))
    assert {case for case in CASES[game] if seen[case] < OF_EACH_CASE} == set()
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


@pytest.mark.parametrize("game", CASES)
def test_every_finished_game_has_a_story_for_lists_in_each_language(game: str) -> None:
    for record in map(Record.read, lines(f"{game}.jsonl")):
        match = replay(record)
        story = story_of(game, match.view(SPECTATOR))
        assert story is not None
        assert msgspec.json.decode(msgspec.json.encode(story), type=Story) == story
        names = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
        for language in languages():
            assert "{" not in story_text(game, story, names, language)


def test_a_record_of_another_version_is_refused_in_one_sentence() -> None:
    later = Record.read(json.dumps(json.loads(lines("davenport.jsonl")[0]) | {"version": 3}))

    for refused in (replay, lambda record: list(verify(record))):
        with pytest.raises(UnknownVersion) as error:
            refused(later)
        assert str(error.value) == (
            "this game of davenport was played by version 3 of its rules, and this Facedown knows "
            "version 1; a newer Facedown is needed"
        )
