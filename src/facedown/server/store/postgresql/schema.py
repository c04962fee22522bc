"""The schema in PostgreSQL: everything is in one of its own, `facedown`.

A server reads the version first. One server at a time creates a schema, with a limited wait for locks.
"""

from __future__ import annotations

from typing import Final

import asyncpg

from facedown.core.errors import Unsupported
from facedown.server.store.schema import TABLES, VERSION, check_version

NAME: Final = "facedown"
_LOCK: Final = 0x46414345
"""The advisory lock of the server that creates the schema."""
_LOCK_TIMEOUT: Final = "10s"

_OWN: Final = """
alter table tables set (fillfactor = 70);
create index tables_by_id on tables using hash (id);
create table nodes (node text primary key, seen_at bigint not null, ahead bigint not null default 0);
-- A committed write to it proves that all earlier commits are durable and replicated.
create table barrier (one boolean primary key check (one), n bigint not null);
insert into barrier values (true, 0);
create function count_standing() returns trigger language plpgsql as
    $$ begin
        if tg_op <> 'INSERT' and old.listed = 1 then
            update facedown.levels set people = people - 1
                where game = old.game and points = old.points;
        end if;
        if tg_op <> 'DELETE' and new.listed = 1 then
            insert into facedown.levels as l values (new.game, new.points, 1)
                on conflict (game, points) do update set people = l.people + 1;
        end if;
        return null;
    end $$;
create trigger standings_are_counted after insert or update or delete on standings
    for each row execute function count_standing();
create function never_changed() returns trigger language plpgsql as
    $$ begin raise exception '% are never changed', tg_table_name; end $$;
create function never_deleted() returns trigger language plpgsql as
    $$ begin
        if exists (select from facedown.tables where no = old.table_no) then
            raise exception '% are never deleted', tg_table_name;
        end if;
        return old;
    end $$;
create trigger never_changed before update on events
    for each row execute function never_changed();
create trigger never_deleted before delete on events
    for each row execute function never_deleted();
create trigger never_changed before update on log_entries for each row
    when (old.n is not null or new.hash <> old.hash or new.entry <> old.entry)
    execute function never_changed();
create trigger never_deleted before delete on log_entries
    for each row execute function never_changed();
"""
"""Rows of tables change with every append: free space in their pages avoids updates of the indexes. With the
hash index two thousand ids take 8 ms instead of 10."""
MOVING: Final = "moving"
"""The name of the value that marks an unfinished move: the id of the store being moved here."""


async def create(connection: asyncpg.Connection) -> None:
    """Create the schema in a new database; raises `Unsupported` if it has one of another version."""
    if await _is_there(connection):
        return
    await connection.execute(f"set lock_timeout = '{_LOCK_TIMEOUT}'")
    await connection.execute("select pg_advisory_lock($1)", _LOCK)
    try:
        async with connection.transaction():  # begins under the lock: sees what another server has done
            if not await _is_there(connection):
                await connection.execute(
                    f"""create schema if not exists {NAME}; create table version (version int not null);
                    insert into version values ({VERSION}); {TABLES} {_OWN}"""
                )
    finally:
        await connection.execute("select pg_advisory_unlock($1)", _LOCK)
        await connection.execute("set lock_timeout = 0")


async def check_not_moving(connection: asyncpg.Connection) -> None:
    """Raise `Unsupported` if a move into this store is not finished."""
    if await connection.fetchval("select value from notes where name = $1", MOVING) is not None:
        raise Unsupported(
            "a move into this store is not finished: run `facedown admin move` again, until it says so"
        )


async def _is_there(connection: asyncpg.Connection) -> bool:
    if await connection.fetchval("select to_regclass('facedown.version')") is None:
        return False
    check_version(await connection.fetchval("select version from version"), "the database")
    return True
