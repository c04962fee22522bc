"""Presence at a table: who is connected, here or at another server, and since when somebody is gone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import Here, encode
from facedown.server.clock import MINUTE_MS, now
from facedown.server.store.base import StoreFailed
from facedown.server.table.actor import Attendance
from facedown.server.table.seating.absence import away_from, replaceable_seats
from facedown.server.table.state import TableState

RECENT_MS: Final = MINUTE_MS
"""For how long after a request without a connection a seat counts as connected."""
_LEAST_WAIT_MS: Final = 50
ELSEWHERE_MS: Final = 45_000
"""For how long a seat counts as connected that was, as another server said; it says so every 20 seconds."""
STORE: Final = "store"
"""Stands for the server that wrote a seat's last sign of life into the store, whichever it was."""


class Update(NamedTuple):
    """What a listener is told at once: the events of one transaction, or who is connected."""

    frames: tuple[bytes, ...]
    """Encoded messages, one after the other."""
    is_event: bool = True


class Listener(Protocol):
    """Receives the updates of a table: a WebSocket session, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def notify(self, update: Update) -> None:
        """Take one update; must not block."""

    def disconnect(self, error: StoreFailed) -> None:
        """This server has lost the table: end, and let the client connect again."""


class Presence:
    """The listeners of one table, when each seat was last seen, and the `here` messages about it."""

    __slots__ = (
        "_elsewhere",
        "_is_saved",
        "_late",
        "_loop",
        "_requested",
        "_seen",
        "_sent",
        "_since",
        "_state",
        "_timer",
        "_viewers",
        "seated",
        "spectators",
    )

    def __init__(self, state: Callable[[], TableState], is_saved: Callable[[], bool]) -> None:
        self.seated: dict[Listener, None] = {}
        """The listeners who came with a seat."""
        self.spectators: dict[Listener, None] = {}
        """All others: a table may have very many of them."""
        self._viewers: Counter[Viewer] = Counter()
        """How many listeners there are as each seat."""
        self._state = state
        self._is_saved = is_saved
        """Whether the store has confirmed the state."""
        self._late = False
        """Whether an announcement waits until it has."""
        self._loop = asyncio.get_running_loop()
        self._requested: dict[Seat, int] = {}
        self._seen: dict[Seat, int] = {}
        self._elsewhere: dict[Seat, dict[str, tuple[int, bool]]] = {}
        """By seat and server: when it was said last, and whether the seat was connected there."""
        self._since = now()
        self._sent = Here((), ())
        self._timer: asyncio.TimerHandle | None = None

    def add(self, listener: Listener) -> None:
        """A listener is connected from now on."""
        listeners = self._beside(listener)
        if listener not in listeners:
            listeners[listener] = None
            self._viewers[listener.viewer] += 1
        self.announce()

    def remove(self, listener: Listener) -> None:
        """A listener is gone."""
        listeners = self._beside(listener)
        if listener not in listeners:
            return
        del listeners[listener]
        self._viewers[listener.viewer] -= 1
        if listener.viewer != SPECTATOR:
            self._seen[listener.viewer] = now()
        self.announce()

    def _beside(self, listener: Listener) -> dict[Listener, None]:
        """The listeners of the same kind."""
        return self.spectators if listener.viewer == SPECTATOR else self.seated

    @property
    def has_listeners(self) -> bool:
        """Whether anybody listens here."""
        return bool(self.seated or self.spectators)

    def note_request(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._requested[seat] = self._seen[seat] = now()
        self.announce()

    @property
    def viewers(self) -> frozenset[Viewer]:
        """The seats, or `SPECTATOR`, as which there are listeners."""
        return frozenset(viewer for viewer, count in self._viewers.items() if count)

    @property
    def here(self) -> frozenset[Seat]:
        """The seats that are connected, here or at another server, or made a request within `RECENT_MS`."""
        return self.local | self._at_others(now()) if self._elsewhere else self.local

    @property
    def local(self) -> frozenset[Seat]:
        """The seats that are connected here, or made a request here within `RECENT_MS`."""
        recent = now() - RECENT_MS
        return (self.viewers - {SPECTATOR}) | {seat for seat, at in self._requested.items() if at > recent}

    def _at_others(self, at: int) -> frozenset[Seat]:
        return frozenset(
            seat
            for seat, said in self._elsewhere.items()
            if any(here and when + ELSEWHERE_MS > at for when, here in said.values())
        )

    def heard(self, seat: Seat, node: str, at: int, *, here: bool) -> None:
        """Another server says that this seat was connected there at a time, or was not any more."""
        said = self._elsewhere.setdefault(seat, {})
        if node == STORE and any(when >= at and not there for when, there in said.values()):
            return  # the server that wrote it has said since that the seat is gone
        if at >= said.get(node, (0, False))[0]:
            said[node] = (at, here)
            if not here and said.get(STORE, (at + 1, True))[0] <= at:
                del said[STORE]
            self._seen[seat] = max(at, self._last_seen(seat))
            self.announce()

    def attendance(self) -> Attendance:
        """Which seats are connected now, and which of the people have been away for too long."""
        here, at = self.here, now()
        return Attendance(here, frozenset(seat for seat, end in self._ends(here) if end <= at))

    def _ends(self, here: frozenset[Seat]) -> Iterator[tuple[Seat, int]]:
        """The seats that are gone, and when they have been away for too long."""
        state = self._state()
        for place in state.people if state.playing else ():
            end = None if place.seat in here else away_from(state, place.seat, self._last_seen(place.seat))
            if end is not None:
                yield place.seat, end

    def announce(self) -> None:
        """Send all listeners who is connected and who may be replaced, if that has changed.

        Who may be replaced follows from the state: as long as that is not saved, it waits.
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
        """Announce where a change of the state may change who may be replaced."""
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
        """When a seat stops to count as connected, or has been away for too long."""
        at, viewers = now(), self.viewers
        ends = [end for _, end in self._ends(viewers)]
        ends += [seen + RECENT_MS for seat, seen in self._requested.items() if seat not in viewers]
        for said in self._elsewhere.values():
            ends += [when + ELSEWHERE_MS for when, here in said.values() if here]
        return min((end for end in ends if end > at), default=None)

    def _last_seen(self, seat: Seat) -> int:
        return self._seen.get(seat, self._since)
