"""Absence: when a machine may take over a seat, and how its person comes back."""

from __future__ import annotations

import json
import random

import pytest

from facedown.core.errors import FacedownError, NotNow
from facedown.protocol.errors import NotYours
from facedown.protocol.messages import Clock, Cmd
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS
from facedown.server.table import commands
from facedown.server.table.actor import NOBODY, Actor, Attendance
from facedown.server.table.presence import away_from, replaceable_seats
from facedown.server.table.record import finished_record
from facedown.server.table.updates import missed_events
from tests.server.playing import pick_command
from tests.server.table.test_commands import playing

OWNER = Actor(2, "person 2", "Name 2")
LIVE, UNTIMED, DAYS = Clock("decision", seconds=30), Clock("none"), Clock("correspondence", days=3)


@pytest.mark.parametrize(
    ("clock", "seen", "away"),
    [
        (LIVE, -MINUTE_MS, 2 * MINUTE_MS),
        (LIVE, MINUTE_MS, 4 * MINUTE_MS),
        (Clock("decision", seconds=3600), 0, 3600 * SECOND_MS),
        (UNTIMED, -MINUTE_MS, DAY_MS),
        (UNTIMED, DAY_MS, DAY_MS + 3 * MINUTE_MS),
        (DAYS, -30 * DAY_MS, None),
    ],
)
def test_the_allowed_absence_depends_on_the_clock(clock: Clock, seen: int, away: int | None) -> None:
    """Both counted from the moment at which the turn began."""
    bench = playing("davenport", clock=clock)

    found = away_from(bench.state, 1, bench.at + seen)

    assert found == (None if away is None else bench.at + away)
    bench.pick(1, bench.state.match.legal(1)[0])
    assert away_from(bench.state, 1, bench.at + seen) is None, "it is not their turn"


def test_with_days_for_a_move_only_the_flag_counts_and_only_while_they_are_gone() -> None:
    bench = playing("davenport", clock=DAYS)
    gone = Attendance(frozenset({1}), frozenset({2}))
    bench.pick(1, bench.state.match.legal(1)[0])
    assert replaceable_seats(bench.state, Attendance(frozenset({1}))) == frozenset()
    bench.at += 3 * DAY_MS
    commands.apply_timeouts(bench.tx(), bench.at, {2: (1, bench.state.match.legal(2)[0])})

    assert replaceable_seats(bench.state, gone) == {2}
    assert replaceable_seats(bench.state, Attendance(frozenset({1, 2}))) == frozenset()
    bench.pick(2, bench.state.match.legal(2)[0])
    assert replaceable_seats(bench.state, Attendance(frozenset({1}))) == frozenset()


def test_a_flag_of_seconds_is_no_absence() -> None:
    bench = playing("davenport", clock=LIVE)
    bench.pick(1, bench.state.match.legal(1)[0])
    bench.at += MINUTE_MS
    commands.apply_timeouts(bench.tx(), bench.at, {2: (1, bench.state.match.legal(2)[0])})
    assert bench.state.place(2).flagged
    assert replaceable_seats(bench.state, Attendance(frozenset({1}))) == frozenset()


def test_a_replaced_player_takes_the_seat_back() -> None:
    """What the machine has sealed stays; only its person learns the pick."""
    bench = playing("davenport", 3)
    bench.act(2, Cmd("l", "leave"))
    bench.act(1, Cmd("o", "replace", seat=2))
    bench.act(3, Cmd("a", "agree", seat=2))
    with pytest.raises(NotNow):
        commands.execute(bench.tx(), OWNER, pick_command(bench.state, 1, 2, bench.state.match.legal(2)[0]))
    pick = str(bench.state.match.legal(2)[0])
    assert commands.promise(bench.tx(), 2, 1, "careful", pick)
    assert commands.place_promised(bench.tx(), 2, 1)
    with pytest.raises(NotYours):
        commands.execute(bench.tx(), Actor(2, "another person", "x"), Cmd("b", "back"))

    commands.execute(bench.tx(), OWNER, Cmd("b", "back"))

    place = bench.state.place(2)
    assert (place.kind, place.machine, place.replaced_at, place.left) == ("person", None, None, False)
    assert place.seat not in replaceable_seats(bench.state, NOBODY)
    sealed = bench.state.log[-2].v - 1
    placed = [
        json.loads(missed_events(bench.state, viewer, sealed)[0]).get("placed") for viewer in (0, 1, 2, 3)
    ]
    assert placed == [None, None, pick, None]
    with pytest.raises(NotNow):
        bench.act(2, Cmd("c", "back"))
    assert not commands.promise(bench.tx(), 2, 1, "careful", pick), "it is a machine no more"
    with pytest.raises(FacedownError):
        bench.pick(2, pick)
    bench.pick(1, bench.state.match.legal(1)[0])
    bench.pick(3, bench.state.match.legal(3)[0])
    bench.pick(2, bench.state.match.legal(2)[0])
    assert not commands.promise(bench.tx(), 2, 2, "careful", pick)
    bench.play_out(random.Random(3))
    result = finished_record(bench.read_back()).result
    assert result is not None
    assert result["replaced"] == [{"seat": 2, "machine": "careful", "decision": 1, "until": 2}]
