"""The mirror of a table: what follows from the messages that a server sends."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from facedown.client import ServerLost
from facedown.client.mirror import TableMirror
from facedown.protocol.deltas import ViewDelta
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import ChatMessage, Ev, GameResult, Here, Snap, TurnInfo
from facedown.protocol.views import NO_VIEW
from tests.client.infos import seat_info, table_info

TURN = TurnInfo(
    decision=1, waiting=((1, 2),), may_seal=(1, 2), sealed=(), deadlines={"1": 61_000}, banks={}, since=0
)


def mirror(*, v: int = 3, view: msgspec.Raw = NO_VIEW) -> TableMirror:
    """A table in play as seat 1 sees it."""
    table = TableMirror("x", 1)
    info = table_info(state="playing", seats=(seat_info(1), seat_info(2, name="Bo")), turn=TURN)
    table.set_clock(1_000)
    table.take_snapshot(Snap(v, 1_000, info, view, ("C", "S"), None))
    return table


def test_a_table_is_not_known_before_its_snapshot() -> None:
    table = TableMirror("x", 1)

    assert not table.known
    assert (table.decision, table.may_pick, table.milliseconds_left(1), table.server_now()) == (
        0,
        False,
        None,
        0,
    )
    with pytest.raises(ServerLost, match="not sent"):
        _ = table.info
    table.take_presence(Here((1,), ()))
    assert not table.known


def test_a_snapshot_holds_everything() -> None:
    table = mirror(view=msgspec.Raw(b'{"round":1,"rounds":[]}'))

    assert table.known
    assert table.view == {"round": 1, "rounds": []}
    assert (table.v, table.decision, table.legal, table.may_pick) == (3, 1, ("C", "S"), True)
    left = table.milliseconds_left(1)
    assert left is not None
    assert 0 < left <= 60_000
    assert table.milliseconds_left(2) is None


def test_a_clock_stands_still_while_the_result_is_read() -> None:
    table = mirror()
    turn = replace(TURN, since=5_000_000, deadlines={"1": 5_030_000})
    table.take_snapshot(Snap(4, 1_000, replace(table.info, turn=turn), NO_VIEW, ("C", "S"), None))

    assert table.milliseconds_left(1) == 30_000


def test_an_event_changes_only_what_it_names() -> None:
    table = mirror()
    before = table.info
    following = msgspec.structs.replace(TURN, decision=2, may_seal=(2,))

    table.take_event(Ev(4, "revealed", decision=1, turn=following, legal=("C",)))

    assert (table.v, table.decision, table.legal, table.may_pick) == (4, 2, ("C",), False)
    assert table.info == msgspec.structs.replace(before, turn=following)
    table.take_event(
        Ev(5, "over", turn=None, state="over", result=GameResult(1, "completed", (1, 0), ()), seed="5e")
    )
    assert (table.info.state, table.info.turn, table.info.seed) == ("over", None, "5e")
    assert table.info.result is not None
    table.take_event(Ev(6, "rematch", by=1, next="y"))
    assert table.info.next == "y"


def test_an_event_that_is_known_changes_nothing() -> None:
    table = mirror()
    table.take_event(Ev(3, "over", state="over"))

    assert table.info.state == "playing"
    assert table.events == []


def test_views_come_whole_or_as_deltas_and_are_kept_by_event() -> None:
    table = mirror()
    table.take_event(Ev(4, "dealt", view=msgspec.Raw(b'{"round":1,"rounds":[]}')))
    table.take_event(Ev(5, "sealed", seat=2))
    table.take_event(Ev(6, "revealed", change=ViewDelta(put={"round": 2}, more={"rounds": [7]})))

    assert table.view == {"round": 2, "rounds": [7]}
    assert table.views == {4: {"round": 1, "rounds": []}, 6: {"round": 2, "rounds": [7]}}


@pytest.mark.parametrize(
    "event",
    [
        Ev(5, "revealed", change=ViewDelta(more={"round": [7]})),
        Ev(5, "revealed", change=ViewDelta(more={"none": [7]})),
        Ev(5, "revealed", change=ViewDelta(more={"rounds": 7})),
        Ev(5, "dealt", view=msgspec.Raw(b"[1]")),
    ],
)
def test_an_update_that_fits_no_view_is_refused_and_changes_nothing(event: Ev) -> None:
    table = mirror(v=4, view=msgspec.Raw(b'{"round":1,"rounds":[]}'))
    with pytest.raises(BadMessage):
        table.take_event(event)

    assert (table.v, table.view, table.events) == (4, {"round": 1, "rounds": []}, [])


def test_the_own_pick_is_known_until_it_is_turned() -> None:
    table = mirror()
    table.placed = "C"
    table.take_event(Ev(4, "sealed", seat=2))
    assert table.placed == "C"
    table.take_event(Ev(5, "revealed", decision=1))
    assert table.placed is None


def test_chat_keeps_the_last_fifty_messages() -> None:
    table = mirror()
    for number in range(60):
        table.take_event(Ev(4 + number, "said", at=number, seat=2, name="Bo", text=str(number)))
    table.take_event(Ev(64, "said", at=60, seat=2, name="Bo", preset="thanks"))

    assert len(table.info.said) == 50
    assert table.info.said[-2:] == (
        ChatMessage(2, "Bo", "59", None, 59, v=63),
        ChatMessage(2, "Bo", None, "thanks", 60, v=64),
    )


def test_since_when_a_seat_is_missed() -> None:
    table = mirror()
    assert table.gone_since(2) is None
    table.take_presence(Here((1,), ()))
    since = table.gone_since(2)
    assert since is not None
    assert 1_000 <= since <= 2_000
    table.take_presence(Here((1,), (2,)))
    assert table.gone_since(2) == since, "it is no later because a machine may take over"
    assert table.info.seats[1].replaceable
    table.take_event(Ev(4, "left", at=77, seat=2))
    assert table.gone_since(2) == 77
    table.take_event(Ev(5, "back", at=99, seat=2))
    table.take_presence(Here((1, 2), ()))
    assert table.gone_since(2) is None
