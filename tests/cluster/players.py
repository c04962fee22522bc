"""Clients of several servers: they repeat what was not answered, come back anywhere, and note everything."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from facedown.client import ServerLost, ServerRefused
from facedown.protocol.messages import SUBPROTOCOL
from tests.cluster.history import ClientLog
from tests.cluster.nodes import ServerNodes
from tests.patience import PATIENCE
from tests.server.programs import Chair, Ledger, SocketPlayer, set_table

SILENT_S = 2.0
"""A server that answers nothing for so long is left for another one; twice as long each time in vain."""
MOST_SILENT_S = 60.0


class Deliveries:
    """How long events took to whoever was connected: from the first sight of them, or the answer."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], float] = {}
        self.seconds: list[float] = []

    def happened(self, table: str, v: int) -> float:
        """When this event was first heard of, in an answer or by anybody who looked."""
        return self._known.setdefault((table, v), time.perf_counter())

    def seen(self, table: str, v: int) -> None:
        """It reached somebody."""
        self.seconds.append(time.perf_counter() - self.happened(table, v))


@dataclass
class RovingPlayer(SocketPlayer):
    """Plays one seat at whichever server is there."""

    nodes: ServerNodes | None = None
    home: str = ""
    """The server that it prefers while that is up: affinity."""
    think: float = 0.0
    log: ClientLog = field(default_factory=lambda: ClientLog("", 0))
    lost_at: float = 0.0
    back: list[float] = field(default_factory=list)
    """Seconds from each lost connection to the next answer."""
    seated: list[float] = field(default_factory=list)
    """Seconds from each lost connection to the next snapshot; from there on others may be waited for."""
    calm: list[float] = field(default_factory=list)
    """Seconds to each answer on a connection that was not lost."""
    refusals: list[str] = field(default_factory=list)
    silent: float = SILENT_S
    deliveries: Deliveries = field(default_factory=Deliveries)
    _caught_up: bool = False

    async def _sit_down(self) -> None:
        assert self.nodes is not None
        chair = self.chair
        if not self.nodes.up:
            raise OSError("no server is up")
        bases = [node.base for node in self.nodes.up]
        base = self.home if self.home in bases else self.source.choice(bases)
        url = f"{base.replace('http', 'ws', 1)}/ws/v1/{chair.table}"
        self._caught_up = False
        try:
            async with connect(
                url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                open_timeout=self.silent,
                close_timeout=0.2,
                ping_interval=None,
                proxy=None,
            ) as socket:
                hello = {"t": "hello", "table": chair.table, "token": chair.token, "v": self.v}
                await socket.send(json.dumps(hello))
                while True:
                    frame = await self._next_frame(socket, base)
                    if await self._hear(socket, json.loads(frame)):
                        return
        except TimeoutError:
            self.lost_at = self.lost_at or time.perf_counter() - self.silent  # it was lost all that time
            self.silent = min(2 * self.silent, MOST_SILENT_S)
            raise
        except (OSError, websockets.WebSocketException):
            self.lost_at = self.lost_at or time.perf_counter()
            raise

    async def _next_frame(self, socket: Any, base: str) -> str | bytes:
        """Raises `TimeoutError` where the server owes an answer, or stands still, and says nothing."""
        assert self.nodes is not None
        while True:
            try:
                async with asyncio.timeout(self.silent):
                    return await socket.recv()  # type: ignore[no-any-return]
            except TimeoutError:  # it may stand still since we began to wait for the others
                waiting = self._open is not None or not self._state
                if waiting or base not in [node.base for node in self.nodes.up]:
                    raise

    async def _hear(self, socket: Any, message: dict[str, Any]) -> bool:
        kind = message["t"]
        if kind == "ev":
            self.log.seen.append((message["v"], message["k"]))
            if self._caught_up:
                self.deliveries.seen(self.chair.table, message["v"])
        elif kind == "snap":
            self._caught_up = True
            if self.lost_at:
                self.seated.append(time.perf_counter() - self.lost_at)
            self.log.read.append(message["v"])
            if message["v"] < self.v:
                self.log.stale.append((message["v"], self.v))
        elif kind == "bye":
            self.lost_at = self.lost_at or time.perf_counter()
        elif kind == "role" and not message["plays"]:  # a connection that is gone took the seat last
            await socket.send('{"t":"take"}')
        return await super()._hear(socket, message)

    def _acked(self, ack: dict[str, Any]) -> None:
        self.log.acked[ack["id"]] = ack["v"]
        self.silent = SILENT_S
        self.deliveries.happened(self.chair.table, ack["v"])
        if self.lost_at:
            self.back.append(time.perf_counter() - self.lost_at)
            self.lost_at = 0.0
        else:
            self.calm.append(time.perf_counter() - self._sent_at)
        super()._acked(ack)

    def _refused(self, refusal: dict[str, Any]) -> None:
        self.log.refused.append((refusal["id"], refusal["code"]))
        self.refusals.append(refusal["code"])
        assert refusal["code"] in ("store_failed", "draining", "too_many", "not_playing"), refusal
        command, self._open = self._open, None
        self._unanswered = command  # the same again, never another one: it may be saved

    _unanswered: dict[str, Any] | None = None

    async def _act(self, socket: Any) -> None:
        if self._unanswered is not None and self._open is None:
            await asyncio.sleep(0.1)
            self._open, self._unanswered = self._unanswered, None
            await socket.send(json.dumps({"t": "cmd", **self._open}))
            return
        if self.think and self._open is None and not self.lost_at:  # whoever comes back has thought already
            await asyncio.sleep(self.think * (0.5 + self.source.random()))
        before = self._open
        await super()._act(socket)
        if self._open is not None and self._open is not before:
            self.log.invoked.append(self._open["id"])


class Players:
    """Tables of programs that never stop playing."""

    def __init__(
        self,
        nodes: ServerNodes,
        tables: int,
        *,
        together: bool = False,
        think: float = 0.02,
        seed: str = "",
        **order: Any,
    ) -> None:
        self.nodes = nodes
        self.ledger = Ledger()
        self.logs: list[ClientLog] = []
        self.tables: list[str] = []
        self.all: list[RovingPlayer] = []
        self.deliveries = Deliveries()
        self._many = tables
        self._together = together
        self._think = think
        self._seed = seed
        self._order = order
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self) -> None:
        """All sit down and play."""
        self._tasks = [asyncio.create_task(self._table(number)) for number in range(self._many)]
        await self.play_on(2 * self._many)

    async def _table(self, number: int) -> None:
        game = 0
        source = random.Random(f"{self._seed} {number}")
        while True:
            game += 1
            try:
                chairs = await set_table(self.nodes.anywhere(source), "ecard", 2, "classic", **self._order)
            except (ServerLost, ServerRefused, IndexError):  # somebody was killed at this moment
                await asyncio.sleep(0.1)
                continue
            self.tables.append(chairs[0].table)
            home = self.nodes.anywhere(source) if self._together and self.nodes.up else ""
            players = [self._player(chair, f"{number} {game} {chair.seat}", home) for chair in chairs]
            self.all += players
            await asyncio.gather(*(player.play() for player in players))

    def _player(self, chair: Chair, name: str, home: str) -> RovingPlayer:
        log = ClientLog(chair.table, chair.seat)
        self.logs.append(log)
        source = random.Random(f"{self._seed} {name}")
        roving = RovingPlayer(
            chair, self.ledger, source, nodes=self.nodes, think=self._think, log=log, home=home
        )
        roving.deliveries = self.deliveries
        return roving

    def _raise_failures(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled() and (error := task.exception()):
                raise error

    async def play_on(self, picks: int) -> None:
        """Until so many more picks are acknowledged."""
        goal = len(self.ledger.acked) + picks
        await self._until(lambda: len(self.ledger.acked) >= goal)

    async def everybody_goes_on(self) -> None:
        """Until every seat that was being played has had something acknowledged, or its game is over."""
        before = {id(player): len(player.log.acked) for player in self.all if not player.over}
        waiting = [player for player in self.all if not player.over]
        await self._until(
            lambda: all(player.over or len(player.log.acked) > before[id(player)] for player in waiting)
        )

    async def _until(self, condition: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._raise_failures()
                await asyncio.sleep(0.02)

    async def go(self) -> None:
        """All stop where they are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def back(self) -> list[float]:
        """How long seats waited for their next answer after a lost connection, sorted."""
        return sorted(seconds for player in self.all for seconds in player.back)

    @property
    def seated(self) -> list[float]:
        """How long seats waited for a snapshot after a lost connection, sorted."""
        return sorted(seconds for player in self.all for seconds in player.seated)

    @property
    def calm(self) -> list[float]:
        """How long answers took on connections that were not lost, sorted."""
        return sorted(seconds for player in self.all for seconds in player.calm)

    @property
    def refusals(self) -> set[str]:
        """The codes of all refusals."""
        return {code for player in self.all for code in player.refusals}
