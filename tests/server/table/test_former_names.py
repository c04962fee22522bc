"""Tables that were stored when a machine had another name: they load, go on, and show the name of today."""

from __future__ import annotations

from msgspec.structs import replace

from facedown.core.chance import machine_stream
from facedown.protocol.rest import MachineSeat, PersonSeat, TableOrder
from facedown.server.table.actor import Attendance
from facedown.server.table.bots import BotPlayers, BotTurn
from facedown.server.table.facts import ReplacementOffered, SeatReplaced, SeatSetup, from_row, to_row
from facedown.server.table.setup import from_order, rematch_of, setup_digest
from facedown.server.table.snapshot import seat_infos, table_info
from facedown.server.table.state import TableState
from facedown.server.table.updates import missed_events
from tests.server.playing import Bench, order

ORDER = TableOrder("ecard", (PersonSeat(), MachineSeat("master")), flag="master")


def stored_table() -> TableState:
    """A table of then, from its stored facts."""
    bench = Bench(order("ecard", machines=(2,)), seed=3)
    bench.begin()
    bench.tx().add(ReplacementOffered(1, "master", 2))
    bench.tx().add(SeatReplaced(1, "master", 1))
    again = TableState(bench.table)
    for entry in bench.state.log:
        row = to_row(entry)
        again.apply(from_row(row._replace(public=row.public.replace(b'"uniform"', b'"master"'))))
    return again


def test_a_stored_table_shows_the_name_of_today() -> None:
    state = stored_table()

    assert state.setup.chairs[1] == SeatSetup("machine", "master"), "what is stored stays"
    assert [each.machine for each in seat_infos(state, Attendance())] == ["sage", "sage"]
    assert state.place(2).name == "sage"
    assert b"master" not in b"".join(missed_events(state, 0, 0))
    assert [each.machine for each in rematch_of(state, "host").created.chairs] == ["sage", None]


def test_the_machine_of_a_stored_table_still_plays() -> None:
    state = stored_table()
    match = state.match
    seat = match.may_seal[0]
    turn = BotTurn("ecard", state.id, match.decision, seat, match.view(seat), match.legal(seat))

    streams = [machine_stream(state.key, match.decision, seat) for _ in range(2)]
    names = ("master", "sage")
    picks = [BotPlayers().choose(turn, name, stream) for name, stream in zip(names, streams, strict=True)]

    assert picks[0] == picks[1]


def test_an_order_of_a_client_of_then_is_understood() -> None:
    made = from_order(ORDER, "host")
    now = replace(ORDER, seats=(PersonSeat(), MachineSeat("sage")))

    assert made.created.chairs[1] == SeatSetup("machine", "sage")
    assert setup_digest(from_order(now, "host")) == setup_digest(made)
    assert table_info(Bench(ORDER).state, 0, None, Attendance(), None).flag == "sage"
