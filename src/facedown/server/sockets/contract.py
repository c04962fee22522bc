"""Contracts of the WebSocket layer: what a connection, its session and the set of all connections ask of each
other. Types and protocols only.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from facedown.server.accounts.credentials import Credential
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Limits, Rate

CloseReason: TypeAlias = Literal["no_hello", "silent", "too_many", "draining"]
"""Why the server closes a connection by itself; also the code of the `bye`."""


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """Timeouts of a WebSocket in seconds, and sizes of its buffers in bytes."""

    hello: float = 5.0
    ping: float = 20.0
    live_ping: float = (
        8.0  # the most at a table with a live clock: a dead line is noticed before 30 s are over
    )
    silence: float = 60.0  # at a table with a live clock less, in the same proportion
    stuck: float = 8.0  # how long a peer may leave unread what it was sent
    farewell: float = 1.0  # for the peer's close frame
    tick: float = 0.5
    message: int = 4 * 1024  # of one incoming message, whole or in fragments
    unread: int = 256 * 1024  # what may wait for a peer
    kernel: int = 64 * 1024  # the send buffer of the operating system


@dataclass(slots=True)
class ConnectionCounts:
    """Plain counters of connections and messages."""

    opened: int = 0
    refused: int = 0  # handshakes
    received: int = 0  # messages
    sent: int = 0  # messages
    flooded: int = 0
    stuck: int = 0  # peers that did not read
    silent: int = 0
    broken: int = 0  # peers that broke the WebSocket protocol


class MessageHandler(Protocol):
    """The session on a connection, as the connection sees it."""

    def received(self, text: bytes) -> None:
        """A whole message came in."""

    def ping(self) -> bytes:
        """The message that asks the peer for a sign of life."""

    def goodbye(self, why: CloseReason) -> bytes:
        """The last message before the connection is closed."""

    def lost(self) -> None:
        """The connection is gone."""


class Channel(Protocol):
    """A connection, as its session sees it."""

    address: str
    asked_table: str
    """The table that the connection's address names; empty where it names none."""
    credential: Credential | None
    watches: bool
    """Whether its peer has no seat: those who play are written to first."""

    def send(self, text: bytes) -> None:
        """Queue a message; never blocks."""

    def send_all(self, texts: tuple[bytes, ...]) -> None:
        """Queue messages, which many may be sent; never blocks."""

    def identified(self) -> None:
        """The peer has said hello: pings replace the deadline for it."""

    def set_pace(self, *, live: bool) -> int:
        """Ping as often as a table needs, with a live clock or without; milliseconds between two pings."""

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake."""


class Member(Protocol):
    """A connection, as the set of all connections sees it."""

    address: str
    watches: bool
    due: float
    """When `check` has to be called next, on the hub's clock."""

    def flush(self) -> None:
        """Write the queued messages."""

    def check(self, now: float) -> None:
        """Act on a deadline that has passed."""


class Hub(Protocol):
    """All connections, as one of them sees them: shared limits, counters, clock and write batches."""

    handler: Callable[[Channel], MessageHandler]
    limits: Limits
    frames: Rate
    bounds: SocketLimits
    public_url: str
    proxies: TrustedProxies
    hosts: Container[str] | None
    now: Callable[[], float]
    draining: bool
    counts: ConnectionCounts

    def framed(self, texts: tuple[bytes, ...]) -> bytes:
        """Texts as WebSocket frames, one after the other."""

    def schedule(self, member: Member) -> None:
        """Flush this connection in the next iteration of the event loop."""

    def spread(self) -> float:
        """The fraction of the ping interval after which a connection is pinged first."""

    def add(self, member: Member) -> None:
        """Look after one more connection."""

    def remove(self, member: Member) -> None:
        """Forget a connection that is gone."""
