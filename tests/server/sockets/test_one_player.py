"""One connection plays a seat, wherever it is: the newest, though a hint was lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from facedown.server.accounts.credentials import Credential
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ops.rate_limits import Limits
from facedown.server.settings import Settings
from facedown.server.sockets.session import SocketSession, SocketSessions

pytestmark = pytest.mark.anyio
SEAT = ("T", 1)


class RecordingChannel:
    """A channel that keeps what it was sent."""

    address = "192.0.2.1"
    asked_table = ""
    watches = False
    credential: Credential | None = None

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def send(self, text: bytes) -> None:
        self.messages.append(json.loads(text))

    def send_all(self, texts: tuple[bytes, ...]) -> None:
        self.messages += map(json.loads, texts)

    def start_pings(self) -> None: ...

    def hello_wait(self) -> float:
        return 0.0

    def charge(self, size: int) -> None:
        pass

    def set_pace(self, *, live: bool) -> int:
        return 0

    def close(self, code: int, reason: str = "") -> None: ...


class Hearing(Bus):
    """A bus of one of two servers, which can be deaf."""

    deaf = False

    def publish(self, topic: str, number: int) -> None:
        for bus in (self, self.other):
            if not bus.deaf:
                super(Hearing, bus).publish(topic, number)

    other: Hearing


@pytest.fixture
def servers() -> list[SocketSessions]:
    buses = Hearing("one"), Hearing("other")
    buses[0].other, buses[1].other = buses[1], buses[0]
    nothing = cast(Any, None)
    return [
        SocketSessions(nothing, nothing, nothing, Limits(Settings(data=Path()).caps), bus=bus)
        for bus in buses
    ]


def plays(sessions: SocketSessions) -> tuple[SocketSession, RecordingChannel]:
    """A new connection that plays, in a later millisecond than any before."""
    begun = now()
    while now() == begun:
        pass
    channel = RecordingChannel()
    session = sessions.open(channel)
    session.seat = SEAT
    sessions.play(session)
    return session, channel


async def test_the_newest_connection_plays_at_whichever_server(servers: list[SocketSessions]) -> None:
    here, there = servers
    first, first_channel = plays(here)
    second, second_channel = plays(there)
    assert (here.plays(first), there.plays(second)) == (False, True)
    assert (first_channel.messages, second_channel.messages) == ([{"t": "role", "plays": False}], [])
    here.play(first)  # taken back
    assert (here.plays(first), there.plays(second)) == (True, False)
    here.leave(first)
    there.play(second)
    assert there.plays(second)


async def test_a_lost_hint_is_published_again(servers: list[SocketSessions]) -> None:
    here, there = servers
    first, first_channel = plays(here)
    here._bus.deaf = True  # type: ignore[attr-defined]  # a bus of this test
    second, _ = plays(there)
    assert here.plays(first)
    assert there.plays(second)
    here._bus.deaf = False  # type: ignore[attr-defined]
    here.republish()  # the older one publishes, and receives the newer one
    assert (here.plays(first), there.plays(second)) == (False, True)
    assert first_channel.messages == [{"t": "role", "plays": False}]
