"""Programs that play on a running server, over sockets or over REST only.

They trust nothing: every event must have the next number, every answer must fit, and everything that was
acknowledged is kept to be compared with the server's state.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from facedown.client import RestClient
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.protocol.messages import SUBPROTOCOL
from facedown.protocol.rest import TableOrder
from tests.patience import PATIENCE


def ask(
    base: str, method: str, path: str, body: object = None, token: str = "", **headers: str
) -> dict[str, Any]:
    """One call of the API, with a bearer token; raises `ServerRefused` and `ServerLost`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    text = RestClient(base, token, timeout=PATIENCE).send(method, path, body, sent)
    return json.loads(text) if text else {}


async def call(
    base: str, method: str, path: str, body: object = None, token: str = "", **headers: str
) -> Any:
    """The same beside the loop."""
    return await asyncio.to_thread(ask, base, method, path, body, token, **headers)


def hand_over(base: str, bearer: str, post: Callable[[str, dict[str, Any]], Any], kind: str) -> Any:
    """Another device, which posts by `post`, continues as the person of this token; its session."""
    code = ask(base, "POST", "/session/handover", None, bearer)["code"]
    claimed = post("/handovers", {"code": code})
    answer = {"digits": claimed["digits"], "allow": True}
    ask(base, "POST", "/session/handover/answer", answer, bearer)
    taken = post("/handovers/session", {"claim": claimed["claim"], "kind": kind})
    assert taken["state"] == "done"
    return taken["session"]


@dataclass
class Chair:
    """A seat at a table, held by a program."""

    base: str
    table: str
    seat: int
    token: str
    bearer: str
    entropy: bytes


async def program(base: str, timeout: float = PATIENCE) -> str:
    """A new program's bearer token."""
    return await asyncio.to_thread(RestClient(base, timeout=timeout).sign_in)


async def set_table(
    base: str, game: str, seats: int, rules: str = "", *, timeout: float = PATIENCE, **more: object
) -> list[Chair]:
    """A table with a program of its own on every seat; `timeout` of each request."""
    host = RestClient(base, await program(base, timeout), timeout=timeout)
    order = {"game": game, "rules": rules, "seats": [{"kind": "person"}] * seats, **more}
    made = await asyncio.to_thread(host.make, msgspec.convert(order, TableOrder))
    return [await sit(base, made.table, made.invite, seat, timeout=timeout) for seat in range(1, seats + 1)]


async def sit(
    base: str, table: str, invite: str, seat: int, bearer: str = "", *, timeout: float = PATIENCE
) -> Chair:
    """Take a seat by invitation."""
    bearer = bearer or await program(base, timeout)
    entropy = secrets.token_bytes(32)
    commit = entropy_commitment(table, seat, entropy).hex()
    joined = await asyncio.to_thread(
        RestClient(base, bearer, timeout=timeout).join, table, seat, commit, invite
    )
    return Chair(base, table, seat, joined.token, bearer, entropy)


def pick_body(
    chair: Chair, decision: int, pick: str, command: str = "", nonce: bytes = b"", head: str = ""
) -> dict[str, Any]:
    """The command that seals a pick; the `head` of the decision is requested if need be."""
    nonce = nonce or secrets.token_bytes(32)
    made_on = bytes.fromhex(head or _head_of(chair))
    commit = pick_commitment(chair.table, decision, chair.seat, made_on, pick, nonce).hex()
    return {
        "id": command or secrets.token_hex(8),
        "do": "pick",
        "decision": decision,
        "pick": pick,
        "commit": commit,
        "nonce": nonce.hex(),
    }


def _head_of(chair: Chair) -> str:
    turn = RestClient(chair.base, chair.bearer, timeout=PATIENCE).table(chair.table).table.turn
    return (turn.head or "") if turn is not None else "00" * 32


def open_body(chair: Chair) -> dict[str, Any]:
    """The command that opens one's entropy."""
    return {"id": f"open{chair.seat}", "do": "open", "entropy": chair.entropy.hex()}


def looked_at(view: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A view after what was said to be new in it."""
    added = {name: view[name] + more for name, more in change.get("more", {}).items()}
    return {**view, **change.get("put", {}), **added}


@dataclass
class Ledger:
    """What was acknowledged, and how long things took."""

    acked: list[tuple[str, int, int, str]] = field(default_factory=list)
    """Table, seat, number of the event and commitment."""
    refused: int = 0
    """Answers that nothing could be saved."""
    waits: list[float] = field(default_factory=list)
    resumed: list[float] = field(default_factory=list)
    """Seconds from the loss of the server, which is `lost_at`, to a seat's snap."""
    lost_at: float = 0.0


@dataclass
class SocketPlayer:
    """Plays one seat over a socket to the end of the game, through any number of lost connections."""

    chair: Chair
    ledger: Ledger
    source: random.Random
    script: dict[int, str] = field(default_factory=dict)
    """Picks by decision, where the test decides; else random legal ones."""
    v: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    over: bool = False
    snaps: int = 0
    heard: list[bytes] = field(default_factory=list)
    keep: bool = False
    """Whether to keep every byte that was heard."""
    _turn: dict[str, Any] | None = None
    _legal: list[str] = field(default_factory=list)
    _state: str = ""
    _open: dict[str, Any] | None = None
    _sent_at: float = 0.0
    _opened: bool = False
    _sealed: int = 0
    """The last decision whose seal was acknowledged: its event may come after the answer."""

    async def play(self) -> None:
        """To the end of the game."""
        while not self.over:
            try:
                await self._sit_down()
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.04 + self.source.random() * 0.08)

    async def _sit_down(self) -> None:
        chair = self.chair
        url = chair.base.replace("http", "ws", 1) + "/ws/v1"
        protocol = Subprotocol(SUBPROTOCOL)
        async with connect(
            url,
            subprotocols=[protocol],
            compression=None,
            open_timeout=PATIENCE,
            proxy=None,  # looking for one takes longer than to connect
        ) as socket:
            hello = {"t": "hello", "table": chair.table, "token": chair.token, "v": self.v}
            await socket.send(json.dumps(hello))
            async for frame in socket:
                if self.keep:
                    self.heard.append(frame if isinstance(frame, bytes) else frame.encode())
                if await self._hear(socket, json.loads(frame)):
                    return

    async def _hear(self, socket: Any, message: dict[str, Any]) -> bool:
        kind = message["t"]
        if kind == "ev":
            assert message["v"] == self.v + 1, f"event {message['v']} after {self.v}"
            self.v = message["v"]
            self._take(message)
            if message["k"] == "over":
                self.over = True
        elif kind == "snap":
            assert message["v"] == self.v, f"a snap at {message['v']}, events up to {self.v}"
            self.snaps += 1
            self._resume(message)
            if self._open is not None:  # not answered before the connection was lost: the same again
                await socket.send(json.dumps({"t": "cmd", **self._open}))
        elif kind == "ack":
            self._acked(message)
        elif kind == "nak":
            self._refused(message)
        elif kind == "ping":
            await socket.send('{"t":"pong"}')
        elif kind == "bye":
            return True
        await self._act(socket)
        return self.over and self._open is None

    def _resume(self, snap: dict[str, Any]) -> None:
        self._take({**snap, **snap["table"]})
        if snap["table"]["state"] in ("over", "closed"):
            self.over = True
            self._open = None
        if self.ledger.lost_at:
            self.ledger.resumed.append(time.perf_counter() - self.ledger.lost_at)

    def _take(self, message: dict[str, Any]) -> None:
        self._turn = message.get("turn", self._turn)
        self._legal = message.get("legal", self._legal)
        self._state = message.get("state", self._state)
        self.view = message.get("view", self.view)
        if "change" in message:
            self.view = looked_at(self.view, message["change"])

    def _acked(self, ack: dict[str, Any]) -> None:
        command = self._open
        assert command is not None
        assert ack["id"] == command["id"]
        if command["do"] == "pick":
            self.ledger.acked.append((self.chair.table, self.chair.seat, ack["v"], command["commit"]))
            self.ledger.waits.append(time.perf_counter() - self._sent_at)
            self._sealed = command["decision"]
        self._open = None

    def _refused(self, refusal: dict[str, Any]) -> None:
        """Only what says that nothing was saved may happen to an honest program."""
        assert refusal["code"] in ("store_failed", "draining", "too_many"), refusal
        self.ledger.refused += refusal["code"] == "store_failed"
        self._open = None
        self._opened = False

    async def _act(self, socket: Any) -> None:
        if self._open is not None:
            return
        self._open = self._next_command()
        if self._open is not None:
            self._sent_at = time.perf_counter()
            await socket.send(json.dumps({"t": "cmd", **self._open}))

    def _next_command(self) -> dict[str, Any] | None:
        """What this seat has to send now; None while it waits for others."""
        if self._state == "opening" and not self._opened:
            self._opened = True
            return open_body(self.chair)
        if self._state != "playing" or not self._turn or self.chair.seat not in self._turn["may_seal"]:
            return None
        decision = self._turn["decision"]
        if decision <= self._sealed:
            return None
        return self._pick(decision, self.script.get(decision) or self.source.choice(self._legal))

    def _pick(self, decision: int, pick: str) -> dict[str, Any]:
        """The command that seals this pick."""
        return pick_body(self.chair, decision, pick, head=(self._turn or {}).get("head", ""))


@dataclass
class RestPlayer:
    """Plays one seat by polling, without a socket."""

    chair: Chair
    source: random.Random
    script: dict[int, str] = field(default_factory=dict)

    async def play(self) -> None:
        """To the end of the game."""
        chair = self.chair
        seat = {"Facedown_Seat": chair.token}
        path = f"/tables/{chair.table}"
        opened = False
        while True:
            snap = await call(chair.base, "GET", path, None, chair.bearer, **seat)
            table, turn = snap["table"], snap["table"]["turn"]
            if table["state"] in ("over", "closed"):
                return
            body = None
            if table["state"] == "opening" and not opened:
                body, opened = open_body(chair), True
            elif turn and chair.seat in turn["may_seal"]:
                decision = turn["decision"]
                pick = self.script.get(decision) or self.source.choice(snap["legal"])
                body = pick_body(chair, decision, pick, head=turn["head"])
            if body is not None:
                await call(chair.base, "POST", f"{path}/commands", body, chair.bearer, **seat)
            else:
                wait = f"{path}/events?after={snap['v']}&wait=10"
                await call(chair.base, "GET", wait, None, chair.bearer, **seat)
