"""Long polls and streams of turns: waiting for events at tables without a WebSocket.

Nothing is queued for a slow reader: a listener is woken, then reads the current state of its tables.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from facedown.protocol.errors import BrokenTable, TooMany
from facedown.protocol.rest import StreamIdle, StreamOver, StreamTurn
from facedown.server.accounts.credentials import Seated
from facedown.server.clock import now
from facedown.server.ops.metrics import Metrics
from facedown.server.ops.slots import waiting
from facedown.server.sockets.session import sign_out_topic
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.table.presence import Update
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

R = TypeVar("R")

STREAM_MEDIA: Final = "application/x-ndjson"
_IDLE_S: Final = 15.0
_READ_S: Final = 30.0
"""How long a line may stay unread before its reader is disconnected."""
_POLL_S: Final = 0.5
"""How soon a waiting call notices that the server shuts down."""
MOST_TABLES: Final = 500
_encode = msgspec.json.Encoder().encode


class TableListener:
    """A listener at a table for one seat: sets an event when something happens there."""

    __slots__ = ("_woken", "changed", "person", "table", "viewer", "written")

    def __init__(self, table: Table, viewer: int, person: str, woken: asyncio.Event) -> None:
        self.table = table
        self.viewer = viewer
        self.person = person
        self.changed = True
        self.written = 0
        """The last decision that was written to the stream."""
        self._woken = woken

    def notify(self, update: Update) -> None:
        """Wake up for an event; presence does not matter."""
        if update.is_event:
            self.changed = True
            self._woken.set()

    def disconnect(self, error: StoreFailed) -> None:
        """Wake up because this server has lost the table: the next read raises `StoreFailed`."""
        self.changed = True
        self._woken.set()


class TurnStream:
    """The turns of one person at all their tables, as lines of JSON."""

    def __init__(self, streams: Streams, person: str) -> None:
        self._person = person
        self._streams = streams
        self._woken = asyncio.Event()
        self._listeners: dict[tuple[str, int], TableListener] = {}
        self._may_miss_seats = False
        """Whether the person may hold seats that this stream does not listen at."""
        self._ended = ""
        """Why this stream has to end; empty while it goes on."""

    def listen(self, table: Table, seat: int) -> None:
        if (table.id, seat) in self._listeners or len(self._listeners) >= MOST_TABLES:
            return
        listener = TableListener(table, seat, self._person, self._woken)
        self._listeners[table.id, seat] = listener
        table.attach(listener)
        self._woken.set()

    def close(self) -> None:
        for listener in self._listeners.values():
            listener.table.detach(listener)
        self._listeners.clear()

    async def lines(self) -> AsyncIterator[bytes]:
        """A line for every turn and every end, a keep-alive when idle; ends when the server shuts down, and
        when the person signs out somewhere."""
        await self._listen_everywhere()
        yield _line(StreamIdle())
        loop = asyncio.get_running_loop()
        quiet_since = loop.time()
        while not (self._streams.draining or self._ended):
            self._woken.clear()
            if self._may_miss_seats:
                await self._listen_everywhere()
            for listener in [each for each in self._listeners.values() if each.changed]:
                for line in await self._lines_for(listener):
                    yield line
                    quiet_since = loop.time()
            if loop.time() - quiet_since >= _IDLE_S:
                yield _line(StreamIdle())
                quiet_since = loop.time()
                self._may_miss_seats = self._streams.store.shared  # a hint may have been lost
            await wait_for_hint(self._woken, _POLL_S)

    def end(self, _number: int = 0, _node: str = "", why: str = "signed_out") -> None:
        """End the stream: a session of the person has ended. Clients with another one open it again."""
        self._ended = why
        self._woken.set()

    def on_seated(self, _number: int, _node: str) -> None:
        """Look for new seats: the person has taken one at another server."""
        self.wake()

    def wake(self) -> None:
        """Look for new seats and challenges."""
        self._may_miss_seats = True
        self._woken.set()

    async def _listen_everywhere(self) -> None:
        self._may_miss_seats = False
        for state in ("open", "opening", "playing"):
            mine = await self._streams.store.tables(person=self._person, state=state, limit=MOST_TABLES)
            for listed in mine:
                try:
                    table = await self._streams.tables.get(listed.id)
                except BrokenTable:
                    continue
                for seat in listed.seats:
                    self.listen(table, seat)

    async def _lines_for(self, listener: TableListener) -> list[bytes]:
        """The lines for this seat that were not written yet."""
        listener.changed = False
        table = listener.table
        await table.settle()
        if table.phase in ("over", "closed"):
            table.detach(listener)
            del self._listeners[table.id, listener.viewer]
            last = all(other != table.id for other, _ in self._listeners)
            return [_line(StreamOver(table.id))] if last else []
        waiting = table.turn_of(listener.viewer)
        if waiting is None or waiting[0] == listener.written:
            return []
        listener.written, deadline = waiting
        return [_line(StreamTurn(table.id, listener.viewer, listener.written, deadline))]


class Streams:
    """All streams and long polls of this server, counted per person."""

    def __init__(self, store: Store, tables: Tables, metrics: Metrics, *, most: int) -> None:
        self.store = store
        self.tables = tables
        self.draining = False
        """Whether the server is shutting down: all of them end."""
        self._metrics = metrics
        self._most = most
        self._open: dict[str, set[TurnStream]] = {}
        self._of_token: dict[str, TurnStream] = {}
        """The only stream of each token."""
        self._waiting: Counter[str] = Counter()

    @contextlib.contextmanager
    def stream(self, person: str, make: Callable[[Streams, str], TurnStream]) -> Iterator[TurnStream]:
        """A stream for a person; raises `TooMany`."""
        with self.count(person):
            stream = make(self, person)
            self._open.setdefault(person, set()).add(stream)
            self.tables.bus.subscribe(_seats_topic(person), stream.on_seated)
            self.tables.bus.subscribe(sign_out_topic(person), stream.end)
            try:
                yield stream
            finally:
                self.tables.bus.unsubscribe(sign_out_topic(person), stream.end)
                self.tables.bus.unsubscribe(_seats_topic(person), stream.on_seated)
                stream.close()
                self._open[person].discard(stream)
                if not self._open[person]:
                    del self._open[person]

    def replace(self, token: str, stream: TurnStream) -> None:
        """This is the stream of a token from now on: an earlier one ends. `token` is a hash."""
        if (earlier := self._of_token.get(token)) is not None:
            earlier.end(why="replaced")
        self._of_token[token] = stream

    def drop(self, token: str, stream: TurnStream) -> None:
        """The stream of a token has ended."""
        if self._of_token.get(token) is stream:
            del self._of_token[token]

    def end_all(self, person: str) -> None:
        """End the person's streams on this server."""
        for stream in self._open.get(person, ()):
            stream.end()

    def add_seat(self, person: str, table: Table, seat: int) -> None:
        """Include a seat that the person has just taken in their streams."""
        for stream in self._open.get(person, ()):
            stream.listen(table, seat)
        if self.store.shared:
            self.tables.bus.publish(_seats_topic(person), now())

    def note_challenge(self, person: str) -> None:
        """A person was challenged: their streams look for it."""
        for stream in self._open.get(person, ()):
            stream.wake()
        if self.store.shared:
            self.tables.bus.publish(_seats_topic(person), now())

    async def wait_for_event(
        self, table: Table, seated: Seated, after: int, wait: float, address: str
    ) -> None:
        """Return when the table is past an event, when the time is over, or when the server shuts down."""
        woken = asyncio.Event()
        listener = TableListener(table, seated.viewer, seated.person, woken)
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        with self.count(seated.person or address):
            table.attach(listener)
            try:
                async with waiting():
                    while not (table.head > after or table.is_dropped or self.draining):
                        woken.clear()
                        if (left := until - loop.time()) <= 0:
                            break
                        await wait_for_hint(woken, min(_POLL_S, left))
            finally:
                table.detach(listener)

    def check(self, caller: str) -> None:
        """Raise `TooMany` if this person or address has too many open already."""
        if self._waiting[caller] >= self._most:
            raise TooMany("too many open streams and long polls", again=5000)

    @contextlib.contextmanager
    def count(self, caller: str) -> Iterator[None]:
        """Count a stream of this person or address while it is open; raises `TooMany`."""
        self.check(caller)
        self._waiting[caller] += 1
        try:
            with self._metrics.streams.track_inprogress():
                yield
        finally:
            self._waiting[caller] -= 1
            if not self._waiting[caller]:
                del self._waiting[caller]


async def wait_for_hint(woken: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but no longer than this."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await woken.wait()


def _seats_topic(person: str) -> str:
    return f"seated/{person}"


def _line(message: StreamTurn | StreamOver | StreamIdle) -> bytes:
    return _encode(message) + b"\n"


# --- the response ----------------------------------------------------------------------------------------


class StreamResponse(Response):
    """A streaming response that ends when its reader disconnects or stops reading."""

    media_type = STREAM_MEDIA

    def __init__(
        self, streams: Streams, person: str, make: Callable[[Streams, str], TurnStream] = TurnStream
    ) -> None:
        super().__init__(None, 200, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams = streams
        self._person = person
        self._make = make

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        opened = self._streams.stream(self._person, self._make)
        with opened as stream, contextlib.suppress(ClientDisconnect):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await run_while_connected(receive, _write(stream, send))


async def _write(stream: TurnStream, send: Send) -> None:
    with contextlib.suppress(OSError, StoreFailed):  # the reader reconnects
        async for line in stream.lines():
            try:
                async with asyncio.timeout(_READ_S):
                    await send({"type": "http.response.body", "body": line, "more_body": True})
            except TimeoutError:
                stream.end(why="slow")
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def run_while_connected(receive: Receive, work: Coroutine[Any, Any, R]) -> R:
    """The result of long work, cancelled if the caller disconnects; only for requests whose body was read."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_wait_for_disconnect(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        await asyncio.sleep(1)
