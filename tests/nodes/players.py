"""Clients of several servers: they find one that answers by themselves, repeat commands, log everything."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import websockets
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from facedown.client import ServerLost, ServerRefused
from facedown.protocol.messages import SUBPROTOCOL
from tests.nodes.history import ENDLESS_S, PASSING, ClientLog, Nonces, Refusal
from tests.nodes.nodes import ServerNodes
from tests.patience import PATIENCE
from tests.server.programs import Chair, Ledger, SocketPlayer, set_table

PING_S: Final = 1.0
"""How often a client asks its server for a sign of life."""
SILENT_S: Final = 2.0
"""A client leaves a server that does not answer for this long; twice as long after each time."""
CLOCK_S: Final = 4
"""The clock of timed tables: where all servers are away, they are for longer."""
MOST_SILENT_S: Final = 60.0
_PAUSES_S: Final = (0.08, 1.0)
"""Before a client connects again: at first, and at most."""
_LATER: Final = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE)
"""What a server without its store answers, and a proxy whose server has gone."""
_REPEATED: Final = 0.05
"""How often a client sends an answered command again instead of its next one."""


@dataclass
class RovingPlayer(SocketPlayer):
    """Plays one seat at any server that answers."""

    bases: Sequence[str] = ()
    """The addresses of all servers."""
    think: float = 0.0
    ping_s: float = PING_S
    log: ClientLog = field(default_factory=lambda: ClientLog("", 0))
    nonces: Nonces = field(default_factory=Nonces)
    lost_at: float = 0.0
    """When it lost a connection, until its next answer; 0 if it did not."""
    unseen_since: float = 0.0
    """The same until its next snapshot."""
    absences: list[tuple[float, float]] = field(default_factory=list)
    """From each lost connection to the next answer, on the monotonic clock."""
    unseated: list[tuple[float, float]] = field(default_factory=list)
    """From each lost connection to the next snapshot; from there on it may wait for other seats."""
    calm: list[float] = field(default_factory=list)
    """Seconds to each answer on a connection that was not lost."""
    silent: float = SILENT_S
    _base: str = ""
    """The server that it tried last."""
    _pause: float = _PAUSES_S[0]
    _caught_up: bool = False
    _unanswered: dict[str, Any] | None = None
    _answered: list[dict[str, Any]] = field(default_factory=list)
    _blind: bool = False
    _kept: dict[int, dict[str, str]] = field(default_factory=dict)
    """Picks and nonces by decision, which a blind table learns later."""

    @property
    def back(self) -> list[float]:
        """Seconds from each lost connection to the next answer."""
        return [end - begin for begin, end in self.absences]

    @property
    def seated(self) -> list[float]:
        """Seconds from each lost connection to the next snapshot."""
        return [end - begin for begin, end in self.unseated]

    async def play(self) -> None:
        """To the end of the game, over any number of servers."""
        while not self.over:
            try:
                await self._sit_down()
            except InvalidStatus as refused:
                if refused.response.status_code not in _LATER:
                    self.log.failed.append(("a socket", refused.response.status_code, ""))
            except (OSError, websockets.WebSocketException):
                pass
            if not self.over:
                await asyncio.sleep(self._pause * (0.5 + self.source.random()))
                self._pause = min(2 * self._pause, _PAUSES_S[1])

    async def _sit_down(self) -> None:
        chair, self._base = self.chair, self._next_base()
        self._caught_up = False
        try:
            async with connect(
                f"{self._base.replace('http', 'ws', 1)}/ws/v1/{chair.table}",
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                open_timeout=self.silent,
                close_timeout=0.2,
                ping_interval=self.ping_s,
                ping_timeout=self.silent,
                proxy=None,
            ) as socket:
                hello = {"t": "hello", "table": chair.table, "v": self.v}
                await socket.send(json.dumps({**hello, "token": chair.token} if chair.token else hello))
                while True:
                    frame = await self._next_frame(socket)
                    message = json.loads(frame)
                    v = message.get("v", self.v)
                    self.log.heard += self.nonces.heard_in(frame, v, chair.table, chair.seat)
                    if await self._hear(socket, message):
                        return
        except TimeoutError:
            self._note_silence(self.silent)
            raise
        except ConnectionClosed as closed:
            ours = None if closed.rcvd is not None or closed.sent is None else closed.sent.code
            if ours == CloseCode.INTERNAL_ERROR:  # the server did not answer a ping
                self._note_silence(self.silent + self.ping_s)
            self._note_loss()
            raise
        except (OSError, websockets.WebSocketException):
            self._note_loss()
            raise

    def _next_base(self) -> str:
        """Any other server than the one that it tried last."""
        return self.source.choice([base for base in self.bases if base != self._base] or self.bases)

    def _note_loss(self, ago: float = 0.0) -> None:
        at = time.perf_counter() - ago
        self.lost_at = self.lost_at or at
        self.unseen_since = self.unseen_since or at

    def _note_silence(self, seconds: float) -> None:
        """It was lost the whole time; on a busy machine it waits longer the next time."""
        self._note_loss(seconds)
        self.silent = min(2 * self.silent, MOST_SILENT_S)

    async def _next_frame(self, socket: Any) -> bytes:
        """Raises `TimeoutError` if the server owes an answer and sends nothing."""
        owes = self._open is not None or not self._caught_up
        async with asyncio.timeout(self.silent if owes else None):
            return await socket.recv(decode=False)  # type: ignore[no-any-return]

    async def _hear(self, socket: Any, message: dict[str, Any]) -> bool:
        kind = message["t"]
        if kind == "ev":
            self.log.note(message)
            self.v = message["v"] - 1  # the checker says whether it is the next one
        elif kind == "snap":
            self._note_snapshot(message)
        elif kind == "bye":
            self.log.farewells.append(message["code"])
            self._note_loss()
        elif kind in ("welcome", "ping"):
            self.log.head = max(self.log.head, message["v"])
        elif kind == "role" and not message["plays"]:  # a connection that is gone took the seat last
            await socket.send('{"t":"take"}')
        done = await super()._hear(socket, message)
        return done or (kind == "ping" and message["v"] > self.v)  # something was missed: connect again

    def _note_snapshot(self, message: dict[str, Any]) -> None:
        self.log.note(message)
        self._caught_up, self._pause = True, _PAUSES_S[0]
        self._blind = message["table"]["seal"] == "blind"
        if self.unseen_since:
            self.unseated.append((self.unseen_since, time.perf_counter()))
            self.unseen_since = 0.0
        if message["v"] < self.v:
            self.log.stale.append((message["v"], self.v))
        self.v = message["v"]

    def _acked(self, ack: dict[str, Any]) -> None:
        self.silent = SILENT_S
        if self.lost_at:
            self.absences.append((self.lost_at, time.perf_counter()))
            self.lost_at = 0.0
        else:
            self.calm.append(time.perf_counter() - self._sent_at)
        before = self.log.acked.setdefault(ack["id"], ack["v"])
        if before != ack["v"]:
            self.log.changed.append((ack["id"], before, ack["v"]))
        if self._open in self._answered:
            self._open = None
            return
        assert self._open is not None
        self._answered.append(self._open)
        super()._acked(ack)

    def _refused(self, refusal: dict[str, Any]) -> None:
        command, self._open = self._open, None
        assert command is not None
        code = refusal["code"]
        self.log.refused.append(Refusal(refusal["id"], code, command["do"], command.get("decision", 0)))
        if code in PASSING:
            self._unanswered = command  # the same again, never another one: it may be saved

    def has_gone_on(self, acked: int, v: int) -> bool:
        """Whether more than this was acknowledged, or it sees more than this and has nothing to do."""
        may_act = self.chair.seat in (self._turn or {}).get("may_seal", ())
        return self.over or len(self.log.acked) > acked or (self.v > v and not may_act)

    async def _act(self, socket: Any) -> None:
        if not self._caught_up:  # these are events that it missed
            return
        if self._unanswered is not None and self._open is None:
            await asyncio.sleep(0.1)
            self._open, self._unanswered = self._unanswered, None
            self._sent_at = time.perf_counter()
            await socket.send(json.dumps({"t": "cmd", **self._open}))
            return
        if self.think and self._open is None and not self.lost_at:  # after a loss it has thought already
            await asyncio.sleep(self.think * (0.5 + self.source.random()))
        await super()._act(socket)

    def _next_command(self) -> dict[str, Any] | None:
        if self._answered and self.source.random() < _REPEATED:
            return self.source.choice(self._answered)
        command = self._reveal() or super()._next_command()
        if command is not None:
            self.log.invoked.append(command["id"])
        return command

    def _reveal(self) -> dict[str, Any] | None:
        """The command that opens its pick at a blind table, once all have sealed."""
        turn = self._turn or {}
        if self.chair.seat not in turn.get("to_open", ()) or turn["decision"] not in self._kept:
            return None
        decision = turn["decision"]
        body = {"id": secrets.token_hex(8), "do": "reveal", "decision": decision}
        return {**body, **self._kept.pop(decision)}

    def _pick(self, decision: int, pick: str) -> dict[str, Any]:
        body = super()._pick(decision, pick)
        self.nonces.add(body["nonce"], self.chair.table, self.chair.seat, decision)
        if self._blind:
            self._kept[decision] = {name: body.pop(name) for name in ("pick", "nonce")}
        return body


@dataclass
class Spectator(RovingPlayer):
    """Watches one table to its end."""

    def has_gone_on(self, acked: int, v: int) -> bool:
        return self.over or self.v >= v

    def _next_command(self) -> None:
        return None


@dataclass(frozen=True)
class TableKind:
    """What is played at a table, and what else is ordered with it."""

    game: str = "ecard"
    seats: int = 2
    rules: str = "classic"
    order: Mapping[str, Any] = field(default_factory=dict)


_ENDLESS: Final = {"kind": "decision", "seconds": ENDLESS_S, "bank": 0}
KINDS: Final = (
    TableKind(),
    TableKind(order={"clock": {"kind": "decision", "seconds": CLOCK_S, "bank": 0}}),
    TableKind("davenport", 3, "", {"clock": _ENDLESS}),
    TableKind(order={"clock": _ENDLESS, "seal": "blind"}),
)
"""One of each: without a clock, with one that may run out, with more seats, and blind."""


class Players:
    """Tables of programs that never stop playing."""

    def __init__(
        self,
        nodes: ServerNodes,
        tables: int,
        *,
        think: float = 0.02,
        seed: str = "",
        kinds: Sequence[TableKind] = (),
        watched: bool = False,
    ) -> None:
        """One after the other of the `kinds` at the tables, or E-Card; `watched` by one spectator each."""
        self.bases = [node.base for node in nodes.all]
        self.ledger = Ledger()
        self.nonces = Nonces()
        self.setting = ClientLog("", 0)
        """What setting tables met."""
        self.logs: list[ClientLog] = [self.setting]
        self.tables: list[str] = []
        self.all: list[RovingPlayer] = []
        self.spectators: list[Spectator] = []
        self._many = tables
        self._think = think
        self._seed = seed
        self._kinds = kinds or [TableKind()]
        self._watched = watched
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self) -> None:
        """All sit down and play."""
        self._tasks = [asyncio.create_task(self._table(number)) for number in range(self._many)]
        await self.play_on(2 * self._many)

    async def _table(self, number: int) -> None:
        game = 0
        source = random.Random(f"{self._seed} {number}")
        kind = self._kinds[number % len(self._kinds)]
        while True:
            game += 1
            chairs = await self._set(kind, source)
            self.tables.append(chairs[0].table)
            players = [self._player(chair, f"{number} {game} {chair.seat}") for chair in chairs]
            self.all += players
            if self._watched:
                self._watch(chairs[0].table, f"{number} {game} watched")
            await asyncio.gather(*(player.play() for player in players))

    async def _set(self, kind: TableKind, source: random.Random) -> list[Chair]:
        """A new table, at the first server that sets one."""
        patience = SILENT_S
        while True:
            base = source.choice(self.bases)
            try:
                return await set_table(
                    base, kind.game, kind.seats, kind.rules, timeout=patience, **kind.order
                )
            except ServerLost:  # killed at this moment, or it stands still
                patience = min(2 * patience, MOST_SILENT_S)
            except ServerRefused as refused:
                self.setting.failed.append(("setting a table", refused.status, refused.name))
            await asyncio.sleep(0.1 + 0.4 * source.random())

    def _player(self, chair: Chair, name: str) -> RovingPlayer:
        source = random.Random(f"{self._seed} {name}")
        player = RovingPlayer(chair, self.ledger, source, think=self._think)
        self._equip(player)
        return player

    def _watch(self, table: str, name: str) -> None:
        source = random.Random(f"{self._seed} {name}")
        spectator = Spectator(Chair("", table, 0, "", "", b""), self.ledger, source)
        self._equip(spectator)
        self.spectators.append(spectator)
        self._tasks.append(asyncio.create_task(spectator.play()))

    def _equip(self, client: RovingPlayer) -> None:
        client.bases, client.nonces = self.bases, self.nonces
        client.log = ClientLog(client.chair.table, client.chair.seat)
        self.logs.append(client.log)

    def _raise_failures(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled() and (error := task.exception()):
                raise error

    async def play_on(self, picks: int) -> None:
        """Wait until this many more picks are acknowledged."""
        goal = len(self.ledger.acked) + picks
        await self._until(lambda: len(self.ledger.acked) >= goal)

    async def everybody_goes_on(self) -> None:
        """Until every client that was at a table goes on, or its game is over."""
        assert not await self.stuck()

    async def stuck(self) -> list[str]:
        """The clients that do not go on, however long the test waits: a seat goes on when something of
        it is acknowledged, or there is nothing to do for it; a spectator when it sees what seats saw."""
        seen: dict[str, int] = {}
        for player in self.all:
            seen[player.log.table] = max(seen.get(player.log.table, 0), player.v)
        waiting: list[tuple[RovingPlayer, int, int]] = [
            (client, len(client.log.acked), seen[client.log.table])
            for client in (*self.all, *self.spectators)
            if not client.over
        ]
        try:
            await self._until(lambda: all(client.has_gone_on(acked, v) for client, acked, v in waiting))
        except TimeoutError:
            return [
                f"{client.log.table} seat {client.log.seat}: stuck"
                for client, acked, v in waiting
                if not client.has_gone_on(acked, v)
            ]
        return []

    async def _until(self, condition: Callable[[], bool]) -> None:
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
        return {each.code for log in self.logs for each in log.refused}
