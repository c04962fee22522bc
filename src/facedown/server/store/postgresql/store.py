"""The PostgreSQL store of one server or several: tables and their events. The rest is in its base classes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from facedown.server.store.base import (
    Append,
    EventRow,
    ListedRow,
    OnDone,
    PersonalText,
    StoreFailed,
    TableSummary,
)
from facedown.server.store.postgresql.accounts import PostgresAccounts
from facedown.server.store.postgresql.ended import PostgresPlayed, PostgresRatings
from facedown.server.store.postgresql.forget import PostgresForgetting
from facedown.server.store.postgresql.moderation import PostgresModeration
from facedown.server.store.postgresql.sharing import PostgresSharing
from facedown.server.store.postgresql.writer import AppendQueue

PATIENCE: Final = 5.0
"""Seconds that a write may take before the store counts as not ready."""

_ROWS: Final = """select e.v, e.kind, e.at, e.public, e.secret, e.seat, e.command, e.spent, e.digest,
        t.slot, t.person, t.text
    from events e left join texts t on t.table_no = e.table_no and t.v = e.v
    where e.table_no = (select no from tables where id = $1) and e.v > $2 order by e.v, t.slot"""
_LISTED: Final = """select tables.id, head, deadline, changed_at,
    tables.game, rules, state, public, created_at, about"""
_OF_GAME: Final = "game between {0} and {0}"
"""As a range, with the game in the order: only an index of games will do. Of any game the planner would
read the newest tables until there are enough of it: for one that nobody plays, these are all."""
_OF_PERSON: Final = """(select distinct table_id {mine}) mine cross join lateral
    (select * from tables where id = mine.table_id and {where} offset 0) tables"""
"""Looks up the tables of a person one by one (`offset 0`): the planner would rather read all there are."""
_GAMES: Final = f"""{_LISTED}, seat from played join tables on tables.id = table_id
    where person = $1 order by played.at desc, table_id desc limit $2"""


class PostgresStore(
    PostgresAccounts, PostgresForgetting, PostgresModeration, PostgresRatings, PostgresPlayed, PostgresSharing
):
    """Implements `Store` on a database that other servers may use as well."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._appends = AppendQueue(self)
        self._asked: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        return self._appends.waiting

    def append(self, batch: Append) -> asyncio.Future[None]:
        batch.check_rows()
        return self._appends.put(batch)

    def append_then(self, batch: Append, done: OnDone) -> None:
        self.append(batch).add_done_callback(lambda future: done(None, _failure_of(future)))

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        found = await self._select(_ROWS, table, after)
        return [_event(list(lines)) for _, lines in groupby(found, key=lambda line: line[0])]

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        asked = (("state = {0}", state), (_OF_GAME, game))
        conditions, values = [], []
        for condition, value in asked:
            if value:
                values.append(value)
                conditions.append(condition.format(f"${len(values)}"))
        if public is not None:  # no value, so that an index on what is public can be used
            conditions.append("public" if public else "not public")
        where = " and ".join(conditions) or "true"
        seats, source = "null", f"tables where {where}"
        order = "game desc, created_at" if game else "created_at"
        if person:
            values.append(person)
            mine = f"from seats where person = ${len(values)}"
            seats = f"(select array_agg(seat order by seat) {mine} and table_id = tables.id)"
            source, order = _OF_PERSON.format(mine=mine, where=where), "changed_at"
        query = f"{_LISTED}, {seats} from {source} order by {order} desc, tables.id limit {limit:d}"
        found = await self._select(query, *values)
        return [_listed(fields[:10], tuple(fields[10] or ())) for fields in found]

    async def stale_tables(self, before: int, limit: int = 100) -> list[str]:
        query = "select id from tables where state = 'open' and changed_at <= $1 order by changed_at limit $2"
        return [table for (table,) in await self._select(query, before, limit)]

    async def set_about(self, table: str, about: bytes) -> None:
        await self._execute("update tables set about = $1 where id = $2", about, table)

    async def listed(self, table: str) -> ListedRow | None:
        found = await self._select_one(f"{_LISTED} from tables where id = $1", table)
        return None if found is None else _listed(found, ())

    async def person_games(self, person: str, limit: int = 50) -> list[ListedRow]:
        found = await self._select(_GAMES, person, limit)
        return [_listed(fields[:10], (fields[10],)) for fields in found]

    async def ready(self) -> None:
        if self._asked is None or self._asked.done():
            self._asked = self.start(self.set_value("ready", b""))
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.shield(self._asked)
        except TimeoutError:
            raise StoreFailed(f"the store did not write anything for {PATIENCE:.0f} seconds") from None

    async def close(self) -> None:
        await self._appends.close()
        await self.close_connections()


def _failure_of(future: asyncio.Future[None]) -> BaseException | None:
    return asyncio.CancelledError() if future.cancelled() else future.exception()


def _event(lines: list[Any]) -> EventRow:
    """An event from its lines: one for each of its texts."""
    texts = tuple(PersonalText(*line[9:]) for line in lines if line[9] is not None)
    v, kind, at, public, secret, seat, command, spent, digest, *_ = lines[0]
    return EventRow(v, kind, at, public, secret, seat, command, spent, digest, texts)


def _listed(fields: Sequence[Any], seats: tuple[int, ...]) -> ListedRow:
    table, head, deadline, changed_at, game, rules, state, public, created_at, about = fields
    summary = TableSummary(game, rules, state, public, created_at, about)
    return ListedRow(table, head, deadline, changed_at, summary, seats)
