"""A store that fails at any of its calls, once or for a while; clients that keep everything they receive."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import asyncpg

from facedown.core.chance import entropy_commitment
from facedown.core.errors import FacedownError
from facedown.protocol.messages import Ack, Clock, Cmd, Nak
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.node import Node
from facedown.server.ops.logs import get_log
from facedown.server.ops.metrics import Metrics
from facedown.server.push import PushSender
from facedown.server.store.base import OnDone
from facedown.server.store.failures import StoreFailed, survive
from facedown.server.store.values import Append, Person, Subscription
from facedown.server.table.presence import Update
from facedown.server.table.state import TableState
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order, pick_command

ERRORS: tuple[Callable[[], BaseException], ...] = (
    lambda: asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress"),
    lambda: RuntimeError("anything"),
    asyncio.CancelledError,
    TimeoutError,
    lambda: asyncpg.InterfaceError("the connection is closed"),
    lambda: KeyError("a key that is missing"),
    lambda: StoreFailed("the store is away"),
)
BROWSER = Subscription("https://127.0.0.1/1", "key", "auth")
_TRIES = 50


class FailingStore:
    """A real store that raises at some of its calls, before it has done the work or after."""

    def __init__(self, store: Any, *, shared: bool) -> None:
        self.real = store
        self.shared = shared
        self.calls: list[str] = []
        self._failing_calls = range(0)
        self._error: Callable[[], BaseException] = RuntimeError
        self._after = False

    def fail_at(self, number: int, error: Callable[[], BaseException], *, after: bool, times: int) -> None:
        """Fail that many times, from the call of this number on (the next one is 1).

        `after`: the work of the first of them is done before it fails.
        """
        self.calls.clear()
        self._failing_calls, self._error, self._after = range(number, number + times), error, after

    def work(self) -> None:
        """Fail no more."""
        self._failing_calls = range(0)

    @property
    def has_failed(self) -> bool:
        return len(self.calls) >= self._failing_calls.start > 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.real, name)
        if not callable(found):
            return found

        def call(*values: Any, **named: Any) -> Any:
            if self._fails(name):
                return asyncio.ensure_future(self._fail(lambda: found(*values, **named)))
            return found(*values, **named)

        return call

    def append_then(self, batch: Append, done: OnDone) -> None:
        if not self._fails("append_then"):
            self.real.append_then(batch, done)
        elif self._does_the_work:
            self.real.append_then(batch, lambda _, failure: done(None, failure or self._error()))
        else:
            asyncio.get_running_loop().call_soon(done, None, self._error())

    def _fails(self, name: str) -> bool:
        self.calls.append(name)
        return len(self.calls) in self._failing_calls

    @property
    def _does_the_work(self) -> bool:
        return self._after and len(self.calls) == self._failing_calls.start

    async def _fail(self, work: Callable[[], Awaitable[Any]]) -> Any:
        if self._does_the_work:
            await work()
        raise self._error()


@dataclass
class Witness:
    """The messages about unsaved events that clients of a table received."""

    saved_head: Callable[[str], int]
    """The number of the last event that the store holds at this moment."""
    faults: list[str] = field(default_factory=list)

    def check(self, table: str, what: str, v: int) -> None:
        if v > self.saved_head(table):
            self.faults.append(f"{what} at {v}, where {self.saved_head(table)} is saved")


class Client:
    """A client of one server: connects again when it is disconnected, and repeats what was not answered."""

    def __init__(self, tables: Tables, table: str, viewer: int, witness: Witness) -> None:
        self._tables = tables
        self.id = table
        self._witness = witness
        self._table: Table | None = None
        self.viewer = viewer
        self.person = f"person {viewer}"
        self.events: dict[int, dict[str, Any]] = {}

    # --- what a table calls -------------------------------------------------------------------------------

    def notify(self, update: Update) -> None:
        for message in map(json.loads, update.frames):
            if message["t"] == "ev":
                self._witness.check(self.id, f"event {message['k']}", message["v"])
                self.events[message["v"]] = message

    def disconnect(self, error: StoreFailed) -> None:
        self._table = None

    # --- what a client does -------------------------------------------------------------------------------

    async def table(self) -> Table:
        """The table, loaded and listened to."""
        for _ in range(_TRIES):
            if self._table is not None and not self._table.is_dropped:
                return self._table
            try:
                table = await self._tables.get(self.id)
                await table.settle()
            except FacedownError as error:
                self._refuse(error.code)
                continue
            self._witness.check(self.id, "a snapshot", table.snapshot(self.viewer, self.person, now()).v)
            table.attach(self)
            self._table = table
        raise AssertionError("the table cannot be read")

    async def state(self) -> TableState:
        """The state of a game that has been dealt, as soon as this server has read it."""
        for _ in range(_TRIES):
            table = await self.table()
            if table._state.dealt:
                return table._state
            with suppress(FacedownError):
                await table.settle()
        raise AssertionError("the deal cannot be read")

    async def do(self, cmd: Cmd) -> Ack:
        """Repeat a command until it is acknowledged."""
        for _ in range(_TRIES):
            answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
            table = await self.table()
            table.submit(
                self.viewer, cmd, answered.set_result, person=self.person, name=f"Name {self.viewer}"
            )
            async with asyncio.timeout(PATIENCE):
                answer = await answered
            if isinstance(answer, Ack):
                self._witness.check(self.id, f"the answer to {cmd.id}", answer.v)
                return answer
            self._refuse(answer.code)
            await asyncio.sleep(0)
        raise AssertionError(f"{cmd.do} is never acknowledged")

    def _refuse(self, code: str) -> None:
        if code != StoreFailed.code:
            self._witness.faults.append(f"refused with {code}")

    def compare(self, truth: Table) -> None:
        """Compare every received event with the saved ones."""
        saved = {event["v"]: event for event in map(json.loads, truth.events(self.viewer, self.person, 0))}
        for v, event in self.events.items():
            kept = saved.get(v, {"k": "nothing"})
            if any(event.get(name) != value for name, value in kept.items()):
                self._witness.faults.append(f"saw {event} where {kept} is saved")


async def again(work: Callable[[], Awaitable[Any]]) -> Any:
    """Repeat a call until the store does not fail."""
    for _ in range(_TRIES):
        try:
            async with asyncio.timeout(PATIENCE):
                return await work()
        except StoreFailed:
            await asyncio.sleep(0)
    raise AssertionError("it always fails")


class Servers:
    """Servers of one store, which fails at one call: two that share it, or one alone."""

    def __init__(self, store: Any, witness: Witness) -> None:
        self.store = store
        self._real = getattr(store, "real", store)
        self._witness = witness
        buses = Bus("one"), Bus("other")
        buses[1]._subscribers = buses[0]._subscribers  # a hint of one reaches the other
        self.all = [Tables(self.store, bus) for bus in buses[: 2 if store.shared else 1]]
        self.nodes = [Node(self.store, each.bus, each) for each in self.all]
        self.push = PushSender(self.store, self.all[-1], Metrics())

    async def play(self, people: int) -> None:
        """A short game of E-Card that needs everything a store does, and its rematch."""
        seated = await self.sit_down(people)
        table = seated[0].id
        watcher = Client(self.all[-1], table, 0, self._witness)
        await watcher.table()
        for client in seated:
            await client.do(pick_command(await client.state(), 1, client.viewer, "C"))
        await self._until_revealed(seated[0])
        (await seated[0].table()).on_texts_erased(0, "")
        await seated[-1].do(Cmd("leave", "resign", decision=2))
        rematches = {(await client.do(Cmd("more", "rematch"))).next for client in seated}
        assert len(rematches) == 1, rematches
        for client in (*seated, watcher):
            await again(partial(self._compare, client))
        assert "closed" not in [row.kind for row in await again(partial(self._real.rows, table))]

    async def sit_down(self, people: int = 2) -> list[Client]:
        """Begin a game of this many people, at different servers; machines have the other seats."""
        clock = Clock("correspondence", days=1)
        wanted = order("ecard", machines=() if people == 2 else (2,), clock=clock)
        key = secrets.token_hex(8)
        table = (await again(lambda: self.all[0].create(wanted, "person 1", key))).id
        seats = range(1, people + 1)
        clients = [Client(self.all[seat % len(self.all)], table, seat, self._witness) for seat in seats]
        for client in clients:
            await again(partial(self._sit, client))
        for client in clients:
            entropy = entropy_of(client.viewer).hex()
            await client.do(Cmd(f"open-{client.viewer}", "open", entropy=entropy))
        return clients

    async def _until_revealed(self, client: Client) -> None:
        """Wait until both picks of the first decision are revealed; a machine may have to be woken."""
        await self._work_behind((await client.table()).id)
        while (table := await client.table())._state.match.decision < 2 or not await self._is_saved(table):
            await self._work_behind(table.id)
            await asyncio.sleep(0.001)

    async def _is_saved(self, table: Table) -> bool:
        try:
            await table.settle()
        except StoreFailed:
            return False
        return True

    async def _sit(self, client: Client) -> None:
        table, seat = await client.table(), client.viewer
        commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
        await table.join(seat, Person(client.person, f"Name {seat}", 0), commit)

    async def _compare(self, client: Client) -> None:
        table = await client.table()
        await table.settle()
        client.compare(table)

    async def _work_behind(self, table: str) -> None:
        """One round of a server's background work."""
        for node in self.nodes:
            await _round("heartbeat", node._beat)
            await _round("clock", partial(node.clock.follow, 1))
            await again(partial(self._make_due, table))
            await _round("claim", node._claim)
            if self.store.shared:
                await _round("sweep", node._sweep)
                await _round("publish again", node._publish_again)
        await _round("push", self.push.deliver)

    async def _make_due(self, table: str) -> None:
        heads = await self._real.heads((table,))
        await self._real.rearm(table, heads[table], now())

    async def close(self) -> None:
        await self.push.close()
        for tables in self.all:
            await tables.stop()


async def _round(name: str, work: Callable[[], Awaitable[Any]]) -> None:
    """A round of background work, as the server runs it."""
    with survive(get_log("test"), name):
        async with asyncio.timeout(PATIENCE):
            await work()
