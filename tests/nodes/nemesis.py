"""What goes wrong in a run with several servers: servers and PostgreSQL killed, stopped, cut off.

Faults come from a bag in an order that a seed decides. Each one heals before the next one begins; clients
need not have recovered by then.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from tests import postgresql
from tests.nodes.nodes import ServerNodes
from tests.nodes.players import CLOCK_S
from tests.patience import PATIENCE
from tests.server.running import Server

_NODES_AWAY_S: Final = CLOCK_S + 1.0
_DATABASE_AWAY_S: Final = 13.0
"""Longer than any timeout of a server that waits for PostgreSQL."""
_MOST: Final = 0.7

Fault = Callable[[], Awaitable[None]]


@dataclass
class Nemesis:
    """Does one thing after the other to the servers of a run, and to PostgreSQL."""

    nodes: ServerNodes
    cluster: postgresql.Cluster | None
    source: random.Random
    wait: Fault
    """Called while a server is down: clients have to go on without it."""
    outages: list[tuple[int, int]] = field(default_factory=list)
    """From when to when, in ms, no client could play."""
    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """What servers did wrong while they ended."""

    def bag(self, often: int = 1) -> Iterator[Fault]:
        """Every fault that can happen here once, and `often` those that cut connections to PostgreSQL."""
        faults: list[Fault] = [self.kill_node, self.freeze_node, self.restart_node, self.kill_all_nodes]
        if self.cluster is not None:
            faults += [
                *(self.kill_postmaster, self.kill_backend, self.terminate_most) * often,
                self.take_postgresql_away,
                self.terminate_listeners,
            ]
        self.source.shuffle(faults)
        for fault in faults:
            self.done[fault.__name__] += 1
            yield fault

    # --- servers --------------------------------------------------------------------------------------

    async def kill_node(self, victim: Server | None = None) -> None:
        """kill -9 of a server; it is back after a while."""
        victim = victim or self._any_node()
        await asyncio.to_thread(self.nodes.kill, victim)
        await self.wait()
        await asyncio.to_thread(self.nodes.rise, victim)

    async def freeze_node(self) -> None:
        """SIGSTOP: a server stands still for a while, and keeps all its connections."""
        victim = self._any_node()
        self.nodes.freeze(victim)
        await self.wait()
        self.nodes.thaw(victim)

    async def restart_node(self) -> None:
        """SIGTERM: a server sends its clients away, ends cleanly, and comes back."""
        victim = self._any_node()
        ending = asyncio.create_task(asyncio.to_thread(self.nodes.term, victim))
        while await asyncio.to_thread(self.nodes.is_ready, victim):
            await asyncio.sleep(0.02)
        try:
            status = await ending
        except (TimeoutError, subprocess.TimeoutExpired):
            self.wrong.append("a server: does not end")
            await asyncio.to_thread(victim.close)
        else:
            self.wrong += [f"a server: ended with status {status}"] if status else []
        await self.wait()
        await asyncio.to_thread(self.nodes.rise, victim)

    async def kill_all_nodes(self) -> None:
        """All servers are dead for longer than a clock."""
        for node in self.nodes.all:
            await asyncio.to_thread(self.nodes.kill, node)
        await self._away(_NODES_AWAY_S)
        await asyncio.gather(*(asyncio.to_thread(self.nodes.rise, node) for node in self.nodes.all))

    def _any_node(self) -> Server:
        return self.source.choice(self.nodes.all)

    # --- PostgreSQL -----------------------------------------------------------------------------------

    @property
    def _database(self) -> postgresql.Cluster:
        assert self.cluster is not None
        return self.cluster

    async def kill_postmaster(self) -> None:
        """kill -9 of PostgreSQL, which is back at once."""
        await asyncio.to_thread(self._database.kill)
        await asyncio.to_thread(self._database.start_again)

    async def take_postgresql_away(self) -> None:
        """kill -9 of PostgreSQL, which is back after 13 s."""
        await asyncio.to_thread(self._database.kill)
        await self._away(_DATABASE_AWAY_S)
        await asyncio.to_thread(self._database.start_again)

    async def kill_backend(self) -> None:
        """kill -9 of one process of PostgreSQL that serves a connection."""
        await asyncio.to_thread(self._database.kill_backend, self.source)
        await asyncio.to_thread(self._until_postgresql_answers)

    async def terminate_most(self) -> None:
        """`pg_terminate_backend` of 70 % of all connections."""
        await asyncio.to_thread(self._database.terminate, _MOST)

    async def terminate_listeners(self) -> None:
        """`pg_terminate_backend` of the connections that listen for hints."""
        await asyncio.to_thread(self._database.terminate, 1.0, "facedown bus")

    def _until_postgresql_answers(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(AssertionError):
                self._database.sql("select 1")
                return
            time.sleep(0.05)
        raise TimeoutError("PostgreSQL does not answer")

    async def _away(self, seconds: float) -> None:
        """No client can play for this long."""
        began = time.time_ns() // 1_000_000 + 1
        await asyncio.sleep(seconds)
        self.outages.append((began, time.time_ns() // 1_000_000))
