"""The common clock of several servers: follows the store's clock, by the quickest of a few questions."""

from __future__ import annotations

import time
from typing import Final

from facedown.server import clock
from facedown.server.store.base import Store, StoreFailed

_QUESTIONS: Final = 5
MOST_UNCERTAIN_MS: Final = 250
"""With a clock that is less certain than this a server is not ready: its flags could fall too soon."""


class StoreClock:
    """Sets this process's clock by the store's, and knows how far it may be off."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.uncertain_ms = float("inf")
        """Half the time that the quickest question took."""

    async def follow(self, questions: int = _QUESTIONS) -> None:
        """Ask the store for its time, and take over the answer that came back soonest."""
        best, shown, at = float("inf"), 0, 0.0
        for _ in range(questions):
            asked = time.monotonic()
            answer = await self._store.time()
            came = time.monotonic()
            if came - asked < best:
                best, shown, at = came - asked, answer, (asked + came) / 2
        self.uncertain_ms = best * 500
        shown += round((time.monotonic() - at) * 1000)
        if abs(clock.now() - shown) > self.uncertain_ms + 1:
            clock.set_now(shown)

    def check(self) -> None:
        """Raise `StoreFailed` where the clock is not certain enough to serve by."""
        if self.uncertain_ms > MOST_UNCERTAIN_MS:
            raise StoreFailed("the store's clock cannot be read precisely enough")
