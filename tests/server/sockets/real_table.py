"""A real table of E-Card on a store of its own, before which the real protocols listen: Ann has seat 1, Bob
seat 2, and Cyd, who set it up, a session.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from websockets.asyncio.client import ClientConnection

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Ack, Clock, Cmd, Nak
from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.server.ops.rate_limits import Caps, Limits
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.sockets.contract import SocketLimits
from facedown.server.store.values import Person
from facedown.server.table.table import Table

from .messages import hear_up_to
from .room import CALM, USUAL, Served, served

ENTROPY = bytes(range(32))
NO_CLOCK = Clock()


@dataclass
class RealTable(Served):
    table: Table
    people: dict[str, Person]
    tokens: dict[str | None, str | None]
    """Of the seats, by the names of those who sit there; None for those who watch."""
    session: str
    """Cyd's token in a browser."""
    bearer: str
    """Cyd's token in a program."""

    async def joined(
        self, client: ClientConnection, who: str | None = None, **more: Any
    ) -> list[dict[str, Any]]:
        """Send hello as this person, and read up to the snap."""
        hello = {"t": "hello", "table": self.table.id, "token": self.tokens[who], **more}
        await client.send(json.dumps(hello))
        return await hear_up_to(client, "snap", "bye")

    async def do(self, who: str, cmd: Cmd) -> None:
        """A command that does not come over a socket."""
        answer: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
        seat, person = {"Ann": 1, "Bob": 2}[who], self.people[who]
        self.table.submit(seat, cmd, answer.set_result, person=person.id, name=person.name)
        assert isinstance(await answer, Ack)

    def said_to(self, viewer: int) -> list[tuple[int, str, str]]:
        """Seat, name and text of all messages that a viewer got: seats and spectators chat apart."""
        events = [json.loads(each) for each in self.table.events(viewer, None, 0)]
        return [(each["seat"], each["name"], each["text"]) for each in events if each["k"] == "said"]

    @property
    def present(self) -> Sequence[int]:
        """The seats that are connected."""
        return sorted(self.table.present)


@asynccontextmanager
async def real_table(
    folder: Path,
    caps: Caps = USUAL,
    watch: Literal["anyone", "nobody"] = "anyone",
    seated: Sequence[str] = ("Ann", "Bob"),
    clock: Clock = NO_CLOCK,
    pace: SocketLimits = CALM,
) -> AsyncIterator[RealTable]:
    services = open_services(Settings(data=folder / "data", machine_pause=0))
    try:
        people = {name: (await services.people.guest(name, "program"))[0] for name in ("Ann", "Bob")}
        people["Cyd"], session = await services.people.guest("Cyd", "browser")
        bearer = await services.people.token(people["Cyd"], "program")
        host = people["Cyd"].id
        order = TableOrder("ecard", (PersonSeat(),) * 2, clock=clock, watch=watch)
        table = await services.tables.create(order, host)
        tokens: dict[str | None, str | None] = {None: None}
        for seat, name in enumerate(seated, 1):
            commit = entropy_commitment(table.id, seat, ENTROPY).hex()
            tokens[name] = await table.join(seat, people[name], commit)
        here = served(services.tables, services.store, services.people, Limits(caps), pace)
        async with here as port:
            yield RealTable(
                **vars(port), table=table, people=people, tokens=tokens, session=session, bearer=bearer
            )
    finally:
        await services.close()
