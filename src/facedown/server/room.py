"""The room: how many people are here, a game to watch, and who waits for whom; what home shows of others.

People count while they are connected to a table, at a seat or watching; machines never do. Each server counts
its own and publishes the number; everything else is read from the store, and kept for a few seconds.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from facedown.core.errors import FacedownError
from facedown.protocol.pairing import BusyHours, PoolInfo, RoomInfo
from facedown.protocol.rest import ListedTable
from facedown.server.clock import DAY_MS, HOUR_MS, SECOND_MS, now
from facedown.server.pairing import Pairing
from facedown.server.store.base import Store
from facedown.server.store.values import ListedRow
from facedown.server.table.summary import details_of, listed_table
from facedown.server.table.tables import Tables

_TOPIC: Final = "room"
_KEPT_MS: Final = 3 * SECOND_MS
"""How old an answer may be."""
_REMOTE_MS: Final = 45 * SECOND_MS
"""How long the count of another server is believed; servers report every 20 s."""
_OPEN: Final = 7
"""Open tables that are listed."""
_CANDIDATES: Final = 20
"""Tables that are considered for watching, newest first."""
_LEAST_PEOPLE: Final = 2
"""People at a table that is worth watching."""

# --- when people play ------------------------------------------------------------------------------------

_WEEKS_MS: Final = 21 * DAY_MS
_GAMES: Final = 1000
"""Finished games that are considered, newest first."""
_LEAST_GAMES: Final = 30
_LEAST_DAYS: Final = 5
_LEAST_PART: Final = 0.35
_WINDOW: Final = 2
"""Hours that are named."""
_HOURS: Final = 24


def busy_hours(ended: Sequence[int]) -> BusyHours | None:
    """The two hours of a day (UTC) in which most games ended; None if no hours stand out, or little is known.

    >>> evenings = [day * DAY_MS + hour * HOUR_MS for day in range(6) for hour in (19, 19, 20, 20, 9)]
    >>> busy_hours(evenings)
    BusyHours(first=19, last=21)
    >>> busy_hours(evenings[:20])
    """
    days = {at // DAY_MS for at in ended}
    if len(ended) < _LEAST_GAMES or len(days) < _LEAST_DAYS:
        return None
    hours = Counter(at // HOUR_MS % _HOURS for at in ended)
    sums = {hour: sum(hours[(hour + more) % _HOURS] for more in range(_WINDOW)) for hour in range(_HOURS)}
    first = max(sums, key=lambda hour: sums[hour])
    if sums[first] < _LEAST_PART * len(ended):
        return None
    return BusyHours(first, (first + _WINDOW) % _HOURS)


# --- the service -----------------------------------------------------------------------------------------


class Room:
    """What a visitor may know of the others."""

    def __init__(self, store: Store, tables: Tables, pairing: Pairing, *, pairs: bool) -> None:
        """`pairs`: whether people find each other on this server."""
        self._store = store
        self._tables = tables
        self._pairing = pairing
        self._pairs = pairs
        self._remote: dict[str, tuple[int, int]] = {}
        """What other servers counted last, and when."""
        self._reading = asyncio.Lock()
        self._read_at = 0
        self._known = RoomInfo()
        self._watch: Sequence[ListedTable] = ()
        """The games that anyone may watch, the best one first."""
        self._hours_at = 0
        self._hours: BusyHours | None = None

    def start(self) -> None:
        self._tables.bus.subscribe(_TOPIC, self._on_count)

    def publish(self) -> None:
        """Tell other servers how many people are connected here."""
        self._tables.bus.publish(_TOPIC, len(self._here()))

    def _on_count(self, number: int, node: str) -> None:
        if node != self._tables.bus.node:
            self._remote[node] = (number, now())

    def _here(self) -> set[str]:
        return {person for table in self._tables.all_loaded for person in table.connected_people}

    async def info(self, person: str = "") -> RoomInfo:
        """The room as this person sees it: without themselves and their own games."""
        async with self._reading:
            if now() - self._read_at >= _KEPT_MS:
                self._known = await self._read()
                self._read_at = now()
        known, here = self._known, self._here()
        self._remote = {node: each for node, each in self._remote.items() if now() - each[1] < _REMOTE_MS}
        others = len(here) + sum(count for count, _ in self._remote.values())
        if person and others and (person in here or await self._is_elsewhere(person)):
            others -= 1
        watch = next((each for each in self._watch if not self._is_own(each, person)), None)
        return replace(known, here=others, watch=watch)

    def _is_own(self, listed: ListedTable, person: str) -> bool:
        table = self._tables.loaded_table(listed.table)
        return bool(person) and table is not None and bool(table.seats_of(person))

    async def _is_elsewhere(self, person: str) -> bool:
        """Whether the person is connected to another server."""
        return bool(self._remote) and await self._store.was_seen(person, now() - _REMOTE_MS)

    async def _read(self) -> RoomInfo:
        playing = await self._store.tables(state="playing", public=True, limit=_CANDIDATES)
        pools: tuple[PoolInfo, ...] = await self._pairing.pools() if self._pairs else ()
        if now() - self._hours_at >= HOUR_MS:
            self._hours = busy_hours(await self._store.ends_since(now() - _WEEKS_MS, _GAMES))
            self._hours_at = now()
        self._watch = await self._to_watch(playing)
        finished = []
        if not self._watch:
            finished = await self._to_watch(
                await self._store.tables(state="over", public=True, limit=_CANDIDATES)
            )
        free = await self._store.tables(state="open", public=True, limit=_OPEN)
        return RoomInfo(
            playing=len(self._watch),
            pools=pools,
            hours=self._hours,
            replay=finished[0] if finished else None,
            open=tuple(map(listed_table, free)),
        )

    async def _to_watch(self, listed: Sequence[ListedRow]) -> list[ListedTable]:
        """The games between people that anyone may watch: live ones first, and of these the newest."""
        found: list[ListedTable] = []
        for each in sorted(listed, key=lambda row: details_of(row.summary.about).clock.kind != "decision"):
            people = sum(seat.kind == "person" for seat in details_of(each.summary.about).seats)
            if people < _LEAST_PEOPLE:
                continue
            try:
                table = await self._tables.get(each.id)
                await table.settle()
                if table.may_watch(None):
                    found.append(listed_table(each, table.progress()))
            except FacedownError:  # closed just now, another version's, or being saved again
                continue
        return found
