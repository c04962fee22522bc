"""Group commit: all that waits goes into one transaction, and nobody is answered before it is on the disk.

Owns the connection that writes. Work is done together first; only where something of it is wrong is the
transaction taken back and done again piece by piece, so that one bad piece costs the others nothing.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias

from facedown.core.errors import FacedownError
from facedown.server.store.appends import save
from facedown.server.store.base import Append, CommandKnown, StoreFailed, StoreStats
from facedown.server.store.schema import open_for_writing
from facedown.server.store.worker import Outcome

Work: TypeAlias = "Append | Callable[[sqlite3.Connection], Any]"
"""An append, or something else that writes."""

ENDED: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT)
"""Failures after which the connection is as good as before, though its transaction is not."""
PIECES: Final = (
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_RANGE,
)
"""Failures that are the fault of one piece of work, and that its savepoint takes back."""


class Writer:
    """Carries out drains on the writer's thread; lives on after every failure."""

    def __init__(self, path: Path, stats: StoreStats) -> None:
        self._path = path
        self._stats = stats
        self._most_pages = 0
        self._connection: sqlite3.Connection | None = open_for_writing(path)

    def run_batch(self, works: list[Work]) -> list[Outcome]:
        """One transaction for all of them."""
        begun = time.perf_counter()
        try:
            outcomes = self._transaction(works)
        except Exception as error:  # the disk is full or broken, the database locked: none of it is saved
            self._recover(error)
            self._stats.failed += len(works)
            return [(None, _failed(error)) for _ in works]
        self._count(works, outcomes, time.perf_counter() - begun)
        return outcomes

    def cap(self, pages: int) -> None:
        """The database may not grow beyond so many pages (0: no bound); for the writer's thread."""
        self._most_pages = pages
        if self._connection is not None:
            _cap(self._connection, pages)

    def close(self) -> None:
        """Let go of the database; for whoever has ended the writer's thread."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _transaction(self, works: list[Work]) -> list[Outcome]:
        connection = self._connection or self._reopened()
        connection.execute("begin immediate")
        try:
            outcomes = _run_together(connection, works)
        except Exception as error:
            if not _is_fault_of_one(error):
                raise
            connection.execute("rollback")
            connection.execute("begin immediate")
            outcomes = [_run_in_savepoint(connection, work) for work in works]
        connection.execute("commit")
        return outcomes

    def _reopened(self) -> sqlite3.Connection:
        connection = open_for_writing(self._path)
        if self._most_pages:
            _cap(connection, self._most_pages)
        self._connection = connection
        return connection

    def _recover(self, error: Exception) -> None:
        """Take the transaction back; after a failure of the disk, begin with a new connection."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("rollback")
            sound = not isinstance(error, sqlite3.Error) or _primary(error) in ENDED
        except sqlite3.Error:
            sound = False
        if not sound:
            self._connection = None
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def _count(self, works: Sequence[Work], outcomes: Sequence[Outcome], seconds: float) -> None:
        stats = self._stats
        saved = [work for work, (_, error) in zip(works, outcomes, strict=True) if error is None]
        appends = [work for work in saved if isinstance(work, Append)]
        stats.commits += 1
        stats.jobs += len(saved)
        stats.failed += len(works) - len(saved)
        stats.appends += len(appends)
        stats.rows += sum(len(append.rows) for append in appends)
        stats.largest = max(stats.largest, len(saved))
        stats.last_ms = seconds * 1000


def _run_together(connection: sqlite3.Connection, works: Sequence[Work]) -> list[Outcome]:
    """Everything in order, neighbouring appends as one; raises where anything is wrong."""
    outcomes: list[Outcome] = []
    for appends, group in groupby(works, key=_is_append):
        if appends:
            batches = [work for work in group if isinstance(work, Append)]
            save(connection, batches)
            outcomes.extend([(None, None)] * len(batches))
        else:
            outcomes.extend((_run_one(connection, work), None) for work in group)
    return outcomes


def _run_in_savepoint(connection: sqlite3.Connection, work: Work) -> Outcome:
    """One piece of work in a savepoint of its own."""
    connection.execute("savepoint piece")
    try:
        result = _run_one(connection, work)
    except Exception as error:
        if not _is_fault_of_one(error):
            raise
        connection.execute("rollback to piece")
        connection.execute("release piece")
        return None, error if isinstance(error, FacedownError) else _refused(error)
    connection.execute("release piece")
    return result, None


def _run_one(connection: sqlite3.Connection, work: Work) -> object:
    if isinstance(work, Append):
        save(connection, (work,))
        return None
    result: object = work(connection)
    return result


def _is_append(work: Work) -> bool:
    return isinstance(work, Append)


def _is_fault_of_one(error: Exception) -> bool:
    """Whether one piece of work is wrong, not the store."""
    return not isinstance(error, sqlite3.Error) or _primary(error) in PIECES


def _primary(error: sqlite3.Error) -> int:
    """SQLite's primary result code; errors of the Python side, as of a value it does not know, have none."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _refused(error: Exception) -> FacedownError:
    """What to tell about a piece that SQLite, or Python on its behalf, would not take."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code == sqlite3.SQLITE_CONSTRAINT_UNIQUE and "events.command" in str(error):
        return CommandKnown("a command of this seat with the same id is saved already")
    return _failed(error)


def _failed(error: Exception) -> StoreFailed:
    failure = StoreFailed(f"the store could not write, and nothing was saved: {error}")
    failure.__cause__ = error
    return failure


def _cap(connection: sqlite3.Connection, pages: int) -> None:
    connection.execute(f"pragma max_page_count = {pages or 0xFFFFFFFE}")
