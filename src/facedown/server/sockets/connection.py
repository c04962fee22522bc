"""The bytes of one WebSocket: frames in and out, keep-alive, closing, and how much may wait to be sent. Hands
texts to a talker and knows nothing of what they mean.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from facedown.server.accounts.people import Kind
from facedown.server.ops.limits import Bucket, neighbourhood
from facedown.server.sockets.handshake import Opening, client, credential

if TYPE_CHECKING:
    from facedown.server.sockets.connections import Lines

_SLICE: Final = 4096  # parsed at a time, so that a flood is noticed before all of it has been read
_NEVER: Final = float("inf")

Why: TypeAlias = Literal["no_hello", "silent", "too_many", "draining"]
"""Why a line is closed from this side by itself; also the code of the goodbye."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things may take, in seconds, and how much may lie around, in bytes."""

    hello: float = 5.0
    ping: float = 20.0
    silence: float = 60.0
    stuck: float = 8.0  # how long a peer may leave unread what it was sent
    farewell: float = 1.0  # for the peer's part of the closing
    tick: float = 0.5
    message: int = 4 * 1024  # of one message that comes in, whole or in fragments
    unread: int = 256 * 1024  # what may wait for a peer
    kernel: int = 64 * 1024  # the operating system's part of it


class Talker(Protocol):
    """Who sits at this end of a line."""

    def heard(self, text: bytes) -> None:
        """A whole message came in."""

    def ping(self) -> bytes:
        """What to send to find out whether the peer is still there."""

    def goodbye(self, why: Why) -> bytes:
        """The last message before the line is closed."""

    def lost(self) -> None:
        """The line is gone."""


class Line(asyncio.Protocol):
    """One WebSocket. Made by the HTTP guard once the headers of the handshake are complete."""

    __slots__ = (
        "_bucket",
        "_connections",
        "_deaf",
        "_hello_by",
        "_lines",
        "_open",
        "_out",
        "_parts",
        "_peer",
        "_ping_at",
        "_stuck_at",
        "_talk",
        "_transport",
        "_wire",
        "address",
        "credential",
        "due",
        "heard_at",
    )

    def __init__(self, lines: Lines, connections: set[Any]) -> None:
        self._lines = lines
        self._connections = connections  # uvicorn waits for these when it shuts down
        self._wire = Opening(lines.pages, lines.pace.message)
        self._bucket = Bucket(lines.frames, 0.0)
        self._transport: asyncio.Transport | None = None
        self._talk: Talker | None = None
        self._out: list[bytes] = []  # told and not yet sent
        self._parts: list[bytes] | None = None  # of a message that comes in fragments
        self._open = False  # between the handshake and the first word of the closing
        self._deaf = False
        self._peer = ""
        self._hello_by = self._ping_at = self._stuck_at = _NEVER
        self.due = _NEVER  # when to look again
        self.heard_at = 0.0
        self.address = ""
        self.credential: tuple[Kind, str] | None = None

    # --- what the talker does ------------------------------------------------------------------------

    def tell(self, text: bytes) -> None:
        """Sends a message, together with whatever else is told in this round of the loop; never blocks."""
        if not self._open:
            return
        lines = self._lines
        lines.counts.told += 1
        if not self._out:
            lines.hold(self)
        self._out.append(lines.framed(text))

    def met(self) -> None:
        """The talker knows who this is: from now on the peer is pinged instead of hurried."""
        self._hello_by = _NEVER
        self._ping_at = self._lines.now() + self._lines.pace.ping * self._lines.spread()
        self.due = self._next_due()

    def close(self, code: int, reason: str = "") -> None:
        """Closes in the protocol's words, and waits a moment for the peer's."""
        if not self._open:
            return
        self._open = False
        if self._wire.state is State.OPEN:
            self._wire.send_close(code, reason)
        self.due = self._lines.now() + self._lines.pace.farewell
        self._flush()

    def fail(self, code: int, reason: str = "") -> None:
        """Closes and listens no more: for a peer that broke the rules."""
        if not self._open:
            return
        self._open = False
        self._wire.fail(code, reason)
        self._flush()

    # --- what uvicorn and the loop call ----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._transport.set_write_buffer_limits(high=64 * 1024, low=16 * 1024)
        below = self._transport.get_extra_info("socket")
        if below is not None:
            below.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._lines.pace.kernel)
        peer = self._transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        self.heard_at = self._lines.now()
        self.due = self._hello_by = self.heard_at + self._lines.pace.hello
        self._lines.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open = False
        self._deaf = True
        self._transport = None
        self._connections.discard(self)
        self._lines.remove(self)
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.lost()

    def eof_received(self) -> bool:
        return False  # the transport closes itself

    def data_received(self, data: bytes) -> None:
        if len(data) <= _SLICE:
            self._parse(data)
            return
        for start in range(0, len(data), _SLICE):
            self._parse(data[start : start + _SLICE])

    def pause_writing(self) -> None:
        self._stuck_at = self._lines.now() + self._lines.pace.stuck
        self.due = min(self.due, self._stuck_at)

    def resume_writing(self) -> None:
        self._stuck_at = _NEVER

    def shutdown(self) -> None:
        """Uvicorn asks for an end: the house closes."""
        self._leave("draining", CloseCode.SERVICE_RESTART)

    # --- receiving -----------------------------------------------------------------------------------

    def _parse(self, data: bytes) -> None:
        if self._deaf:
            return
        wire = self._wire
        wire.receive_data(data)
        for event in wire.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            elif isinstance(event, Request):
                self._answer(event)
        if wire.writes:
            self._flush()

    def _answer(self, request: Request) -> None:
        lines, wire = self._lines, self._wire
        response = wire.answer(request, draining=lines.draining)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            address = neighbourhood(client(self._peer, request.headers, lines.proxies))
            if lines.limits.sockets.enter(address):
                self.address = address
            else:
                response = wire.crowded()
        wire.send_response(response)
        self._open = wire.state is State.OPEN
        self._flush()
        if not self._open:
            lines.counts.refused += 1
            return
        lines.counts.opened += 1
        self.credential = credential(request.headers)
        self._talk = lines.talker(self)

    def _frame(self, frame: Frame) -> None:
        if self._deaf:
            return
        lines = self._lines
        now = self.heard_at = lines.now()
        if self._bucket.take(lines.frames, now):
            self._flooded()
            return
        if frame.opcode is Opcode.TEXT and frame.fin:
            self._text(bytes(frame.data))
        elif frame.opcode is Opcode.TEXT:
            self._parts = [bytes(frame.data)]
        elif frame.opcode is Opcode.CONT and self._parts is not None:
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole, self._parts = b"".join(self._parts), None
                self._text(whole)
        elif frame.opcode is Opcode.BINARY:
            self.fail(CloseCode.UNSUPPORTED_DATA, "text only")
        elif frame.opcode is Opcode.CLOSE:
            self._open = False  # the protocol has answered already

    def _text(self, text: bytes) -> None:
        if not self._open or self._talk is None:
            return
        try:
            text.decode()
        except UnicodeDecodeError:
            self.fail(CloseCode.INVALID_DATA, "not UTF-8")
            return
        self._lines.counts.heard += 1
        self._talk.heard(text)

    def _flooded(self) -> None:
        self._lines.counts.flooded += 1
        if not self._open:
            self._cut()
            return
        if self._talk is not None:
            self.tell(self._talk.goodbye("too_many"))
        self.fail(CloseCode.POLICY_VIOLATION, "too many frames")

    # --- sending and closing ---------------------------------------------------------------------------

    def send(self) -> None:
        """Hands over what was told. A peer that does not read is cut off."""
        transport = self._transport
        out, self._out = self._out, []
        if not out or transport is None or transport.is_closing():
            return
        transport.write(out[0] if len(out) == 1 else b"".join(out))
        if self._stuck_at is not _NEVER and transport.get_write_buffer_size() > self._lines.pace.unread:
            self._lines.counts.stuck += 1
            self._cut()

    def _flush(self) -> None:
        """Sends what the protocol wants sent; an empty write is its word for the end."""
        self.send()
        transport = self._transport
        writes = self._wire.data_to_send()
        if transport is None or transport.is_closing():
            return
        transport.write(b"".join(writes))
        if not writes or writes[-1]:
            return
        self._open = False
        self._deaf = True
        self.due = self._lines.now() + self._lines.pace.farewell
        if self._wire.parser_exc is not None:
            self._lines.counts.broken += 1
        if self._wire.close_rcvd is not None:
            transport.close()
        else:
            # Closing with bytes unread resets the connection, and the peer might never learn why: it closes
            # first, or is cut off when the farewell is over.
            transport.write_eof()

    def _leave(self, why: Why, code: int) -> None:
        if self._open and self._talk is not None:
            self.tell(self._talk.goodbye(why))
        self.close(code, why)

    def _cut(self) -> None:
        self._open = False
        self._deaf = True
        if self._transport is not None:
            self._transport.abort()

    # --- time ------------------------------------------------------------------------------------------

    def _next_due(self) -> float:
        silence = self.heard_at + self._lines.pace.silence
        return min(silence, self._hello_by, self._ping_at, self._stuck_at)

    def look(self, now: float) -> None:
        """Something is due: a ping, a word of the peer, or the end."""
        pace, counts = self._lines.pace, self._lines.counts
        if not self._open:
            self._cut()
        elif now >= self._stuck_at:
            counts.stuck += 1
            self._cut()
        elif now >= self._hello_by:
            self._leave("no_hello", CloseCode.POLICY_VIOLATION)
        elif now >= self.heard_at + pace.silence:
            counts.silent += 1
            self._leave("silent", CloseCode.POLICY_VIOLATION)
        else:
            if now >= self._ping_at and self._talk is not None:
                self._ping_at = now + pace.ping
                self.tell(self._talk.ping())
            self.due = self._next_due()
