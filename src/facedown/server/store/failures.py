"""The errors of a store; what turns those of a database into them, resolves futures, and survives them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final, final

from facedown.core.errors import FacedownError
from facedown.server.store.values import Append

WRITE_S: Final = 30.0
"""How long a request waits for a write. The write goes on: the caller may repeat the request."""
UNCONFIRMED: Final = "the store has not confirmed this yet, and may save it all the same: repeat the request"


class StoreFailed(FacedownError):
    """The store could not write or read: repeat the request. A write may be saved all the same."""

    code = "store_failed"
    status: ClassVar[int] = 503


class StoreRefused(StoreFailed):
    """The database refuses this server, and only an operator can change that: retrying is useless."""


class StoreFault(StoreFailed):
    """One request cannot be written or read, while others can: it, or what is stored, is at fault."""


class HeadMoved(FacedownError):
    """The table is not at the head that the append expects: nothing was saved, read the table again."""

    code = "head_moved"
    status: ClassVar[int] = 409

    @classmethod
    def of(cls, batch: Append) -> HeadMoved:
        """The error of an append whose table is not at its head."""
        return cls(f"table {batch.table} is not at {batch.head}: nothing was saved", text=batch.table)


class CommandKnown(HeadMoved):
    """The person's request with that idempotency key is saved already."""

    code = "command_known"


@contextmanager
def store_failures(what: str, *passing: type[Exception]) -> Iterator[None]:
    """Turn everything except our own errors and `passing` into `StoreFailed` with this text.

    A driver raises more kinds of errors than it documents, such as `CancelledError` for a broken connection.
    A cancellation of the running task passes.
    """
    try:
        yield
    except (Exception, asyncio.CancelledError) as error:
        if isinstance(error, (FacedownError, *passing)) or is_cancelled(error):
            raise
        raise failure_of(what, error) from error


def failure_of(what: str, error: BaseException) -> StoreFailed:
    """The failure that this error caused."""
    failure = StoreFailed(f"{what}: {error_text(error)}")
    failure.__cause__ = error
    return failure


def fault_of(what: str, error: BaseException) -> StoreFault:
    """The failure of one request, by its own fault; logged, as no outage of the store is."""
    text, *row = error_text(error).split("\n")  # PostgreSQL adds the row that it refuses
    trace = None if row else error
    logging.getLogger("facedown.store").error("%s: %s", what, text, exc_info=trace)
    fault = StoreFault(f"{what}: {text}")
    fault.__cause__ = error
    return fault


@contextmanager
def survive(log: Any, work: str) -> Iterator[None]:
    """One round of background work: logs what it raises, so that the next round runs.

    Outages are not logged here: the store logs each of them once.
    """
    try:
        yield
    except StoreFailed:
        pass
    except FacedownError as error:
        log.error("background work failed", work=work, error=error.code)
    except (Exception, asyncio.CancelledError) as error:
        if is_cancelled(error):
            raise
        log.error("background work failed", work=work, exc_info=error)


def resolve(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    """Set the result or the error of a future, unless its caller was cancelled."""
    if isinstance(error, FacedownError):  # its frames refer to the future
        forget_frames(error)
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def forget_frames(error: BaseException) -> None:
    """Drop the tracebacks of an error and its causes.

    Their frames may refer to what keeps the error, such as a future: only the garbage collector would free
    all of it, and a server runs that rarely.
    """
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.__traceback__ = None
        each = each.__cause__ or each.__context__


def is_cancelled(error: BaseException) -> bool:
    """Whether the running task itself is being cancelled: any other `CancelledError` is a failure."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def error_text(error: BaseException) -> str:
    """The text of an error; its name if it has none."""
    return str(error) or type(error).__name__


@final
class OutageLog:
    """Logs an outage of the store: one line when it begins, and one when it is over."""

    def __init__(self, what: str) -> None:
        """`what` the store cannot do: read or write."""
        self._what = what
        self._since: float | None = None
        self._failed = 0
        self._log = logging.getLogger("facedown.store")

    def on_failure(self, jobs: int, error: BaseException) -> None:
        self._failed += jobs
        if self._since is None:
            self._since = time.monotonic()
            self._log.error("the store cannot %s: %s", self._what, error_text(error))

    def on_success(self) -> None:
        if self._since is not None:
            self._log.warning(
                "the store %ss again, after %.1f s and %d failed %ss",
                *(self._what, time.monotonic() - self._since, self._failed, self._what),
            )
            self._since, self._failed = None, 0
