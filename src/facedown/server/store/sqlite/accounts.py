"""The account half of the SQLite store: people, credentials, seat tokens, invites, push, and single values.

Tokens and codes are stored as hashes; this module never sees one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Final

from facedown.server.store.base import (
    ChainedPromise,
    ForgetBefore,
    Forgotten,
    Person,
    StoredResponse,
    Subscription,
    WrittenText,
)
from facedown.server.store.sqlite.ended import ratings_of_nobody
from facedown.server.store.sqlite.forget import forget, unused_guests
from facedown.server.store.sqlite.personal_texts import drop_seat_tokens, erase
from facedown.server.store.sqlite.threads import SqliteThreads

_PERSON_OF_KEY: Final = """select people.id, people.name, people.created_at from keys
    join people on people.id = keys.person
    where keys.hash = ? and keys.kind = ? and (keys.expires is null or keys.expires > ?)"""


MOST_SUBSCRIPTIONS: Final = 10
"""Browsers of one person that are notified: where there are more, the oldest ones are not."""
_LATEST: Final = """delete from subscriptions where person = ? and rowid not in
    (select rowid from subscriptions where person = ? order by rowid desc limit ?)"""


class SqliteAccounts(SqliteThreads):
    """The parts of a store that are not tables and events."""

    # --- people --------------------------------------------------------------------------------------

    async def add_person(self, person: str, name: str, at: int) -> None:
        await self._execute("insert into people (id, name, created_at) values (?, ?, ?)", person, name, at)

    async def person(self, person: str) -> Person | None:
        found = await self._select_one("select id, name, created_at from people where id = ?", person)
        return None if found is None else Person(*found)

    async def rename(self, person: str, name: str) -> None:
        await self._execute("update people set name = ? where id = ?", name, person)

    async def add_key(self, key: bytes, person: str, kind: str, at: int, expires: int | None) -> None:
        insert = "insert into keys (hash, person, kind, at, expires, used) values (?, ?, ?, ?, ?, ?)"
        await self._execute(insert, key, person, kind, at, expires, at)

    async def use_key(self, key: bytes, now: int, expires: int | None) -> None:
        await self._execute("update keys set used = ?, expires = ? where hash = ?", now, expires, key)

    async def key_times(self, key: bytes) -> tuple[int, int | None] | None:
        found = await self._select_one("select used, expires from keys where hash = ?", key)
        return None if found is None else (found[0], found[1])

    async def person_of(self, key: bytes, kind: str, now: int) -> Person | None:
        found = await self._select_one(_PERSON_OF_KEY, key, kind, now)
        return None if found is None else Person(*found)

    async def take_key(self, key: bytes, kind: str, now: int) -> Person | None:
        def work(connection: sqlite3.Connection) -> Person | None:
            found = connection.execute(_PERSON_OF_KEY, (key, kind, now)).fetchone()
            connection.execute("delete from keys where hash = ? and kind = ?", (key, kind))
            return None if found is None else Person(*found)

        return await self.write(work)

    async def drop_key(self, key: bytes) -> None:
        await self._execute("delete from keys where hash = ?", key)

    async def drop_keys(self, person: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("delete from keys where person = ?", (person,))
            drop_seat_tokens(connection, person)

        await self.write(work)

    async def keys_of(self, person: str) -> list[tuple[str, int, int | None]]:
        found = await self._select("select kind, at, expires from keys where person = ? order by at", person)
        return [(kind, at, expires) for kind, at, expires in found]

    async def texts_of(self, person: str) -> list[WrittenText]:
        query = """select texts.table_id, texts.v, slot, at, text from texts
            join tables on tables.id = texts.table_id
            join events on events.table_no = tables.no and events.v = texts.v
            where person = ? order by at, texts.table_id, texts.v, slot"""
        return [WrittenText(*found) for found in await self._select(query, person)]

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        guests, last = list[str](), ""
        while True:
            some, end = await self.read(partial(unused_guests, rules=rules, after=last))
            guests += some
            if end is None:
                break
            last = end
        erased = await self.read(ratings_of_nobody)
        return await self.write(partial(forget, rules=rules, asked=guests, erased=erased))

    async def erase_person(self, person: str, name: str) -> list[str]:
        return await self.write(lambda connection: erase(connection, person, name))

    # --- seats ---------------------------------------------------------------------------------------

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        if not token:
            return None
        found = await self._select_one(
            """select seat, person, token = ? and previous is not null from seats
                where table_id = ? and (token = ? or previous = ?)""",
            *(token, table, token, token),
        )
        if found is None:
            return None
        seat, person, first_use = found
        if first_use:
            forget = "update seats set previous = null where table_id = ? and seat = ? and token = ?"
            await self._execute(forget, table, seat, token)
        return seat, person

    async def rotate_seat_token(self, table: str, seat: int, token: bytes) -> None:
        # A token that was never used is replaced; the one in use stays valid until the new one is used.
        rotated = """update seats set previous = coalesce(previous, token), token = ?
            where table_id = ? and seat = ?"""
        await self._execute(rotated, token, table, seat)

    # --- invites and idempotency ---------------------------------------------------------------------

    async def set_invite(self, table: str, code: str | None) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("delete from invites where table_id = ?", (table,))
            if code is not None:
                connection.execute("insert into invites (code, table_id) values (?, ?)", (code, table))

        await self.write(work)

    async def invite_of(self, table: str) -> str | None:
        found = await self._select_one("select code from invites where table_id = ?", table)
        return None if found is None else found[0]

    async def table_of_invite(self, code: str) -> str | None:
        found = await self._select_one("select table_id from invites where code = ?", code)
        return None if found is None else found[0]

    async def stored_response(self, person: str, key: str) -> StoredResponse | None:
        query = "select person, key, body, digest from answers where person = ? and key = ?"
        found = await self._select_one(query, person, key)
        return None if found is None else StoredResponse(*found)

    # --- push ----------------------------------------------------------------------------------------

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "replace into subscriptions (endpoint, person, p256dh, auth) values (?, ?, ?, ?)",
                (subscription.endpoint, person, subscription.p256dh, subscription.auth),
            )
            connection.execute(_LATEST, (person, person, MOST_SUBSCRIPTIONS))

        await self.write(work)

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        await self._execute(
            "delete from subscriptions where person = ? and (? = '' or endpoint = ?)",
            *(person, endpoint, endpoint),
        )

    async def subscriptions(self, person: str) -> list[Subscription]:
        query = "select endpoint, p256dh, auth from subscriptions where person = ? order by rowid"
        return [Subscription(*found) for found in await self._select(query, person)]

    async def delete_notices(self, ids: Sequence[int]) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("delete from notices where id = ?", [(each,) for each in ids])

        await self.write(work)

    # --- single values -------------------------------------------------------------------------------

    async def promises(self, after: int, limit: int) -> list[ChainedPromise]:
        query = "select n, promise, link from promises where n > ? order by n limit ?"
        return [ChainedPromise(*found) for found in await self._select(query, after, limit)]

    async def set_value(self, name: str, value: bytes) -> None:
        await self._execute("replace into notes (name, value) values (?, ?)", name, value)

    async def get_value(self, name: str) -> bytes | None:
        found = await self._select_one("select value from notes where name = ?", name)
        return None if found is None else found[0]
