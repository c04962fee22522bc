"""All bytes that reach somebody who may not know: frames, bodies, errors, headers, logs, metrics, records.

None holds a sealed pick, a nonce, a seed or another's hand before its time.
"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.server.programs import Chair, ask, call, open_body, pick_body, program, set_table
from tests.server.running import Server

pytestmark = pytest.mark.anyio


class Spy:
    """Listens to a table as somebody, and keeps every byte."""

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
        """Wait until so many events of a kind were heard."""
        for _ in range(500):
            if sum(json.loads(each).get("k") == kind for each in self.bytes) >= many:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"{kind} was not heard {many} times")

    async def close(self) -> None:
        await self._socket.close()
        if self._task is not None:
            await self._task


def whole(base: str, path: str, token: str = "", seat: str = "", body: object = None) -> bytes:
    """Everything that comes back for a request: status, headers and body, errors too."""
    request = urllib.request.Request(base + path, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if seat:
        request.add_header("Facedown-Seat", seat)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return bytes(answer.headers) + bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return bytes(error.headers) + error.read()


def asked_for(server: Server, table: str, chair: Chair | None) -> bytes:
    """What REST gives somebody: their own view, events, record; errors of nonsense; lists and metrics."""
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
    await asyncio.sleep(0.2)
    stranger = await program(server.base)
    heard = [(spy.token, b"\n".join(spy.bytes)) for spy in spies]
    heard += [(chair.token, await asyncio.to_thread(asked_for, server, table, chair)) for chair in others]
    heard += [(None, await asyncio.to_thread(asked_for, server, table, None))]
    heard += [(None, await asyncio.to_thread(whole, server.base, f"/api/v1/tables/{table}", stranger))]
    heard += [(None, server.log().encode())]
    holders = {chair.token: chair.seat for chair in others}
    for token, told in heard:
        assert nonce.hex().encode() not in told
        assert body["commit"].encode() in told or b"sealed" not in told
        own = holders.get(token or "")
        if game == "davenport":  # hands are hidden: no card of another's may be in it
            mine = set(hands.get(own or 0, []))
            for each, cards in hands.items():
                if each != own:
                    assert not [card for card in cards if card not in mine and f'"{card}"'.encode() in told]
    for spy in spies:
        await spy.close()


async def test_frames_are_as_long_and_in_the_same_order_whatever_was_picked(server: Server) -> None:
    shapes: list[list[tuple[str, int]]] = []
    for which in (0, -1):
        chairs = await begun(server, "ecard", 2)
        snap = await call(server.base, "GET", f"/tables/{chairs[0].table}")
        seat = snap["table"]["turn"]["may_seal"][0]
        spy = Spy(server.base, chairs[0].table, chairs[2 - seat].token)
        await spy.listen()
        await spy.until("dealt", 1)
        before = len(spy.bytes)
        await do(chairs[seat - 1], pick_body(chairs[seat - 1], 1, (await legal_of(chairs[seat - 1]))[which]))
        await spy.until("sealed", 1)
        await asyncio.sleep(0.05)
        shapes.append(
            [(json.loads(each)["t"], len(each)) for each in spy.bytes[before:] if b'"here"' not in each]
        )
        await spy.close()
    assert shapes[0] == shapes[1]


async def test_secrets_are_hashed_where_they_are_kept(server: Server) -> None:
    chairs = await begun(server, "ecard", 2)
    kept = b"".join(path.read_bytes() for path in server.data.rglob("*") if path.is_file())
    for chair in chairs:
        assert chair.token.encode() not in kept
        assert chair.bearer.encode() not in kept
    assert ask(server.base, "GET", "/session", None, chairs[0].bearer)["person"]
