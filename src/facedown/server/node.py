"""The background work of a server: heartbeats, clocks that run out, outages, and the order of the public
log; beside other servers, also hints that were lost. Work that two servers do at once does no harm: the head
of a table decides.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from facedown.server import clock
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ops.backoff import Turns
from facedown.server.ops.logs import get_log
from facedown.server.ops.metrics import Counts
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed, survive
from facedown.server.table.relations import TOPIC
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

T = TypeVar("T")
_SECRET: Final = "bus_secret"
_BEAT_S: Final = 1.0
_STALL_MS: Final = 3000
"""If no server has beaten for longer than this, no player could act: the clocks get that time back."""
_START_MS: Final = 1500
"""The same at the start of a server, when no delay of a beat can be mistaken for an outage."""
_CLAIM_S: Final = 0.25
_LEASE_MS: Final = 5000
_TURN_S: Final = 1.0
"""How long a claim waits for the work that is due at its tables before the next ones are claimed."""
_LONGEST_PAUSE_S: Final = 5.0
"""How long repeated work that has failed pauses at most: clocks depend on it."""
_CLAIMED: Final = 50
_SWEEP_S: Final = 2.0
_CLOCK_S: Final = 10.0
_LOG_S: Final = 1.0
_NUMBERED: Final = 1000
_UNLOAD_S: Final = 20.0
_REPEAT_S: Final = 20.0
"""How often presence is published again, and mutes and blocks are read again."""
_SWEPT: Final = 2000
_AT_ONCE: Final = 100
"""Tables for which something is done before anything else may happen."""
_CREDIT: Final = "credit of an outage"
_QUESTIONS: Final = 5
_MOST_UNCERTAIN_MS: Final = 250
"""With a clock that is less certain than this a server is not ready: its flags could fall too soon."""


class Node:
    """Keeps the time of all tables of a store, alone or with other servers."""

    def __init__(self, store: Store, bus: Bus, tables: Tables) -> None:
        self.id = secrets.token_hex(8)
        self.clock = StoreClock(store)
        self._beaten_at = 0.0
        """When the last heartbeat was saved, on the monotonic clock."""
        self._store = store
        self._bus = bus
        self._tables = tables
        self._tasks: list[asyncio.Task[None]] = []
        self._backoff = tables.backoff
        self._due = Turns(tables.backoff, "table that was due")
        self._sweep_now = asyncio.Event()
        self._epoch = store.epoch
        self._owes = False
        """Whether tables in memory may be owed an outage that this server has noticed."""
        self.on_repeat: list[Callable[[], None]] = []
        """Called every 20 seconds beside other servers, to publish again what they may have missed."""
        self._log = get_log("facedown.node")

    async def start(self) -> None:
        """Go on from the last heartbeat of any server, credit the outage since then, and keep time."""
        self._epoch = self._store.epoch
        await self.clock.follow()
        await self._beat(_START_MS)
        if self._store.shared:
            await self._join_others()
        self._start(self._repeat(_BEAT_S, self._beat))
        self._start(self._repeat(_CLAIM_S, self._claim))
        self._start(self._repeat(_LOG_S, self._number_log))
        self._start(self._repeat(_UNLOAD_S, self._unload))

    async def _join_others(self) -> None:
        """Exchange hints with other servers, and find those that are lost."""
        await self.clock.follow()  # the first beat may have moved it
        secret = await self._store.set_value_once(_SECRET, secrets.token_bytes(32))
        await self._bus.start(secret, self._sweep_now.set)
        self._bus.subscribe(TOPIC, self._on_relations)
        self._start(self._repeat(_CLOCK_S, self.clock.follow))
        self._start(self._repeat(_REPEAT_S, self._publish_again))
        self._start(self._sweep_repeatedly())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    async def stop(self) -> None:
        """Stop keeping time, with a last heartbeat. The claims of this server expire."""
        if not self._tasks:
            return
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._due.close()
        with survive(self._log, "last heartbeat"):
            async with asyncio.timeout(_BEAT_S):
                await self._beat()

    def check(self) -> None:
        """Raise `StoreFailed` if this server should get no new clients."""
        self.clock.check()

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        """Do this repeatedly, not all servers at the same moment."""
        name = work.__name__.strip("_")
        while True:
            pause = min(self._backoff.wait_s(name), _LONGEST_PAUSE_S)
            await asyncio.sleep(max(pause, seconds * random.uniform(0.8, 1.2)))
            with self._backoff.attempt(name):
                await work()

    def counts(self) -> Counts:
        at, uncertain = time.monotonic(), self.clock.uncertain_ms / 1000
        return Counts(
            (),
            (
                ("beat_age_seconds", "Time since the last heartbeat.", at - (self._beaten_at or at)),
                ("clock_uncertain_seconds", "How far the clock may be from the store's.", uncertain),
            ),
        )

    # --- heartbeat and outages ------------------------------------------------------------------------

    async def _beat(self, stall_ms: int = _STALL_MS) -> None:
        credited = await self._store.beat(self.id, now(), stall_ms)
        self._beaten_at = time.monotonic()
        if credited:
            self._owes = True
            self._log.warning("outage credited to clocks", ms=credited)

    async def _credit_loaded(self) -> None:
        """Credit outages to the tables in memory; others are credited when they are loaded."""
        timed = {table.id: table for table in self._tables.all_loaded if table.clock_runs}
        self._owes = False  # a beat may notice another one from now on
        are_credited = False
        try:
            every = []
            for some in _steps(list(timed), _SWEPT):
                for owed in _steps(await self._store.owed_tables(some), _AT_ONCE):
                    every += await asyncio.gather(*(self._credit(timed[table]) for table in owed))
            are_credited = all(every)
        finally:
            if not are_credited:
                self._owes = True

    async def _credit(self, table: Table) -> bool:
        """Whether a table has got its outages; one that fails waits longer each time."""
        if self._backoff.is_due(_CREDIT, table.id):
            with self._backoff.attempt(_CREDIT, table.id):
                await table.credit_owed()
                return True
        return False

    # --- tables that are due --------------------------------------------------------------------------

    async def _claim(self) -> None:
        """Run what is due: clocks that have run out, and bots that no server has moved."""
        if self._owes:
            await self._credit_loaded()
        while True:
            at = now()  # not read again: this process may be stopped after the claim, with clocks running
            due = await self._store.claim_due(at, _LEASE_MS, _CLAIMED, _STALL_MS)
            owed = frozenset(await self._store.owed_tables(due) if due else ())
            await self._due.give(due, partial(self._run_due, at=at, owed=owed), _TURN_S)
            if len(due) < _CLAIMED:
                return

    async def _run_due(self, table_id: str, at: int, owed: frozenset[str]) -> None:
        """Do what is due at one table. If it fails, its claim expires."""
        table = await self._tables.get(table_id)
        if table_id in owed and not await self._credit(table):
            return  # its time is not up
        head = table.head
        if not await self._tables.check_clocks(table, at):
            return
        table.inbox.bots.wake()
        await table.finish_writing()
        if table.head == head:  # else an append has ended the claim
            await self._store.rearm(table_id, head, table.inbox.bots.wake_at(at))

    async def _number_log(self) -> None:
        """Give the new entries of the public log their places."""
        while await self._store.number_log_entries(_NUMBERED) == _NUMBERED:
            pass

    async def _unload(self) -> None:
        self._tables.unload_idle(now())

    # --- beside other servers -------------------------------------------------------------------------

    async def _sweep_repeatedly(self) -> None:
        while True:
            with self._backoff.attempt("sweep"):
                await self._sweep()
            pause = min(self._backoff.wait_s("sweep"), _LONGEST_PAUSE_S)
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(_SWEEP_S * random.uniform(0.8, 1.0)):
                    await self._sweep_now.wait()
            except TimeoutError:
                pass
            self._sweep_now.clear()

    async def _sweep(self) -> None:
        """Compare the tables that are followed here with the store: hints may have been lost."""
        await self._reload_after_failover()
        followed = {table.id: table for table in self._tables.all_loaded if table.is_followed}
        for some in _steps(list(followed), _SWEPT):
            before = {table: followed[table].head for table in some}
            for table, head in (await self._store.heads(some)).items():
                if head > max(before[table], followed[table].head):
                    followed[table].inbox.on_hint(head)
        await self._credit_loaded()  # another server may have noticed an outage

    async def _reload_after_failover(self) -> None:
        """Read the tables again if another database took over."""
        if self._store.epoch != self._epoch:
            self._epoch = self._store.epoch
            for table in self._tables.all_loaded:
                with self._backoff.attempt("table read again", table.id):
                    await table.inbox.reload()

    async def _publish_again(self) -> None:
        for some in _steps(self._tables.all_loaded, _AT_ONCE):
            for table in some:
                table.hints.republish()
            await asyncio.sleep(0)  # players come first
        for publish in self.on_repeat:
            publish()
        await self._tables.relations.load()

    def _on_relations(self, _number: int, _node: str) -> None:
        task = asyncio.ensure_future(self._tables.relations.load())
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _steps(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


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
        if abs(now() - shown) > self.uncertain_ms + 1:
            clock.set_now(shown)

    def check(self) -> None:
        """Raise `StoreFailed` if the clock is not certain enough to serve by."""
        if self.uncertain_ms > _MOST_UNCERTAIN_MS:
            raise StoreFailed("the store's clock cannot be read precisely enough")
