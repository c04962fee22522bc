"""Copies of a data directory's database, and whether one is whole. Works beside a running server."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Final

from facedown.core.errors import Unsupported
from facedown.server.store.base import StoreFailed
from facedown.server.store.data_dir import DATABASE
from facedown.server.store.schema import check_version, open_for_reading

_GAPS: Final = """select tables.id, tables.head, count(events.v), coalesce(min(events.v), 0),
        coalesce(max(events.v), 0)
    from tables left join events on events.table_id = tables.id group by tables.id
    having count(events.v) <> tables.head or max(events.v) <> tables.head or min(events.v) <> 1"""
_STRAYS: Final = "select distinct table_id from events where table_id not in (select id from tables)"


def backup(source: Path, target: Path) -> None:
    """Copy the database of a data directory, as it is at one moment, into a new file, checked and synced.

    Never overwrites: `target` appears only once it is whole.
    """
    if target.exists():
        raise Unsupported(f"{target} exists already, and a backup never overwrites", text=str(target))
    beside = target.with_name(f".{target.name}.{os.getpid()}.partial")
    with contextlib.closing(_opened(source)) as connection:
        try:
            _copy(connection, beside)
            if problems := check(beside):
                raise StoreFailed(f"the copy of {source} is not whole: {problems[0]}")
            _publish(beside, target)
        except (OSError, sqlite3.Error) as error:
            raise StoreFailed(f"no backup was made: {error}") from error
        finally:
            beside.unlink(missing_ok=True)


def check(source: Path) -> list[str]:
    """What is wrong with the database of a data directory, or with a backup; empty: it is whole."""
    with contextlib.closing(_opened(source)) as connection:
        try:
            check_version(connection, source)
            said = [f"the database: {line}" for (line,) in connection.execute("pragma integrity_check")]
            problems = [] if said == ["the database: ok"] else said
            connection.execute("begin")  # heads and events of the same moment, though a server writes
            for table, head, count, first, last in connection.execute(_GAPS):
                say = f"table {table} is at {head}, but has {count} events, from {first} to {last}"
                problems.append(say)
            strays = connection.execute(_STRAYS)
            problems.extend(f"events of table {table}, which does not exist" for (table,) in strays)
        except sqlite3.DatabaseError as error:
            return [f"the database: {error}"]
        return problems


def _opened(source: Path) -> sqlite3.Connection:
    """The database of a data directory, or the file itself."""
    path = source / DATABASE if source.is_dir() else source
    if not path.is_file():
        raise StoreFailed(f"there is no database at {path}", text=str(path))
    try:
        return open_for_reading(path)
    except sqlite3.Error as error:
        raise StoreFailed(f"{path} cannot be opened: {error}", text=str(path)) from error


def _copy(connection: sqlite3.Connection, beside: Path) -> None:
    """All pages in one step: that is one moment of the database, whatever is written meanwhile."""
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.closing(sqlite3.connect(beside)) as copy:
        connection.backup(copy)
        copy.execute("pragma journal_mode = delete")  # one file, with no log beside it


def _publish(beside: Path, target: Path) -> None:
    _sync(beside)
    try:
        os.link(beside, target)  # unlike a rename, fails where the name is taken by now
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError(f"{target} exists already") from None
        beside.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
