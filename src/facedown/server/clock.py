"""The server's wall clock in milliseconds, from which deadlines and times of events are read, and lengths of
time in its unit.
"""

from __future__ import annotations

import time
from typing import Final

SECOND_MS: Final = 1000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS


def now() -> int:
    """Milliseconds since 1970 (UTC).

    It may jump when the system's clock is set, and it is not fine enough to measure with: for timeouts and
    durations inside the process use `time.monotonic`.

    >>> 0 <= now() - time.time_ns() // 1_000_000 + SECOND_MS <= 2 * SECOND_MS
    True
    """
    return time.time_ns() // 1_000_000
