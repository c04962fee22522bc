"""The bus: hints between servers, on which nothing but hashes and numbers ever is."""

from __future__ import annotations

import asyncio
import weakref

import pytest

from facedown.server.bus import Bus
from facedown.server.bus.postgresql import MOST_HINTS, PostgresBus
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio


class Wire:
    """What goes from each bus to all others."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.buses: list[WiredBus] = []
        self.error: BaseException | None = None

    def deliver(self) -> None:
        messages, self.messages = self.messages, []
        for message in messages:
            for bus in self.buses:
                bus.receive(message)


class WiredBus(PostgresBus):
    """A bus whose transport is a list."""

    def __init__(self, wire: Wire) -> None:
        super().__init__("")
        self.wire = wire
        wire.buses.append(self)

    async def _stay_connected(self) -> None:
        pass

    async def send(self, messages: list[str]) -> None:
        if self.wire.error is not None:
            raise self.wire.error
        self.wire.messages += messages


async def two(wire: Wire, secret: bytes = b"secret") -> tuple[WiredBus, WiredBus]:
    one, other = WiredBus(wire), WiredBus(wire)
    await one.start(secret, lambda: None)
    await other.start(secret, lambda: None)
    return one, other


async def flushed(bus: WiredBus) -> None:
    async with asyncio.timeout(PATIENCE):
        while bus._sending:
            await asyncio.sleep(0)


async def test_whoever_listens_in_the_same_process_is_told_at_once_in_order() -> None:
    bus, heard = Bus(), list[tuple[str, int]]()
    bus.subscribe("table/T", lambda v, _: heard.append(("first", v)))
    bus.subscribe("table/T", lambda v, _: heard.append(("second", v)))
    bus.publish("table/T", 7)
    bus.publish("table/U", 8)
    assert heard == [("first", 7), ("second", 7)]


async def test_nobody_is_told_after_the_end() -> None:
    bus, heard = Bus(), list[int]()
    bus.subscribe("table/T", lambda v, _: heard.append(v))
    await bus.close()
    bus.publish("table/T", 7)
    assert not heard


async def test_the_other_server_hears_the_largest_number_of_a_round() -> None:
    wire, heard = Wire(), list[int]()
    one, other = await two(wire)
    other.subscribe("table/T", lambda v, _: heard.append(v))
    await asyncio.sleep(0.01)
    one.subscribe("table/T", lambda v, _: heard.append(-v))  # its own hints do not come back
    for v in (7, 9, 8):
        one.publish("table/T", v)
    await flushed(one)
    wire.deliver()
    assert heard == [9]
    other.unsubscribe("table/T", other._subscribers["table/T"][0])
    other.subscribe("table/U", lambda v, _: heard.append(v))
    one.publish("table/T", 10)
    await flushed(one)
    wire.deliver()
    assert heard == [9]


async def test_only_hashes_and_numbers_are_on_the_bus() -> None:
    wire = Wire()
    one, _ = await two(wire)
    table = "3JVY9N56X7AZSJA6SKZBSYHSPQ"
    for topic in (f"table/{table}", f"here/{table}/2", f"plays/{table}/2", "seated/somebody"):
        one.publish(topic, 12)
    await flushed(one)
    assert len(wire.messages) == 1
    for message in wire.messages:
        node, hints = message.split(" ")
        assert len(node) == 12
        for hint in hints.split(","):
            topic, number = hint.split(":")
            assert len(bytes.fromhex(topic)) == 16
            assert number == "12"
        assert table not in message + one._channel
        other_secret, _ = await two(Wire(), b"another")
        other_secret.subscribe(f"table/{table}", print)
        assert other_secret._hash(f"table/{table}") not in message  # who has no key cannot tell which table
        assert one._channel != other_secret._channel


async def test_nothing_is_kept_of_a_topic_that_is_not_followed_any_more() -> None:
    """Tables, seats and people have topics of their own: those that are gone would fill memory for hours."""
    one, _ = await two(Wire())
    topic = _Topic("table/3JVY9N56X7AZSJA6SKZBSYHSPQ")
    gone = weakref.ref(topic)
    one.subscribe(topic, _ignore)
    one.publish(topic, 1)
    await flushed(one)
    one.unsubscribe(topic, _ignore)
    del topic
    assert gone() is None


class _Topic(str):
    """A text to which there are weak references."""

    __slots__ = ("__weakref__",)


def _ignore(_number: int, _node: str) -> None:
    pass


@pytest.mark.parametrize(
    "error", [OSError("the wire is cut"), RuntimeError("anything"), asyncio.CancelledError(), TimeoutError()]
)
async def test_whatever_a_transport_raises_the_next_hint_is_sent(error: BaseException) -> None:
    wire = Wire()
    one, other = await two(wire)
    received: list[int] = []
    other.subscribe("table/T", lambda v, _: received.append(v))
    await asyncio.sleep(0.01)
    wire.error = error
    one.publish("table/T", 5)
    await flushed(one)
    wire.error = None
    one.publish("table/T", 6)
    await flushed(one)
    wire.deliver()
    assert received == [6]


async def test_many_hints_fit_into_messages_of_postgresql() -> None:
    wire = Wire()
    one, _ = await two(wire)
    for seat in range(MOST_HINTS + 1):
        one.publish(f"here/T/{seat}", 2**62)
    await flushed(one)
    assert len(wire.messages) == 2
    assert max(len(message) for message in wire.messages) < 8000


@pytest.mark.parametrize("message", ["", "a b", "a no-colon", "a t:x", "\x00"])
async def test_what_is_no_hint_is_ignored(message: str) -> None:
    one, _ = await two(Wire())
    heard = list[int]()
    for topic in ("b", "t", ""):
        one.subscribe(topic, lambda v, _: heard.append(v))
    one.receive(message)
    assert heard == []
