"""The linger of the writer: how long writes wait for company, so that several tables share one commit.

A commit costs the same for one append as for ten. Where many come and the processor is short, each waits a
few milliseconds; where one comes alone, or the processor has time to spare, it is written at once, and those
who come during a commit share the next one. An answer never comes before its commit is on the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

LINGER_S: Final = 0.003
"""How long a write waits for others where many come."""
COMPANY: Final = 2.0
"""So many others have to be expected meanwhile, or nobody waits."""
SHORT: Final = 0.6
"""So much of a processor has to be in use, or nobody waits: with less than half of one in use, waiting
saved 13 to 21 % of that, which nobody lacked, and an answer took three times as long."""
QUIET_S: Final = 0.05
"""After so long without a write, what came before says nothing about what will come."""
_FADE: Final = 0.95
"""How much of the past counts at the next hand-over."""


class Linger:
    """Knows how many writes came lately and how busy the process was, and so whether waiting is worth it."""

    __slots__ = ("_busy", "_clock", "_last", "_processor", "_seconds", "_used", "_writes")

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, processor: Callable[[], float] = time.process_time
    ) -> None:
        self._clock = clock
        self._processor = processor
        self._last = -QUIET_S
        self._used = 0.0
        self._forget()

    def _forget(self) -> None:
        self._writes = self._seconds = self._busy = 0.0

    def wait(self) -> float:
        """How many seconds the first write of a batch waits for company."""
        if self._clock() - self._last > QUIET_S:
            self._forget()
            return 0.0
        many = self._writes * LINGER_S >= COMPANY * self._seconds
        return LINGER_S if many and self._busy >= SHORT * self._seconds else 0.0

    def handed_over(self, writes: int) -> None:
        """So many writes go into one commit."""
        now, used = self._clock(), self._processor()
        if now - self._last <= QUIET_S:
            self._writes = self._writes * _FADE + writes
            self._seconds = self._seconds * _FADE + (now - self._last)
            self._busy = self._busy * _FADE + (used - self._used)
        self._last, self._used = now, used
