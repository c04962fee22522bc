"""Long polls and streams of turns: waiting for events at tables without a WebSocket.

Nothing is queued for a slow reader: a listener is woken, then reads the current state of its tables.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from facedown.protocol.errors import BrokenTable, TooMany
from facedown.protocol.rest import StreamIdle, StreamOver, StreamTurn
from facedown.server.accounts.credentials import Seated
from facedown.server.clock import now
from facedown.server.ops.metrics import Metrics
from facedown.server.store.base import Store, StoreFailed
from facedown.server.table.presence import Update
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

IDLE_S: Final = 15.0
_POLL_S: Final = 0.5
"""How soon a waiting call notices that the server shuts down."""
_MOST_TABLES: Final = 500
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
        """An update of the table; only events matter, presence does not."""
        if update.is_event:
            self.changed = True
            self._woken.set()

    def disconnect(self, error: StoreFailed) -> None:
        """This server has lost the table: the next read raises `StoreFailed`."""
        self.changed = True
        self._woken.set()


class TurnStream:
    """The turns of one person at all their tables, as lines of JSON."""

    def __init__(self, streams: Streams, person: str) -> None:
        self.person = person
        self._streams = streams
        self._woken = asyncio.Event()
        self._listeners: dict[tuple[str, int], TableListener] = {}
        self._seated = False
        """Whether the person may hold seats that are not listened at."""

    def listen(self, table: Table, seat: int) -> None:
        """Listen for one more seat of this person."""
        if (table.id, seat) in self._listeners or len(self._listeners) >= _MOST_TABLES:
            return
        listener = TableListener(table, seat, self.person, self._woken)
        self._listeners[table.id, seat] = listener
        table.attach(listener)
        self._woken.set()

    def close(self) -> None:
        """Stop listening at all tables."""
        for listener in self._listeners.values():
            listener.table.detach(listener)
        self._listeners.clear()

    async def lines(self, idle: float = IDLE_S) -> AsyncIterator[bytes]:
        """A line for every turn and every end, a keep-alive when idle; ends when the server shuts down."""
        await self._list()
        yield _line(StreamIdle())
        loop = asyncio.get_running_loop()
        quiet_since = loop.time()
        while not self._streams.draining:
            self._woken.clear()
            if self._seated:
                await self._list()
            for listener in [each for each in self._listeners.values() if each.changed]:
                for line in await self._lines_for(listener):
                    yield line
                    quiet_since = loop.time()
            if loop.time() - quiet_since >= idle:
                yield _line(StreamIdle())
                quiet_since = loop.time()
                self._seated = self._streams.store.shared  # the hint of a seat taken elsewhere may be lost
            try:
                async with asyncio.timeout(min(_POLL_S, idle)):
                    await self._woken.wait()
            except TimeoutError:
                pass

    def on_seated(self, _number: int, _node: str) -> None:
        """The person sat down at another server."""
        self._seated = True
        self._woken.set()

    async def _list(self) -> None:
        """Listen at all tables where the person holds a seat."""
        self._seated = False
        for state in ("open", "opening", "playing"):
            for listed in await self._streams.store.tables(
                person=self.person, state=state, limit=_MOST_TABLES
            ):
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
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def stream(self, person: str) -> Iterator[TurnStream]:
        """A stream for a person; raises `TooMany`."""
        with self._counted(person):
            stream = TurnStream(self, person)
            self._open.setdefault(person, set()).add(stream)
            self.tables.bus.subscribe(_seated(person), stream.on_seated)
            try:
                yield stream
            finally:
                self.tables.bus.unsubscribe(_seated(person), stream.on_seated)
                stream.close()
                self._open[person].discard(stream)
                if not self._open[person]:
                    del self._open[person]

    def joined(self, person: str, table: Table, seat: int) -> None:
        """A person sat down: their streams include this seat from now on."""
        for stream in self._open.get(person, ()):
            stream.listen(table, seat)
        if self.store.shared:
            self.tables.bus.publish(_seated(person), now())

    async def wait_for_event(
        self, table: Table, seated: Seated, after: int, wait: float, address: str
    ) -> None:
        """Return when the table is past an event, when the time is over, or when the server shuts down."""
        woken = asyncio.Event()
        listener = TableListener(table, seated.viewer, seated.person, woken)
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        with self._counted(seated.person or address):
            table.attach(listener)
            try:
                while not (table.head > after or table.is_dropped or self.draining) and loop.time() < until:
                    woken.clear()
                    try:
                        async with asyncio.timeout(min(_POLL_S, until - loop.time())):
                            await woken.wait()
                    except TimeoutError:
                        pass
            finally:
                table.detach(listener)

    def check(self, who: str) -> None:
        """Raise `TooMany` if this person has too many open already."""
        if self._waiting[who] >= self._most:
            raise TooMany("too many open streams and long polls", again=5000)

    @contextmanager
    def _counted(self, who: str) -> Iterator[None]:
        self.check(who)
        self._waiting[who] += 1
        gauge = self._metrics.streams
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]


def _seated(person: str) -> str:
    return f"seated/{person}"


def _line(message: StreamTurn | StreamOver | StreamIdle) -> bytes:
    return _encode(message) + b"\n"
