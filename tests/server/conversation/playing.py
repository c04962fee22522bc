"""People of a conversation: sessions, seats, seals, and picks that are the same in every run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from tests.server.conversation.talking import Conversation, Socket, entropy_commit, pick_commit, secret

API = "/api/v1"


@dataclass
class Person:
    """A person with a session, and a seat at the table that is played now."""

    talk: Conversation
    who: str
    session: dict[str, str]
    """The header that proves who it is."""
    table: str = ""
    seat: int = 0
    token: str = ""
    socket: Socket | None = None

    @property
    def here(self) -> Socket:
        """The connection to the table."""
        assert self.socket is not None
        return self.socket

    async def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """A request with the session."""
        return await self.talk.call(self.who, method, API + path, body, **self.session, **headers)

    async def join(self, table: str, seat: int, invite: str = "") -> Any:
        """Sit down."""
        commit = entropy_commit(table, seat, self.entropy(table, seat))
        order = {"seat": seat, "commit": commit, **({"invite": invite} if invite else {})}
        joined = await self.call("POST", f"/tables/{table}/join", order)
        if "token" in joined:
            self.table, self.seat, self.token = table, seat, joined["token"]
        return joined

    def entropy(self, table: str, seat: int) -> bytes:
        """What this person throws in."""
        return secret(f"entropy {self.who} {table} {seat}")

    async def connect(self, v: int | None = None, as_who: str = "") -> Socket:
        """A socket on one's seat; from the event `v` on."""
        hello: dict[str, Any] = {"table": self.table, "token": self.token}
        self.socket = await self.talk.connect(
            as_who or f"{self.who} at the table", hello if v is None else {**hello, "v": v}
        )
        return self.socket

    async def do(self, command: str, do: str, **more: object) -> None:
        """A command over the socket."""
        await self.talk.send(self.here, {"id": command, "do": do, **more})

    async def open(self) -> None:
        """Open one's entropy."""
        await self.do(f"open-{self.seat}", "open", entropy=self.entropy(self.table, self.seat).hex())

    def sealed(self, decision: int, pick: str) -> dict[str, Any]:
        """The parts of a command that seals a pick."""
        nonce = secret(f"nonce {self.table} {decision} {self.seat}")
        turn = self.here.turn
        head = "00" * 32 if turn is None else turn["head"]
        commit = pick_commit(self.table, decision, self.seat, head, pick, nonce)
        return {"decision": decision, "pick": pick, "commit": commit, "nonce": nonce.hex()}

    async def pick(self, pick: str, command: str = "") -> None:
        """Seal a pick in the open decision."""
        assert self.here.turn is not None
        decision = self.here.turn["decision"]
        await self.do(command or f"pick-{decision}-{self.seat}", "pick", **self.sealed(decision, pick))

    def choose(self) -> str:
        """One of the legal picks: any, and the same in every run."""
        legal = self.here.legal
        assert self.here.turn is not None
        label = f"{self.who} {self.here.turn['decision']}"
        return legal[hashlib.sha256(label.encode()).digest()[0] % len(legal)]

    async def pick_any(self) -> None:
        """Seal what one chooses."""
        await self.pick(self.choose())

    async def resign(self) -> None:
        """Give up."""
        assert self.here.turn is not None
        await self.do(f"resign-{self.seat}", "resign", decision=self.here.turn["decision"])

    @property
    def may_pick(self) -> bool:
        """Whether it is this person's turn."""
        here = self.here
        return here.state == "playing" and here.turn is not None and self.seat in here.turn["may_seal"]


async def program(talk: Conversation, name: str) -> Person:
    """A person with a bearer token."""
    made = await talk.call(name, "POST", f"{API}/session", {"kind": "program", "name": name})
    return Person(talk, name, {"Authorization": f"Bearer {made['token']}"})


async def play(people: list[Person], decisions: int = 1000) -> None:
    """Play this number of decisions, or to the end; each person seals in turn."""
    for _ in range(decisions):
        if people[0].here.state != "playing":
            return
        decision = (people[0].here.turn or {})["decision"]
        while (people[0].here.turn or {}).get("decision") == decision:
            await next(person for person in people if person.may_pick).pick_any()
