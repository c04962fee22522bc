"""The two threads of a SQLite store, one that writes and one that reads, and how work is handed to them."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from facedown.server.store.base import StoreFailed, StoreStats
from facedown.server.store.data_dir import DataDirectory
from facedown.server.store.schema import open_for_reading
from facedown.server.store.worker import Outcome, WorkerThread
from facedown.server.store.writer import Work, Writer

T = TypeVar("T")

Reading = Callable[[sqlite3.Connection], Any]

TURN: Final = 0.0005
"""Seconds after which a thread that computes has to let another one in. With Python's usual 5 ms a busy loop
all but starves the writer, which has to ask for the interpreter again after each of its statements."""


class SqliteThreads:
    """A locked data directory and its database. What is read after an answered write holds that write."""

    def __init__(self, folder: Path) -> None:
        self.stats = StoreStats()
        self._directory = DataDirectory(folder)
        try:
            self._writer = Writer(self._directory.database, self.stats)
            self._reader = _Reader(self._directory.database)
        except BaseException:
            self._directory.close()
            raise
        sys.setswitchinterval(min(TURN, sys.getswitchinterval()))
        self._writes: WorkerThread[Work] = WorkerThread("store-writer", self._writer.run_batch)
        self._reads: WorkerThread[Reading] = WorkerThread("store-reader", self._reader.run_batch)

    @property
    def waiting(self) -> int:
        return self._writes.waiting

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._reads.close()
        self._writes.close()
        self._reader.close()
        self._writer.close()
        self._directory.close()

    def write(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Have it done in the next transaction; it may be done twice there, and counts once."""
        return self._writes.put(work)

    def _execute(self, statement: str, *values: object) -> asyncio.Future[None]:
        """Have one statement carried out in the next transaction."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        return self.write(work)

    def read(self, reading: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Have something read."""
        return self._reads.put(reading)

    def _select(self, query: str, *values: object) -> asyncio.Future[list[tuple[Any, ...]]]:
        """All rows of a query."""

        def reading(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            return connection.execute(query, values).fetchall()

        return self.read(reading)

    async def _select_one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """The first row of a query."""
        found = await self._select(query, *values)
        return found[0] if found else None


class _Reader:
    """Carries out readings one by one on the reader's thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = open_for_reading(path)

    def run_batch(self, readings: list[Reading]) -> list[Outcome]:
        return [self._outcome(reading) for reading in readings]

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _outcome(self, reading: Reading) -> Outcome:
        try:
            if self._connection is None:
                self._connection = open_for_reading(self._path)
            return reading(self._connection), None
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                self.close()  # the next reading begins afresh
            failure = StoreFailed(f"the store could not be read: {error}")
            failure.__cause__ = error
            return None, failure
