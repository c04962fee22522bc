"""The end of a test that hangs or fails: it is reported, and the tests after it do not suffer."""

from __future__ import annotations

import asyncio
import gc
import sys
import warnings
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any


def ending(test: Callable[..., Coroutine[Any, Any, None]], limit: float) -> Callable[..., Any]:
    """The same asynchronous test, which fails after `limit` seconds and shows what it waited for."""

    @wraps(test)
    async def run(*args: Any, **named: Any) -> None:
        async with asyncio.timeout(limit):
            await test(*args, **named)

    return run


def free_silently() -> None:
    """Collect what a failed test left open. Its warnings would be errors of the next test."""
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):  # pytest keeps its frames there
        vars(sys).pop(name, None)
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()
    finally:
        sys.unraisablehook = hook
