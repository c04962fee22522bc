"""A tap on the bus over NATS: receives everything that the servers of a store send each other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

_SHAPE: Final = re.compile(r"[0-9a-f]{12} [0-9]+ [0-9]+ ([0-9a-f]{32}:[0-9]+)(,[0-9a-f]{32}:[0-9]+)*")


class NatsTap:
    """Receives all messages on the bus."""

    def __init__(self, bus: str) -> None:
        self._bus = bus
        self._client: Any = None
        self.messages: list[str] = []

    async def listen(self) -> None:
        """To all channels, of any store."""
        import nats

        async def note(message: Any) -> None:
            self.messages.append(message.data.decode())

        async def ignore(_: Exception) -> None:
            """The NATS server may be killed while this listens."""

        self._client = await nats.connect(self._bus, error_cb=ignore, max_reconnect_attempts=-1)
        await self._client.subscribe("*", cb=note)
        await self._client.flush()

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def check_secrecy(self, tables: Iterable[str]) -> None:
        """Nothing but hashes and numbers was on the bus."""
        assert self.messages
        assert all(_SHAPE.fullmatch(message) for message in self.messages)
        together = "\n".join(self.messages)
        assert not [table for table in tables if table in together]
