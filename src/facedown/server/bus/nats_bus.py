"""The bus over NATS, for many servers, or if a pooler in front of PostgreSQL does not pass LISTEN on.

Optional: needs the extra `nats`. Core NATS only: nothing is kept, and nothing needs to be.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

from facedown.core.errors import missing_extra
from facedown.server.bus.hints import HintBus

_AGAIN_S: Final = 0.5
_log: Final = logging.getLogger("facedown.bus")


class NatsBus(HintBus):
    """Hints over a NATS server, or several in one cluster; its subjects are the channels."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._subscriptions: dict[str, Any] = {}
        self._one = asyncio.Lock()
        self._client: Any = None
        self._task: asyncio.Task[None] | None = None
        self._last_error = ""

    @property
    def connected(self) -> bool:
        return self._client is not None and bool(self._client.is_connected)

    async def open(self) -> None:
        try:
            import nats
        except ImportError:
            raise missing_extra("this bus needs", "nats") from None
        self._task = asyncio.create_task(self._connect(nats), name="bus")

    async def _connect(self, nats: Any) -> None:
        """Connect, however long it takes: without a bus other servers see changes only later."""
        self._client = nats.NATS()  # before it is connected: one that is given up is closed, too
        await self._client.connect(
            self._url.split(","),
            name="facedown",
            max_reconnect_attempts=-1,
            reconnect_time_wait=_AGAIN_S,
            connect_timeout=2,
            allow_reconnect=True,
            ping_interval=5,
            max_outstanding_pings=2,
            pending_size=0,
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_reconnected,
        )
        followed = False
        while not followed:
            try:
                await self.follow()
                followed = True  # the library subscribes again after every lost connection
                await self._client.flush()
            except Exception as error:
                await self._on_error(error)
                await asyncio.sleep(_AGAIN_S)
        self.on_reconnect()

    async def follow(self) -> None:
        if self._client is None or not (self._client.is_connected or self._client.is_reconnecting):
            return  # it follows them once it is connected
        async with self._one:
            wanted = self.channels
            for channel in wanted - self._subscriptions.keys():
                self._subscriptions[channel] = await self._client.subscribe(channel, cb=self._on_message)
            for channel in self._subscriptions.keys() - wanted:
                await self._subscriptions.pop(channel).unsubscribe()

    async def send(self, messages: list[tuple[str, str]]) -> None:
        if not self.connected:
            raise OSError("the bus is not connected")
        for channel, message in messages:
            await self._client.publish(channel, message.encode())

    async def close(self) -> None:
        await super().close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._client is not None:
            with suppress(Exception):
                async with asyncio.timeout(1):
                    await self._client.close()

    async def _on_message(self, message: Any) -> None:
        self.receive(message.data.decode("ascii", "replace"))

    async def _on_error(self, error: Exception) -> None:
        text = f"{type(error).__name__}: {error}"
        if text != self._last_error:
            self._last_error = text
            _log.warning("the bus has trouble: %s", text)

    async def _on_disconnected(self) -> None:
        if not self._closed:
            _log.warning("the bus is not connected")

    async def _on_reconnected(self) -> None:
        self._last_error = ""
        _log.warning("the bus is connected again")
        self._follow_soon()
        self.on_reconnect()
