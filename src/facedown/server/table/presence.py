"""Presence at a table: who is connected, who is away, whose seat a machine may take. Nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.messages import Ev, Here, encode
from facedown.server.clock import MINUTE_MS, now
from facedown.server.table.state import TableState

AWAY_MS: Final = MINUTE_MS
"""How long a seat must be without a connection or a request to count as away."""
_LEAST_WAIT_MS: Final = 50


class Update(NamedTuple):
    """A message for a listener, with its bytes, which are encoded once for all listeners."""

    message: Ev | Here
    frame: bytes


class Listener(Protocol):
    """Receives the updates of a table: a WebSocket session, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def notify(self, update: Update) -> None:
        """Take one update; must not block."""


class Attendance(NamedTuple):
    """The seats that are connected at one moment, and those that have been away for `AWAY_MS`."""

    here: frozenset[Seat] = frozenset()
    away: frozenset[Seat] = frozenset()


def replaceable_seats(state: TableState, away: frozenset[Seat]) -> frozenset[Seat]:
    """The seats that a machine may take over: their people left, let the clock run out, or are away."""
    if not state.playing:
        return frozenset()
    return frozenset(
        place.seat for place in state.people if place.left or place.flagged or place.seat in away
    )


class Presence:
    """The listeners of one table, when each seat was last seen, and the `here` messages about it."""

    __slots__ = ("_away", "_loop", "_requested", "_seen", "_sent", "_since", "_state", "_timer", "listeners")

    def __init__(self, state: Callable[[], TableState]) -> None:
        self.listeners: dict[Listener, None] = {}
        self._state = state
        self._loop = asyncio.get_running_loop()
        self._requested: dict[Seat, int] = {}
        self._seen: dict[Seat, int] = {}
        self._since = now()
        self._sent = Here((), ())
        self._away: frozenset[Seat] = frozenset()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, listener: Listener) -> None:
        """A listener is connected from now on."""
        self.listeners[listener] = None
        self.announce()

    def remove(self, listener: Listener) -> None:
        """A listener is gone."""
        if listener not in self.listeners:
            return
        del self.listeners[listener]
        if listener.viewer != SPECTATOR:
            self._seen[listener.viewer] = now()
        self.announce()

    def note_request(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._requested[seat] = self._seen[seat] = now()
        self.announce()

    @property
    def viewers(self) -> frozenset[Viewer]:
        """The seats, or `SPECTATOR`, as which there are listeners."""
        return frozenset(each.viewer for each in self.listeners)

    @property
    def here(self) -> frozenset[Seat]:
        """The seats that are connected, or made a request within `AWAY_MS`."""
        recent = now() - AWAY_MS
        return (self.viewers - {SPECTATOR}) | {seat for seat, at in self._requested.items() if at > recent}

    def attendance(self) -> Attendance:
        """Which seats are connected now, and which of the people are away."""
        here, long_ago = self.here, now() - AWAY_MS
        people = (place.seat for place in self._state().people)
        away = (seat for seat in people if seat not in here and self._last_seen(seat) <= long_ago)
        return Attendance(here, frozenset(away))

    def announce(self) -> None:
        """Send all listeners who is connected and who may be replaced, where that has changed."""
        here, self._away = self.attendance()
        replaceable = replaceable_seats(self._state(), self._away)
        message = Here(tuple(sorted(here)), tuple(sorted(replaceable)))
        if message != self._sent:
            self._sent = message
            update = Update(message, encode(message))
            for listener in tuple(self.listeners):
                listener.notify(update)
        self._schedule()

    def state_changed(self) -> None:
        """Announce where a change of the state changes who may be replaced; the rest is up to the timer."""
        if replaceable_seats(self._state(), self._away) != frozenset(self._sent.replaceable):
            self.announce()

    def _schedule(self) -> None:
        """Announce again when the next seat becomes away, as long as there is a listener."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        change = self._next_change()
        if change is not None and self.listeners:
            seconds = max(change - now(), _LEAST_WAIT_MS) / 1000
            self._timer = self._loop.call_later(seconds, self.announce)

    def _next_change(self) -> int | None:
        at, viewers = now(), self.viewers
        ends = (
            self._last_seen(place.seat) + AWAY_MS
            for place in self._state().people
            if place.seat not in viewers
        )
        return min((end for end in ends if end > at), default=None)

    def _last_seen(self, seat: Seat) -> int:
        return self._seen.get(seat, self._since)
