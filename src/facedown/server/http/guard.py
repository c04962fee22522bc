"""The guard of HTTP connections: closes those that are slow (slow loris), endless, too large or too many,
which uvicorn does not. Knows connections and bytes; `request_guard` and the app handle requests.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from facedown.server.ops.metrics import GuardCounts
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Limits, address_key

_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Timeouts of an HTTP request in seconds, and the largest size of its head in bytes."""

    head: float = 10.0
    body: float = 10.0
    unread: float = 30.0  # how long an answer may stay unread
    tick: float = 0.5
    head_bytes: int = 16 * 1024


class _HeadTooLarge(Exception):
    pass


class GuardedConnection(HttpToolsProtocol):
    """One HTTP connection."""

    def __init__(
        self,
        guard: ConnectionGuard,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._guard = guard
        self._in_head = True
        self._head = 0  # bytes of the head so far
        self._unread_by = _NEVER
        self._come_by = _NEVER
        self.address: str | None = None  # None: not counted

    # --- the connection -------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        super().connection_made(transport)
        self._await_head()
        if self._guard.cut_off(self):
            self.transport.abort()  # it was refused often enough
        elif not self._guard.enter(self):
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS, "too many connections from this address")

    def connection_lost(self, exc: Exception | None) -> None:
        self._guard.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._unread_by = time.monotonic() + self._guard.bounds.unread
        super().pause_writing()

    def resume_writing(self) -> None:
        self._unread_by = _NEVER
        super().resume_writing()

    # --- receiving ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        if self._in_head:
            self._head += len(data)
        if self._come_by is _NEVER and not self._answering:
            self._await_head()  # blank lines before a request start nothing, and must not go on forever
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, _HeadTooLarge):
                self._too_large()
            else:
                self._guard.counts.malformed += 1
                self._refuse(HTTPStatus.BAD_REQUEST, "this is not a valid HTTP request")
        else:
            if self._in_head and self._head > self._guard.bounds.head_bytes:
                self._too_large()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self._guard.bounds.head_bytes:
            raise _HeadTooLarge
        self._check_host()
        self._in_head = False
        self._head = 0
        self._come_by = time.monotonic() + self._guard.bounds.body
        super().on_headers_complete()

    def _check_host(self) -> None:
        """Raise unless the request names one host: checks and links must not go by two different ones."""
        hosts = {value.lower() for name, value in self.headers if name.lower() == b"host"}
        if not self.url.startswith((b"/", b"*")):  # an absolute address names a host, too
            parts = urlsplit(self.url)
            hosts.add(parts.netloc.lower())
        if len(hosts) > 1 or sum(name.lower() == b"host" for name, _ in self.headers) > 1:
            raise ValueError("two hosts")

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head = True
        self._come_by = _NEVER

    @property
    def peer(self) -> str:
        return self.client[0] if self.client is not None else ""

    @property
    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _await_head(self) -> None:
        self._in_head = True
        self._come_by = time.monotonic() + self._guard.bounds.head

    def _upgrade(self, rest: bytes) -> None:
        if not self._should_upgrade():
            self.cycle.keep_alive = False  # answered as a plain request; the parser is done
            return
        self._guard.leave(self)
        self.handle_websocket_upgrade()
        del self.parser  # it refers to this connection: both are freed without the garbage collector
        if rest:
            self.transport.get_protocol().data_received(rest)  # type: ignore[attr-defined]  # a WebSocketConnection

    # --- refusing -------------------------------------------------------------------------------------

    def _too_large(self) -> None:
        self._guard.counts.too_large += 1
        self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head of this request is too large")

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Answer and close; in the middle of another answer only close."""
        if not self._answering:
            body = detail.encode()
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode()
                + body
            )
        self.transport.close()

    def check(self, now: float) -> None:
        """Close the connection if a deadline has passed."""
        if now >= self._unread_by:
            self._guard.counts.unread += 1
            self.transport.abort()
        elif now >= self._come_by and not self.flow.read_paused:  # paused: the app is slow, not the client
            self._guard.counts.late += 1
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request did not arrive in time")
            self._unread_by = now  # if this is not read either, the connection is aborted at the next check


class ConnectionGuard:
    """All HTTP connections, their limits per address, and one timer that checks their deadlines."""

    def __init__(self, limits: Limits, bounds: HttpLimits, *, proxies: TrustedProxies | None = None) -> None:
        self.bounds = bounds
        self.counts = GuardCounts()
        self.protocol = partial(GuardedConnection, self)
        """A new connection, in the signature that uvicorn calls."""
        self._limits = limits
        self._proxies = proxies or TrustedProxies()
        self._all: set[GuardedConnection] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._all)

    def cut_off(self, connection: GuardedConnection) -> bool:
        """Whether the address of a new connection flooded, and has to wait. Trusted proxies never have to."""
        if connection.peer in self._proxies or not self._limits.cut_off(address_key(connection.peer)):
            return False
        self.counts.cut_off += 1
        return True

    def enter(self, connection: GuardedConnection) -> bool:
        """Count one more connection; False if it is one too many. Trusted proxies are not counted."""
        self._all.add(connection)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.bounds.tick, self._check)
        if connection.peer in self._proxies:
            return True
        address = address_key(connection.peer)
        if not self._limits.connections.enter(address):
            self.counts.crowded += 1
            return False
        connection.address = address
        return True

    def leave(self, connection: GuardedConnection) -> None:
        """A connection is closed, or was upgraded to a WebSocket."""
        self._all.discard(connection)
        if connection.address is not None:
            self._limits.connections.leave(connection.address)
            connection.address = None

    def _check(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self.bounds.tick, self._check)
        now = time.monotonic()
        for connection in tuple(self._all):
            connection.check(now)
        if not self._all:
            self._timer.cancel()
            self._timer = None
