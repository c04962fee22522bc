"""Honest games by the shipped client while everything goes wrong: no client may raise an alarm.

Clients reach the servers through a relay, which takes each connection to any server that is up, and cuts or
stalls it. They restart with or without their memory, let clocks run out, leave, resign, do not open their
numbers and picks in time, and change devices. Afterwards every seat holds the record against what it saw.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from facedown.client import RestClient, SeatKey, ServerLost, ServerRefused
from facedown.client.errors import BrokenPromise
from facedown.client.memory import Alarm
from facedown.client.table import ServerTable, Turn
from facedown.core.chain import PERSON
from facedown.core.errors import FacedownError, NotNow
from facedown.core.record import Record
from facedown.proof import verdict_of, verify
from facedown.protocol.messages import Clock, SealWay
from facedown.protocol.rest import MachineSeat, PersonSeat, TableOrder
from tests.nodes.nodes import ServerNodes

T = TypeVar("T")
STUCK_S: Final = 240.0
"""A game that takes longer is stuck: clocks, forfeits and reconnects take seconds here."""
_AGAIN_S: Final = 0.2
_PASSING: Final = frozenset({"draining", "store_failed", "too_many", "unavailable"})
"""Refusals after which the same may be asked again."""
_REQUEST_S: Final = 10.0


def opens_within(milliseconds: int) -> str:
    """Code for a server whose tables give this time for opening numbers and picks, instead of a minute."""
    return f"import facedown.server.table.setup as setup\nsetup.OPENING_MS = {milliseconds}\n"


class Kind(NamedTuple):
    """What is played at a table."""

    name: str
    game: str
    rules: str
    machines: Sequence[str] = ("", "")
    """The machine of each seat; empty for a person."""
    seconds: int = 0
    """For each decision; 0: no clock."""
    seal: SealWay = "server"

    def order(self) -> TableOrder:
        seats = tuple(MachineSeat(each) if each else PersonSeat() for each in self.machines)
        clock = Clock("decision", self.seconds) if self.seconds else Clock()
        return TableOrder(self.game, seats, self.rules, clock, seal=self.seal)


_ROUND: Final = "classic(rounds=1,group=1)"
_ORDINARY: Final = Kind("ordinary", "ecard", _ROUND)
_TOGETHER: Final = Kind("together", "ecard", "decisive(rounds=1,group=1,tie=draw)")
_CLOCK: Final = Kind("clock", "ecard", _ROUND, seconds=1)
_BLIND: Final = Kind("blind", "ecard", "classic(rounds=2,group=1)", seconds=20, seal="blind")
_SHORT: Final = (_ORDINARY, _BLIND, _CLOCK, _TOGETHER)
KINDS: Final = (
    *_SHORT,
    Kind("machine", "ecard", _ROUND, ("", "uniform")),
    *_SHORT,
    Kind("three seats", "davenport", "davenport(exchange=off)", ("", "", "uniform"), seconds=2),
    *_SHORT,
    Kind("three blind", "davenport", "davenport(exchange=off)", ("", "", ""), seconds=20, seal="blind"),
)


@dataclass
class Tally:
    """What came out of all games."""

    alarms: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Lost picks, records that do not hold, games that are stuck."""
    games: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    acked: int = 0

    @property
    def played(self) -> int:
        """The number of games that ended."""
        return sum(self.games.values())


# --- the way to the servers ------------------------------------------------------------------------------


class Relay:
    """One address for all servers: each connection goes to one that is up."""

    def __init__(self, nodes: ServerNodes, source: random.Random) -> None:
        self._nodes = nodes
        self._source = source
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self.address = ""

    async def start(self) -> Relay:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = "http://127.0.0.1:{1}".format(*self._server.sockets[0].getsockname()[:2])
        return self

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut(1.0)

    def cut(self, share: float) -> None:
        """Cut this share of all connections."""
        for each in tuple(self._writers):
            if self._source.random() < share:
                each.transport.abort()

    async def stall(self, seconds: float) -> None:
        """Carry nothing for a while; nothing is lost."""
        self._flows.clear()
        await asyncio.sleep(seconds)
        self._flows.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            up = self._nodes.up
            if not up:
                writer.transport.abort()
                return
            port = int(self._source.choice(up).base.rpartition(":")[2])
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            self._writers |= {writer, far_writer}
            try:
                await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
            finally:
                self._writers -= {writer, far_writer}
                writer.transport.abort()
                far_writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        if not writer.is_closing():
            writer.close()


async def ask(call: partial[T]) -> T:
    """What a blocking call of the API returns; again while the server is down."""
    while True:
        try:
            return await asyncio.to_thread(call)
        except ServerLost:
            pass
        except ServerRefused as refused:
            if refused.name not in _PASSING and refused.status not in (502, 503):
                raise
        await asyncio.sleep(_AGAIN_S)


async def join(server: RestClient, table: str, seat: int, code: str) -> SeatKey:
    """Take a seat; if the answer was lost, this person has it already."""
    entropy, commit = SeatKey.promise(table, seat)
    try:
        token = (await ask(partial(server.join, table, seat, commit, code))).token
    except ServerRefused:
        token = (await ask(partial(server.resume, table, seat))).token
    return SeatKey(server.address, table, seat, token, entropy)


# --- a seat ----------------------------------------------------------------------------------------------


@dataclass
class HonestSeat:
    """One person at a table: one client after the other, and at times two."""

    kind: Kind
    server: RestClient
    key: SeatKey
    code: str
    folder: Path | None
    """Where it keeps its memory; None: nowhere."""
    opening_s: float
    source: random.Random
    tally: Tally
    sealed: dict[int, str] = field(default_factory=dict)
    """The picks that were acknowledged: their commitments, by decision."""
    clients: list[ServerTable] = field(default_factory=list)
    """Every client that this seat ever had, the one that plays last: none may raise an alarm."""

    @property
    def table(self) -> ServerTable:
        return self.clients[-1]

    async def play(self) -> None:
        """To the end of the game."""
        if self._happens(0.02, "numbers not opened in time"):
            await asyncio.sleep(self.opening_s + self.source.random())
        await self._start_client()
        while True:
            table = self.table
            try:
                async for turn in table.turns():
                    if not await self._take_turn(turn) or self.table is not table:
                        break  # the same decision again
                else:
                    if not table.witness.is_freed:
                        return
                    raise NotNow("the seat was freed")
            except BrokenPromise:
                return
            except NotNow:  # the seat was freed
                await self._sit_down_again()
                await self._start_client()

    def _happens(self, probability: float, what: str) -> bool:
        happens = self.source.random() < probability
        self.tally.happened[what] += happens
        return happens

    # --- clients -------------------------------------------------------------------------------------

    async def _start_client(self, *, memory: bool = True) -> None:
        """What a program does that starts, or starts again."""
        kept = self.folder is not None and memory
        file = self.folder / f"{self.key.table}-{self.key.seat}.json" if kept and self.folder else None
        while True:
            self.clients.append(ServerTable(self.server, self.key.table, self.key, file))
            try:
                await self.table.open(_REQUEST_S)
            except ServerLost:
                continue
            except ServerRefused:
                await self._sit_down_again()
            else:
                return

    async def _sit_down_again(self) -> None:
        """The seat was freed, because its number was not opened in time."""
        table, seat = self.key.table, self.key.seat
        self.key = await join(self.server, table, seat, self.code)
        self.tally.happened["sat down again"] += 1

    async def _kill_client(self) -> None:
        """As `kill -9` does: nothing more is sent or written."""
        table = self.table
        table._closed = True
        if table._keeping is not None:
            table._keeping.cancel()
        if table._socket is not None:
            table._socket.transport.abort()
        tasks = [task for task in (table._task, table._log_task) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Close all clients that are still open."""
        for each in self.clients:
            if not each._closed:
                await each.close()

    # --- a turn --------------------------------------------------------------------------------------

    async def _take_turn(self, turn: Turn) -> bool:
        """Seal a pick, or do what else people do: then the decision is still to be made."""
        pick = self.source.choice(turn.legal)
        if self.kind.seconds in (1, 2) and self._happens(0.1, "clocks left to run out"):
            await asyncio.sleep(self.kind.seconds * (0.9 + self.source.random() * 0.4))
        if self._happens(0.01, "resignations"):
            await self._send(self.table.resign)
        elif self._may_leave and self._happens(0.02, "seats left"):
            await self._leave()
            return False
        elif self._happens(0.04, "clients killed while they seal"):
            sealing = asyncio.create_task(self._seal(pick, turn.decision))
            await asyncio.sleep(self.source.random() * 0.05)
            await self._kill_client()
            sealing.cancel()
            await asyncio.gather(sealing, return_exceptions=True)
            await self._start_client()
        elif self._happens(0.03, "clients restarted"):
            await self.table.close()
            await self._start_client()
        elif self._happens(0.01, "second devices"):
            await self._start_client(memory=False)
        else:
            await self._seal(pick, turn.decision)
            if self.kind.seal == "blind" and self._happens(0.03, "picks not opened in time"):
                await self._kill_client()
                await asyncio.sleep(self.opening_s + self.source.random())
                await self._start_client()
        return True

    @property
    def _may_leave(self) -> bool:
        """The other person has to agree to a machine: one person never leaves."""
        people = sum(not each for each in self.kind.machines)
        return self.key.seat < people and not self.table.witness.memory.left

    async def _leave(self) -> None:
        """Leave, and come back once a machine plays, or soon."""
        if await self._send(self.table.leave):
            await asyncio.sleep(self.source.random() * 3)
            if self._happens(0.7, "seats taken back"):
                await self._send(self.table.take_back)

    async def _seal(self, pick: str, decision: int) -> None:
        table = self.table
        if await self._send(partial(table.seal, pick, decision)):
            self.sealed[decision] = table.witness.memory.own[decision].commit
            self.tally.acked += 1

    async def _send(self, command: Callable[[], Coroutine[object, object, None]]) -> bool:
        """Whether a command was done; it may come too late."""
        table = self.table
        while True:
            try:
                await command()
            except ServerRefused as refused:
                self.tally.happened[f"refused: {refused.name}"] += 1
                if refused.name == "not_playing" and table is self.table:  # as a person takes it back
                    await table.close()
                    await self._start_client()
                if refused.name not in _PASSING:
                    return False
            except (ServerLost, NotNow):  # closed by now; or over
                return False
            else:
                return True
            await asyncio.sleep(_AGAIN_S)

    async def tend(self) -> None:
        """Let a machine play for a person who left; notice that the own seat was freed."""
        while True:
            await self.table.wait(1.0)
            if self.table.witness.is_freed:  # its number was not opened in time
                await self.table.close()
            if not self.table.mirror.known or self.table.mirror.info.state != "playing":
                continue
            for each in self.table.mirror.info.seats:
                if each.seat == self.key.seat or self.table.witness.memory.left:
                    continue
                if each.replaceable and each.offer is None:
                    await self._send(partial(self.table.replace, each.seat))
                elif each.replaceable and each.offer and self.key.seat not in each.offer.agreed:
                    await self._send(partial(self.table.agree, each.seat))


# --- a game ----------------------------------------------------------------------------------------------


@dataclass
class HonestGames:
    """Many games at once at the address of a relay, and what is checked after each."""

    address: str
    folder: Path
    opening_s: float
    seed: str
    tally: Tally = field(default_factory=Tally)
    kinds: Sequence[Kind] = KINDS
    """One after the other."""
    _number: int = 0
    _people: list[RestClient] = field(default_factory=list)

    async def play(self, games: int, at_once: int, until: float = float("inf")) -> None:
        """Play that many, unless the loop's time is over before."""
        loop = asyncio.get_running_loop()

        async def play_on() -> None:
            while self._number < games and loop.time() < until:
                self._number += 1
                await self._game(self._number)

        await asyncio.gather(*(play_on() for _ in range(min(games, at_once))))

    async def _game(self, number: int) -> None:
        source = random.Random(f"{self.seed} {number}")
        kind = self.kinds[number % len(self.kinds)]
        where = f"game {number} ({kind.name})"
        seats: list[HonestSeat] = []
        try:
            async with asyncio.timeout(STUCK_S):
                seats = await self._sit_down(kind, source)
                table = seats[0].key.table
                where += f" {table}"
                tending = [asyncio.create_task(each.tend()) for each in seats]
                try:
                    await asyncio.gather(*(each.play() for each in seats))
                finally:
                    for task in tending:
                        task.cancel()
                await self._check(where, seats, logged=source.random() < 0.2)
        except TimeoutError:
            self.tally.wrong.append(f"{where}: stuck, {[_state_of(each) for each in seats]}")
        except (FacedownError, LookupError, AssertionError) as error:
            self.tally.wrong.append(f"{where}: {type(error).__name__}: {error}")
        for seat in seats:
            await seat.close()
            self._people.append(seat.server)
            for each in seat.clients:
                if each.witness.alarm is not None:
                    self._keep(f"{where} seat {seat.key.seat}", each.witness.alarm, each)
        self.tally.games[kind.name] += 1

    async def _sit_down(self, kind: Kind, source: random.Random) -> list[HonestSeat]:
        people = [await self._person() for each in kind.machines if not each]
        made = await ask(partial(people[0].make, kind.order()))
        free = [each.seat for each in made.seats if each.kind == "person"]
        seats = []
        for server, seat in zip(people, free, strict=True):
            key = await join(server, made.table, seat, made.invite)
            folder = self.folder if source.random() < 0.7 else None
            about = kind, server, key, made.invite, folder, self.opening_s
            seats.append(HonestSeat(*about, random.Random(source.random()), self.tally))
        return seats

    async def _person(self) -> RestClient:
        """A player who plays at no other table now."""
        if self._people:
            return self._people.pop()
        person = RestClient(self.address, timeout=_REQUEST_S)
        await ask(partial(person.sign_in))
        return person

    async def _check(self, where: str, seats: Sequence[HonestSeat], *, logged: bool) -> None:
        """Hold the record against what every seat saw and did."""
        table = seats[0].table
        if logged:
            await table.wait_for(
                lambda: bool({"record", "closed"} & table.witness.memory.log.keys()), STUCK_S
            )
            self.tally.happened["ends found in the public log"] += table.witness.memory.log.get(
                "record", False
            )
        if table.mirror.info.state == "closed":
            self.tally.verdicts["closed"] += 1
            return
        record = await ask(partial(table.server.record, table.id))
        for seat in seats:
            for client in seat.clients:
                if not client._is_closed():
                    await client.wait_for(lambda: bool(client.witness.chain.ended), STUCK_S)  # noqa: B023
                for alarm in client.witness.differences(record):
                    self._keep(f"{where} seat {seat.key.seat}", alarm, client)
            self.tally.wrong += _lost_picks(where, seat, record)
        anchors = {table.witness.key: "its server"}
        findings = await asyncio.to_thread(lambda: list(verify(record, None, anchors, only=True)))
        self.tally.verdicts[verdict_of(findings)] += 1

    def _keep(self, where: str, alarm: Alarm, client: ServerTable) -> None:
        """Note an alarm, with the memory of the client beside the others."""
        said = f"{where}: {alarm}"
        if said not in self.tally.alarms:
            self.tally.alarms.append(said)
            name = f"alarm-{len(self.tally.alarms)}-{client.id}.json"
            (self.folder / name).write_bytes(msgspec.json.encode(client.witness.memory))


def _lost_picks(where: str, seat: HonestSeat, record: Record) -> list[str]:
    """Acknowledged picks that are not in the record."""
    assert record.fair is not None
    kept = {
        link.get("decision"): link.get("commit")
        for link in record.fair.links
        if link.kind == "sealed" and link.get("seat") == seat.key.seat and link.get("placer") == PERSON
    }
    return [
        f"{where} seat {seat.key.seat}: the acknowledged pick of decision {decision} is lost"
        for decision, commit in seat.sealed.items()
        if kept.get(decision) != commit
    ]


def _state_of(seat: HonestSeat) -> tuple[object, ...]:
    """What a seat that is stuck knows."""
    table = seat.table
    state = table.mirror.info.state if table.mirror.known else "unknown"
    chain = table.witness.chain
    seating = table.witness.is_freed, sorted(chain.taken), sorted(chain.promises), chain.voids
    return seat.key.seat, state, table.mirror.decision, table.legal, table.connected, table.plays, *seating
