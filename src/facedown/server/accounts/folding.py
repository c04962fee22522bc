"""Folding of finished games into what is kept about people: some at a time, each game once.

A server that starts reads no game that was folded before. What comes out is up to the subclasses.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.failures import survive

AT_ONCE: Final = 200
"""Games that are folded in one transaction; the first ones of a database of before take many."""
_EVERY_S: Final = 30.0


class FoldedGames(ABC):
    """Folds finished games: the latest ones when they are asked for, all others in the background."""

    name: ClassVar[str]
    """What comes out, for logs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._task: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._log = get_log(__name__)

    @abstractmethod
    async def fold_some(self, limit: int) -> int:
        """Fold at most so many games that were not; how many these were."""

    async def fold_latest(self) -> None:
        """Fold what ended just now; where very many games wait, the rest follows in the background."""
        if await asyncio.shield(self.fold_some(AT_ONCE)) == AT_ONCE:
            self._more.set()

    async def catch_up(self) -> None:
        """Fold all games that ended."""
        while await self.fold_some(AT_ONCE):
            pass

    def start(self) -> None:
        """Start the task that folds beside everything else."""
        self._task = asyncio.create_task(self._run(), name=self.name)

    async def close(self) -> None:
        """Stop it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._more.clear()
            with survive(self._log, self.name):
                await self.catch_up()
            try:
                async with asyncio.timeout(_EVERY_S):
                    await self._more.wait()
            except TimeoutError:
                continue
