"""The two workers of a SQLite store, one that writes and one that reads, with a connection each."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from facedown.server.store.base import Statement, Store, StoreFailed, StoreStats
from facedown.server.store.failures import failure_of
from facedown.server.store.sqlite.data_dir import DataDirectory
from facedown.server.store.sqlite.schema import check_quickly, open_for_reading
from facedown.server.store.sqlite.worker import (
    JobOutcome,
    MakeWorker,
    RunBatch,
    W,
    Worker,
    WorkerThread,
    future_of,
)
from facedown.server.store.sqlite.writer import WriteJob, Writer

T = TypeVar("T")

_CACHE_KB: Final = 16 * 1024
"""The page cache for reading. With SQLite's 2 MB the lists of a person with two thousand games took twice as
long."""
WRITER: Final = "store-writer"
READER: Final = "store-reader"

Query = Callable[[sqlite3.Connection], Any]


def make_thread(name: str, run_batch: RunBatch[W]) -> Worker[W]:
    """A worker on a thread of its own."""
    return WorkerThread(name, run_batch)


class SqliteThreads(Store):
    """The part of the SQLite store that runs statements: a locked data directory and two workers."""

    def __init__(self, folder: Path, make_worker: MakeWorker = make_thread) -> None:
        self.stats = StoreStats()
        self.folder = folder
        self._directory = DataDirectory(folder)
        self.damage = ""
        """What the check in the background found."""
        try:
            is_checked = check_quickly(self._directory.database)
            self._writer = Writer(self._directory.database, self.stats)
            self._reader = _Reader(self._directory.database)
        except BaseException:
            self._directory.close()
            raise
        self._writes: Worker[WriteJob] = make_worker(WRITER, self._writer.run_batch)
        if not is_checked and make_worker is make_thread:
            threading.Thread(target=self._check_all, name="store-check", daemon=True).start()
        self._reads: Worker[Query] = make_worker(READER, self._reader.run_batch)

    def _check_all(self) -> None:
        """Check a large database in the background."""
        try:
            check_quickly(self._directory.database, seconds=0)
        except StoreFailed as error:
            self.damage = str(error)
            logging.getLogger("facedown.store").error("%s", self.damage)

    @property
    def waiting(self) -> int:
        return self._writes.waiting

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with contextlib.ExitStack() as stack:  # closes every part, even if another one raises
            stack.callback(self._directory.close)
            stack.callback(self._writer.close)
            stack.callback(self._reader.close)
            stack.callback(self._writes.close)
            stack.callback(self._reads.close)

    def write(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Run a function in the next transaction; it may run twice, after a rollback."""
        return future_of(self._writes, work)

    def read(self, query: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Run a function on the connection that reads."""
        return future_of(self._reads, query)

    def _select(self, statement: str, *values: object) -> asyncio.Future[list[Any]]:
        return self.read(lambda connection: execute(connection, statement, values).fetchall())

    def _execute(self, statement: str, *values: object) -> asyncio.Future[list[Any]]:
        return self.write(lambda connection: execute(connection, statement, values).fetchall())

    def _execute_all(self, *statements: Statement) -> asyncio.Future[None]:
        def work(connection: sqlite3.Connection) -> None:
            for statement, values in statements:
                execute(connection, statement, values)

        return self.write(work)


def execute(connection: sqlite3.Connection, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
    """Run a statement with `$1`, `$2`, as the stores share them, or with SQLite's own `?`.

    SQLite takes `$1` for a name. Its own `?1` would do, but Python 3.12.0 to 3.12.3 warn about it.
    """
    if "$" in statement:
        return connection.execute(statement, {str(number): value for number, value in enumerate(values, 1)})
    return connection.execute(statement, values)


class _Reader:
    """Runs queries one by one on the reader thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = _open_reader(path)

    def run_batch(self, queries: list[Query]) -> list[JobOutcome]:
        return [self._outcome(query) for query in queries]

    def close(self) -> None:
        if self._connection is not None:
            try:
                self._connection.close()
            finally:
                self._connection = None

    def _outcome(self, query: Query) -> JobOutcome:
        try:
            if self._connection is None:
                self._connection = _open_reader(self._path)
            return query(self._connection), None
        except BaseException as error:  # even an exception that would end the thread: other queries wait
            with contextlib.suppress(sqlite3.Error):
                self.close()  # the next query opens a new connection
            return None, failure_of("the store could not be read", error)


def _open_reader(path: Path) -> sqlite3.Connection:
    connection = open_for_reading(path)
    connection.execute(f"pragma cache_size = -{_CACHE_KB}")
    return connection
