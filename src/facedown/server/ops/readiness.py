"""Readiness of a server: whether its store can write. Asked by many, looked at once a second at most."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from facedown.server.store.base import Store, StoreFailed

_SECONDS: Final = 5
"""How long a write may take."""
_FRESH_S: Final = 1.0
"""How long an answer is good for."""


class Readiness:
    """The last answer of the store, and one question to it at a time."""

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._asked: asyncio.Task[None] | None = None
        self._answered = 0.0

    async def check(self) -> None:
        """Return where the store can write; raises `StoreFailed` where it cannot."""
        asked = self._asked
        if asked is None or (asked.done() and self._now() - self._answered >= _FRESH_S):
            asked = self._asked = asyncio.create_task(self._ask())
        await asyncio.shield(asked)

    async def _ask(self) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                await self._store.ready()
        except TimeoutError:
            raise StoreFailed(f"the store did not complete a write within {_SECONDS} s") from None
        finally:
            self._answered = self._now()
