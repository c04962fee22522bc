"""Standings for everyone who looks at a tournament: one string of bytes for each change, shared by all.

One task for each tournament that is looked at follows its facts, and keeps the last changes by version. A
reader with another version gets the whole standings, which are also made once for all.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from facedown.protocol.tournaments import TournamentUpdate
from facedown.server.tournaments.facts import Tournament
from facedown.server.tournaments.service import Tournaments, standing_row, topic_of

_KEPT: Final = 50
_POLL_S: Final = 2.0
"""How soon a change is noticed whose hint was lost."""
_PACE_S: Final = 0.5
"""The least time between two changes that are sent."""
_IDLE_S: Final = 15.0
_NOTHING: Final = b"\n"
_encode = msgspec.json.Encoder().encode


class _Change(NamedTuple):
    after: int
    v: int
    line: bytes


class TournamentFeed:
    """The changes of one tournament on this server, for all who look at it."""

    def __init__(self, tournaments: Tournaments, state: Tournament) -> None:
        """`state` is the one that all requests share, as it was loaded just now."""
        self._tournaments = tournaments
        self._id = state.id
        self._state = state.copy()
        """What readers have: other requests do not move it while something is read for it."""
        self._changed: set[int] = set()
        """Entrants who have changed since then."""
        state.changed.clear()
        self._changes: deque[_Change] = deque(maxlen=_KEPT)
        self._whole: tuple[int, bytes] = (0, b"")
        self.readers = 0
        self._hinted = asyncio.Event()
        self._moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    @property
    def v(self) -> int:
        return self._state.head

    def start(self) -> None:
        self._tournaments.bus.subscribe(topic_of(self._id), self._on_hint)
        self._task = asyncio.create_task(self._follow(), name="standings")

    def stop(self) -> None:
        self._tournaments.bus.unsubscribe(topic_of(self._id), self._on_hint)
        if self._task is not None:
            self._task.cancel()

    def _on_hint(self, _number: int, _node: str) -> None:
        self._hinted.set()

    async def _follow(self) -> None:
        backoff = self._tournaments.backoff
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_S):
                    await self._hinted.wait()
            self._hinted.clear()
            with backoff.attempt("standings", self._id):
                await self.catch_up()
            await asyncio.sleep(max(_PACE_S, backoff.wait_s("standings", self._id)))

    async def catch_up(self) -> None:
        """Make the next change, if there is one."""
        shared = await self._tournaments.load(self._id)
        if shared.head == self.v:
            return
        self._changed |= shared.changed
        shared.changed.clear()
        state, changed = shared.copy(), sorted(self._changed)
        names = await self._tournaments.names(self._id)
        rows = tuple(standing_row(state, state.entrants[number], names) for number in changed)
        update = TournamentUpdate(self.v, await self._tournaments.head(state), rows)
        self._changes.append(_Change(self.v, state.head, _encode(update) + b"\n"))
        self._state = state
        self._changed.clear()
        async with self._moved:
            self._moved.notify_all()

    async def lines(self, since: int) -> AsyncIterator[bytes]:
        """The changes after a version, or the whole first; a blank line when nothing happens."""
        v = since
        while True:
            known = next((each for each in self._changes if each.after == v), None)
            if known is not None:
                v = known.v
                yield known.line
            elif v < self.v:
                v, line = await self._read_whole()
                yield line
            else:  # it may have read a version that this feed will reach in a moment
                try:
                    async with asyncio.timeout(_IDLE_S), self._moved:
                        await self._moved.wait()
                except TimeoutError:
                    yield _NOTHING
                    v = 0 if v > self.v else v

    async def _read_whole(self) -> tuple[int, bytes]:
        state = self._state
        if self._whole[0] != state.head:
            head, rows = await self._tournaments.head(state), await self._tournaments.standings(state)
            self._whole = state.head, _encode(TournamentUpdate(0, head, rows)) + b"\n"
        return self._whole


class TournamentFeeds:
    """The feeds of all tournaments that someone looks at on this server."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self._feeds: dict[str, TournamentFeed] = {}

    async def lines(self, tournament: str, since: int) -> AsyncIterator[bytes]:
        """The changes of a tournament as lines of JSON; raises `UnknownTournament`."""
        state = await self._tournaments.load(tournament)
        feed = self._feeds.get(tournament)
        if feed is None:
            feed = self._feeds[tournament] = TournamentFeed(self._tournaments, state)
            feed.start()
        feed.readers += 1
        try:
            async for line in feed.lines(since):
                yield line
        finally:
            feed.readers -= 1
            if not feed.readers and self._feeds.get(tournament) is feed:
                del self._feeds[tournament]
                feed.stop()
