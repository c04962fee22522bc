"""A tap on the bus over NATS: receives everything that the servers of a store send each other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from facedown.server.bus.nats_bus import NatsBus
from facedown.server.store import open_store

_SHAPE: Final = re.compile(r"[0-9a-f]{12} [0-9]+ [0-9]+ ([0-9a-f]{32}:[0-9]+)(,[0-9a-f]{32}:[0-9]+)*")


class NatsTap:
    """Receives all messages on the bus."""

    def __init__(self, store: str, bus: str) -> None:
        self._store = store
        self._bus = bus
        self._client: Any = None
        self.messages: list[str] = []

    async def listen(self) -> None:
        """Once servers are there: they have agreed on a channel."""
        import nats

        async def note(message: Any) -> None:
            self.messages.append(message.data.decode())

        async def ignore(_: Exception) -> None:
            """The NATS server may be killed while this listens."""

        self._client = await nats.connect(self._bus, error_cb=ignore, max_reconnect_attempts=-1)
        await self._client.subscribe(await self._channel(), cb=note)
        await self._client.flush()

    async def _channel(self) -> str:
        store, found = open_store(self._store), list[str]()

        async def note(channel: str) -> None:
            found.append(channel)

        try:
            bus = NatsBus(self._bus)
            bus.open = note  # type: ignore[method-assign]  # only the name of the channel is asked for
            await bus.start(await store.get_value("cluster_secret") or b"", lambda: None)
        finally:
            await store.close()
        return found[0]

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def check_secrecy(self, tables: Iterable[str]) -> None:
        """Nothing but hashes and numbers was on the bus."""
        assert self.messages
        assert all(_SHAPE.fullmatch(message) for message in self.messages)
        together = "\n".join(self.messages)
        assert not [table for table in tables if table in together]
