"""The SQLite store of a single server: what differs from PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from facedown.server.store.base import (
    LISTED,
    READY_S,
    Append,
    EventRow,
    ForgetBefore,
    Forgotten,
    ListedRow,
    OnDone,
    PersonalText,
    StoreFailed,
    listed_row,
)
from facedown.server.store.finished import FindPlayed, FoldGames
from facedown.server.store.sqlite import ended
from facedown.server.store.sqlite.forget import erase, forget, unused_guests
from facedown.server.store.sqlite.sharing import SqliteSharing
from facedown.server.store.sqlite.worker import future_of

_EVENTS: Final = """select v, kind, at, public, secret, seat, command, spent, digest from events
    where table_no = (select no from tables where id = ?) and v > ? order by v"""
_TEXTS: Final = "select v, slot, person, text from texts where table_id = ? and v > ? order by v, slot"


class SqliteStore(SqliteSharing):
    """A store in a data directory that no other server uses."""

    SUBSCRIBE: ClassVar[str] = (
        "replace into subscriptions (endpoint, person, p256dh, auth) values ($1, $2, $3, $4)"
    )
    SUBSCRIPTION_AGE: ClassVar[str] = "rowid"
    TEXTS_OF: ClassVar[str] = """select texts.table_id, texts.v, slot, at, text from texts
        join tables on tables.id = texts.table_id
        join events on events.table_no = tables.no and events.v = texts.v
        where person = $1 order by at, texts.table_id, texts.v, slot"""
    # `cross join` makes SQLite begin with the games of the person.
    PERSON_GAMES: ClassVar[str] = f"""{LISTED}, seat from played cross join tables on tables.id = table_id
        where person = $1 order by played.at desc, table_id desc limit $2"""

    # --- tables ----------------------------------------------------------------------------------------

    def append(self, batch: Append) -> asyncio.Future[None]:
        batch.check_rows()
        self._end_rest(batch)
        return future_of(self._writes, batch)

    def append_then(self, batch: Append, done: OnDone) -> None:
        batch.check_rows()
        self._end_rest(batch)
        self._writes.put(batch, done)

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        # Two queries: with a join, reading a table of 120 events took 35 % longer.
        def query(connection: sqlite3.Connection) -> list[EventRow]:
            rows = [EventRow(*fields) for fields in connection.execute(_EVENTS, (table, after)).fetchall()]
            texts: dict[int, list[PersonalText]] = {}
            for v, *fields in connection.execute(_TEXTS, (table, after)):
                texts.setdefault(v, []).append(PersonalText(*fields))
            return [row._replace(texts=tuple(texts[row.v])) if row.v in texts else row for row in rows]

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
        of_state = "+state = ?" if person else "state = ?"
        of_person = "tables.id in (select table_id from seats where person = ?)"
        filters = [
            (condition, value)
            for condition, value in ((of_state, state), ("game = ?", game), (of_person, person))
            if value
        ]
        conditions = [condition for condition, _ in filters]
        if public is not None:  # not a parameter, so that SQLite can use a partial index
            conditions.append("public" if public else "not public")
        where = " and ".join(conditions) or "true"
        order = "changed_at" if person else "created_at"
        statement = f"{LISTED} from tables where {where} order by {order} desc, tables.id limit ?"
        values = [value for _, value in filters]

        def query(connection: sqlite3.Connection) -> list[ListedRow]:
            seats = _seats(connection, person) if person else {}
            found = connection.execute(statement, (*values, limit)).fetchall()
            return [listed_row(fields, tuple(seats.get(fields[0], ()))) for fields in found]

        return await self.read(query)

    # --- finished games --------------------------------------------------------------------------------

    async def rate(self, fold: FoldGames, limit: int) -> int:
        games, known = await self.read(lambda connection: ended.games_to_rate(connection, limit))
        if not games:
            return 0
        rated = await asyncio.to_thread(fold, games, known)
        await self.write(lambda connection: ended.save_ratings(connection, games, rated))
        return len(games)

    async def note_played(self, find: FindPlayed, limit: int) -> int:
        games = await self.read(lambda connection: ended.games_to_note(connection, limit))
        if games:
            played = find(games)
            await self.write(lambda connection: ended.save_played(connection, games, played))
        return len(games)

    # --- people ----------------------------------------------------------------------------------------

    async def erase_person(self, person: str, name: str) -> list[str]:
        return await self.write(lambda connection: erase(connection, person, name))

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        guests, last = list[str](), ""
        while True:  # a page at a time: other reads wait for each
            page, end = await self.read(partial(unused_guests, rules=rules, after=last))
            guests += page
            if end is None:
                break
            last = end
        erased = await self.read(ended.erased_people_with_ratings)
        return await self.write(partial(forget, rules=rules, candidates=guests, erased=erased))

    async def delete_notices(self, ids: Sequence[int]) -> None:
        await self._execute_all(*[("delete from notices where id = $1", (each,)) for each in ids])

    # --- the store itself ------------------------------------------------------------------------------

    async def ready(self) -> None:
        if self.damage:
            raise StoreFailed(f"the database is damaged: {self.damage}")
        try:
            await asyncio.wait_for(self.set_value("ready", b""), READY_S)
        except TimeoutError:
            raise StoreFailed(f"the store did not write anything for {READY_S:.0f} seconds") from None

    async def limit_pages(self, pages: int) -> None:
        """Limit the size of the database to this number of pages; 0 removes the limit."""
        await self.write(lambda _: self._writer.limit_pages(pages))


def _seats(connection: sqlite3.Connection, person: str) -> dict[str, list[int]]:
    """The seats of a person, by table."""
    seats: dict[str, list[int]] = {}
    query = "select table_id, seat from seats where person = ? order by table_id, seat"
    for table, seat in connection.execute(query, (person,)):
        seats.setdefault(table, []).append(seat)
    return seats
