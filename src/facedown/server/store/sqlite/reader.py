"""The connection that reads, and how statements are run."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from facedown.server.store.failures import OutageLog, failure_of, fault_of
from facedown.server.store.sqlite.schema import open_for_reading
from facedown.server.store.sqlite.worker import JobOutcome

_NOT_READ: Final = "the store could not be read"
_CACHE_KB: Final = 16 * 1024
"""The page cache for reading. With SQLite's 2 MB the lists of a person with two thousand games took twice as
long."""

Query: TypeAlias = "Callable[[sqlite3.Connection], Any]"


def execute(connection: sqlite3.Connection, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
    """Run a statement with `$1`, `$2`, as the stores share them, or with SQLite's own `?`.

    SQLite takes `$1` for a name. Its own `?1` would do, but Python 3.12.0 to 3.12.3 warn about it.
    """
    if "$" in statement:
        return connection.execute(statement, {str(number): value for number, value in enumerate(values, 1)})
    return connection.execute(statement, values)


class StoreReader:
    """Runs queries one by one on the reader thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = _open_reader(path)
        self._outages = OutageLog("read")

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
            result = query(self._connection)
            self._outages.on_success()
            return result, None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return None, fault_of(_NOT_READ, error)  # what was read cannot be used: other queries can
        except BaseException as error:  # even an exception that would end the thread: other queries wait
            self._outages.on_failure(1, error)
            with contextlib.suppress(sqlite3.Error):
                self.close()  # the next query opens a new connection
            return None, failure_of(_NOT_READ, error)


def _open_reader(path: Path) -> sqlite3.Connection:
    connection = open_for_reading(path)
    connection.execute(f"pragma cache_size = -{_CACHE_KB}")
    return connection
