"""One of several servers on one store: says that it lives, looks after tables that are due, and sweeps up the
hints that it has missed. What it does twice does no harm: the head of a table decides.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from facedown.core.errors import FacedownError
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.nodes.store_clock import StoreClock
from facedown.server.ops.logs import get_log
from facedown.server.ops.metrics import SharedCounts
from facedown.server.store.base import Store
from facedown.server.store.failures import survive
from facedown.server.table.seating.relations import TOPIC
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

_SECRET: Final = "cluster_secret"
_BEAT_S: Final = 1.0
_STALL_MS: Final = 3000
"""Where no server has beaten for longer than this, nobody could play: the clocks are given it back."""
_CLAIM_S: Final = 0.25
_LEASE_MS: Final = 5000
_CLAIMED: Final = 50
_SWEEP_S: Final = 2.0
_CLOCK_S: Final = 10.0
_TEND_S: Final = 20.0
"""How often presence is said again, idle tables are unloaded, and mutes and blocks are read again."""
_SWEPT: Final = 2000


@dataclass(slots=True)
class NodeStats:
    """Counters of a server among several, since the start."""

    claimed: int = 0
    """Tables that were due, and that this server looked after."""
    behind: int = 0
    """Tables that a sweep found behind the store, as their hint was lost or late."""
    credited_ms: int = 0
    """Outages that this server was the first to notice."""
    swept_at: float = 0.0
    """When the last sweep was done, on the steady clock."""
    beaten_at: float = 0.0


class Node:
    """The background work of a server that shares its store with others."""

    def __init__(self, store: Store, bus: Bus, tables: Tables) -> None:
        self.id = secrets.token_hex(8)
        self.clock = StoreClock(store)
        self.stats = NodeStats()
        self._store = store
        self._bus = bus
        self._tables = tables
        self._tasks: list[asyncio.Task[None]] = []
        self._sweep_now = asyncio.Event()
        self._epoch = 0
        self.on_tend: list[Callable[[], None]] = []
        """Called every 20 seconds: what others may have missed is said again."""
        self._log = get_log("facedown.node")

    async def start(self) -> None:
        """Join the others: with the store's clock, a heartbeat, and the secret that all of them share."""
        secret = await self._store.set_value_once(_SECRET, secrets.token_bytes(32))
        self._epoch = self._store.epoch
        await self.clock.follow()
        await self._beat()
        await self._bus.start(secret, self._sweep_now.set)
        self._bus.subscribe(TOPIC, self._on_relations)
        every = (
            (_BEAT_S, self._beat),
            (_CLAIM_S, self._claim),
            (_CLOCK_S, self.clock.follow),
            (_TEND_S, self._tend),
        )
        self._tasks = [asyncio.create_task(self._repeat(*each)) for each in every]
        self._tasks.append(asyncio.create_task(self._sweep_again_and_again()))

    async def stop(self) -> None:
        """Leave the others; the claims of this server run out by themselves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def check(self) -> None:
        """Raise `StoreFailed` where this server should get no new clients."""
        self.clock.check()

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do this again and again, not all servers at the same moment."""
        while True:
            await asyncio.sleep(seconds * random.uniform(0.8, 1.2))
            with survive(self._log, work.__name__):
                await work()

    def counts(self) -> SharedCounts:
        """What this server counts because it is one of several."""
        bus, own, at = self._bus.stats, self.stats, time.monotonic()
        return SharedCounts(
            (
                ("bus_sent", "Messages sent to other servers.", bus.sent),
                ("bus_received", "Messages received from other servers.", bus.received),
                ("bus_lost", "Messages that never came, or could not be sent.", bus.lost),
                ("bus_connects", "How often the bus was connected.", bus.reconnects),
                ("tables_looked_after", "Tables that were due, and looked after here.", own.claimed),
                ("tables_behind", "Tables that a sweep found behind the store.", own.behind),
                ("outage_seconds", "Outages that this server credited.", own.credited_ms / 1000),
            ),
            (
                ("bus_connected", "Whether other servers are heard.", float(self._bus.connected)),
                ("bus_lag_seconds", "How long the last message took.", bus.lag_ms / 1000),
                ("sweep_age_seconds", "Time since the last sweep.", at - (own.swept_at or at)),
                ("beat_age_seconds", "Time since the last heartbeat.", at - (own.beaten_at or at)),
                (
                    "clock_uncertain_seconds",
                    "How far the clock may be from the store's.",
                    self.clock.uncertain_ms / 1000,
                ),
            ),
        )

    # --- heartbeat and outages ------------------------------------------------------------------------

    async def _beat(self) -> None:
        credited = await self._store.beat(self.id, now(), _STALL_MS)
        self.stats.beaten_at = time.monotonic()
        if credited:
            self.stats.credited_ms += credited
            self._log.warning("outage credited to clocks", ms=credited)

    # --- tables that are due --------------------------------------------------------------------------

    async def _claim(self) -> None:
        """Look after tables whose clock has run out, or whose bots nobody has moved."""
        while due := await self._store.claim_due(self.id, now(), _LEASE_MS, _CLAIMED, _STALL_MS):
            self.stats.claimed += len(due)
            owed = frozenset(await self._store.owed_tables(due))
            await asyncio.gather(*(self._look_after(table, table in owed) for table in due))
            if len(due) < _CLAIMED:
                return

    async def _look_after(self, table_id: str, owed: bool) -> None:
        """Do what is due at one table; whatever fails there is nothing to the others."""
        with survive(self._log, "table that was due"):
            if owed:
                await self._credit(await self._tables.get(table_id))
            at = now()
            table = await self._tables.look_after(table_id, at)
            if table is None:
                return
            table.inbox.wake_bots()
            await table.quiet()
            await self._store.rearm(table_id, table.head, table.inbox.bots_wake_at(at))

    # --- the sweep ------------------------------------------------------------------------------------

    async def _sweep_again_and_again(self) -> None:
        while True:
            with survive(self._log, "sweep"):
                await self._sweep()
            try:
                async with asyncio.timeout(_SWEEP_S * random.uniform(0.8, 1.0)):
                    await self._sweep_now.wait()
            except TimeoutError:
                pass
            self._sweep_now.clear()

    async def _sweep(self) -> None:
        """Compare the tables that somebody follows here with the store: hints may have been lost."""
        if self._store.epoch != self._epoch:
            await self._reload_all()
        followed = {table.id: table for table in self._tables.all_loaded if table.is_followed}
        ids = list(followed)
        for start in range(0, len(ids), _SWEPT):
            some = ids[start : start + _SWEPT]
            before = {table: followed[table].head for table in some}
            for table, head in (await self._store.heads(some)).items():
                if head > max(before[table], followed[table].head):
                    self.stats.behind += 1
                    followed[table].inbox.on_hint(head)
        timed = {table.id: table for table in self._tables.all_loaded if table.clock_runs}
        for table in await self._store.owed_tables(list(timed)) if timed else ():
            await self._credit(timed[table])
        self.stats.swept_at = time.monotonic()

    async def _credit(self, table: Table) -> None:
        try:
            await table.credit_owed()
        except FacedownError as error:
            self._log.warning("an outage could not be credited yet", table=table.id, error=error.code)

    async def _reload_all(self) -> None:
        """Another database has taken over: what is in memory may not be there."""
        self._epoch = self._store.epoch
        for table in self._tables.all_loaded:
            await table.inbox.reload()

    # --- now and then ---------------------------------------------------------------------------------

    async def _tend(self) -> None:
        self._tables.unload_idle(now())
        for table in self._tables.all_loaded:
            table.hints.republish()
        for say_again in self.on_tend:
            say_again()
        await self._tables.relations.load()

    def _on_relations(self, _number: int, _node: str) -> None:
        task = asyncio.ensure_future(self._tables.relations.load())
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
