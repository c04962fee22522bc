"""Readiness of a server: whether its store can write. Checked at most once a second."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from facedown.server.ops.slots import waiting
from facedown.server.store.base import Store

_FRESH_S: Final = 1.0
"""How long a check is valid."""


class Readiness:
    """The last check of the store; one runs at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._check: asyncio.Task[None] | None = None
        self._checked_at = 0.0

    async def check(self) -> None:
        """Return if the store can write; else raises `StoreFailed`."""
        task = self._check
        if task is None or (task.done() and time.monotonic() - self._checked_at >= _FRESH_S):
            task = self._check = asyncio.create_task(self._write())
        async with waiting():
            await asyncio.shield(task)

    async def _write(self) -> None:
        try:
            await self._store.ready()
        finally:
            self._checked_at = time.monotonic()
