"""Group commit: all waiting jobs go into one transaction, and are answered once it is on the disk.

Owns the connection that writes. If one job fails, the transaction is rolled back and run again with a
savepoint for each job, so that the other jobs succeed.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias, final

from facedown.core.errors import FacedownError
from facedown.server.store.failures import OutageLog, StoreFailed, failure_of, fault_of
from facedown.server.store.sqlite.appends import TableNumbers, save
from facedown.server.store.sqlite.schema import open_for_writing
from facedown.server.store.sqlite.worker import JobOutcome, doubtful_failure
from facedown.server.store.values import Append, StoreStats

WriteJob: TypeAlias = "Append | Callable[[sqlite3.Connection], Any]"
"""An append, or a function that writes."""

RECOVERABLE: Final = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_INTERRUPT,
)
"""Errors that end the transaction but leave the connection usable."""
FAULTS_OF_ONE_JOB: Final = (
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_RANGE,
)
"""Errors that one job caused, and that its savepoint rolls back."""

_NOT_WRITTEN: Final = "the store could not write, and nothing was saved"


@final
class Writer:
    """Runs batches of jobs on the writer thread; continues after every failure."""

    def __init__(self, path: Path, stats: StoreStats) -> None:
        self._path = path
        self._stats = stats
        self._outage = OutageLog("write")
        self._numbers = TableNumbers()
        self._is_open = False
        """Whether a transaction is neither committed nor rolled back."""
        self._is_committing = False
        """Whether its commit has begun: even if that fails, it may be saved."""
        self._connection: sqlite3.Connection | None = open_for_writing(path)

    def run_batch(self, jobs: list[WriteJob]) -> list[JobOutcome]:
        begun = time.perf_counter()
        try:
            outcomes = self._transaction(jobs)
        except BaseException as error:  # disk full or broken, database locked, thread killed
            failure = doubtful_failure if self._is_committing else _write_failure
            self._recover(error)
            self._stats.failed += len(jobs)
            self._outage.on_failure(len(jobs), error)
            return [(None, failure(error)) for _ in jobs]
        self._outage.on_success()
        self._count(jobs, outcomes, time.perf_counter() - begun)
        return outcomes

    def close(self) -> None:
        """Close the database; only once the writer thread has ended."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _transaction(self, jobs: list[WriteJob]) -> list[JobOutcome]:
        if self._is_open:  # the thread was killed before it could recover
            self._recover(None)
        self._is_committing = False
        connection = self._connection = self._connection or open_for_writing(self._path)
        self._is_open = True
        connection.execute("begin immediate")
        try:
            outcomes = self._run_together(connection, jobs)
        except Exception as error:
            if not _is_fault_of_one(error):
                raise
            connection.execute("rollback")
            self._numbers.forget()
            connection.execute("begin immediate")
            outcomes = [self._run_in_savepoint(connection, job) for job in jobs]
        self._is_committing = True
        connection.execute("commit")
        self._is_open = False
        return outcomes

    def _run_together(self, connection: sqlite3.Connection, jobs: Sequence[WriteJob]) -> list[JobOutcome]:
        """Run all jobs in order, neighbouring appends together; raises if any of them fails."""
        outcomes: list[JobOutcome] = []
        for appends, group in groupby(jobs, key=lambda job: isinstance(job, Append)):
            if appends:
                batches = [job for job in group if isinstance(job, Append)]
                save(connection, batches, self._numbers)
                outcomes.extend([(None, None)] * len(batches))
            else:
                outcomes.extend((self._run_one(connection, job), None) for job in group)
        return outcomes

    def _run_in_savepoint(self, connection: sqlite3.Connection, job: WriteJob) -> JobOutcome:
        connection.execute("savepoint job")
        try:
            result = self._run_one(connection, job)
        except Exception as error:
            if not _is_fault_of_one(error):
                raise
            connection.execute("rollback to job")
            connection.execute("release job")
            self._numbers.forget()
            return None, error if isinstance(error, FacedownError) else fault_of(_NOT_WRITTEN, error)
        connection.execute("release job")
        return result, None

    def _run_one(self, connection: sqlite3.Connection, job: WriteJob) -> object:
        if isinstance(job, Append):
            save(connection, (job,), self._numbers)
            return None
        result: object = job(connection)
        return result

    def _recover(self, error: BaseException | None) -> None:
        """Roll the transaction back; the next batch opens a new connection unless this one is sound."""
        self._numbers.forget()
        connection = self._connection
        if connection is not None:
            sound = isinstance(error, Exception) and _leaves_connection_sound(error)
            try:
                if connection.in_transaction:
                    connection.execute("rollback")
            except sqlite3.Error:
                sound = False
            if not sound:
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
                self._connection = None
        self._is_open = False

    def _count(self, jobs: Sequence[WriteJob], outcomes: Sequence[JobOutcome], seconds: float) -> None:
        saved = [job for job, (_, error) in zip(jobs, outcomes, strict=True) if error is None]
        appends = [job for job in saved if isinstance(job, Append)]
        self._stats.failed += sum(isinstance(error, StoreFailed) for _, error in outcomes)
        self._stats.count_commit(len(saved), appends, seconds)


def _is_fault_of_one(error: Exception) -> bool:
    return not isinstance(error, sqlite3.Error) or _primary(error) in FAULTS_OF_ONE_JOB


def _leaves_connection_sound(error: Exception) -> bool:
    return not isinstance(error, sqlite3.Error) or _primary(error) in RECOVERABLE


def _primary(error: sqlite3.Error) -> int:
    """SQLite's primary result code; errors of the Python binding have none, and count as SQLITE_ERROR."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _write_failure(error: BaseException) -> StoreFailed:
    return failure_of(_NOT_WRITTEN, error)
