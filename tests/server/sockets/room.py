"""The real protocols on loopback before one small table: it accepts everything, waits and breaks when a test
wants it, and sends any number of bytes, so that the socket alone is tested. `real_table` has a real one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.protocol.errors import UnknownTable
from facedown.protocol.messages import (
    SUBPROTOCOL,
    Ack,
    Clock,
    Cmd,
    Ev,
    Links,
    Nak,
    Series,
    Snap,
    TableInfo,
    encode,
)
from facedown.protocol.views import NO_VIEW
from facedown.server.accounts.people import Kind
from facedown.server.http.guard import ConnectionGuard, HttpLimits
from facedown.server.ids import hash_token
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import Caps, Limits
from facedown.server.settings import Settings
from facedown.server.sockets.connections import WebSocketConnections
from facedown.server.sockets.contract import SocketLimits
from facedown.server.sockets.session import SocketSessions
from facedown.server.store.values import Person
from facedown.server.table.presence import Listener, Update
from tests.patience import PATIENCE

from .messages import hear_up_to

TABLE = "T" * 26
QUICK = SocketLimits(hello=1.0, ping=0.2, silence=0.7, stuck=0.4, farewell=0.3, tick=0.03)
CALM = replace(QUICK, hello=30.0, ping=5.0, silence=90.0, stuck=30.0)
"""No well-behaved client exceeds these, even on a busy machine."""
USUAL = Settings(data=Path("unused")).caps
BRISK = HttpLimits(head=1.0, body=1.0, unread=1.0, tick=0.03)
PATIENT = HttpLimits(head=30.0, body=30.0, tick=0.03)


def _info(clock: Clock) -> TableInfo:
    series = Series(1, (0, 0), 0, None)
    return TableInfo(
        TABLE, "small", 1, "", "", "open", False, False, "anyone", clock, "random", False, (), None, "",
        None, (), None, series, None, None, (), 0, None,
    )  # fmt: skip


class SmallTable:
    """Accepts every command, one iteration of the loop later, and notifies all listeners."""

    def __init__(self) -> None:
        self.id = TABLE
        self.clock = Clock()
        self.log: list[bytes] = []
        self.listeners: dict[Listener, None] = {}
        self.submitted: list[tuple[int, str, str, Cmd]] = []
        self.holds: dict[str, tuple[int, ...]] = {"ann": (1,), "bob": (2,)}
        self.writing: asyncio.Event | None = None
        self.watchable = True

    @property
    def head(self) -> int:
        return len(self.log)

    async def settle(self) -> None:
        while self.writing is not None:
            await self.writing.wait()

    def holds_seat(self, person: str, seat: int) -> bool:
        return seat in self.holds.get(person, ())

    def check_holder(self, person: str, seat: int) -> None:
        assert self.holds_seat(person, seat)

    def is_closed_for(self, person: str) -> bool:
        return False

    def may_watch(self, person: str | None) -> bool:
        return self.watchable or person == "cyd"

    def snapshot(self, viewer: int, person: str | None, at: int) -> Snap:
        return Snap(self.head, at, _info(self.clock), NO_VIEW, (person or "nobody",), None)

    def links(self, after: int | None, head: str | None = None) -> Links:
        return Links(0, ())

    def events(self, viewer: int, person: str | None, after: int) -> list[bytes]:
        return self.log[after:]

    def recap(self, viewer: int, person: str | None, after: int, at: int) -> list[bytes]:
        return []

    def attach(self, listener: Listener) -> None:
        self.listeners[listener] = None

    def detach(self, listener: Listener) -> None:
        self.listeners.pop(listener, None)

    def submit(
        self, viewer: int, cmd: Cmd, done: Callable[[Ack | Nak], None], *, person: str, name: str
    ) -> None:
        self.submitted.append((viewer, person, name, cmd))
        asyncio.get_running_loop().call_soon(self._do, cmd, done)

    def _do(self, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        self.happen(cmd.text or "")
        done(Ack(cmd.id, self.head))

    def happen(self, text: str = "") -> None:
        event = Ev(self.head + 1, "said", text=text)
        self.log.append(encode(event))
        for listener in tuple(self.listeners):
            listener.notify(Update((self.log[-1],)))


@dataclass
class SmallServices:
    """Tables, store and people in one."""

    table: SmallTable = field(default_factory=SmallTable)
    waits: asyncio.Event | None = None
    breaks: bool = False

    async def get(self, table: str) -> SmallTable:
        if self.breaks:
            raise ZeroDivisionError
        if self.waits is not None:
            await self.waits.wait()
        if table != TABLE:
            raise UnknownTable("there is no such table")
        return self.table

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        return {hash_token("ann's"): (1, "ann"), hash_token("bob's"): (2, "bob")}.get(token)

    async def by_token(self, token: str, kind: Kind) -> Person | None:
        return (
            Person("cyd", "Cyd", 0) if (token, kind) in (("cyd's", "browser"), ("cyd's", "program")) else None
        )


async def _app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the length of the body; `/large` with more than fits anywhere."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    body = b"x" * 8_000_000 if scope["path"] == "/large" else str(length).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@dataclass
class Served:
    """The real protocols on a port of the loopback."""

    sessions: SocketSessions
    connections: WebSocketConnections
    guard: ConnectionGuard
    state: ServerState
    port: int
    broken: list[dict[str, Any]]
    """What the loop complained about."""

    def call(self, table: str = "", **more: Any) -> connect:
        """A well-behaved client; `table` is the one that its address names."""
        usual: dict[str, Any] = {"subprotocols": [Subprotocol(SUBPROTOCOL)], "compression": None}
        path = f"/ws/v1/{table}" if table else "/ws/v1"
        return connect(f"ws://127.0.0.1:{self.port}{path}", proxy=None, **{**usual, **more})


@dataclass
class Room(Served):
    services: SmallServices

    @property
    def table(self) -> SmallTable:
        return self.services.table


@asynccontextmanager
async def room(
    pace: SocketLimits = CALM,
    patience: HttpLimits = PATIENT,
    caps: Caps = USUAL,
    *,
    public_url: str = "",
    proxies: TrustedProxies | None = None,
) -> AsyncIterator[Room]:
    """A port behind which there is the small table alone."""
    services = SmallServices()
    async with served(
        *(services, services, services, Limits(caps), pace, patience),
        public_url=public_url,
        proxies=proxies,
    ) as here:
        yield Room(**vars(here), services=services)


@asynccontextmanager
async def served(
    tables: Any,
    store: Any,
    people: Any,
    limits: Limits,
    pace: SocketLimits = CALM,
    patience: HttpLimits = PATIENT,
    *,
    public_url: str = "",
    proxies: TrustedProxies | None = None,
) -> AsyncIterator[Served]:
    """A port behind which there are these tables."""
    sessions = SocketSessions(tables, store, people, limits)
    connections = WebSocketConnections(sessions.open, limits, pace, public_url=public_url, proxies=proxies)
    guard = ConnectionGuard(limits, patience, proxies=proxies)
    config = uvicorn.Config(
        _app,
        http=cast("type[asyncio.Protocol]", guard.protocol),
        ws=cast("type[asyncio.Protocol]", connections.protocol),
        log_config=None,
        server_header=False,
        lifespan="off",
    )
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    broken: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: broken.append(context))
    protocol = partial(guard.protocol, config, state, {})
    server = await loop.create_server(protocol, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield Served(sessions, connections, guard, state, port, broken)
    finally:
        server.close()
        for connection in list(state.connections):
            connection.transport.abort() if hasattr(connection, "transport") else connection.shutdown()
        for _ in range(100):
            if not state.connections:
                break
            await asyncio.sleep(0.02)
        assert not broken, broken


async def until(condition: Callable[[], bool]) -> None:
    """Waits until something holds, for as long as a busy machine may need."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def joined(client: ClientConnection, token: str | None = None, **more: Any) -> list[dict[str, Any]]:
    """Says hello and reads up to the snap."""
    await client.send(json.dumps({"t": "hello", "table": TABLE, "token": token, **more}))
    return await hear_up_to(client, "snap", "bye")
