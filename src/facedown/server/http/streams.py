"""Long polls and streams of events: waiting for what happens at tables without a WebSocket.

Nothing is queued for a slow reader: a listener is woken, then reads the current state of its tables.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from facedown.core.seats import Seat
from facedown.protocol.errors import BrokenTable, TooMany
from facedown.protocol.rest import (
    EventChallenge,
    EventChallengeOver,
    EventEnd,
    EventGame,
    EventOver,
    EventTurn,
    StreamState,
)
from facedown.server.accounts.credentials import Seated
from facedown.server.clock import now
from facedown.server.ids import hash_token
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
_BEAT_S: Final = 6.0
"""How long nothing is written before an empty line shows that the stream is alive."""
_LOOK_S: Final = 15.0
"""How often a stream looks for seats and challenges without a hint, which may have been lost."""
_OVERLAP_MS: Final = 5000
"""How far clocks of servers may differ: a game that ended is named twice rather than never."""
_MOST_ENDED: Final = 100
_READ_S: Final = 30.0
"""How long a line may stay unread before its reader is disconnected."""
_POLL_S: Final = 0.5
"""How soon a waiting call notices that the server shuts down."""
_MOST_TABLES: Final = 500
_encode = msgspec.json.Encoder().encode

EndReason: TypeAlias = Literal["replaced", "signed_out", "shutdown", "slow", "too_many"]
Line: TypeAlias = (
    StreamState | EventGame | EventTurn | EventOver | EventChallenge | EventChallengeOver | EventEnd
)


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


class EventStream:
    """The events of one person at all their tables, for one token, as lines of JSON.

    The first line is the whole state, every line has a `v`, and a reader that was away names the last one as
    `since`. Nothing is queued: a stream that is woken compares what is open with what it has written, so a
    slow reader finds fewer lines and misses nothing. One token has one stream, on whatever server.
    """

    def __init__(self, streams: Streams, person: str, key: str, since: int | None) -> None:
        self._person = person
        self._streams = streams
        self._woken = asyncio.Event()
        self._listeners: dict[tuple[str, Seat], TableListener] = {}
        self._may_miss_seats = False
        """Whether the person may hold seats that this stream does not listen at."""
        self._ended: EndReason | None = None
        """Why this stream has to end; None while it goes on."""
        self._since = since
        self._v = now()
        self._states: dict[tuple[str, Seat], str] = {}
        """The state of each game as it was written."""
        self._challenges: dict[str, EventChallenge] = {}
        self._key = key
        self._topics = {
            f"events/{key}": self._on_replaced,
            _seats_topic(person): self._on_seated,
            sign_out_topic(person): self._on_sign_out,
        }
        bus = streams.tables.bus
        bus.publish(f"events/{key}", self._v)  # ends an earlier one on another server
        streams.replace(key, self)
        for topic, receive in self._topics.items():
            bus.subscribe(topic, receive)

    def listen(self, table: Table, seat: Seat) -> None:
        if (table.id, seat) in self._listeners or len(self._listeners) >= _MOST_TABLES:
            return
        listener = TableListener(table, seat, self._person, self._woken)
        self._listeners[table.id, seat] = listener
        table.attach(listener)
        self._woken.set()

    def close(self) -> None:
        for topic, receive in self._topics.items():
            self._streams.tables.bus.unsubscribe(topic, receive)
        self._streams.drop(self._key, self)
        for listener in self._listeners.values():
            listener.table.detach(listener)
        self._listeners.clear()

    def end(self, why: EndReason) -> None:
        """End the stream, with the reason on its last line."""
        self._ended = why
        self._woken.set()

    def wake(self) -> None:
        """Look for new seats and challenges."""
        self._may_miss_seats = True
        self._woken.set()

    def _on_replaced(self, _number: int, _node: str) -> None:
        self.end("replaced")

    def _on_sign_out(self, _number: int, _node: str) -> None:
        """A session of the person has ended; clients with another one open the stream again."""
        self.end("signed_out")

    def _on_seated(self, _number: int, _node: str) -> None:
        """The person has taken a seat, or was challenged, at another server."""
        self.wake()

    async def lines(self) -> AsyncIterator[bytes]:
        """The state, then a line for each change; ends with a reason."""
        loop = asyncio.get_running_loop()
        yield self._line(await self._state())
        written = looked = loop.time()
        while not (self._streams.draining or self._ended):
            self._woken.clear()
            if self._may_miss_seats or loop.time() - looked >= _LOOK_S:
                looked = loop.time()
                await self._listen_everywhere()
                for change in await self._changed_challenges():
                    yield self._line(change)
                    written = loop.time()
            for listener in [each for each in self._listeners.values() if each.changed]:
                for event in await self._events_of(listener):
                    yield self._line(event)
                    written = loop.time()
            if len(self._listeners) >= _MOST_TABLES:
                self.end("too_many")
            if loop.time() - written >= _BEAT_S:
                yield b"\n"
                written = loop.time()
            await wait_for_hint(self._woken, _POLL_S)
        yield self._line(EventEnd(self._next(), self._ended or "shutdown"))

    async def _listen_everywhere(self) -> None:
        self._may_miss_seats = False
        for state in ("open", "opening", "playing"):
            mine = await self._streams.store.tables(person=self._person, state=state, limit=_MOST_TABLES)
            for listed in mine:
                try:
                    table = await self._streams.tables.get(listed.id)
                except BrokenTable:
                    continue
                for seat in listed.seats:
                    self.listen(table, seat)

    async def _state(self) -> StreamState:
        await self._listen_everywhere()
        games, turns = list[EventGame](), list[EventTurn]()
        for listener in list(self._listeners.values()):
            for event in await self._events_of(listener):
                if isinstance(event, EventGame):
                    games.append(event)
                elif isinstance(event, EventTurn):
                    turns.append(event)
        challenges = [each for each in await self._changed_challenges() if isinstance(each, EventChallenge)]
        ended = await self._ended_since(self._since)
        return StreamState(self._next(), self._person, tuple(games), tuple(turns), tuple(challenges), ended)

    async def _ended_since(self, since: int | None) -> tuple[str, ...]:
        if since is None:
            return ()
        store = self._streams.store
        found = await store.tables(person=self._person, state="over", limit=_MOST_ENDED)
        return tuple(each.id for each in found if each.changed_at > since - _OVERLAP_MS)

    async def _events_of(self, listener: TableListener) -> list[EventGame | EventTurn | EventOver]:
        """What is new at a seat since it was written last."""
        listener.changed = False
        table, seat = listener.table, listener.viewer
        await table.settle()
        if table.phase in ("over", "closed"):
            self._drop(table, seat, listener)
            return [EventOver(self._next(), table.id, seat)]
        events: list[EventGame | EventTurn | EventOver] = []
        if self._states.get((table.id, seat)) != table.phase:
            self._states[table.id, seat] = table.phase
            events.append(EventGame(self._next(), table.id, seat, table.setup.game, table.phase))
        turn = table.turn_of(seat)
        if turn is not None and turn[0] != listener.written:
            listener.written, deadline = turn
            events.append(EventTurn(self._next(), table.id, seat, listener.written, deadline))
        return events

    def _drop(self, table: Table, seat: Seat, listener: TableListener) -> None:
        table.detach(listener)
        self._listeners.pop((table.id, seat), None)
        self._states.pop((table.id, seat), None)

    async def _changed_challenges(self) -> list[EventChallenge | EventChallengeOver]:
        """Challenges that have come, and those that wait no longer."""
        streams = self._streams
        waiting = {
            each.table: each for each in await streams.store.contacts.received_challenges(self._person)
        }
        changes: list[EventChallenge | EventChallengeOver] = []
        for table_id in [each for each in self._challenges if each not in waiting]:
            del self._challenges[table_id]
            changes.append(EventChallengeOver(self._next(), table_id))
        for table_id in [each for each in waiting if each not in self._challenges]:
            found, table = waiting[table_id], await streams.tables.get(table_id)
            seat = table.seat_kept_for(self._person)
            challenge = EventChallenge(self._next(), table_id, seat, found.game, found.name, found.handle)
            self._challenges[table_id] = challenge
            changes.append(challenge)
        return changes

    def _next(self) -> int:
        self._v = max(now(), self._v + 1)
        return self._v

    @staticmethod
    def _line(event: Line) -> bytes:
        return _encode(event) + b"\n"


class Streams:
    """All streams and long polls of this server, counted per person."""

    def __init__(self, store: Store, tables: Tables, metrics: Metrics, *, most: int) -> None:
        self.store = store
        self.tables = tables
        self.draining = False
        """Whether the server is shutting down: all of them end."""
        self._metrics = metrics
        self._most = most
        self._open: dict[str, set[EventStream]] = {}
        self._of_token: dict[str, EventStream] = {}
        """The only stream of each token."""
        self._waiting: Counter[str] = Counter()

    @contextlib.contextmanager
    def stream(self, person: str, token: str, since: int | None) -> Iterator[EventStream]:
        """The stream of a person's token; `since` is the last line that its reader has. Raises `TooMany`."""
        with self.count(person):
            stream = EventStream(self, person, hash_token(token).hex(), since)
            self._open.setdefault(person, set()).add(stream)
            try:
                yield stream
            finally:
                stream.close()
                self._open[person].discard(stream)
                if not self._open[person]:
                    del self._open[person]

    def replace(self, token: str, stream: EventStream) -> None:
        """This is the stream of a token from now on: an earlier one ends. `token` is a hash."""
        if (earlier := self._of_token.get(token)) is not None:
            earlier.end("replaced")
        self._of_token[token] = stream

    def drop(self, token: str, stream: EventStream) -> None:
        """The stream of a token has ended."""
        if self._of_token.get(token) is stream:
            del self._of_token[token]

    def end_all(self, person: str) -> None:
        """End the person's streams on this server."""
        for stream in self._open.get(person, ()):
            stream.end("signed_out")

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


# --- the response ----------------------------------------------------------------------------------------


class StreamResponse(Response):
    """A streaming response that ends when its reader disconnects or stops reading."""

    media_type = STREAM_MEDIA

    def __init__(self, streams: Streams, person: str, token: str, since: int | None) -> None:
        super().__init__(None, 200, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams = streams
        self._asked = person, token, since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.stream(*self._asked) as stream, contextlib.suppress(ClientDisconnect):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await run_while_connected(receive, _write(stream, send))


async def _write(stream: EventStream, send: Send) -> None:
    with contextlib.suppress(OSError, StoreFailed):  # the reader reconnects
        async for line in stream.lines():
            try:
                async with asyncio.timeout(_READ_S):
                    await send({"type": "http.response.body", "body": line, "more_body": True})
            except TimeoutError:
                stream.end("slow")
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
