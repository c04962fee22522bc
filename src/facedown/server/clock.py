"""The server's clock in milliseconds, for deadlines and times of events, and durations in its unit.

It shows wall time, but runs evenly: setting the system's clock does not move it. A server follows the store's
clock (`Store.time`), which goes on from the last heartbeat if the system's clock was set back.
"""

from __future__ import annotations

import time
from typing import Final

SECOND_MS: Final = 1000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS


def _steady_ns() -> int:
    """Nanoseconds on a clock that cannot be set; it also counts sleep, if the system has such a clock."""
    if _BOOT is not None:
        return time.clock_gettime_ns(_BOOT)
    return time.monotonic_ns()


def _boot_clock() -> int | None:
    """The clock that also counts sleep; None if there is none, or, as in a browser, only its name."""
    found: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    try:
        return None if found is None else time.clock_gettime_ns(found) and found
    except OSError:
        return None


_BOOT: Final = _boot_clock()
_offset_ns = time.time_ns() - _steady_ns()
"""From the system's clock at the start of the process; it is not read again."""


def set_now(ms: int) -> None:
    """Set the clock to what the store's clock shows."""
    global _offset_ns
    _offset_ns = ms * 1_000_000 - _steady_ns()


def now() -> int:
    """Milliseconds since 1970 (UTC), by the system's clock at the start, running evenly since then.

    For timeouts and durations inside the process use `time.monotonic`. Across a restart the store's clock
    counts, and `Node.start` takes a jump ahead for an outage.

    >>> abs(now() - time.time_ns() // 1_000_000) < DAY_MS
    True
    """
    return (_offset_ns + _steady_ns()) // 1_000_000
