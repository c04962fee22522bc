"""Presence at a table: which seats are connected, here or at another server, and which are away.

A machine may take over a seat that has been away for too long (`replaceable`). How long that is depends on
the clock: a player who has days for a move is not away after a minute.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import Here, encode
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS, now
from facedown.server.store.base import StoreFailed
from facedown.server.table.actor import Attendance
from facedown.server.table.state import TableState

LIVE_MS: Final = 3 * MINUTE_MS
"""How long a seat must be gone at least, on its own turn, if the clock counts seconds."""
UNTIMED_MS: Final = DAY_MS
"""How long a turn must wait for a seat that is gone, if there is no clock."""
RECENT_MS: Final = MINUTE_MS
"""How long a seat counts as connected after a request without a connection."""
REMOTE_MS: Final = 45_000
"""How long a seat counts as connected after another server reported it; servers report every 20 s."""
STORE: Final = "store"
"""The name under which the last sign of life in the store is kept, whichever server wrote it."""
_LEAST_WAIT_MS: Final = 50


def away_from(state: TableState, seat: Seat, last_seen: int) -> int | None:
    """When an unconnected seat starts to count as away; None if its absence does not count.

    Absence counts only on the seat's turn, and not with a clock of days: there the flag counts.
    """
    turn, clock = state.clocks.since.get(seat), state.setup.clock
    if turn is None or clock.kind == "correspondence":
        return None
    if clock.kind == "decision":
        return last_seen + max(LIVE_MS, clock.seconds * SECOND_MS)
    return max(last_seen + LIVE_MS, turn + UNTIMED_MS)


def replaceable_seats(state: TableState, attendance: Attendance) -> frozenset[Seat]:
    """The seats that a machine may take over: the player left, is away, or let a clock of days run out."""
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


class Update(NamedTuple):
    """What a listener receives at once: the events of one transaction, or who is connected."""

    frames: tuple[bytes, ...]
    """Encoded messages, one after the other."""
    is_event: bool = True


class Listener(Protocol):
    """A receiver of a table's updates: a WebSocket session, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def notify(self, update: Update) -> None:
        """Receive one update; must not block."""

    def disconnect(self, error: StoreFailed) -> None:
        """This server has lost the table: end, and let the client connect again."""


class Presence:
    """The listeners of one table, when each seat was last seen, and the `here` messages about it."""

    def __init__(self, state: Callable[[], TableState], is_saved: Callable[[], bool]) -> None:
        self.seated: dict[Listener, None] = {}
        """The listeners that have a seat."""
        self.spectators: dict[Listener, None] = {}
        """All other listeners, which may be very many."""
        self._viewers: Counter[Viewer] = Counter()
        """The number of listeners for each viewer."""
        self._state = state
        self._is_saved = is_saved
        """Whether the store has confirmed the state."""
        self._late = False
        """Whether an announcement waits for that."""
        self._loop = asyncio.get_running_loop()
        self._requested: dict[Seat, int] = {}
        self._seen: dict[Seat, int] = {}
        self._remote: dict[Seat, dict[str, tuple[int, bool]]] = {}
        """The last report by seat and server: its time, and whether the seat was connected there."""
        self._since = now()
        self._sent = Here((), ())
        self._timer: asyncio.TimerHandle | None = None

    def add(self, listener: Listener) -> None:
        """A listener is connected from now on."""
        listeners = self._listeners_like(listener)
        if listener not in listeners:
            listeners[listener] = None
            self._viewers[listener.viewer] += 1
        self.announce()

    def remove(self, listener: Listener) -> None:
        """A listener is gone."""
        listeners = self._listeners_like(listener)
        if listener not in listeners:
            return
        del listeners[listener]
        self._viewers[listener.viewer] -= 1
        if listener.viewer != SPECTATOR:
            self._seen[listener.viewer] = now()
        self.announce()

    def _listeners_like(self, listener: Listener) -> dict[Listener, None]:
        return self.spectators if listener.viewer == SPECTATOR else self.seated

    @property
    def has_listeners(self) -> bool:
        """Whether the table has any listener here."""
        return bool(self.seated or self.spectators)

    def note_request(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._requested[seat] = self._seen[seat] = now()
        self.announce()

    @property
    def viewers(self) -> frozenset[Viewer]:
        """The seats that listeners have; `SPECTATOR` if there are spectators."""
        return frozenset(viewer for viewer, count in self._viewers.items() if count)

    @property
    def here(self) -> frozenset[Seat]:
        """The seats that are connected, here or at another server, or made a request within `RECENT_MS`."""
        return self.local | self._connected_remotely(now()) if self._remote else self.local

    @property
    def local(self) -> frozenset[Seat]:
        """The seats that are connected here, or made a request here within `RECENT_MS`."""
        recent = now() - RECENT_MS
        return (self.viewers - {SPECTATOR}) | {seat for seat, at in self._requested.items() if at > recent}

    def _connected_remotely(self, at: int) -> frozenset[Seat]:
        return frozenset(
            seat
            for seat, reports in self._remote.items()
            if any(here and when + REMOTE_MS > at for when, here in reports.values())
        )

    def note_remote(self, seat: Seat, node: str, at: int, *, here: bool) -> None:
        """Another server reports that this seat was connected there at a time, or no longer is."""
        reports = self._remote.setdefault(seat, {})
        if node == STORE and any(when >= at and not there for when, there in reports.values()):
            return  # the server that wrote it has since reported that the seat is gone
        if at >= reports.get(node, (0, False))[0]:
            reports[node] = (at, here)
            if not here and reports.get(STORE, (at + 1, True))[0] <= at:
                del reports[STORE]
            self._seen[seat] = max(at, self._last_seen(seat))
            self.announce()

    def attendance(self) -> Attendance:
        """The seats that are connected now, and those that have been away for too long."""
        here, at = self.here, now()
        return Attendance(here, frozenset(seat for seat, end in self._ends(here) if end <= at))

    def _ends(self, here: frozenset[Seat]) -> Iterator[tuple[Seat, int]]:
        """The seats that are gone, each with the time from which it counts as away."""
        state = self._state()
        for place in state.people if state.playing else ():
            end = None if place.seat in here else away_from(state, place.seat, self._last_seen(place.seat))
            if end is not None:
                yield place.seat, end

    def announce(self) -> None:
        """Send all listeners who is connected and who may be replaced, if that has changed.

        Who may be replaced follows from the state, so an unsaved state delays the message.
        """
        if not self._is_saved():
            self._late = True
            return
        self._late = False
        attendance = self.attendance()
        replaceable = replaceable_seats(self._state(), attendance)
        message = Here(tuple(sorted(attendance.here)), tuple(sorted(replaceable)))
        if message != self._sent:
            self._sent = message
            update = Update((encode(message),), is_event=False)
            for listener in (*self.seated, *self.spectators):
                listener.notify(update)
        self._schedule()

    def state_changed(self) -> None:
        """Announce if the new state may change who may be replaced."""
        here = self.viewers
        if (
            self._late
            or self._sent.replaceable
            or any(place.seat not in here for place in self._state().people)
        ):
            self.announce()

    def _schedule(self) -> None:
        """Announce again when the next seat becomes away, as long as there is a listener."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        change = self._next_change()
        if change is not None and self.has_listeners:
            seconds = max(change - now(), _LEAST_WAIT_MS) / 1000
            self._timer = self._loop.call_later(seconds, self.announce)

    def _next_change(self) -> int | None:
        """When the next seat stops counting as connected, or starts counting as away."""
        at, viewers = now(), self.viewers
        ends = [end for _, end in self._ends(viewers)]
        ends += [seen + RECENT_MS for seat, seen in self._requested.items() if seat not in viewers]
        for reports in self._remote.values():
            ends += [when + REMOTE_MS for when, here in reports.values() if here]
        return min((end for end in ends if end > at), default=None)

    def _last_seen(self, seat: Seat) -> int:
        return self._seen.get(seat, self._since)
