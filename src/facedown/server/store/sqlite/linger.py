"""The linger of the writer: how long writes wait for company, so that several tables share one commit.

A commit costs the same for one append as for ten. Where so many come that the processor is short, each waits
a few milliseconds; where fewer come, it is written at once, and those who come during a commit share the next
one. An answer never comes before its commit is on the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

LINGER_S: Final = 0.003
"""How long a write waits for others where many come."""
COMPANY: Final = 5.0
"""So many others have to be expected meanwhile, or nobody waits: 1,700 writes a second, which keep a
processor busy. At half of that the wait would save a seventh of the processor's time, where it has time to
spare, and an answer would take three times as long."""
QUIET_S: Final = 0.05
"""After so long without a write, what came before says nothing about what will come."""
_FADE: Final = 0.9
"""How much of the past counts at the next hand-over."""


class Linger:
    """Knows how many writes came lately, and so whether waiting for more is worth it."""

    __slots__ = ("_clock", "_last", "_seconds", "_writes")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = -QUIET_S
        self._writes = self._seconds = 0.0

    def wait(self) -> float:
        """How many seconds the first write of a batch waits for company."""
        if self._clock() - self._last > QUIET_S:
            self._writes = self._seconds = 0.0
            return 0.0
        return LINGER_S if self._writes * LINGER_S >= COMPANY * self._seconds else 0.0

    def handed_over(self, writes: int) -> None:
        """So many writes go into one commit."""
        now = self._clock()
        if now - self._last <= QUIET_S:
            self._writes = self._writes * _FADE + writes
            self._seconds = self._seconds * _FADE + (now - self._last)
        self._last = now
