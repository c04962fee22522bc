"""Types of the WebSocket layer: limits, and what a connection, its session and a table expect of
each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from facedown.server.accounts.credentials import Credential

CloseReason: TypeAlias = Literal["no_hello", "silent", "too_many", "draining"]
"""Why the server closes a connection; also the code of the `bye`."""


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """Timeouts of a WebSocket in seconds, and sizes of its buffers in bytes."""

    hello: float = 5.0
    ping: float = 20.0
    live_ping: float = 8.0  # with a live clock: a dead connection is noticed within 30 s
    silence: float = 60.0  # with a live clock less, in the same proportion
    stuck: float = 8.0  # how long a peer may not read
    farewell: float = 1.0  # for the peer's close frame
    tick: float = 0.5
    message: int = 4 * 1024  # one incoming message, whole or in fragments
    unread: int = 256 * 1024  # outgoing, not yet read by the peer
    kernel: int = 64 * 1024  # the send buffer of the operating system


class MessageHandler(Protocol):
    """The session on a connection, as the connection sees it."""

    def receive(self, text: bytes) -> None:
        """Handle a whole message."""

    def ping(self) -> bytes:
        """The message that asks the peer for a sign of life."""

    def goodbye(self, why: CloseReason) -> bytes:
        """The last message before the connection is closed."""

    def connection_lost(self) -> None:
        """The connection is gone."""


class Channel(Protocol):
    """A connection, as its session sees it: a WebSocket, or one inside a page. Sending never blocks."""

    address: str
    asked_table: str
    """The table that the connection's address names; empty if it names none."""
    credential: Credential | None
    watches: bool
    """Whether its peer has no seat: players are written to first."""

    def send(self, text: bytes) -> None: ...
    def send_all(self, texts: tuple[bytes, ...]) -> None: ...
    def start_pings(self) -> None: ...
    def set_pace(self, *, live: bool) -> int: ...
    def hello_wait(self) -> float: ...
    def charge(self, size: int) -> None: ...
    def close(self, code: int, reason: str = "") -> None: ...
