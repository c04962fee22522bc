"""The SQLite schema, its migrations, and how a connection is opened. Knows no thread."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from facedown.core.errors import Unsupported
from facedown.server.store.base import StoreFailed

OURS: Final = 0x46414345
"""The application id in the file header that marks a database of Facedown."""
OLDEST_SQLITE: Final = (3, 35)
"""`update … from` and `returning`."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """create table tables (
            id text primary key, head integer not null, deadline integer, changed_at integer not null,
            game text not null, rules text not null, state text not null, public integer not null,
            created_at integer not null, about blob not null)""",
        "create index tables_by_deadline on tables (deadline) where deadline is not null",
        "create index tables_by_state on tables (state, created_at)",
        # With row ids, events are appended one after the other, and only the small index is scattered.
        """create table events (
            table_id text not null, v integer not null, kind text not null, at integer not null,
            seat integer not null, command text not null, spent integer not null,
            public blob not null, secret blob not null, primary key (table_id, v))""",
        "create unique index events_by_command on events (table_id, seat, command) where command <> ''",
        """create trigger events_are_never_changed before update on events
            begin select raise(abort, 'events are never changed'); end""",
        """create trigger events_are_never_deleted before delete on events
            begin select raise(abort, 'events are never deleted'); end""",
        """create table seats (
            table_id text not null, seat integer not null, person text not null,
            token blob not null, previous blob, primary key (table_id, seat)) without rowid""",
        "create index seats_by_person on seats (person)",
        """create table notices (
            id integer primary key autoincrement, person text not null, table_id text not null,
            decision integer not null, kind text not null, unique (person, table_id, decision, kind))""",
        "create table people (id text primary key, name text not null, created_at integer not null)",
        """create table keys (
            hash blob primary key, person text not null, kind text not null, at integer not null,
            expires integer) without rowid""",
        "create index keys_by_expiry on keys (expires) where expires is not null",
        "create table invites (code text primary key, table_id text not null unique) without rowid",
        """create table answers (
            person text not null, key text not null, body blob not null,
            primary key (person, key)) without rowid""",
        """create table subscriptions (
            endpoint text primary key, person text not null, p256dh text not null, auth text not null)""",
        "create index subscriptions_by_person on subscriptions (person)",
        "create table notes (name text primary key, value blob not null) without rowid",
    ),
    # Finds the ends of games in the order of their row ids, without a scan of all events.
    ("create index events_by_end on events (kind) where kind = 'over'",),
)
"""The migrations from each schema version to the next; a released one is never edited."""
VERSION: Final = len(MIGRATIONS)


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for locks, and may be handed to another thread."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise Unsupported(f"SQLite {sqlite3.sqlite_version} is too old: {oldest} or later is needed")
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5,
    )
    connection.execute("pragma recursive_triggers = on")  # `replace` runs into the triggers as well
    return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The one connection that writes: every commit is synced to disk. Migrates the schema."""
    connection = connect(path)
    try:
        check_version(connection, path)
        mode = connection.execute("pragma journal_mode = wal").fetchone()[0]
        if mode != "wal":
            raise StoreFailed(f"{path} is on a file system that does not support SQLite's write-ahead log")
        connection.execute("pragma synchronous = full")
        connection.execute(f"pragma journal_size_limit = {64 << 20}")
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    connection = connect(path)
    connection.execute("pragma query_only = on")
    return connection


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version; raises where the database is not Facedown's, or newer than this program."""
    try:
        version = int(connection.execute("pragma user_version").fetchone()[0])
        ours = connection.execute("pragma application_id").fetchone()[0] == OURS
        empty = connection.execute("select count(*) from sqlite_master").fetchone()[0] == 0
    except sqlite3.DatabaseError as error:
        raise StoreFailed(f"{path} cannot be read as a database: {error}") from error
    if not ours and not empty:
        raise Unsupported(f"{path} is a database of another program", text=str(path))
    if version > VERSION:
        say = f"{path} was written by a newer Facedown: schema {version}, where this one knows {VERSION}"
        raise Unsupported(say, text=str(path))
    return version


def _migrate(connection: sqlite3.Connection) -> None:
    version = int(connection.execute("pragma user_version").fetchone()[0])
    if version == VERSION:
        return
    connection.execute("begin immediate")
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"pragma application_id = {OURS}")
    connection.execute(f"pragma user_version = {VERSION}")
    connection.execute("commit")
