"""What only the host may do before the deal: free seats, seat machines, start with fewer, close."""

from __future__ import annotations

import random

import pytest

from facedown.core.errors import FacedownError, IllegalSeats, NotNow
from facedown.core.replay import verify
from facedown.protocol.errors import NotSeated, NotYours, SeatTaken
from facedown.protocol.messages import Ack, Cmd
from facedown.protocol.views import ViewEncoder
from facedown.server.table import commands
from facedown.server.table.actor import Actor, Attendance
from facedown.server.table.record import finished_record
from facedown.server.table.setup import rematch_of
from facedown.server.table.snapshot import snapshot_of
from tests.server.playing import Bench, order

HOST = Actor(0, "host", "Host")
FREE, FILL = Cmd("f", "free", seat=2), Cmd("m", "fill", seat=2, machine="uniform")
START, CLOSE = Cmd("s", "start"), Cmd("c", "close")


def hosts(bench: Bench, cmd: Cmd, actor: Actor = HOST) -> Ack:
    return commands.execute(bench.tx(), actor, cmd)


def table(seats: int = 4, taken: int = 2) -> Bench:
    """A table of Davenport with people on the first seats."""
    bench = Bench(order("davenport", seats))
    for seat in range(1, taken + 1):
        bench.sit(seat)
    return bench


def plays_on(bench: Bench) -> None:
    """Play the game to its end: the stored facts lead to the same state, and the record verifies."""
    for place in bench.state.people:
        bench.open(place.seat)
    bench.play_out(random.Random(7))
    again = bench.read_back()
    assert (again.phase, again.result, again.setup) == ("over", bench.state.result, bench.state.setup)
    assert all(check.holds for check in verify(finished_record(bench.state)))


def test_a_table_for_four_starts_with_three() -> None:
    bench = table(4, taken=3)
    hosts(bench, START)
    assert bench.phase == "opening"
    assert len(bench.state.places) == len(bench.state.setup.series.wins) == 3
    plays_on(bench)
    assert len(rematch_of(bench.state, "host").created.chairs) == 3


def test_a_table_does_not_start_with_too_few_players_or_with_a_gap() -> None:
    with pytest.raises(IllegalSeats):
        hosts(table(4, taken=1), START)
    with pytest.raises(NotNow, match="no person sits"):
        hosts(table(4, taken=0), START)
    bench = table(4, taken=3)
    hosts(bench, FREE)
    with pytest.raises(NotNow, match="seat 2 is free"):
        hosts(bench, START)


def test_a_machine_takes_a_free_seat_and_the_game_begins_when_all_are_taken() -> None:
    bench = table(3, taken=1)
    hosts(bench, FILL)
    assert bench.phase == "open"
    with pytest.raises(SeatTaken):
        hosts(bench, Cmd("again", "fill", seat=2, machine="uniform"))
    hosts(bench, Cmd("m3", "fill", seat=3, machine="uniform"))
    assert bench.phase == "opening"
    plays_on(bench)
    machines = [chair.machine for chair in rematch_of(bench.state, "host").created.chairs]
    assert sorted(machines, key=str) == [None, "uniform", "uniform"]


def test_machines_cannot_fill_every_seat() -> None:
    with pytest.raises(NotNow):
        hosts(table(2, taken=0), FILL)


def test_a_released_seat_is_free_for_others_and_its_person_loses_it() -> None:
    bench = table(3, taken=2)
    hosts(bench, FREE)
    assert not bench.state.place(2).taken
    with pytest.raises(NotYours):
        bench.act(2, Cmd("x", "leave"))
    bench.sit(2, "another")
    assert bench.state.seats_of("another") == (2,)


def test_a_reserved_seat_shows_the_name_and_can_be_released() -> None:
    bench = table(2, taken=2)
    plays_on(bench)
    following = Bench.__new__(Bench)
    following.at = bench.at
    following._set_up(rematch_of(bench.state, "person 1"))
    host = Actor(0, "person 1", "Name 1")
    snap = snapshot_of(following.state, 0, None, Attendance(), None, 7, ViewEncoder())
    assert [each.kept_for for each in snap.table.seats] == ["Name 2", "Name 1"]
    with pytest.raises(SeatTaken):
        following.sit(1, "stranger")
    hosts(following, Cmd("f", "free", seat=1), host)
    following.sit(1, "stranger")


def test_a_closed_table_accepts_no_player() -> None:
    bench = table(3, taken=2)
    hosts(bench, CLOSE)
    assert bench.phase == bench.read_back().phase == "closed"
    with pytest.raises(NotNow):
        bench.sit(3)


@pytest.mark.parametrize("cmd", [FREE, FILL, START, CLOSE], ids=lambda cmd: cmd.do)
def test_only_the_host_and_only_before_the_deal(cmd: Cmd) -> None:
    bench = table(3, taken=1)
    head = bench.state.head
    for other in (Actor(0, "stranger", "S"), Actor(0, "", ""), Actor(1, "person 1", "Name 1")):
        with pytest.raises(NotYours):
            hosts(bench, cmd, other)
    assert bench.state.head == head
    running = Bench(order("davenport", 2))
    running.begin()
    for there in (running, _finished()):
        with pytest.raises(NotNow):
            hosts(there, cmd)


@pytest.mark.parametrize("cmd", [FREE, FILL, START], ids=lambda cmd: cmd.do)
def test_while_entropy_is_opened_the_host_changes_nothing(cmd: Cmd) -> None:
    bench = table(2, taken=2)
    assert bench.phase == "opening"
    with pytest.raises(NotNow):
        hosts(bench, cmd)


def test_a_repeated_command_of_the_host_gets_its_first_answer() -> None:
    bench = table(3, taken=2)
    assert hosts(bench, FREE) == hosts(bench, FREE)


@pytest.mark.parametrize("cmd", [Cmd("x", "free"), Cmd("y", "fill", seat=9), Cmd("z", "fill", seat=3)])
def test_malformed_host_commands_are_refused(cmd: Cmd) -> None:
    bench = table(3, taken=2)
    with pytest.raises(FacedownError):
        hosts(bench, cmd)


# --- sharing ---------------------------------------------------------------------------------------------


def _finished() -> Bench:
    bench = Bench(order("davenport", 2))
    bench.begin()
    bench.play_out(random.Random(3))
    return bench


def test_any_player_can_share_a_finished_game() -> None:
    bench = _finished()
    share = Cmd("share", "share")
    with pytest.raises(NotSeated):
        hosts(bench, share, Actor(0, "stranger", "S"))
    bench.act(1, share)
    assert bench.state.shared_by == {1}
    assert bench.read_back().shared_by == {1}


def test_a_running_game_is_not_shared() -> None:
    bench = Bench(order("davenport", 2))
    bench.begin()
    with pytest.raises(NotNow):
        bench.act(1, Cmd("share", "share"))
