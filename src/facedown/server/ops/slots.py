"""Slots of an address: a few of its requests compute at once, and its unfinished bodies have a cap.

A request holds a slot only while it computes. Around everything that other people or processes decide (an
opponent, an event, the answer of a worker) it gives the slot back: `async with waiting()`.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final

AT_ONCE: Final = 4
"""Requests of one address that compute at once; further ones wait, so that other addresses get their turn."""
MOST_BODIES: Final = 64
"""Bodies of one address that are under way; one more ends the oldest, which is rarely an honest one."""


class RequestSlots:
    """The slots of all addresses; a request that gets none waits, in order of arrival."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._taken: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    def __len__(self) -> int:
        return self._taken.total()

    @asynccontextmanager
    async def request(self, address: str) -> AsyncIterator[RequestSlot]:
        """A slot for one request, taken from here on; `address` is a key."""
        slot = RequestSlot(self, address)
        await slot.take()
        token = _current.set(slot)
        try:
            yield slot
        finally:
            _current.reset(token)
            slot.end()

    async def enter(self, address: str) -> None:
        """Wait until one more request of this address may compute."""
        if self._taken[address] < self._at_once:
            self._taken[address] += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, deque()).append(turn)
        try:
            await turn  # set by `leave`, which does not lower the count then
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(address)
            raise

    def leave(self, address: str) -> None:
        """One request less computes: let the next one."""
        queue = self._queues.get(address)
        while queue:
            turn = queue.popleft()
            if not queue:
                del self._queues[address]
            if not turn.done():
                turn.set_result(None)
                return
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]


class RequestSlot:
    """The slot of one request: held, given back for a while, or given back for good."""

    __slots__ = ("_address", "_held", "_over", "_slots")

    def __init__(self, slots: RequestSlots, address: str) -> None:
        self._slots = slots
        self._address = address
        self._held = False
        self._over = False

    async def take(self) -> None:
        """Hold the slot; does nothing once the request has ended."""
        if not self._may_hold():
            return
        await self._slots.enter(self._address)
        if self._may_hold():
            self._held = True
        else:
            self._slots.leave(self._address)

    def _may_hold(self) -> bool:
        return not (self._over or self._held)

    def give_back(self) -> bool:
        """Hold the slot no longer; whether it was held."""
        held, self._held = self._held, False
        if held:
            self._slots.leave(self._address)
        return held

    def end(self) -> None:
        """The request computes no more: its answer begins, or it has failed."""
        self._over = True
        self.give_back()


_current: ContextVar[RequestSlot | None] = ContextVar("request_slot", default=None)
"""The slot of the request that this code runs for, in the tasks that the request has started as well."""


@asynccontextmanager
async def waiting() -> AsyncIterator[None]:
    """Give the slot of the request back while it waits for someone else; outside of requests nothing."""
    slot = _current.get()
    if slot is None or not slot.give_back():
        yield
        return
    try:
        yield
    finally:
        await slot.take()


class BodiesUnderWay:
    """The bodies of each address that have not come whole, the oldest first."""

    def __init__(self, most: int = MOST_BODIES) -> None:
        self._most = most
        self._by_address: dict[str, dict[asyncio.Timeout, None]] = {}

    @contextmanager
    def count(self, address: str, deadline: asyncio.Timeout) -> Iterator[None]:
        """Count a body that is read under this deadline, which is now for the oldest of too many."""
        bodies = self._by_address.setdefault(address, {})
        if len(bodies) >= self._most:
            oldest = next(iter(bodies))
            del bodies[oldest]
            if not oldest.expired():
                oldest.reschedule(asyncio.get_running_loop().time())
        bodies[deadline] = None
        try:
            yield
        finally:
            bodies.pop(deadline, None)
            if not bodies and self._by_address.get(address) is bodies:
                del self._by_address[address]
