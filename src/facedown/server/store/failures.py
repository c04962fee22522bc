"""What a store raises, reduced to `StoreFailed`; and background work that outlives every failure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from facedown.core.errors import FacedownError
from facedown.server.store.base import StoreFailed


@contextmanager
def store_failures(what: str, *passing: type[Exception]) -> Iterator[None]:
    """Turn everything but our own errors, and those that may pass, into `StoreFailed` with this text.

    A driver raises more kinds of errors than it documents, `CancelledError` for a connection that breaks
    among them. The cancellation of the task that waits here passes.
    """
    try:
        yield
    except (Exception, asyncio.CancelledError) as error:
        if isinstance(error, (FacedownError, *passing)) or is_cancelled(error):
            raise
        raise StoreFailed(f"{what}: {error_text(error)}") from error


@contextmanager
def survive(log: Any, work: str) -> Iterator[None]:
    """One round of background work: log what it raises, so that the next round runs.

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


def is_cancelled(error: BaseException) -> bool:
    """Whether the running task itself is being cancelled: another `CancelledError` is a failure like any."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def error_text(error: BaseException) -> str:
    """The text of an error; its name if it has none."""
    return str(error) or type(error).__name__
