"""The SQLite store of a single server: tables and their events. Accounts are in the base class."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from facedown.server.store.base import Append, EventRow, ListedRow, OnDone, StoreFailed, TableSummary
from facedown.server.store.sqlite.accounts import SqliteAccounts
from facedown.server.store.sqlite.ended import SqlitePlayed, SqliteRatings
from facedown.server.store.sqlite.moderation import SqliteModeration
from facedown.server.store.sqlite.personal_texts import with_texts
from facedown.server.store.sqlite.sharing import SqliteSharing
from facedown.server.store.sqlite.worker import future_of

PATIENCE: Final = 5.0
"""Seconds that a write may take before the store counts as not ready."""

_ROWS: Final = """select v, kind, at, public, secret, seat, command, spent, digest from events
    where table_no = (select no from tables where id = ?) and v > ? order by v"""
_LISTED: Final = """select tables.id, head, deadline, changed_at,
    tables.game, rules, state, public, created_at, about"""
_GAMES: Final = f"""{_LISTED}, seat from played cross join tables on tables.id = table_id
    where person = ? order by played.at desc, table_id desc limit ?"""
"""`cross join` has SQLite begin with the games of the person."""


class SqliteStore(SqliteAccounts, SqliteModeration, SqliteRatings, SqlitePlayed, SqliteSharing):
    """Implements `Store` on a data directory that no other server uses."""

    def append(self, batch: Append) -> asyncio.Future[None]:
        batch.check_rows()
        self._end_rest(batch)
        return future_of(self._writes, batch)

    def append_then(self, batch: Append, done: OnDone) -> None:
        batch.check_rows()
        self._end_rest(batch)
        self._writes.put(batch, done)

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        def query(connection: sqlite3.Connection) -> list[EventRow]:
            found = connection.execute(_ROWS, (table, after)).fetchall()
            return with_texts(connection, table, after, found)

        return await self.read(query)

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        # A person has few tables, a state may have very many: `+` keeps SQLite from using the index on state.
        asked: list[tuple[str, object]] = [("+state = ?" if person else "state = ?", state)] if state else []
        asked += [("game = ?", game)] if game else []
        if person:
            asked.append(("tables.id in (select table_id from seats where person = ?)", person))
        conditions = [condition for condition, _ in asked]
        if public is not None:  # no value, so that an index on what is public can be used
            conditions.append("public" if public else "not public")
        where = " and ".join(conditions) or "true"
        order = "changed_at" if person else "created_at"
        statement = f"{_LISTED} from tables where {where} order by {order} desc, tables.id limit ?"
        values = [value for _, value in asked]

        def query(connection: sqlite3.Connection) -> list[ListedRow]:
            seats = _seats(connection, person) if person else {}
            found = connection.execute(statement, (*values, limit)).fetchall()
            return [_listed(fields, tuple(seats.get(fields[0], ()))) for fields in found]

        return await self.read(query)

    async def stale_tables(self, before: int, limit: int = 100) -> list[str]:
        query = "select id from tables where state = 'open' and changed_at <= ? order by changed_at limit ?"
        return [table for (table,) in await self._select(query, before, limit)]

    async def set_about(self, table: str, about: bytes) -> None:
        await self._execute("update tables set about = ? where id = ?", about, table)

    async def listed(self, table: str) -> ListedRow | None:
        found = await self._select_one(f"{_LISTED} from tables where id = ?", table)
        return None if found is None else _listed(found, ())

    async def person_games(self, person: str, limit: int = 50) -> list[ListedRow]:
        return [_listed(fields, (seat,)) for *fields, seat in await self._select(_GAMES, person, limit)]

    async def ready(self) -> None:
        if self.damage:
            raise StoreFailed(f"the database is damaged: {self.damage}")
        try:
            await asyncio.wait_for(self.set_value("ready", b""), PATIENCE)
        except TimeoutError:
            raise StoreFailed(f"the store did not write anything for {PATIENCE:.0f} seconds") from None

    async def limit_pages(self, pages: int) -> None:
        """Limit the size of the database to this number of pages; 0 removes the limit."""
        await self.write(lambda _: self._writer.limit_pages(pages))


def _listed(fields: Sequence[Any], seats: tuple[int, ...]) -> ListedRow:
    table, head, deadline, changed_at, game, rules, state, public, created_at, about = fields
    summary = TableSummary(game, rules, state, bool(public), created_at, about)
    return ListedRow(table, head, deadline, changed_at, summary, seats)


def _seats(connection: sqlite3.Connection, person: str) -> dict[str, list[int]]:
    """The seats of a person, by table."""
    seats: dict[str, list[int]] = {}
    query = "select table_id, seat from seats where person = ? order by table_id, seat"
    for table, seat in connection.execute(query, (person,)):
        seats.setdefault(table, []).append(seat)
    return seats
