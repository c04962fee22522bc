"""One WebSocket connection: frames in and out, keep-alive, closing handshake, bounded send queue."""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast, final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from facedown.protocol.errors import TooMany
from facedown.server.accounts.credentials import Credential, read_credential
from facedown.server.ops.proxies import client_address
from facedown.server.ops.rate_limits import TokenBucket, address_key
from facedown.server.sockets.contract import CloseReason, MessageHandler
from facedown.server.sockets.frames import FrameCursor, text_frame, whole_text
from facedown.server.sockets.handshake import Handshake

if TYPE_CHECKING:
    from facedown.server.sockets.connections import WebSocketConnections

_SLICE: Final = 4096  # bytes parsed at a time, so that a flood is noticed before all of it is parsed
_NEVER: Final = float("inf")
_HANDSHAKE: Final = 4
"""The cost of a handshake, in the request budget of its address."""


@final
class WebSocketConnection(asyncio.Protocol):
    """One WebSocket connection; the HTTP guard opens it once the headers of the handshake are complete."""

    __slots__ = (
        "_between_frames",
        "_bucket",
        "_connections",
        "_cursor",
        "_fragments",
        "_handler",
        "_hello_by",
        "_hub",
        "_open",
        "_pace",
        "_paused",
        "_peer",
        "_ping_at",
        "_protocol",
        "_queue",
        "_reads",
        "_stuck_at",
        "_transport",
        "address",
        "asked_table",
        "credential",
        "due",
        "received_at",
        "watches",
    )

    def __init__(self, hub: WebSocketConnections, connections: set[Any]) -> None:
        self._hub = hub
        self._connections = connections  # uvicorn waits for these when it shuts down
        self._protocol = Handshake(hub.public_url, hub.bounds.message, hub.hosts)
        self._bucket = TokenBucket(hub.frames, 0.0)
        self._transport: asyncio.Transport | None = None
        self._handler: MessageHandler | None = None
        self._queue: list[bytes] = []  # frames not yet written
        self._fragments: list[bytes] | None = None  # of an incomplete message
        self._cursor = FrameCursor()  # in the bytes that the library parses
        self._between_frames = False  # whether `_take_texts` may read the next byte
        self._open = False  # between the handshake and the first close frame
        self._reads = True
        self._pace = 1.0  # factor of the ping and silence intervals
        self._paused: bytes | None = None  # what came before its address may send more
        self._peer = ""
        self._hello_by = self._ping_at = self._stuck_at = _NEVER
        self.due = _NEVER
        self.received_at = 0.0
        self.address = ""
        self.asked_table = ""
        self.watches = False
        self.credential: Credential | None = None

    # --- what the session calls -----------------------------------------------------------------------

    def send(self, text: bytes) -> None:
        """Queue a message; it is written with all others of this iteration of the event loop."""
        if self._open:
            self._enqueue(text_frame(text), 1)

    def send_all(self, texts: tuple[bytes, ...]) -> None:
        """Queue messages that many connections may get: they are framed once."""
        if self._open:
            self._enqueue(self._hub.frames_of(texts), len(texts))

    def _enqueue(self, frames: bytes, count: int) -> None:
        hub, queue = self._hub, self._queue
        hub.counts.sent += count
        if not queue:
            hub.schedule(self)
        queue.append(frames)

    def start_pings(self) -> None:
        """The peer has sent hello: pings replace the deadline for it."""
        self._hello_by = _NEVER
        self._ping_at = self._hub.now() + self._hub.bounds.ping * self._hub.spread()
        self.due = self._next_due()

    def set_pace(self, *, live: bool) -> int:
        """Ping as often as a table needs, with a live clock or without; returns the interval in ms."""
        bounds, now = self._hub.bounds, self._hub.now()
        if live and bounds.live_ping < bounds.ping:
            self._pace = bounds.live_ping / bounds.ping
            self._ping_at = now + (self._ping_at - now) * self._pace
            self.due = self._next_due()
        return round(bounds.ping * self._pace * 1000)

    def hello_wait(self) -> float:
        """For how many seconds the answer to a hello has to wait; raises `TooMany`."""
        return 0.0 if self.address in self._hub.proxies else self._hub.limits.hello(self.address)

    def charge(self, size: int) -> None:
        """Count the bytes of the answer to a hello."""
        if self.address not in self._hub.proxies:
            self._hub.limits.answered_hello(self.address, size)

    def close(self, code: int, reason: str = "") -> None:
        """Start the closing handshake, and wait a moment for the peer's part."""
        if not self._open:
            return
        self._open = False
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code, reason)
        self.due = self._hub.now() + self._hub.bounds.farewell
        self._write_protocol()

    def fail(self, code: int, reason: str = "") -> None:
        """Close and stop reading: for a peer that broke the protocol."""
        if not self._open:
            return
        self._open = False
        self._protocol.fail(code, reason)
        self._write_protocol()

    # --- what uvicorn and the loop call ---------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._transport.set_write_buffer_limits(high=64 * 1024, low=16 * 1024)
        below = self._transport.get_extra_info("socket")
        if below is not None:
            below.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._hub.bounds.kernel)
        peer = self._transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        self.received_at = self._hub.now()
        self.due = self._hello_by = self.received_at + self._hub.bounds.hello
        self._hub.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open = False
        self._reads = False
        self._transport = None
        self._connections.discard(self)
        self._hub.remove(self)
        self._protocol.parser.close()  # it refers to the protocol: only the garbage collector would free both
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.connection_lost()

    def eof_received(self) -> bool:
        return False  # the transport closes itself

    def data_received(self, data: bytes) -> None:
        if self._hold(data):
            return
        if self._between_frames and self._fragments is None:
            data = self._take_texts(data)
            if not data:
                return
        if len(data) <= _SLICE:
            self._parse(data)
            return
        for start in range(0, len(data), _SLICE):
            if self._hold(data[start:]):
                return
            self._parse(data[start : start + _SLICE])

    def pause_writing(self) -> None:
        self._stuck_at = self._hub.now() + self._hub.bounds.stuck
        self.due = min(self.due, self._stuck_at)

    def resume_writing(self) -> None:
        self._stuck_at = _NEVER

    def shutdown(self) -> None:
        """Uvicorn calls this when the server shuts down."""
        self._close_because("draining", CloseCode.SERVICE_RESTART)

    # --- receiving ------------------------------------------------------------------------------------

    def _take_texts(self, data: bytes) -> bytes:
        """Handle whole texts, which nearly all messages are; returns the rest, for the library's parser."""
        hub, start = self._hub, 0
        longest, end = hub.bounds.message, len(data)
        while self._open and start < end:
            found = whole_text(data, start, longest)
            if found is None:
                break
            text, start = found
            now = self.received_at = hub.now()
            if self._bucket.take(hub.frames, now):
                self._too_many_frames()
                continue
            self._text(text)
            if self._pause(data[start:]):
                return b""
        return data[start:] if start else data

    def _pause(self, rest: bytes) -> bool:
        """Stop reading for a moment if all connections of the address together send too fast."""
        hub, transport = self._hub, self._transport
        wait = 0.0 if self.address in hub.proxies else hub.limits.pace_frames(self.address, 1)
        if not wait or transport is None or not self._open or self._paused is not None:
            return False
        self._paused = rest
        transport.pause_reading()
        asyncio.get_running_loop().call_later(wait, self._read_on)
        return True

    def _hold(self, data: bytes) -> bool:
        """Keep what arrives while reading is paused."""
        if self._paused is None:
            return False
        self._paused += data
        return True

    def _read_on(self) -> None:
        if wait := self._hub.limits.pace_frames(self.address, 0):
            asyncio.get_running_loop().call_later(wait, self._read_on)
            return
        rest, self._paused = self._paused, None
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.resume_reading()
        if rest:
            self.data_received(rest)

    def _parse(self, data: bytes) -> None:
        if not self._reads:
            return
        protocol = self._protocol
        if self._open:  # the request of the handshake comes alone, without frames after it
            self._cursor.advance(data)
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            elif isinstance(event, Request):
                self._respond(event)
        if protocol.writes:
            self._write_protocol()
        self._between_frames = self._open and self._cursor.is_between_frames

    def _respond(self, request: Request) -> None:
        hub, protocol = self._hub, self._protocol
        forwarded = self._peer in hub.proxies and "https" in request.headers.get_all("X-Forwarded-Proto")
        assert self._transport is not None
        if forwarded or self._transport.get_extra_info("sslcontext"):
            protocol.scheme = "https"
        response, pause = protocol.answer(request, draining=hub.draining), 0.0
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            address = address_key(
                client_address(self._peer, request.headers.get_all("X-Forwarded-For"), hub.proxies)
            )
            wait = hub.limits.flood_wait(address)
            try:
                if not wait and address not in hub.proxies:
                    wait = hub.limits.request(address, _HANDSHAKE)
                    pause = 0.0 if wait else hub.limits.pace(address, _HANDSHAKE)
            except TooMany as too_many:
                wait = (too_many.again or 0) / 1000
            if wait:
                response = protocol.too_many(wait)
            elif hub.limits.sockets.enter(address):
                self.address = address
            else:
                response = protocol.too_many()
        if not pause:
            self._finish_handshake(request, response)
            return
        self._paused = b""
        self._transport.pause_reading()
        asyncio.get_running_loop().call_later(pause, self._finish_handshake, request, response)

    def _finish_handshake(self, request: Request, response: Response) -> None:
        hub, protocol = self._hub, self._protocol
        if self._transport is None or self._transport.is_closing():
            return
        protocol.send_response(response)
        self._open = protocol.state is State.OPEN
        self._write_protocol()
        if not self._open:
            hub.counts.refused += 1
            return
        hub.counts.opened += 1
        self.asked_table = protocol.table
        self.credential = read_credential(
            request.headers.get_all("Authorization"), request.headers.get_all("Cookie"), secure=hub.secure
        )
        self._handler = hub.handler(self)
        if self._paused is not None:
            self._read_on()

    def _frame(self, frame: Frame) -> None:
        if not self._reads:
            return
        hub = self._hub
        now = self.received_at = hub.now()
        if self._bucket.take(hub.frames, now):
            self._too_many_frames()
            return
        self._pause(b"")
        if frame.opcode is Opcode.TEXT and frame.fin:
            self._text(bytes(frame.data))
        elif frame.opcode is Opcode.TEXT:
            self._fragments = [bytes(frame.data)]
        elif frame.opcode is Opcode.CONT and self._fragments is not None:
            self._fragments.append(bytes(frame.data))
            if frame.fin:
                whole, self._fragments = b"".join(self._fragments), None
                self._text(whole)
        elif frame.opcode is Opcode.BINARY:
            self.fail(CloseCode.UNSUPPORTED_DATA, "text only")
        elif frame.opcode is Opcode.CLOSE:
            self._open = False  # the protocol has replied already

    def _text(self, text: bytes) -> None:
        if not self._open or self._handler is None:
            return
        try:
            text.decode()
        except UnicodeDecodeError:
            self.fail(CloseCode.INVALID_DATA, "not UTF-8")
            return
        self._hub.counts.received += 1
        self._handler.receive(text)

    def _too_many_frames(self) -> None:
        self._hub.counts.flooded += 1
        self._hub.limits.note_flood(self.address)
        if not self._open:
            self._abort()
            return
        if self._handler is not None:
            self.send(self._handler.goodbye("too_many"))
        self.fail(CloseCode.POLICY_VIOLATION, "too many frames")

    # --- sending and closing --------------------------------------------------------------------------

    def flush(self) -> None:
        """Write the queued frames. A peer that does not read is disconnected."""
        transport = self._transport
        queue, self._queue = self._queue, []
        if not queue or transport is None or transport.is_closing():
            return
        transport.write(queue[0] if len(queue) == 1 else b"".join(queue))
        if self._stuck_at != _NEVER and transport.get_write_buffer_size() > self._hub.bounds.unread:
            self._hub.counts.stuck += 1
            self._abort()

    def _write_protocol(self) -> None:
        """Write what the protocol has to send; an empty write means the end of the stream."""
        self.flush()
        transport = self._transport
        writes = self._protocol.data_to_send()
        if transport is None or transport.is_closing():
            return
        transport.write(b"".join(writes))
        if not writes or writes[-1]:
            return
        self._open = False
        self._reads = False
        self.due = self._hub.now() + self._hub.bounds.farewell
        if self._protocol.parser_exc is not None:
            self._hub.counts.broken += 1
        if self._protocol.close_rcvd is not None:
            transport.close()
        else:
            # Closing with bytes unread resets the connection, and the peer might never read the reason: it
            # closes first, or is disconnected after the `farewell` timeout.
            transport.write_eof()

    def _close_because(self, why: CloseReason, code: int) -> None:
        if self._open and self._handler is not None:
            self.send(self._handler.goodbye(why))
        self.close(code, why)

    def _abort(self) -> None:
        self._open = False
        self._reads = False
        if self._transport is not None:
            self._transport.abort()

    # --- time -----------------------------------------------------------------------------------------

    def _next_due(self) -> float:
        silence = self.received_at + self._hub.bounds.silence * self._pace
        return min(silence, self._hello_by, self._ping_at, self._stuck_at)

    def check(self, now: float) -> None:
        """Act on a deadline that has passed: send a ping, or close."""
        bounds, counts = self._hub.bounds, self._hub.counts
        if not self._open:
            self._abort()
        elif now >= self._stuck_at:
            counts.stuck += 1
            self._abort()
        elif now >= self._hello_by:
            self._close_because("no_hello", CloseCode.POLICY_VIOLATION)
        elif now >= self.received_at + bounds.silence * self._pace:
            counts.silent += 1
            self._close_because("silent", CloseCode.POLICY_VIOLATION)
        else:
            if now >= self._ping_at and self._handler is not None:
                self._ping_at = now + bounds.ping * self._pace
                self.send(self._handler.ping())
            self.due = self._next_due()
