"""Table and seat infos as a server sends them, with the usual values."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from facedown.protocol.messages import Clock, SeatInfo, Series, TableInfo

_SEAT = SeatInfo(
    seat=1,
    kind="person",
    name="Ann",
    machine=None,
    taken=True,
    commit=None,
    opened=None,
    left=False,
    here=True,
    replaceable=False,
    replaced_at=None,
    offer=None,
)
_TABLE = TableInfo(
    id="x",
    game="",
    version=1,
    rules="",
    title="",
    state="open",
    hotseat=False,
    public=False,
    watch="anyone",
    clock=Clock(),
    flag="random",
    host_is_you=False,
    yours=(),
    invite=None,
    seed_commit="00" * 32,
    seed=None,
    seats=(),
    turn=None,
    series=Series(1, (0, 0), 0, None),
    next=None,
    result=None,
    said=(),
    created_at=0,
    ended_at=None,
)


def seat_info(seat: int, **more: Any) -> SeatInfo:
    """A person's seat."""
    return replace(_SEAT, seat=seat, **more)


def table_info(**more: Any) -> TableInfo:
    """A table before its game."""
    return replace(_TABLE, **more)
