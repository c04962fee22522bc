"""Presence at a table: who is connected, who is away, whose seat a machine may take. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.server.clock import now
from facedown.server.table.state import TableState

AWAY_MS: Final = 60_000
"""How long somebody must not have been heard of to count as away."""


class Listener(Protocol):
    """Somebody who is told what happens: a socket, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def tell(self, frame: bytes) -> None:
        """One encoded frame; must not block."""


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
    """The listeners of one table, and when each seat was last heard of."""

    __slots__ = ("_called", "_heard", "_since", "listeners")

    def __init__(self) -> None:
        self.listeners: dict[Listener, None] = {}
        self._called: dict[Seat, int] = {}
        self._heard: dict[Seat, int] = {}
        self._since = now()

    def come(self, listener: Listener) -> None:
        """Somebody listens from now on."""
        self.listeners[listener] = None

    def go(self, listener: Listener) -> bool:
        """Somebody listens no more; whether they did before."""
        if listener not in self.listeners:
            return False
        del self.listeners[listener]
        if listener.viewer != SPECTATOR:
            self._heard[listener.viewer] = now()
        return True

    def call(self, seat: Seat) -> None:
        """Somebody without a connection did something at this seat."""
        self._called[seat] = self._heard[seat] = now()

    @property
    def viewers(self) -> frozenset[Viewer]:
        """As whom people listen."""
        return frozenset(each.viewer for each in self.listeners)

    @property
    def here(self) -> frozenset[Seat]:
        """The seats whose people listen, or called a moment ago."""
        recent = now() - AWAY_MS
        return (self.viewers - {SPECTATOR}) | {seat for seat, at in self._called.items() if at > recent}

    def attendance(self, seats: Iterable[Seat]) -> Attendance:
        """Which of these seats are connected now, and which are away."""
        here, long_ago = self.here, now() - AWAY_MS
        away = (seat for seat in seats if seat not in here and self._last_seen(seat) <= long_ago)
        return Attendance(here, frozenset(away))

    def next_change(self, seats: Iterable[Seat]) -> int | None:
        """When the next of these seats becomes away, if nothing is heard of it until then."""
        at, viewers = now(), self.viewers
        ends = (self._last_seen(seat) + AWAY_MS for seat in seats if seat not in viewers)
        return min((end for end in ends if end > at), default=None)

    def _last_seen(self, seat: Seat) -> int:
        return self._heard.get(seat, self._since)
