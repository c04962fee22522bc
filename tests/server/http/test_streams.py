from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from typing import Any

from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.http.keeping import keep, new_handle, sign_in
from tests.server.running import until


@contextmanager
def events(caller: Caller, since: int | None = None) -> Iterator[Iterator[dict[str, Any]]]:
    path = "/stream" + ("" if since is None else f"?since={since}")
    with caller.http.stream("GET", path) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield (json.loads(line) for line in answer.iter_lines() if line)


def next_of(lines: Iterator[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(line for line in lines if line["t"] == kind)


def test_the_first_line_is_the_whole_state_and_versions_rise(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, game="davenport")

    with events(ann) as lines:
        state = next(lines)
        ann.pick(table, 1, 1, ann.see(table)["legal"][0])
        bob.pick(table, 2, 1, bob.see(table)["legal"][0])
        turn = next(lines)

    assert state["t"] == "state"
    assert [(each["table"], each["state"]) for each in state["games"]] == [(table, "playing")]
    assert [(each["table"], each["seat"], each["decision"]) for each in state["turns"]] == [(table, 1, 1)]
    assert (turn["t"], turn["decision"]) == ("turn", 2)
    assert turn["v"] > state["v"]
    assert state["turns"][0]["deadline"] is None


def test_a_reader_that_was_away_learns_what_ended(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules="decisive(rounds=2,group=1)")
    with events(bob) as lines:
        last = next(lines)["v"]
    play_out(table, ann, bob)

    with events(bob, last) as lines:
        again = next(lines)
    with events(bob) as lines:
        fresh = next(lines)

    assert (again["ended"], again["games"]) == ([table], [])
    assert fresh["ended"] == []


def test_challenges_come_and_go(ann: Caller, bob: Caller) -> None:
    keep(bob, handle := new_handle())
    with events(bob) as lines:
        assert next(lines)["challenges"] == []
        made = ann.ok("POST", "/challenges", {"game": "ecard", "handle": handle}, 201)
        came = next_of(lines, "challenge")
        bob.ok("DELETE", f"/challenges/{made['table']}", status=204)
        over = next_of(lines, "challenge_over")

    assert (came["table"], came["seat"]) == (made["table"], 3 - made["seat"])
    assert over["table"] == made["table"]


def test_a_second_stream_of_a_token_ends_the_first_with_a_reason(ann: Caller, bob: Caller) -> None:
    with events(ann) as first, events(bob) as other:
        next(first)
        next(other)
        with events(ann) as second:
            assert next(second)["t"] == "state"
            assert next_of(first, "end")["why"] == "replaced"
            assert list(first) == []
        sit_down(ann, bob)
        assert next_of(other, "game")["state"] in ("open", "opening", "playing")


def test_the_end_of_a_game_follows_its_turns_each_once(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules="decisive(rounds=2,group=1)")

    with events(bob) as lines:
        first = [each["decision"] for each in next(lines)["turns"]]
        play_out(table, ann, bob)
        following = list(takewhile(lambda line: line["t"] != "over", lines))

    decisions = first + [line["decision"] for line in following if line["t"] == "turn"]
    assert decisions == sorted(set(decisions))


def test_a_player_with_a_stream_is_present(ann: Caller, bob: Caller, stranger: Caller) -> None:
    table = sit_down(ann, bob)

    with events(ann) as lines:
        next(lines)
        until(lambda: stranger.see(table)["table"]["seats"][0]["here"])  # another process receives it later


def test_a_stream_needs_a_session_and_one_person_has_four_at_most(bob: Caller, meet: Meet) -> None:
    assert meet().refused("GET", "/stream") == (401, "needs_session")
    code = keep(bob, handle := new_handle())
    devices = [sign_in(meet, handle, code) for _ in range(4)]
    with ExitStack() as streams:
        opened = [streams.enter_context(events(device)) for device in devices]
        for lines in opened:
            next(lines)
        answer = bob.ask("GET", "/stream")

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
