"""Absence from a table: when a machine may take over a seat. Told to all clients as `replaceable`.

How long somebody may be gone depends on the clock: who has days for a move is not gone after a minute.
"""

from __future__ import annotations

from typing import Final

from facedown.core.seats import Seat
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS
from facedown.server.table.actor import Attendance
from facedown.server.table.state import TableState

LIVE_MS: Final = 3 * MINUTE_MS
"""How long a seat must be gone at the least, on its own turn, where a clock of seconds runs."""
UNTIMED_MS: Final = DAY_MS
"""How long a turn must wait for a seat that is gone, where no clock runs."""


def away_from(state: TableState, seat: Seat, last_seen: int) -> int | None:
    """When a seat that is not connected has been away for too long; None where its absence does not count.

    It counts on its turn alone. With a clock of days the flag counts instead, in `replaceable_seats`.
    """
    turn, clock = state.clocks.since.get(seat), state.setup.clock
    if turn is None or clock.kind == "correspondence":
        return None
    if clock.kind == "decision":
        return last_seen + max(LIVE_MS, clock.seconds * SECOND_MS)
    return max(last_seen + LIVE_MS, turn + UNTIMED_MS)


def replaceable_seats(state: TableState, attendance: Attendance) -> frozenset[Seat]:
    """The seats that a machine may take over: their people left, are away, or let a clock of days run out."""
    if not state.playing:
        return frozenset()
    here, away = attendance
    days, turns = state.setup.clock.kind == "correspondence", state.clocks.since
    return frozenset(
        place.seat
        for place in state.people
        if place.left
        or (place.seat in away and place.seat in turns)
        or (days and place.flagged and place.seat not in here)
    )
