"""All bytes that reach a client that may not know: frames, bodies, errors, headers, logs, metrics, records.

None holds a sealed pick, a nonce, a seed or another's hand before its time.
"""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.server.conversation.playing import Person
from tests.server.conversation.playing import program as person_of
from tests.server.conversation.talking import Conversation, Socket
from tests.server.kept import everything_of
from tests.server.programs import Chair, ask, call, open_body, pick_body, program, set_table
from tests.server.running import Server

pytestmark = pytest.mark.anyio


class Spy:
    """Listens to a table as one client, and keeps every byte."""

    def __init__(self, base: str, table: str, token: str | None) -> None:
        self.base, self.table, self.token = base, table, token
        self.bytes: list[bytes] = []
        self._task: asyncio.Task[None] | None = None
        self._socket: Any = None

    async def listen(self) -> None:
        url = self.base.replace("http", "ws", 1) + "/ws/v1"
        self._socket = await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
        await self._socket.send(json.dumps({"t": "hello", "table": self.table, "token": self.token, "v": 0}))
        self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        try:
            async for frame in self._socket:
                self.bytes.append(frame.encode() if isinstance(frame, str) else frame)
        except websockets.WebSocketException:
            pass

    async def send(self, message: object) -> None:
        await self._socket.send(json.dumps(message))

    async def until(self, kind: str, many: int) -> None:
        """Wait until this number of events of a kind has come."""
        async with asyncio.timeout(PATIENCE):
            while sum(json.loads(each).get("k") == kind for each in self.bytes) < many:
                await asyncio.sleep(0.01)

    async def ended(self) -> None:
        """Wait until the server has closed the connection: by then it has sent everything."""
        assert self._task is not None
        await asyncio.wait_for(self._task, PATIENCE)


def whole(base: str, path: str, token: str = "", seat: str = "", body: object = None) -> bytes:
    """Everything that comes back for a request: status, headers and body, errors too."""
    request = urllib.request.Request(base + path, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if seat:
        request.add_header("Facedown-Seat", seat)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return bytes(answer.headers) + bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return bytes(error.headers) + error.read()


def asked_for(server: Server, table: str, chair: Chair | None) -> bytes:
    """What REST gives a client: its own view, events, record; errors of nonsense; lists and metrics."""
    token, seat = (chair.bearer, chair.token) if chair is not None else ("", "")
    at = f"/api/v1/tables/{table}"
    nonsense = {
        "id": "nonsense",
        "do": "pick",
        "decision": 99,
        "pick": "?",
        "commit": "0" * 64,
        "nonce": "0" * 64,
    }
    return b"\n".join(
        [
            whole(server.base, at, token, seat),
            whole(server.base, f"{at}/events?after=0", token, seat),
            whole(server.base, f"{at}/record", token, seat),
            whole(server.base, f"{at}/review?seat=1", token, seat),
            whole(server.base, f"{at}/commands", token, seat, nonsense),
            whole(server.base, f"{at}/commands", token, "somebody-elses", nonsense),
            whole(server.base, "/api/v1/tables?state=playing", token),
            whole(server.base, "/metrics"),
            whole(server.base, "/api/v1/people/me", token),
        ]
    )


async def begun(server: Server, game: str, seats: int) -> list[Chair]:
    chairs = await set_table(server.base, game, seats, public=True)
    for chair in chairs:
        await do(chair, open_body(chair))
    return chairs


async def do(chair: Chair, body: dict[str, Any]) -> Any:
    at = f"/tables/{chair.table}/commands"
    return await call(chair.base, "POST", at, body, chair.bearer, Facedown_Seat=chair.token)


async def legal_of(chair: Chair) -> list[str]:
    snap = await call(
        chair.base, "GET", f"/tables/{chair.table}", None, chair.bearer, Facedown_Seat=chair.token
    )
    return list(snap["legal"])


@pytest.mark.parametrize(("game", "seats"), [("ecard", 2), ("davenport", 4)])
async def test_no_byte_tells_what_lies_face_down(server: Server, game: str, seats: int) -> None:
    chairs = await begun(server, game, seats)
    table = chairs[0].table
    snap = await call(server.base, "GET", f"/tables/{table}")
    seat = snap["table"]["turn"]["may_seal"][0]
    actor, others = chairs[seat - 1], [chair for chair in chairs if chair.seat != seat]
    spies = [Spy(server.base, table, chair.token) for chair in others] + [Spy(server.base, table, None)]
    for spy in spies:
        await spy.listen()
    hands = {chair.seat: await legal_of(chair) for chair in chairs}
    nonce = b"canary of a nonce, 32 bytes long"
    body = pick_body(actor, 1, hands[seat][0], nonce=nonce)
    await do(actor, body)
    for spy in spies:
        await spy.until("sealed", 1)
        await spy.send({"t": "cmd", "id": "x", "do": "pick", "decision": 99})
        await spy.send({"t": "nonsense"})
        await spy.ended()
    stranger = await program(server.base)
    heard = [(spy.token, b"\n".join(spy.bytes)) for spy in spies]
    heard += [(chair.token, await asyncio.to_thread(asked_for, server, table, chair)) for chair in others]
    heard += [(None, await asyncio.to_thread(asked_for, server, table, None))]
    heard += [(None, await asyncio.to_thread(whole, server.base, f"/api/v1/tables/{table}", stranger))]
    heard += [(None, server.log().encode())]
    holders = {chair.token: chair.seat for chair in others}
    for token, received in heard:
        assert nonce.hex().encode() not in received
        assert body["commit"].encode() in received or b"sealed" not in received
        own = holders.get(token or "")
        if game == "davenport":  # hands are hidden: no card of another's may be in it
            mine = set(hands.get(own or 0, []))
            for each, cards in hands.items():
                if each != own:
                    assert not [
                        card for card in cards if card not in mine and f'"{card}"'.encode() in received
                    ]


# --- two worlds that differ in one sealed pick alone --------------------------------------------------------


@dataclass
class World:
    """Everything that a server sent and wrote while one pick lay face down."""

    pick: str
    own: str
    """What the seat that sealed it was sent."""
    others: dict[str, str]
    """What everybody else was sent, the log and the metrics."""


async def world(folder: Path, game: str, seats: int, choose: Callable[[list[str]], str]) -> World:
    """One game of fixed chance and time, up to the first seal; then everybody asks for all there is."""
    async with Conversation(folder) as talk:
        people = [await person_of(talk, f"Person {seat}") for seat in range(1, seats + 1)]
        order = {"game": game, "seats": [{"kind": "person"}] * seats, "public": True}
        made = await people[0].call("POST", "/tables", order)
        table = made["table"]
        for seat, person in enumerate(people, 1):
            await person.join(table, seat, made["invite"])
            await person.connect()
        watcher = await talk.connect("A watcher", {"table": table})
        for person in people:
            await person.open()
        actor = next(person for person in people if person.may_pick)
        pick = choose(actor.here.legal)
        await actor.pick(pick)
        await ask_for_everything(talk, table, people, watcher)
        await talk.call("Prometheus", "GET", "/metrics")
    seal = actor.sealed(1, pick)["commit"]
    sent = {who: _unsigned(_sent(lines).replace(seal, "the seal")) for who, lines in talk.said.items()}
    own = sent.pop(f"{actor.who} at the table") + sent.pop(actor.who)
    return World(pick, own, {**sent, "Prometheus": _steady_metrics(sent["Prometheus"]), "log": _log(talk)})


def _unsigned(text: str) -> str:
    """Without signatures: they are of a head that the seal is part of."""
    return re.sub(r'("sig": ?")[0-9A-Za-z_-]{86}"', r'\1"', text)


async def ask_for_everything(talk: Conversation, table: str, people: list[Person], watcher: Socket) -> None:
    """Each seat by REST and by socket, a stranger, and a watcher whose nonsense ends the connection."""
    at = f"/tables/{table}"
    for person in people:
        seat = {"Facedown_Seat": person.token}
        for path in (at, f"{at}/events?after=0", f"{at}/record", f"{at}/review?seat=1", "/people/me"):
            await person.call("GET", path, **seat)
        nonsense = {"id": f"nonsense-{person.seat}", "do": "pick", "decision": 99, "pick": "?"}
        await person.call("POST", f"{at}/commands", nonsense, **seat)
        await person.call("POST", f"{at}/commands", nonsense, Facedown_Seat="another's")
        await talk.send(person.here, {**nonsense, "commit": "0" * 64, "nonce": "0" * 64})
    for path in (at, f"{at}/events?after=0", f"{at}/record", "/tables?state=playing"):
        await talk.call("A stranger", "GET", f"/api/v1{path}")
    talk.sockets.remove(watcher)
    await watcher.send('{"t":"nonsense"}')
    await watcher.until(lambda: watcher.closed)


def _sent(lines: list[str]) -> str:
    return "\n".join(line for line in lines if not line.startswith("> "))


def _steady_metrics(page: str) -> str:
    """Without what depends on the machine: its speed, and the space on its disk."""
    return "\n".join(
        line
        for line in page.split("\n")
        if not re.search("seconds|disk_free|store_(commits|largest|w)", line)
    )


def _log(talk: Conversation) -> str:
    """The log without times, paths and addresses."""
    lines = [json.loads(line) for line in talk.log().splitlines()]
    kept = [{name: value for name, value in line.items() if name not in ("at", "ms")} for line in lines]
    return "\n".join(sorted(json.dumps(line) for line in kept if line["event"] != "settings"))


@pytest.mark.parametrize(("game", "seats"), [("ecard", 2), ("davenport", 3)])
async def test_every_byte_to_others_is_the_same_whatever_was_sealed(
    tmp_path: Path, game: str, seats: int
) -> None:
    """Davenport's picks differ in length, too: `7H` is shown, `x7H` given face down."""
    worlds = []
    for name, choose in (("short", min), ("long", max)):
        folder = tmp_path / name
        folder.mkdir()
        worlds.append(await world(folder, game, seats, partial(choose, key=lambda pick: (len(pick), pick))))
    one, two = worlds
    assert one.pick != two.pick
    assert len(one.pick) != len(two.pick) or game == "ecard"
    assert one.own != two.own  # its own pick it may know: the worlds do differ
    assert one.others.keys() == two.others.keys()
    assert all("sealed" in one.others[who] for who in ("A watcher", "A stranger"))
    for who, received in one.others.items():
        assert received == two.others[who], who


async def test_secrets_are_hashed_where_they_are_kept(server: Server) -> None:
    chairs = await begun(server, "ecard", 2)
    kept = await asyncio.to_thread(everything_of, server)
    for chair in chairs:
        assert chair.token.encode() not in kept
        assert chair.bearer.encode() not in kept
    assert ask(server.base, "GET", "/session", None, chairs[0].bearer)["person"]
