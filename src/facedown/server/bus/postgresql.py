"""The bus over the store's own PostgreSQL: LISTEN and NOTIFY on one channel, over one connection beside the
store's.

Hints are sent after the commit, never inside it: there they would make every commit wait for the others. A
message is `NODE TOPIC:NUMBER,…`: the id of its sender, random, and the hints. Topics are keyed hashes, as
anyone who knows the id of a table may watch it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final

from facedown.server.bus.base import Bus, OnHint
from facedown.server.store.failures import is_cancelled

MOST_HINTS: Final = 150
"""Hints in one message: PostgreSQL's NOTIFY carries less than 8000 bytes."""
_DIGEST_BYTES: Final = 16
_PAUSE_S: Final = 0.02
"""How long to collect hints after each sending, as a commit that notifies waits for all others that do. The
first hint after a quiet moment is sent at once."""
_AGAIN_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
_ALIVE_S: Final = 5.0
"""How often the connection is checked."""
_SEND_S: Final = 2.0
_log: Final = logging.getLogger("facedown.bus")


class PostgresBus(Bus):
    """Hints over PostgreSQL's notifications."""

    def __init__(self, url: str) -> None:
        super().__init__(secrets.token_hex(6))  # new at each start
        self._url = url
        self._key = b""
        """Empty until it is started."""
        self._topics: dict[str, str] = {}
        """The topics with subscribers, by their hashes."""
        self._waiting: dict[str, int] = {}
        self._sending = False
        self._on_connected: Callable[[], None] = lambda: None
        self._connection: Any = None
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        return self._connection is not None and not self._connection.is_closed()

    async def start(self, secret: bytes, on_connected: Callable[[], None]) -> None:
        self._key = blake2b(secret, digest_size=32, person=b"facedown/bus").digest()
        self._topics = {self._hash(topic): topic for topic in self._subscribers}
        self._on_connected = on_connected
        self._task = asyncio.create_task(self._stay_connected(), name="bus")

    async def close(self) -> None:
        self._key = b""
        await super().close()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            self._connection.terminate()

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        super().subscribe(topic, on_hint)
        if self._key:
            self._topics[self._hash(topic)] = topic

    def unsubscribe(self, topic: str, on_hint: OnHint) -> None:
        super().unsubscribe(topic, on_hint)
        if self._key and topic not in self._subscribers:
            self._topics.pop(self._hash(topic), None)

    def _hash(self, topic: str) -> str:
        return blake2b(topic.encode(), digest_size=_DIGEST_BYTES, key=self._key).hexdigest()

    # --- sending --------------------------------------------------------------------------------------

    def publish(self, topic: str, number: int) -> None:
        """Send a hint to the other servers; of several for a topic in one round, the largest number."""
        if not self._key:
            return
        hashed = self._hash(topic)
        self._waiting[hashed] = max(number, self._waiting.get(hashed, number))
        if not self._sending:
            self._sending = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        task = asyncio.ensure_future(self._send_waiting())
        task.add_done_callback(_ignore_failure)

    async def _send_waiting(self) -> None:
        """Send all waiting hints, also those that come while a message is on its way."""
        try:
            while self._waiting:
                messages = self._take_messages()
                try:
                    await self.send(messages)
                except (Exception, asyncio.CancelledError) as error:  # the sweep finds what is lost
                    if is_cancelled(error):
                        raise
                await asyncio.sleep(_PAUSE_S)
        finally:
            self._sending = False

    def _take_messages(self) -> list[str]:
        waiting, self._waiting = self._waiting, {}
        hints = [f"{topic}:{number}" for topic, number in waiting.items()]
        starts = range(0, len(hints), MOST_HINTS)
        return [f"{self.node} {','.join(hints[start : start + MOST_HINTS])}" for start in starts]

    async def send(self, messages: list[str]) -> None:
        """Send messages to the other servers; whatever it raises, they are lost."""
        if not self.connected:
            raise OSError("the bus is not connected")
        query = "select pg_notify($1, message) from unnest($2::text[]) as m (message)"
        async with self._one:
            await self._connection.execute(query, self._channel, messages, timeout=_SEND_S)

    # --- receiving ------------------------------------------------------------------------------------

    def receive(self, message: str) -> None:
        """Hand the hints of another server's message to their subscribers."""
        try:
            node, hints = message.split(" ", 1)
            parts = [hint.partition(":") for hint in hints.split(",")]
            read = [(topic, int(number)) for topic, _, number in parts]
        except ValueError:
            return  # not ours
        if node == self.node:
            return
        for hashed, number in read:
            if topic := self._topics.get(hashed):
                self._notify(topic, number, node)

    def _on_message(self, _connection: Any, _pid: int, _channel: str, message: object) -> None:
        self.receive(str(message))

    # --- the connection -------------------------------------------------------------------------------

    @property
    def _channel(self) -> str:
        return f"facedown_{self._hash('channel')}"

    async def _stay_connected(self) -> None:
        tries = 0
        while True:
            try:
                await self._listen()
                if tries:
                    _log.warning("the bus is connected again")
                tries = 0
                self._on_connected()
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
        try:
            async with asyncio.timeout(_ALIVE_S):
                await connection.add_listener(self._channel, self._on_message)
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


def _ignore_failure(task: asyncio.Future[None]) -> None:
    if not task.cancelled():
        task.exception()
