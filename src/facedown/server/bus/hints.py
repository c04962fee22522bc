"""The wire format of hints, and the bus over any transport: hashes topics, batches hints, counts losses."""

from __future__ import annotations

import asyncio
import secrets
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from facedown.server.bus.base import Bus, OnHint
from facedown.server.clock import now
from facedown.server.store.failures import is_cancelled

DIGEST_BYTES: Final = 16
MOST_HINTS: Final = 150
"""Hints in one message: PostgreSQL's NOTIFY carries less than 8000 bytes."""
_CACHED: Final = 50_000


class HintBus(Bus):
    """A bus whose messages go over a transport: a subclass sends them, and hands in what it receives.

    A message is `NODE SEQ MS TOPIC:NUMBER,…`: the sender's random id, its count of messages, when it was
    sent, and the hints with hashed topics.
    """

    def __init__(self) -> None:
        super().__init__(secrets.token_hex(6))  # new at each start
        self._key = secrets.token_bytes(32)
        self._hash = lru_cache(_CACHED)(self._hash_topic)
        self._waiting: dict[str, int] = {}
        self._before: list[tuple[str, OnHint]] = []
        """Subscriptions from before the secret was known."""
        self._sending = False
        self._sequence = 0
        self._last_sequence: dict[str, int] = {}
        self._closed = False
        self._started = False
        self._on_connected: Callable[[], None] = lambda: None

    # --- implemented by a transport -------------------------------------------------------------------

    @abstractmethod
    async def open(self, channel: str) -> None:
        """Start to connect to this channel, and stay connected from then on."""

    @abstractmethod
    async def send(self, messages: list[str]) -> None:
        """Send messages; whatever it raises, they are lost."""

    # --- the bus --------------------------------------------------------------------------------------

    async def start(self, secret: bytes, on_connected: Callable[[], None]) -> None:
        self._key = blake2b(secret, digest_size=32, person=b"facedown/bus").digest()
        self._hash.cache_clear()
        self._on_connected = on_connected
        self._started = True
        for topic, on_hint in self._before:
            self.subscribe(topic, on_hint)
        self._before.clear()
        await self.open(f"facedown_{self._hash_topic('channel')}")

    def publish(self, topic: str, number: int) -> None:
        if not self._started or self._closed:
            return
        hashed = self._hash(topic)
        if not self._sending:
            self._sending = True
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting[hashed] = max(number, self._waiting.get(hashed, number))

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        if self._started:
            super().subscribe(self._hash(topic), on_hint)
        else:
            self._before.append((topic, on_hint))

    def unsubscribe(self, topic: str, on_hint: OnHint) -> None:
        if self._started:
            super().unsubscribe(self._hash(topic), on_hint)
        else:
            self._before.remove((topic, on_hint))

    async def close(self) -> None:
        self._closed = True
        await super().close()

    def receive(self, message: str) -> None:
        """Hand the hints of another server's message to their subscribers."""
        try:
            node, sequence, sent_at, hints = message.split(" ", 3)
            count, at = int(sequence), int(sent_at)
            parts = [hint.partition(":") for hint in hints.split(",")]
            read = [(topic, int(number)) for topic, _, number in parts]
        except ValueError:
            return  # not ours
        if node == self.node:
            return
        self.stats.received += 1
        self.stats.lag_ms = max(0, now() - at)
        last = self._last_sequence.get(node, count - 1)
        self.stats.lost += max(0, count - last - 1)
        self._last_sequence[node] = max(count, last)
        for topic, number in read:
            self._notify(topic, number, node)

    def on_reconnect(self) -> None:
        """The transport is connected again: messages sent before that are lost."""
        self._last_sequence.clear()
        self.stats.reconnects += 1
        self._on_connected()

    def _hash_topic(self, topic: str) -> str:
        return blake2b(topic.encode(), digest_size=DIGEST_BYTES, key=self._key).hexdigest()

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
                    self.stats.lost += len(messages)
                    if is_cancelled(error):
                        raise
                else:
                    self.stats.sent += len(messages)
        finally:
            self._sending = False

    def _take_messages(self) -> list[str]:
        waiting, self._waiting = list(self._waiting.items()), {}
        messages = []
        for start in range(0, len(waiting), MOST_HINTS):
            self._sequence += 1
            hints = ",".join(f"{topic}:{number}" for topic, number in waiting[start : start + MOST_HINTS])
            messages.append(f"{self.node} {self._sequence} {now()} {hints}")
        return messages


def _ignore_failure(task: asyncio.Future[None]) -> None:
    if not task.cancelled():
        task.exception()
