"""Waiting for what happens without a socket: long polls, and a person's stream of turns.

Nothing piles up for a slow reader: who listens is woken, then reads where the tables stand.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import msgspec

from facedown.protocol.errors import TooMany
from facedown.protocol.rest import Idle, Over, Turn

if TYPE_CHECKING:
    from facedown.server.http.endpoint import Seated
    from facedown.server.services import House
    from facedown.server.table.table import Table

IDLE_S: Final = 15.0
_LOOK_S: Final = 0.5
"""How soon a waiting call notices that the server is going down."""
_MOST_TABLES: Final = 500
_EVENT: Final = b'{"t":"ev"'
_encode = msgspec.json.Encoder().encode


class Ear:
    """Listens at a table as a seat, and wakes whoever waits."""

    __slots__ = ("_woken", "news", "person", "table", "told", "viewer")

    def __init__(self, table: Table, viewer: int, person: str, woken: asyncio.Event) -> None:
        self.table = table
        self.viewer = viewer
        self.person = person
        self.news = True
        self.told = 0
        """The last decision of which a stream has told."""
        self._woken = woken

    def tell(self, frame: bytes) -> None:
        """Something was said at the table; who comes and goes is no news."""
        if frame.startswith(_EVENT):
            self.news = True
            self._woken.set()


class Stream:
    """What one person is told of all their tables."""

    def __init__(self, house: House, person: str) -> None:
        self.person = person
        self._house = house
        self._woken = asyncio.Event()
        self._ears: dict[tuple[str, int], Ear] = {}

    def listen(self, table: Table, seat: int) -> None:
        """One more seat of this person."""
        if (table.id, seat) in self._ears or len(self._ears) >= _MOST_TABLES:
            return
        ear = Ear(table, seat, self.person, self._woken)
        self._ears[table.id, seat] = ear
        table.attach(ear)
        self._woken.set()

    def close(self) -> None:
        """Listen nowhere any more."""
        for ear in self._ears.values():
            ear.table.detach(ear)
        self._ears.clear()

    async def lines(self, idle: float = IDLE_S) -> AsyncIterator[bytes]:
        """Every turn and every end, and a sign of life now and then; ends when the server goes down."""
        for state in ("open", "opening", "playing"):
            for listed in await self._house.store.tables(person=self.person, state=state, limit=_MOST_TABLES):
                table = await self._house.tables.get(listed.id)
                for seat in listed.seats:
                    self.listen(table, seat)
        yield _line(Idle())
        loop = asyncio.get_running_loop()
        quiet_since = loop.time()
        while not self._house.draining:
            self._woken.clear()
            for ear in [each for each in self._ears.values() if each.news]:
                for line in await self._news(ear):
                    yield line
                    quiet_since = loop.time()
            if loop.time() - quiet_since >= idle:
                yield _line(Idle())
                quiet_since = loop.time()
            try:
                async with asyncio.timeout(min(_LOOK_S, idle)):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def _news(self, ear: Ear) -> list[bytes]:
        """What this seat has to be told now, and has not been."""
        ear.news = False
        table = ear.table
        await table.settled()
        if table.phase in ("over", "closed"):
            table.detach(ear)
            del self._ears[table.id, ear.viewer]
            last = all(other != table.id for other, _ in self._ears)
            return [_line(Over(table.id))] if last else []
        waiting = table.turn_of(ear.viewer)
        if waiting is None or waiting[0] == ear.told:
            return []
        ear.told, deadline = waiting
        return [_line(Turn(table.id, ear.viewer, ear.told, deadline))]


class Streams:
    """All streams and waiting calls of this server."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._open: dict[str, set[Stream]] = {}
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def stream(self, person: str) -> Iterator[Stream]:
        """A stream for a person; raises `TooMany`."""
        with self._counted(person):
            stream = Stream(self._house, person)
            self._open.setdefault(person, set()).add(stream)
            try:
                yield stream
            finally:
                stream.close()
                self._open[person].discard(stream)
                if not self._open[person]:
                    del self._open[person]

    def joined(self, person: str, table: Table, seat: int) -> None:
        """Somebody sat down: their streams tell of this seat, too."""
        for stream in self._open.get(person, ()):
            stream.listen(table, seat)

    async def wait_for_news(
        self, table: Table, seated: Seated, after: int, wait: float, address: str
    ) -> None:
        """Return when the table is past an event, after so many seconds, or when the server goes down."""
        woken = asyncio.Event()
        ear = Ear(table, seated.viewer, seated.person, woken)
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        with self._counted(seated.person or address):
            table.attach(ear)
            try:
                while table.head <= after and not self._house.draining and loop.time() < until:
                    woken.clear()
                    try:
                        async with asyncio.timeout(min(_LOOK_S, until - loop.time())):
                            await woken.wait()
                    except TimeoutError:
                        pass
            finally:
                table.detach(ear)

    def check(self, who: str) -> None:
        """Raise `TooMany` if this one would be one too many."""
        if self._waiting[who] >= self._house.settings.streams:
            raise TooMany("too many streams and waiting calls at once", again=5000)

    @contextmanager
    def _counted(self, who: str) -> Iterator[None]:
        self.check(who)
        self._waiting[who] += 1
        gauge = self._house.metrics.streams
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]


def _line(told: Turn | Over | Idle) -> bytes:
    return _encode(told) + b"\n"
