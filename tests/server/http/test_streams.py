from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.server.http.client import Caller, play_out, sit_down
from tests.server.running import for_one_process, until


@contextmanager
def stream(caller: Caller) -> Iterator[Iterator[dict[str, Any]]]:
    with caller.http.stream("GET", "/stream") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield (json.loads(line) for line in answer.iter_lines())


def next_turn(lines: Iterator[dict[str, Any]]) -> dict[str, Any]:
    return next(line for line in lines if line["t"] != "idle")


def may_seal(caller: Caller, table: str) -> tuple[int, int]:
    turn = caller.see(table)["table"]["turn"]
    return turn["may_seal"][0], turn["decision"]


def test_open_turns_come_first_and_each_once(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, game="davenport")

    with stream(ann) as first, stream(ann) as second:
        turns = [next_turn(first), next_turn(second)]
        ann.pick(table, 1, 1, ann.see(table)["legal"][0])
        bob.pick(table, 2, 1, bob.see(table)["legal"][0])
        following = next_turn(first)

    assert turns == [{"t": "turn", "table": table, "seat": 1, "decision": 1, "deadline": None}] * 2
    assert following["decision"] == 2


def test_a_table_that_is_joined_later_is_streamed_as_well(ann: Caller, bob: Caller) -> None:
    with stream(bob) as lines:
        assert next(lines) == {"t": "idle"}
        table = sit_down(ann, bob, game="davenport")

        assert next_turn(lines)["table"] == table


def test_the_end_is_streamed(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules="decisive(rounds=2,group=1)")

    with stream(bob) as lines:
        play_out(table, ann, bob)
        turns = list(iter(lambda: next_turn(lines), {"t": "over", "table": table}))

    decisions = [line["decision"] for line in turns]
    assert decisions == sorted(set(decisions))


def test_a_player_with_a_stream_is_present(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob)

    with stream(ann) as lines:
        next(lines)
        until(lambda: stranger.see(table)["table"]["seats"][0]["here"])  # another process receives it later


@for_one_process
def test_a_stream_needs_a_session_and_there_are_not_too_many(ann: Caller, stranger: Caller) -> None:
    assert stranger.refused("GET", "/stream") == (401, "needs_session")
    with stream(ann) as one, stream(ann) as two, stream(ann) as three, stream(ann) as four:
        for lines in (one, two, three, four):
            next(lines)
        answer = ann.ask("GET", "/stream")

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
