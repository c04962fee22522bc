"""Who is at a table now: the connections, and people who were heard of a moment ago. Nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.server.clock import now

AWAY_MS: Final = 60_000
"""How long somebody must not have been heard of to count as away."""


class Listener(Protocol):
    """Somebody who is told what happens: a socket, a long poll, a stream of turns."""

    viewer: Viewer
    person: str

    def tell(self, frame: bytes) -> None:
        """One encoded frame; must not block."""


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

    def away(self, seats: Iterable[Seat]) -> frozenset[Seat]:
        """Those of the seats that have not been heard of for a while."""
        here, long_ago = self.here, now() - AWAY_MS
        return frozenset(
            seat for seat in seats if seat not in here and self._heard.get(seat, self._since) <= long_ago
        )
