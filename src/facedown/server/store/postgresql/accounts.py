"""The account half of the PostgreSQL store: people, credentials, seat tokens, invites, push, single values.

Tokens and codes are stored as hashes; this module never sees one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

import asyncpg

from facedown.server.store.base import (
    ChainedPromise,
    Person,
    StoredResponse,
    Subscription,
    WrittenText,
)
from facedown.server.store.postgresql.connections import PostgresConnections

_PERSON_OF_KEY: Final = """select people.id, people.name, people.created_at from keys
    join people on people.id = keys.person
    where keys.hash = $1 and keys.kind = $2 and (keys.expires is null or keys.expires > $3)"""
_TAKE_KEY: Final = """with taken as (delete from keys where hash = $1 and kind = $2 returning person, expires)
    select people.id, people.name, people.created_at from taken join people on people.id = taken.person
    where taken.expires is null or taken.expires > $3"""
MOST_SUBSCRIPTIONS: Final = 10
"""Browsers of one person that are notified: where there are more, the oldest ones are not."""
_SUBSCRIBE: Final = """insert into subscriptions (endpoint, person, p256dh, auth) values ($1, $2, $3, $4)
    on conflict (endpoint) do update set person = excluded.person, p256dh = excluded.p256dh,
        auth = excluded.auth, number = excluded.number"""
_LATEST: Final = """delete from subscriptions where person = $1 and number not in
    (select number from subscriptions where person = $1 order by number desc limit $2)"""
_SET_INVITE: Final = """insert into invites (code, table_id) values ($1, $2)
    on conflict (table_id) do update set code = excluded.code"""
_TEXTS: Final = """select tables.id, texts.v, slot, events.at, text from texts
    join events on events.table_no = texts.table_no and events.v = texts.v
    join tables on tables.no = texts.table_no
    where person = $1 order by events.at, tables.id, texts.v, slot"""
DROP_SEAT_TOKENS: Final = "update seats set token = $2, previous = null where person = $1"
"""Nobody knows a token with such a random hash; the seats stay theirs."""


class PostgresAccounts(PostgresConnections):
    """The parts of a store that are not tables and events."""

    # --- people --------------------------------------------------------------------------------------

    async def add_person(self, person: str, name: str, at: int) -> None:
        await self._execute("insert into people (id, name, created_at) values ($1, $2, $3)", person, name, at)

    async def person(self, person: str) -> Person | None:
        found = await self._select_one("select id, name, created_at from people where id = $1", person)
        return None if found is None else Person(*found)

    async def rename(self, person: str, name: str) -> None:
        await self._execute("update people set name = $1 where id = $2", name, person)

    async def add_key(self, key: bytes, person: str, kind: str, at: int, expires: int | None) -> None:
        insert = "insert into keys (hash, person, kind, at, expires, used) values ($1, $2, $3, $4, $5, $4)"
        await self._execute(insert, key, person, kind, at, expires)

    async def use_key(self, key: bytes, now: int, expires: int | None) -> None:
        await self._execute("update keys set used = $1, expires = $2 where hash = $3", now, expires, key)

    async def key_times(self, key: bytes) -> tuple[int, int | None] | None:
        found = await self._select_one("select used, expires from keys where hash = $1", key)
        return None if found is None else (found[0], found[1])

    async def person_of(self, key: bytes, kind: str, now: int) -> Person | None:
        found = await self._select_one(_PERSON_OF_KEY, key, kind, now)
        return None if found is None else Person(*found)

    async def take_key(self, key: bytes, kind: str, now: int) -> Person | None:
        found = await self._execute(_TAKE_KEY, key, kind, now)
        return Person(*found[0]) if found else None

    async def drop_key(self, key: bytes) -> None:
        await self._execute("delete from keys where hash = $1", key)

    async def drop_keys(self, person: str) -> None:
        async def work(connection: asyncpg.Connection) -> None:
            await connection.execute("delete from keys where person = $1", person)
            await connection.execute(DROP_SEAT_TOKENS, person, secrets.token_bytes(32))

        await self._transaction(work)

    async def keys_of(self, person: str) -> list[tuple[str, int, int | None]]:
        query = "select kind, at, expires from keys where person = $1 order by at"
        return [(kind, at, expires) for kind, at, expires in await self._select(query, person)]

    async def texts_of(self, person: str) -> list[WrittenText]:
        return [WrittenText(*found) for found in await self._select(_TEXTS, person)]

    # --- seats ---------------------------------------------------------------------------------------

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        if not token:
            return None
        found = await self._select_one(
            """select seat, person, token = $2 and previous is not null from seats
                where table_id = $1 and (token = $2 or previous = $2)""",
            *(table, token),
        )
        if found is None:
            return None
        seat, person, first_use = found
        if first_use:
            forget = "update seats set previous = null where table_id = $1 and seat = $2 and token = $3"
            await self._execute(forget, table, seat, token)
        return seat, person

    async def rotate_seat_token(self, table: str, seat: int, token: bytes) -> None:
        # A token that was never used is replaced; the one in use stays valid until the new one is used.
        rotated = """update seats set previous = coalesce(previous, token), token = $1
            where table_id = $2 and seat = $3"""
        await self._execute(rotated, token, table, seat)

    # --- invites and idempotency ---------------------------------------------------------------------

    async def set_invite(self, table: str, code: str | None) -> None:
        if code is None:
            await self._execute("delete from invites where table_id = $1", table)
        else:
            await self._execute(_SET_INVITE, code, table)

    async def invite_of(self, table: str) -> str | None:
        found = await self._select_one("select code from invites where table_id = $1", table)
        return None if found is None else found[0]

    async def table_of_invite(self, code: str) -> str | None:
        found = await self._select_one("select table_id from invites where code = $1", code)
        return None if found is None else found[0]

    async def stored_response(self, person: str, key: str) -> StoredResponse | None:
        query = "select person, key, body, digest from answers where person = $1 and key = $2"
        found = await self._select_one(query, person, key)
        return None if found is None else StoredResponse(*found)

    # --- push ----------------------------------------------------------------------------------------

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        async def work(connection: asyncpg.Connection) -> None:
            fields = (subscription.endpoint, person, subscription.p256dh, subscription.auth)
            await connection.execute(_SUBSCRIBE, *fields)
            await connection.execute(_LATEST, person, MOST_SUBSCRIPTIONS)

        await self._transaction(work)

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        delete = "delete from subscriptions where person = $1 and ($2 = '' or endpoint = $2)"
        await self._execute(delete, person, endpoint)

    async def subscriptions(self, person: str) -> list[Subscription]:
        query = "select endpoint, p256dh, auth from subscriptions where person = $1 order by number"
        return [Subscription(*found) for found in await self._select(query, person)]

    async def delete_notices(self, ids: Sequence[int]) -> None:
        await self._execute("delete from notices where id = any($1)", list(ids))

    # --- single values -------------------------------------------------------------------------------

    async def promises(self, after: int, limit: int) -> list[ChainedPromise]:
        query = "select n, promise, link from promises where n > $1 order by n limit $2"
        return [ChainedPromise(*found) for found in await self._select(query, after, limit)]

    async def set_value(self, name: str, value: bytes) -> None:
        set_it = """insert into notes (name, value) values ($1, $2)
            on conflict (name) do update set value = excluded.value"""
        await self._execute(set_it, name, value)

    async def get_value(self, name: str) -> bytes | None:
        found = await self._select_one("select value from notes where name = $1", name)
        return None if found is None else found[0]
