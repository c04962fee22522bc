"""Faults inside a server, as code that its process runs first: hints that are lost, clocks that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_LOSSY: Final = """
import asyncio, random
from facedown.server.bus.hints import HintBus
receive = HintBus.receive
def receive_late(self, message):
    if random.random() < 0.3:
        return
    late = random.choice((0, 0, {late} * random.random()))
    asyncio.get_running_loop().call_later(late, receive, self, message)
HintBus.receive = receive_late
"""
DEAF: Final = """
from facedown.server.bus.hints import HintBus
HintBus.receive = lambda self, message: None
"""
"""A server that receives no hints."""
LATE: Final = """
import asyncio, random
from facedown.server.bus.hints import HintBus
receive = HintBus.receive
def receive_late(self, message):
    asyncio.get_running_loop().call_later(random.uniform(3, 7), receive, self, message)
HintBus.receive = receive_late
"""
"""Every hint comes, five seconds late in the mean, and in no order."""
NEXT_VERSION: Final = """
from facedown.server.store.postgresql import schema
schema.MIGRATIONS += (("alter table tables add column of_the_next_version int",),)
schema.VERSION = len(schema.MIGRATIONS)
"""
"""The next version of this program, whose schema has one column more."""
_WRONG_CLOCK: Final = """
import time
shown_ns = time.time_ns
time.time_ns = lambda: shown_ns() + {seconds} * 1_000_000_000
"""
_STEPPED_CLOCK: Final = """
import threading, time
shown_ns, ahead = time.time_ns, [0]
time.time_ns = lambda: shown_ns() + ahead[0] * 1_000_000_000
time.time = lambda: time.time_ns() / 1e9
def follow():
    while True:
        ahead[0] = int(open({path!r}).read() or 0)
        time.sleep(0.05)
threading.Thread(target=follow, daemon=True).start()
"""


def lossy(late: float) -> str:
    """A server that loses 30 % of all hints, and receives others `late` seconds late, out of order."""
    return _LOSSY.format(late=late)


def wrong_clock(seconds: int) -> str:
    """A server whose system's clock is this many seconds ahead."""
    return _WRONG_CLOCK.format(seconds=seconds)


def stepped_clock(path: Path) -> str:
    """A server whose system's clock is as far ahead, in seconds, as the file says at the moment."""
    return _STEPPED_CLOCK.format(path=str(path))
