"""The migration that gives tables numbers, under which their events lie; copied, compared, all or nothing.

It is part of the one transaction of all migrations: interrupted anywhere, the database is what it was before,
and the next start begins anew.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from facedown.server.store.base import StoreFailed

_OF_TABLE: Final = """id, head, deadline, changed_at, game, rules, state, public, created_at, about,
    wake_at, claimed_until, owed"""
_OF_EVENT: Final = "v, kind, at, seat, command, spent, public, secret, digest"

_MAKE: Final = (
    # A number is never used again, so that one that is remembered stands for no other table.
    """create table numbered_tables (
        no integer primary key autoincrement, id text not null unique,
        head integer not null, deadline integer, changed_at integer not null,
        game text not null, rules text not null, state text not null, public integer not null,
        created_at integer not null, about blob not null,
        wake_at integer, claimed_until integer, owed integer not null default 0)""",
    # With row ids, events are appended one after the other, and only the small index is scattered. That a
    # command is stored once needs no index: who appends at a head knows the commands of all events up to it.
    """create table numbered_events (
        table_no integer not null, v integer not null, kind text not null, at integer not null,
        seat integer not null, command text not null, spent integer not null,
        public blob not null, secret blob not null, digest blob not null, primary key (table_no, v))""",
)
_COPY: Final = (
    f"insert into numbered_tables (no, {_OF_TABLE}) select rowid, {_OF_TABLE} from tables order by rowid",
    f"""insert into numbered_events (rowid, table_no, {_OF_EVENT})
        select events.rowid, tables.rowid, {", ".join(f"events.{each}" for each in _OF_EVENT.split(", "))}
        from events join tables on tables.id = events.table_id order by events.rowid""",
)
_DIFFERENT: Final = (
    """select (select count(*) from tables) <> (select count(*) from numbered_tables)
        or (select count(*) from events) <> (select count(*) from numbered_events)""",
    f"select exists (select {_OF_TABLE} from tables except select {_OF_TABLE} from numbered_tables)",
    f"""select exists (select 1 from events old join tables on tables.id = old.table_id
        left join numbered_events new on new.rowid = old.rowid
        where (tables.rowid, {", ".join(f"old.{each}" for each in _OF_EVENT.split(", "))})
        is not (new.table_no, {", ".join(f"new.{each}" for each in _OF_EVENT.split(", "))}))""",
)
_REPLACE: Final = (
    "drop table events",
    "drop table tables",
    "alter table numbered_tables rename to tables",
    "alter table numbered_events rename to events",
    "create index tables_by_deadline on tables (deadline) where deadline is not null",
    "create index tables_by_wake on tables (wake_at) where wake_at is not null",
    "create index tables_by_state on tables (state, created_at)",
    "create index tables_in_public on tables (state, created_at) where public",
    "create index tables_of_game_in_public on tables (state, game, created_at) where public",
    "create index tables_by_age on tables (created_at)",
    """create trigger events_are_never_changed before update on events
        begin select raise(abort, 'events are never changed'); end""",
    """create trigger events_are_never_deleted before delete on events
        when exists (select 1 from tables where no = old.table_no)
        begin select raise(abort, 'events are never deleted'); end""",
)


def number_tables(connection: sqlite3.Connection) -> None:
    """Copy tables and events, compare every row with what it was, and put the copies in their place."""
    for statement in (*_MAKE, *_COPY):
        connection.execute(statement)
    for question in _DIFFERENT:
        if connection.execute(question).fetchone()[0]:
            raise StoreFailed("the database could not be brought up to date, and is as it was: check it")
    for statement in _REPLACE:
        connection.execute(statement)
