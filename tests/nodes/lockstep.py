"""Seats at two servers that wait for each other, and then seal the same ballot at the same instant."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.nodes.history import ClientLog, Refusal
from tests.patience import PATIENCE
from tests.server.programs import Chair, open_body, pick_body, set_table

_RULES = "decisive(rounds=60,group=30)"
"""Both place at once, for a long time."""


@dataclass
class Barriers:
    """Tables whose two seats wait for each other before they seal."""

    wanted: int
    done: int = 0
    tables: list[str] = field(default_factory=list)
    logs: list[ClientLog] = field(default_factory=list)
    apart: list[float] = field(default_factory=list)
    """Seconds between the two commands of each ballot."""

    async def play(self, bases: list[str]) -> None:
        """Game after game, until there were enough ballots."""
        while self.done < self.wanted:
            chairs = await set_table(bases[0], "ecard", 2, _RULES)
            self.tables.append(chairs[0].table)
            seats = [LockstepSeat(chair, base) for chair, base in zip(chairs, bases, strict=True)]
            self.logs += [seat.log for seat in seats]
            try:
                for seat in seats:
                    await seat.sit_down()
                for seat in seats:
                    await seat.send(open_body(seat.chair))
                await asyncio.gather(*(seat.until(seat.is_ready) for seat in seats))
                while self.done < self.wanted and seats[0].may_pick:
                    await self._one(seats)
            finally:
                for seat in seats:
                    await seat.close()

    async def _one(self, seats: list[LockstepSeat]) -> None:
        """One ballot: both frames are handed to the system one right after the other."""
        bodies = [seat.pick_body() for seat in seats]
        times = []
        for seat, body in zip(seats, bodies, strict=True):
            times.append(time.perf_counter())
            await seat.send(body)
        self.apart.append(times[1] - times[0])
        await asyncio.gather(*(seat.until(seat.is_through) for seat in seats))
        self.done += 1


class LockstepSeat:
    """A seat at one server that follows commands, and records everything."""

    def __init__(self, chair: Chair, base: str) -> None:
        self.chair = chair
        self.log = ClientLog(chair.table, chair.seat)
        self.legal: list[str] = []
        self.decision = 0
        self.over = False
        self.answered = True
        self._asked = 0
        """The decision of the last pick."""
        self._turn: dict[str, Any] = {}
        self._url = f"{base.replace('http', 'ws', 1)}/ws/v1/{chair.table}"
        self._socket: ClientConnection

    @property
    def may_pick(self) -> bool:
        return not self.over and self.chair.seat in self._turn.get("may_seal", ())

    def is_ready(self) -> bool:
        return self.answered and self.may_pick

    def is_through(self) -> bool:
        """Whether its pick is answered, and was turned."""
        return self.answered and (self.over or self.decision > self._asked)

    async def sit_down(self) -> None:
        """Connect, and wait for the table."""
        self._socket = await connect(
            self._url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, proxy=None
        )
        hello = {"t": "hello", "table": self.chair.table, "token": self.chair.token, "v": 0}
        await self._socket.send(json.dumps(hello))
        await self.until(lambda: bool(self.log.read))

    async def close(self) -> None:
        await self._socket.close()

    def pick_body(self) -> dict[str, Any]:
        """The command that seals any legal pick of the decision."""
        pick = secrets.choice(self.legal)
        return pick_body(self.chair, self.decision, pick, head=self._turn["head"])

    async def send(self, body: dict[str, Any]) -> None:
        """Send a command."""
        self.answered = False
        self._asked = body.get("decision", 0)
        self.log.invoked.append(body["id"])
        await self._socket.send(json.dumps({"t": "cmd", **body}))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Listen until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                message = json.loads(await self._socket.recv())
                if message["t"] == "ping":
                    await self._socket.send('{"t":"pong"}')
                self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "ev":
            self.log.note(message)
            self.over = self.over or message["k"] == "over"
            self._take(message)
        elif kind == "snap":
            self.log.note(message)
            self._take({**message, **message["table"]})
        elif kind == "ack":
            self.log.acked[message["id"]] = message["v"]
            self.answered = True
        elif kind == "nak":
            self.log.refused.append(Refusal(message["id"], message["code"]))
            self.answered = True

    def _take(self, message: dict[str, Any]) -> None:
        self._turn = message.get("turn") or self._turn
        self.legal = message.get("legal", self.legal)
        self.decision = self._turn.get("decision", self.decision)
