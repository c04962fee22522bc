"""One of the further clusters of a store: it holds tables with their events, and nothing about people.

What it saves about a table is saved in one transaction, as everywhere. With it, the table is noted as changed
(`uncopied`): its row for lists, its seats, its end and its faults are then copied to the home cluster. A copy
takes what is here at that moment, so that it may be repeated, and the order of copies does not matter.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

import asyncpg
from msgspec import msgpack

from facedown.server.store.base import LISTED, SET_ABOUT
from facedown.server.store.merge import merge_beside_events
from facedown.server.store.postgresql import forget as forgetting
from facedown.server.store.postgresql.appends import WHOLE, whole_values
from facedown.server.store.postgresql.store import NOW, PostgresStore
from facedown.server.store.sharded.layout import Layout
from facedown.server.store.tokens import DROP_SEAT_TOKENS
from facedown.server.store.values import Append, ForgetBefore, Forgotten, ListedRow, StoreStats, listed_row

LATE_MS: Final = 3000
"""The players of a table that is made later than this could not play, as in an outage."""
_AGAIN: Final = "on conflict (table_id) do update set n = excluded.n"
_NOTE_CHANGED: Final = f""",
new_changes as (
    insert into uncopied (table_id) select w.id from want w join saved on saved.i = w.i {_AGAIN})
select i from saved"""
_CHANGED_PERSON: Final = f"""insert into uncopied (table_id)
    select distinct table_id from seats where person = $1 {_AGAIN}"""
_CHANGED_TABLE: Final = f"insert into uncopied (table_id) select id from tables where id = $1 {_AGAIN}"
_DELETED_TABLES: Final = f"insert into uncopied (table_id) select unnest($1::text[]) {_AGAIN}"
_CHANGED: Final = "select table_id, n from uncopied order by n limit $1"
_SEATS: Final = "select table_id, seat, person, seen_at from seats where table_id = any($1)"
_ENDS: Final = "select tables.id, at from ended join tables on tables.no = table_no where tables.id = any($1)"
_FAULTS: Final = "select person, at, table_id, kind from faults where table_id = any($1)"
_COPIED: Final = """delete from uncopied using unnest($1::text[], $2::bigint[]) as c (id, n)
    where uncopied.table_id = c.id and uncopied.n = c.n"""
_ENDS_COPIED: Final = """update ended set rated = true, noted = true, counted = true from tables
    where tables.no = table_no and tables.id = any($1) and not rated"""
_LOG_END: Final = "select n + 1, hash from log_entries where n is not null order by n desc limit 1"
_OWE: Final = f"""update tables set owed = {NOW} - $2::bigint
    where id = $1 and deadline is not null and {NOW} - $2::bigint > {LATE_MS}"""
_WITH_TEXTS: Final = "select distinct person from texts where person = any($1)"


def _whole() -> str:
    """`WHOLE` for a cluster without people, which notes the tables that it changes."""
    without_people = WHOLE.replace(" join people on people.id = f.person", "")
    head, _, _ = without_people.rpartition("\nselect i from saved")
    return head + _NOTE_CHANGED


class LogEnd(NamedTuple):
    """How many entries of a cluster's log have a number, and the leaf hash of the last one."""

    size: int = 0
    last: bytes = b""

    @classmethod
    def read(cls, stored: bytes | None) -> LogEnd:
        return LogEnd(*msgpack.decode(stored, type=tuple[int, bytes])) if stored else LogEnd()

    def to_bytes(self) -> bytes:
        return msgpack.encode(self)


class ChangedTables(NamedTuple):
    """Tables with a copy that is older, and what is copied of them, as rows."""

    noted: list[tuple[str, int]]
    tables: list[tuple[Any, ...]]
    seats: list[tuple[Any, ...]]
    ends: list[tuple[Any, ...]]
    faults: list[tuple[Any, ...]]

    @property
    def ids(self) -> list[str]:
        return [table for table, _ in self.noted]


class TableCluster(PostgresStore):
    """A cluster that holds tables only."""

    WHOLE: ClassVar[str] = _whole()

    def __init__(
        self, url: str, number: int, layout: Layout, stats: StoreStats, most_connections: int
    ) -> None:
        super().__init__(url, stats, most_connections)
        self.number = number
        self._layout = layout

    async def _check_layout(self, connection: asyncpg.Connection) -> None:
        await self._layout.check(connection, self.number)

    @property
    def caller(self) -> None:
        """Sessions are in the home cluster."""

    def append(self, batch: Append) -> asyncio.Future[None]:
        return super().append(batch._replace(callers=()))

    # --- copies for the home cluster --------------------------------------------------------------------

    async def has_changed(self) -> bool:
        return bool(await self._select(_CHANGED, 1))

    async def changed_tables(self, limit: int) -> ChangedTables:
        """The tables that were changed first, as they are now."""
        noted = [tuple(row) for row in await self._select(_CHANGED, limit)]
        ids = [table for table, _ in noted]
        found = [
            [tuple(row) for row in await self._select(query, ids)]
            for query in (f"{LISTED} from tables where tables.id = any($1)", _SEATS, _ENDS, _FAULTS)
        ]
        return ChangedTables(noted, *found)

    async def note_copied(self, changed: ChangedTables) -> None:
        """Forget that these were changed, unless that happened again."""
        ids, numbers = map(list, zip(*changed.noted, strict=True))
        await self._execute_all((_ENDS_COPIED, (ids,)), (_COPIED, (ids, numbers)))

    async def log_end(self) -> LogEnd:
        found = await self._select_one(_LOG_END)
        return LogEnd(*found) if found else LogEnd()

    async def listed_some(self, tables: Sequence[str]) -> list[ListedRow]:
        found = await self._select(f"{LISTED} from tables where id = any($1)", list(tables))
        return [listed_row(fields) for fields in found]

    # --- what other clusters ask for ---------------------------------------------------------------------

    async def run_errand(self, kind: str, body: bytes) -> None:
        """Do what a transaction of the home cluster has left to this one; doing it again changes nothing."""
        if kind == MAKE:
            await self._make(msgpack.decode(body, type=Append))
        elif kind == ERASE:
            await self.erase_person(*msgpack.decode(body))
        elif kind == MERGE:
            guest, account, _ = msgpack.decode(body)
            statements = merge_beside_events(guest, account)
            await self._execute_all(*statements, (_CHANGED_PERSON, (account,)))
        else:
            await self._execute(DROP_SEAT_TOKENS, *msgpack.decode(body))
        await self.ensure_certain()  # before the errand is forgotten

    async def _make(self, batch: Append) -> None:
        """Make a table unless it is there. Its clocks are owed the time for which this cluster was away."""

        async def work(connection: asyncpg.Connection) -> None:
            if await connection.fetch(self.WHOLE, *whole_values([batch])):
                await connection.execute(_OWE, batch.table, batch.rows[-1].at)

        await self._transaction(work)

    async def set_about(self, table: str, about: bytes, before: bytes) -> None:
        await self._execute_all((SET_ABOUT, (about, table, before)), (_CHANGED_TABLE, (table,)))

    async def people_with_texts(self, people: Sequence[str]) -> set[str]:
        """Those of these people who have written something here."""
        return {person for (person,) in await self._select(_WITH_TEXTS, list(people))}

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        async def work(connection: asyncpg.Connection) -> Forgotten:
            return await forgetting.forget(connection, rules, [], [], _DELETED_TABLES)

        return await self._transaction(work)


MAKE: Final = "make"
"""Make a table that was saved with other things than its own."""
ERASE: Final = "erase"
MERGE: Final = "merge"
TOKENS: Final = "tokens"
