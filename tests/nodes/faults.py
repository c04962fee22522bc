"""Faults inside a server, as code that its process runs first: hints that are lost, clocks that are wrong."""

from __future__ import annotations

from typing import Final

_LOSSY: Final = """
import asyncio, random
from facedown.server.bus.postgresql import PostgresBus
receive = PostgresBus.receive
def receive_late(self, message):
    if random.random() < 0.3:
        return
    late = random.choice((0, 0, {late} * random.random()))
    asyncio.get_running_loop().call_later(late, receive, self, message)
PostgresBus.receive = receive_late
"""
_WRONG_CLOCK: Final = """
import time
shown_ns = time.time_ns
time.time_ns = lambda: shown_ns() + {seconds} * 1_000_000_000
"""


def lossy(late: float) -> str:
    """A server that loses 30 % of all hints, and receives others `late` seconds late, out of order."""
    return _LOSSY.format(late=late)


def wrong_clock(seconds: int) -> str:
    """A server whose system's clock is this many seconds ahead."""
    return _WRONG_CLOCK.format(seconds=seconds)
