"""What a server keeps, read and changed behind its back: in SQLite's file, or in PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from facedown.server.store.postgresql.check import check_postgresql
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE
from tests import postgresql
from tests.server.running import Server

_OF_TABLE = "table_no = (select no from tables where id = ?)"


class KeptStore(Protocol):
    """The store of a server that a test looks into."""

    def everything(self) -> bytes:
        """Every byte of it, secrets included."""

    def secrets_of(self, table: str, kinds: tuple[str, ...]) -> list[bytes]:
        """What is kept of events of these kinds besides what everybody may know, where there is any."""

    def rewrite_first_event(self, table: str, change: Callable[[Any], None]) -> None:
        """Change the first event of a table, which no server ever does."""

    def refuses(self, statement: str) -> bool:
        """Whether it refuses a statement because something is never changed, or never deleted."""

    def problems(self) -> list[str]:
        """What is not sound in it."""


def kept_by(server: Server) -> KeptStore:
    """The store of this server."""
    url = server.store_url
    return PostgresKept(url) if url.startswith("postgresql:") else SqliteKept(server.data)


def everything_of(server: Server) -> bytes:
    """Every byte that a server has written: its store, its folder, its logs."""
    files = [*server.data.rglob("*"), *server.logs]
    return kept_by(server).everything() + b"".join(each.read_bytes() for each in files if each.is_file())


class SqliteKept:
    """A file of SQLite, with its journal."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def everything(self) -> bytes:
        return b"".join(each.read_bytes() for each in self._data.rglob("*") if each.is_file())

    def secrets_of(self, table: str, kinds: tuple[str, ...]) -> list[bytes]:
        with contextlib.closing(sqlite3.connect(self._data / DATABASE)) as store:
            found = store.execute(f"select kind, secret from events where {_OF_TABLE}", (table,)).fetchall()
        return [bytes(secret) for kind, secret in found if kind in kinds and secret]

    def rewrite_first_event(self, table: str, change: Callable[[Any], None]) -> None:
        with contextlib.closing(sqlite3.connect(self._data / DATABASE)) as database, database:
            database.execute("drop trigger events_are_never_changed")
            query = f"select public from events where {_OF_TABLE} and v = 1"
            body = json.loads(database.execute(query, (table,)).fetchone()[0])
            change(body)
            update = f"update events set public = ? where {_OF_TABLE} and v = 1"
            database.execute(update, (json.dumps(body).encode(), table))
            database.execute(
                """create trigger events_are_never_changed before update on events
                begin select raise(abort, 'events are never changed'); end"""
            )

    def refuses(self, statement: str) -> bool:
        with (
            contextlib.closing(sqlite3.connect(self._data / DATABASE)) as database,
            pytest.raises(sqlite3.IntegrityError, match="never"),
        ):
            database.execute(statement)
        return True

    def problems(self) -> list[str]:
        return check(self._data)


class PostgresKept:
    """A database of PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._url = url

    def everything(self) -> bytes:
        listed = "select tablename from pg_tables where schemaname = 'facedown'"
        copies = [f"copy facedown.{name} to stdout (format binary)" for name in self._sql(listed).split()]
        return b"".join(postgresql.read("psql", "-X", "-q", "-c", copy, self._url) for copy in copies)

    def secrets_of(self, table: str, kinds: tuple[str, ...]) -> list[bytes]:
        found = self._sql(
            f"""select e.kind, encode(e.secret, 'hex') from facedown.events e
                join facedown.tables t on t.no = e.table_no where t.id = '{table}'"""
        )
        rows = (line.split("|") for line in found.splitlines())
        return [bytes.fromhex(secret) for kind, secret in rows if kind in kinds and secret]

    def rewrite_first_event(self, table: str, change: Callable[[Any], None]) -> None:
        where = f"table_no = (select no from facedown.tables where id = '{table}') and v = 1"
        body = json.loads(
            bytes.fromhex(self._sql(f"select encode(public, 'hex') from facedown.events where {where}"))
        )
        change(body)
        written = json.dumps(body).encode().hex()
        self._sql(
            f"""begin; alter table facedown.events disable trigger never_changed;
                update facedown.events set public = decode('{written}', 'hex') where {where};
                alter table facedown.events enable trigger never_changed; commit"""
        )

    def refuses(self, statement: str) -> bool:
        with pytest.raises(AssertionError, match="never"):
            self._sql(f"set search_path = facedown; {statement}")
        return True

    def problems(self) -> list[str]:
        with asyncio.Runner() as runner:
            return runner.run(check_postgresql(self._url))

    def _sql(self, statement: str) -> str:
        how = ("-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1")
        return postgresql.run("psql", *how, "-c", statement, self._url)
