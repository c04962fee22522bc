"""Backup of a data directory's database, and integrity checks. A server may be running."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Final

from facedown.core.errors import FacedownError
from facedown.files import check_writable, partial_file, publish_file, reason
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.schema import check_version, open_for_reading
from facedown.server.store.values import GAPS, STRAYS, gap_problem

_STAMP: Final = "last_backup"
"""The file in a data directory whose time says when it was last copied."""


class FileTaken(FacedownError):
    """A file with the name of a new one exists already."""

    code = "file_exists"


def backup(source: Path, target: Path) -> None:
    """Copy a snapshot of a data directory's database into a new file, checked and synced.

    Never overwrites: `target` appears only when it is complete.
    """
    if target.exists():
        raise FileTaken(f"{target} exists already; a backup never overwrites a file", text=str(target))
    check_writable(str(target))
    with contextlib.closing(_open(source)) as connection, partial_file(target) as part:
        try:
            _copy(connection, part)
            if problems := check(part):
                raise StoreFailed(f"the backup of {source} failed its integrity check: {problems[0]}")
            publish_file(part, target)
            if source.is_dir():
                (source / _STAMP).touch()
        except (OSError, sqlite3.Error) as error:
            raise StoreFailed(f"the backup to {target} failed: {_reason(error)}") from error


def last_backup(source: Path) -> float:
    """When a data directory was last copied, in seconds since 1970; 0 if that is not known."""
    try:
        return (source / _STAMP).stat().st_mtime
    except OSError:
        return 0.0


def _reason(error: OSError | sqlite3.Error) -> str:
    """Without the name of the unfinished file."""
    return reason(error) if isinstance(error, OSError) else str(error)


def check(source: Path) -> list[str]:
    """The problems of a database, in a data directory or a backup file; empty if it is intact."""
    with contextlib.closing(_open(source)) as connection:
        try:
            check_version(connection, source)
            found = [line for (line,) in connection.execute("pragma integrity_check")]
            problems = [] if found == ["ok"] else [f"the database: {line}" for line in found]
            connection.execute("begin")  # one snapshot for heads and events, while a server writes
            problems += [gap_problem(*fields) for fields in connection.execute(GAPS)]
            strays = connection.execute(STRAYS)
            problems.extend(f"events of table {table}, which does not exist" for (table,) in strays)
        except StoreFailed as error:  # its schema cannot be read
            return [str(error)]
        except sqlite3.DatabaseError as error:
            return [f"the database: {error}"]
        return problems


def _open(source: Path) -> sqlite3.Connection:
    path = source / DATABASE if source.is_dir() else source
    if not path.is_file():
        raise StoreFailed(f"there is no database at {path}", text=str(path))
    try:
        return open_for_reading(path)
    except sqlite3.Error as error:
        raise StoreFailed(f"{path} cannot be opened: {error}", text=str(path)) from error


def _copy(connection: sqlite3.Connection, part: Path) -> None:
    """Copy all pages in one step: a snapshot, even while a server writes."""
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.closing(sqlite3.connect(part)) as copy:
        connection.backup(copy)
        copy.execute("pragma journal_mode = delete")  # a single file, without a log
