"""The wire format of hints, and the bus over any transport: hashes topics, batches hints, counts losses.

Hints about one table, or one person, are in one of 4,096 slices by the hash of the id, and a channel carries
one slice. A server follows the channels of what it has in memory, and receives few hints about anything else.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from facedown.server.bus.base import Bus, OnHint
from facedown.server.clock import now
from facedown.server.store.failures import is_cancelled

DIGEST_BYTES: Final = 16
SLICE: Final = 3
"""The hexadecimal digits with which the hashes of a slice's topics begin."""
MOST_HINTS: Final = 150
"""Hints in one message: PostgreSQL's NOTIFY carries less than 8000 bytes."""


class HintBus(Bus):
    """A bus whose messages go over a transport: a subclass sends them, and hands in what it receives.

    A message is `NODE SEQ MS TOPIC:NUMBER,…`: the sender's random id, its count of messages in this slice,
    when it was sent, and the hints with hashed topics.
    """

    pause_s = 0.0
    """How long to collect hints after each sending; the first one after a quiet moment is sent at once."""

    def __init__(self) -> None:
        super().__init__(secrets.token_hex(6))  # new at each start
        self._key = secrets.token_bytes(32)
        self._waiting: dict[str, int] = {}
        self._before: list[tuple[str, OnHint]] = []
        """Subscriptions from before the secret was known."""
        self._sending = False
        self._sequence: Counter[str] = Counter()
        self._last_sequence: dict[str, dict[str, int]] = {}
        """By slice and sender."""
        self._slices: dict[str, set[str]] = {}
        """The hashed topics that are followed, by slice."""
        self._channels = ""
        self._following: asyncio.Task[None] | None = None
        self._closed = False
        self._started = False
        self._on_connected: Callable[[], None] = lambda: None

    # --- implemented by a transport -------------------------------------------------------------------

    @abstractmethod
    async def open(self) -> None:
        """Start to connect, follow `channels`, and stay connected from then on."""

    @abstractmethod
    async def follow(self) -> None:
        """Follow `channels`, which have changed, and no others."""

    @abstractmethod
    async def send(self, messages: list[tuple[str, str]]) -> None:
        """Send messages, each to its channel; whatever it raises, they are lost."""

    # --- the bus --------------------------------------------------------------------------------------

    async def start(self, secret: bytes, on_connected: Callable[[], None]) -> None:
        self._key = blake2b(secret, digest_size=32, person=b"facedown/bus").digest()
        self._on_connected = on_connected
        self._started = True
        for topic, on_hint in self._before:
            self.subscribe(topic, on_hint)
        self._before.clear()
        self._channels = f"facedown_{self._hash('channel')}_"
        await self.open()

    @property
    def channels(self) -> frozenset[str]:
        """The channels of all topics that are followed."""
        return frozenset(self._channels + each for each in self._slices)

    def publish(self, topic: str, number: int) -> None:
        if not self._started or self._closed:
            return
        hashed = self._hash(topic)
        if not self._sending:
            self._sending = True
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting[hashed] = max(number, self._waiting.get(hashed, number))

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        if not self._started:
            self._before.append((topic, on_hint))
            return
        hashed = self._hash(topic)
        super().subscribe(hashed, on_hint)
        if hashed[:SLICE] not in self._slices:
            self._slices[hashed[:SLICE]] = set()
            self._follow_soon()
        self._slices[hashed[:SLICE]].add(hashed)

    def unsubscribe(self, topic: str, on_hint: OnHint) -> None:
        if not self._started:
            self._before.remove((topic, on_hint))
            return
        hashed = self._hash(topic)
        super().unsubscribe(hashed, on_hint)
        topics = self._slices.get(hashed[:SLICE], set())
        if hashed not in self._subscribers:
            topics.discard(hashed)
        if not topics and self._slices.pop(hashed[:SLICE], None) is not None:
            self._last_sequence.pop(hashed[:SLICE], None)
            self._follow_soon()

    def _follow_soon(self) -> None:
        """Follow other channels, once for all changes of this round of the event loop."""
        if self._following is None and not self._closed:
            self._following = asyncio.ensure_future(self._follow())
            self._following.add_done_callback(_ignore_failure)

    async def _follow(self) -> None:
        await asyncio.sleep(0)
        self._following = None  # a change from now on starts another one
        await self.follow()

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
        slice_ = self._last_sequence.setdefault(hints[:SLICE], {})
        last = slice_.get(node, count - 1)
        self.stats.lost += max(0, count - last - 1)
        slice_[node] = max(count, last)
        for topic, number in read:
            self._notify(topic, number, node)

    def on_reconnect(self) -> None:
        """The transport is connected again: messages sent before that are lost."""
        self._last_sequence.clear()
        self.stats.reconnects += 1
        self._on_connected()

    def _hash(self, topic: str) -> str:
        """The hash of `KIND/ID…`; how it begins depends on the id alone, and names the slice."""
        return self._digest(id_of(topic))[:SLICE] + self._digest(topic)[SLICE:]

    def _digest(self, text: str) -> str:
        return blake2b(text.encode(), digest_size=DIGEST_BYTES, key=self._key).hexdigest()

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
                if self.pause_s:
                    await asyncio.sleep(self.pause_s)
        finally:
            self._sending = False

    def _take_messages(self) -> list[tuple[str, str]]:
        waiting, self._waiting = self._waiting, {}
        slices: dict[str, list[str]] = {}
        for topic, number in waiting.items():
            slices.setdefault(topic[:SLICE], []).append(f"{topic}:{number}")
        messages = []
        for slice_, hints in slices.items():
            for start in range(0, len(hints), MOST_HINTS):
                self._sequence[slice_] += 1
                some = ",".join(hints[start : start + MOST_HINTS])
                message = f"{self.node} {self._sequence[slice_]} {now()} {some}"
                messages.append((self._channels + slice_, message))
        return messages


def id_of(topic: str) -> str:
    """What a topic `KIND/ID…` is about; empty if it is about all.

    >>> [id_of(topic) for topic in ("table/T7", "plays/T7/2", "relations")]
    ['T7', 'T7', '']
    """
    return topic.partition("/")[2].partition("/")[0]


def _ignore_failure(task: asyncio.Future[None]) -> None:
    if not task.cancelled():
        task.exception()
