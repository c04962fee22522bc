"""The stream of a person's events: seats, turns, challenges and ends at all their tables, as lines of JSON.

The first line is the whole state, every line has a `v`, and a reader that was away names the last one as
`since`. Nothing is queued: a stream that is woken compares what is open with what it has written, so a slow
reader finds fewer lines and misses nothing. One token has one stream, on whatever server.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final, Literal, TypeAlias, cast

import msgspec

from facedown.core.seats import Seat
from facedown.protocol.rest import (
    EventChallenge,
    EventChallengeOver,
    EventEnd,
    EventGame,
    EventOver,
    EventTurn,
    StreamState,
)
from facedown.server.clock import now
from facedown.server.http.streams import MOST_TABLES, Streams, TableListener, TurnStream, wait_for_hint
from facedown.server.ids import hash_token
from facedown.server.table.table import Table

_BEAT_S: Final = 6.0
"""How long nothing is written before an empty line shows that the stream is alive."""
_LOOK_S: Final = 15.0
"""How often a stream looks for seats and challenges without a hint, which may have been lost."""
_POLL_S: Final = 0.5
_OVERLAP_MS: Final = 5000
"""How far clocks of servers may differ: a game that ended is named twice rather than never."""
_MOST_ENDED: Final = 100

EndReason: TypeAlias = Literal["replaced", "signed_out", "shutdown", "slow", "too_many"]
Line: TypeAlias = (
    StreamState | EventGame | EventTurn | EventOver | EventChallenge | EventChallengeOver | EventEnd
)
_encode = msgspec.json.Encoder().encode


def opener(token: str, since: int | None) -> Callable[[Streams, str], TurnStream]:
    """What makes the stream of this token; `since` is the last line that its reader has."""
    return partial(EventStream, key=hash_token(token).hex(), since=since)


class EventStream(TurnStream):
    """The events of one person, for one token."""

    def __init__(self, streams: Streams, person: str, *, key: str, since: int | None) -> None:
        super().__init__(streams, person)
        self._since = since
        self._v = now()
        self._states: dict[tuple[str, Seat], str] = {}
        """The state of each game as it was written."""
        self._challenges: dict[str, EventChallenge] = {}
        self._key = key
        self._topic = f"events/{key}"
        bus = streams.tables.bus
        bus.publish(self._topic, self._v)  # ends an earlier one on another server
        streams.replace(key, self)
        bus.subscribe(self._topic, self._on_replaced)

    def close(self) -> None:
        self._streams.tables.bus.unsubscribe(self._topic, self._on_replaced)
        self._streams.drop(self._key, self)
        super().close()

    def _on_replaced(self, _number: int, _node: str) -> None:
        self.end(why="replaced")

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
            if len(self._listeners) >= MOST_TABLES:
                self.end(why="too_many")
            if loop.time() - written >= _BEAT_S:
                yield b"\n"
                written = loop.time()
            await wait_for_hint(self._woken, _POLL_S)
        yield self._line(EventEnd(self._next(), cast("EndReason", self._ended or "shutdown")))

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
