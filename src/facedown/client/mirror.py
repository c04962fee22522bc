"""Local mirror of a table on a server: table info, this seat's view, the events so far, the server's clock.

Takes in messages of the protocol and holds what follows from them. Knows no socket.
"""

from __future__ import annotations

import time
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from facedown.client.errors import ServerLost
from facedown.protocol.deltas import ViewJson, apply_delta, decode_view
from facedown.protocol.messages import ChatMessage, Ev, Here, SeatInfo, Snap, TableInfo

_INFO_FIELDS: Final = ("state", "seats", "turn", "result", "seed", "next")
"""Fields of an event that replace those of the table."""
_CHAT_LENGTH: Final = 50
"""The most chat messages that are kept."""


class TableMirror:
    """The last known state of one table, from one seat or as a spectator."""

    def __init__(self, table: str, seat: int = 0) -> None:
        self.id = table
        self.seat = seat
        self.v = 0
        """The number of the last event."""
        self.view: ViewJson | None = None
        """This seat's view of the game; None before the deal."""
        self.legal: tuple[str, ...] = ()
        self.placed: str | None = None
        """This seat's own sealed pick in the open decision."""
        self.events: list[Ev] = []
        """All events so far, oldest first."""
        self.views: dict[int, ViewJson] = {}
        """The view after each event that changed it, by the event's number."""
        self._info: TableInfo | None = None
        self._absent_since: dict[int, int] = {}
        """Since when, by the server's clock, seats are known not to be connected."""
        self._clock_offset: float | None = None
        """Milliseconds by which the server's clock is ahead of this machine's monotonic clock."""

    @property
    def known(self) -> bool:
        return self._info is not None

    @property
    def info(self) -> TableInfo:
        """Everything about the table except the game; raises `ServerLost` before it is known."""
        if self._info is None:
            raise ServerLost("the server has not sent this table yet")
        return self._info

    @property
    def decision(self) -> int:
        """The open decision; 0 if there is none."""
        return 0 if self._info is None or self._info.turn is None else self._info.turn.decision

    @property
    def may_pick(self) -> bool:
        """Whether this seat has to pick now; not any more once the server has its pick."""
        turn = None if self._info is None else self._info.turn
        return turn is not None and self.seat in turn.may_seal and bool(self.legal) and self.placed is None

    def milliseconds_left(self, seat: int) -> int | None:
        """Time left on a seat's clock by the server's: all of it until the clock starts; None without one."""
        turn = None if self._info is None else self._info.turn
        deadline = None if turn is None else turn.deadlines.get(str(seat))
        if turn is None or deadline is None or self._clock_offset is None:
            return None
        return max(0, deadline - max(turn.since, self.server_now()))

    def server_now(self) -> int:
        """The server's time in milliseconds since 1970; 0 before it is known."""
        return 0 if self._clock_offset is None else int(self._clock_offset + _monotonic_ms())

    def gone_since(self, seat: int) -> int | None:
        """When a seat was left or last connected, by the server's clock; None if unknown."""
        for event in reversed(self.events):
            if event.k in ("left", "back") and event.seat == seat:
                if event.k == "left" and event.at is not UNSET:
                    return event.at
                break
        return self._absent_since.get(seat)

    # --- taking messages in --------------------------------------------------------------------------

    def set_clock(self, now: int) -> None:
        """Set the clock by the server's time; this machine's own date does not matter."""
        self._clock_offset = now - _monotonic_ms()

    def take_event(self, event: Ev) -> None:
        """Take in an event; one that is known already changes nothing."""
        if event.v <= self.v:
            return
        view = self._view_after(event)
        self.v = event.v
        self.events.append(event)
        if view is not None:
            self.view = self.views[event.v] = view
        if self._info is not None:  # missed events come before the snapshot, which holds everything
            self._info = _after(self._info, event)
        if event.legal is not UNSET:
            self.legal = event.legal
        if event.k in ("dealt", "revealed", "resigned"):
            self.placed = None

    def _view_after(self, event: Ev) -> ViewJson | None:
        if event.view is not UNSET:
            return decode_view(event.view)
        if event.change is not UNSET and self.view is not None:
            return apply_delta(self.view, event.change)
        return None

    def take_snapshot(self, snap: Snap) -> None:
        self.view = decode_view(snap.view)
        self.v = max(self.v, snap.v)
        self._info = snap.table
        self.legal = snap.legal
        self.placed = snap.placed
        self._note_absent()

    def take_presence(self, here: Here) -> None:
        if self._info is None:
            return
        seats = tuple(
            replace(seat, here=seat.seat in here.seats, replaceable=seat.seat in here.replaceable)
            for seat in self._info.seats
        )
        self._info = replace(self._info, seats=seats)
        self._note_absent()

    def _note_absent(self) -> None:
        now = self.server_now()
        seats: tuple[SeatInfo, ...] = () if self._info is None else self._info.seats
        self._absent_since = {
            each.seat: self._absent_since.get(each.seat, now) for each in seats if not each.here
        }


def _after(info: TableInfo, event: Ev) -> TableInfo:
    changed: dict[str, Any] = {
        name: value for name in _INFO_FIELDS if (value := getattr(event, name)) is not UNSET
    }
    if event.k == "said":
        text, preset = event.text or None, event.preset or None
        said = ChatMessage(event.seat or 0, event.name or "", text, preset, event.at or 0, event.v)
        changed["said"] = (*info.said, said)[-_CHAT_LENGTH:]
    if event.k == "chat" and event.on is not UNSET:
        changed["chat"] = event.on
    return replace(info, **changed) if changed else info


def _monotonic_ms() -> float:
    return time.monotonic() * 1000
