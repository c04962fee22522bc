"""The bus over the store's own PostgreSQL: LISTEN and NOTIFY on one connection beside the store's.

Hints are sent after the commit, never inside it: there they would make every commit wait for the others.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from facedown.server.bus.base import Bus, OnHint
from facedown.server.bus.hints import HintBus, id_of
from facedown.server.store.failures import is_cancelled
from facedown.server.store.sharded.layout import place_of

_AGAIN_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
_ALIVE_S: Final = 5.0
"""How often the connection is checked."""
_SEND_S: Final = 2.0
_FOLLOW_S: Final = 10.0
_log: Final = logging.getLogger("facedown.bus")


class StoreBus(HintBus):
    """Hints over PostgreSQL's notifications."""

    pause_s = 0.02
    """A commit that notifies waits for all others of the cluster that do."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._listening: set[str] = set()
        self._connection: Any = None
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        return self._connection is not None and not self._connection.is_closed()

    async def open(self) -> None:
        self._task = asyncio.create_task(self._stay_connected(), name="bus")

    async def follow(self) -> None:
        async with self._one:
            if self.connected:
                await self._follow_on(self._connection)

    async def _follow_on(self, connection: Any) -> None:
        async with asyncio.timeout(_FOLLOW_S):
            wanted = self.channels
            for channel in wanted - self._listening:
                await connection.add_listener(channel, self._on_message)
                self._listening.add(channel)
            for channel in self._listening - wanted:
                await connection.remove_listener(channel, self._on_message)
                self._listening.discard(channel)

    async def send(self, messages: list[tuple[str, str]]) -> None:
        if not self.connected:
            raise OSError("the bus is not connected")
        query = (
            "select pg_notify(channel, message) from unnest($1::text[], $2::text[]) as m (channel, message)"
        )
        channels, texts = zip(*messages, strict=True)
        async with self._one:
            await self._connection.execute(query, channels, texts, timeout=_SEND_S)

    async def close(self) -> None:
        await super().close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            self._connection.terminate()

    async def _stay_connected(self) -> None:
        tries = 0
        while not self._closed:
            try:
                await self._listen()
                if tries:
                    _log.warning("the bus is connected again")
                tries = 0
                self.on_reconnect()
                await self._until_lost()
            except (Exception, asyncio.CancelledError) as error:
                if is_cancelled(error):
                    raise
                if not tries:
                    _log.warning("the bus is not connected: %s: %s", type(error).__name__, error)
            if self._connection is not None:
                self._connection.terminate()
            await asyncio.sleep(_AGAIN_S[min(tries, len(_AGAIN_S) - 1)] * random.uniform(0.5, 1.0))
            tries += 1

    async def _listen(self) -> None:
        from facedown.server.store.postgresql.hosts import connect_primary

        settings = {"synchronous_commit": "off", "application_name": "facedown bus"}
        connection = await connect_primary(self._url, _ALIVE_S, settings)
        self._listening.clear()
        try:
            while self._listening != self.channels:
                await self._follow_on(connection)
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection

    async def _until_lost(self) -> None:
        """Check the connection now and then: it may die without an error."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_ALIVE_S):
                    while self.connected:
                        await asyncio.sleep(0.1)
                    return
            async with self._one:
                await self._connection.fetchval("select 1", timeout=_ALIVE_S)

    def _on_message(self, _connection: Any, _pid: int, _channel: str, message: object) -> None:
        self.receive(str(message))


class ClusterBuses(Bus):
    """Hints over several clusters: those about a table go over the cluster of that table.

    A cluster that is away takes its own hints with it, and no others.
    """

    def __init__(self, buses: Sequence[StoreBus]) -> None:
        super().__init__(buses[0].node)
        self._buses = buses
        for each in buses:
            each.node, each.stats = self.node, self.stats

    @property
    def connected(self) -> bool:
        return all(each.connected for each in self._buses)

    async def start(self, secret: bytes, on_connected: Callable[[], None]) -> None:
        for each in self._buses:
            await each.start(secret, on_connected)

    def publish(self, topic: str, number: int) -> None:
        self._of(topic).publish(topic, number)

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        self._of(topic).subscribe(topic, on_hint)

    def unsubscribe(self, topic: str, on_hint: OnHint) -> None:
        self._of(topic).unsubscribe(topic, on_hint)

    async def close(self) -> None:
        for each in self._buses:
            await each.close()

    def _of(self, topic: str) -> StoreBus:
        return self._buses[place_of(id_of(topic), len(self._buses)) if id_of(topic) else 0]
