"""Faults of the SQLite writer: an error or a killed thread at a chosen statement of a real connection."""

from __future__ import annotations

import ctypes
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeVar

from facedown.server.store.sqlite.worker import WRITER

T = TypeVar("T")

NOTHING_SAVED: Final = "nothing was saved"
UNCERTAIN: Final = "not certain"
"""What the text of an error contains if nothing was saved, and if that is not known."""


class Killed(BaseException):
    """Ends a thread, wherever it is."""


def full() -> BaseException:
    return _sqlite_error("database or disk is full", sqlite3.SQLITE_FULL)


def io_error() -> BaseException:
    return _sqlite_error("disk I/O error", sqlite3.SQLITE_IOERR_WRITE)


def _sqlite_error(text: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


@dataclass(frozen=True)
class Fault:
    """What happens at a statement: before it runs, after it has run, or with SQLite's own rollback."""

    error: Callable[[], BaseException]
    moment: Literal["before", "after", "rolled back"]
    lasts: bool = False
    """Whether every later statement fails as well."""

    def __str__(self) -> str:
        return f"{self.error.__name__} {self.moment}{' and on' * self.lasts}"


FAULTS = (
    *(Fault(error, moment) for error in (full, io_error, Killed) for moment in ("before", "after")),
    *(Fault(error, "rolled back") for error in (full, io_error)),
    *(Fault(error, "before", lasts=True) for error in (full, io_error)),
)


class FaultyWriter:
    """Counts the statements of the writer thread, and fails at one of them."""

    def __init__(self) -> None:
        self._fault: Fault | None = None
        self._left = 0
        self.failed: list[str] = []
        """The statements that failed."""

    def fail_at(self, step: int, fault: Fault) -> None:
        """Fail at this statement, counted from 1."""
        self._fault, self._left, self.failed = fault, step, []

    def mend(self) -> None:
        """End the fault."""
        self._fault = None

    def run(self, connection: sqlite3.Connection, statement: str, run: Callable[[], T]) -> T:
        fault = self._fault
        if fault is None or threading.current_thread().name != WRITER:
            return run()
        self._left -= 1
        if self._left > 0 or (self._left < 0 and not fault.lasts):
            return run()
        self.failed.append(statement)
        if fault.moment == "after":
            run()
        elif fault.moment == "rolled back" and connection.in_transaction:
            sqlite3.Connection.execute(connection, "rollback")
        raise fault.error()


class FaultyConnection(sqlite3.Connection):
    """A real connection whose statements may fail."""

    def __init__(self, writer: FaultyWriter, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._writer = writer

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        return self._writer.run(self, statement, partial(super().execute, statement, *values))

    def executemany(self, statement: str, *values: Any) -> sqlite3.Cursor:
        return self._writer.run(self, statement, partial(super().executemany, statement, *values))


def kill_thread(ident: int) -> None:
    """Raise `Killed` in a running thread, at the next thing that it does."""
    found = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(Killed))
    assert found == 1
