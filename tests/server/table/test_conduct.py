"""Faults at paired tables: who is blamed for what, and who never is."""

from __future__ import annotations

import random

from facedown.protocol.messages import Clock, Cmd
from facedown.server.table import commands
from facedown.server.table.conduct import faults_of_absent, faults_of_players
from facedown.server.table.facts import ServerOutage
from facedown.server.table.setup import paired_table
from facedown.server.table.state import TableState
from facedown.server.table.transaction import Transaction
from tests.server.playing import Bench
from tests.server.table.test_commands import playing


def paired() -> Bench:
    bench = Bench.paired("davenport", 2)
    bench.begin()
    bench.act(1, Cmd("ready1", "ready"))
    bench.act(2, Cmd("ready2", "ready"))
    return bench


def run_out(bench: Bench, *here: int) -> None:
    """The clock of every seat that has not sealed runs out; these seats are connected."""
    bench.at = bench.state.deadline or 0
    decision = bench.state.match.decision
    chosen = {seat: (decision, bench.state.match.legal(seat)[0]) for seat in bench.state.clocks.due(bench.at)}
    commands.apply_timeouts(bench.tx(), bench.at, chosen, here)


def pick(bench: Bench, *seats: int) -> None:
    for seat in seats:
        if bench.state.playing and seat in bench.state.match.may_seal:
            bench.pick(seat, random.choice(bench.state.match.legal(seat)))


def finish(bench: Bench, *seats: int) -> list[tuple[str, str]]:
    """Play to the end with these seats; the clock places the picks of all others. The faults that follow."""
    while bench.state.playing:
        pick(bench, *seats)
        if len(seats) < 2 and bench.state.playing:
            run_out(bench)
    return faults(bench)


def faults(bench: Bench) -> list[tuple[str, str]]:
    return [(each.person, each.kind) for each in faults_of_players(bench.state, bench.at)]


def test_a_game_that_both_play_has_no_fault() -> None:
    assert finish(paired(), 1, 2) == []


def test_who_leaves_is_blamed_and_the_one_who_leaves_after_that_is_not() -> None:
    bench = paired()
    bench.act(2, Cmd("gone", "leave"))
    bench.at += 1
    bench.act(1, Cmd("gone too", "leave"))
    assert finish(bench) == [("person 2", "left")]


def test_who_comes_back_is_not_blamed() -> None:
    bench = paired()
    bench.act(2, Cmd("gone", "leave"))
    bench.at += 1
    assert finish(bench, 1, 2) == []


def test_a_clock_that_runs_out_once_is_no_fault_and_twice_is_one() -> None:
    bench = paired()
    pick(bench, 1)
    run_out(bench, 1, 2)
    assert finish(bench, 1, 2) == []
    bench = paired()
    for _ in range(2):
        pick(bench, 1)
        run_out(bench, 1, 2)
    assert finish(bench, 1, 2) == [("person 2", "stalled")]


def test_a_short_loss_of_the_connection_is_no_fault_and_a_long_one_is() -> None:
    bench = paired()
    for _ in range(2):
        pick(bench, 1)
        run_out(bench, 1)
    assert finish(bench, 1, 2) == []
    bench = paired()
    for _ in range(3):
        pick(bench, 1)
        run_out(bench, 1)
    pick(bench, 1, 2)
    assert finish(bench, 1, 2) == [("person 2", "stalled")], "coming back for the end does not undo it"


def test_who_stops_after_the_other_one_is_not_blamed() -> None:
    bench = paired()
    bench.act(2, Cmd("gone", "leave"))
    bench.at += 1
    for _ in range(3):
        run_out(bench, 1)
    assert finish(bench, 1) == [("person 2", "left")]


def test_no_one_is_blamed_after_an_outage_of_the_server() -> None:
    bench = paired()
    bench.tx().add(ServerOutage(5000))
    bench.act(2, Cmd("gone", "leave"))
    assert finish(bench, 1) == []


def test_a_table_of_friends_has_no_faults() -> None:
    bench = playing("davenport")
    bench.act(2, Cmd("gone", "leave"))
    while bench.state.playing:
        pick(bench, 1, 2)
    assert faults(bench) == []


def test_nobody_is_blamed_for_a_challenge_that_they_do_not_take() -> None:
    def blamed(*, challenge: bool) -> list[str]:
        people = [("ann", "Ann"), ("bob", "Bob")]
        new = paired_table("davenport", "", Clock("decision", 30), people, 1000, challenge=challenge)
        tx = Transaction(TableState(new.id), 0)
        tx.add(new.created, new.secret)
        return [each.person for each in faults_of_absent(tx.state, (2,), 0)]

    assert blamed(challenge=False) == ["bob"]
    assert blamed(challenge=True) == []
