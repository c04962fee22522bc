"""What a server remembers of people: they can take it with them, have it erased, and sign out everywhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from facedown.client import ServerRefused
from facedown.protocol.messages import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.server.kept import kept_by
from tests.server.programs import Chair, ask, call, set_table
from tests.server.running import Server

pytestmark = pytest.mark.anyio

NAME, SECRET = "Wilhelmina Quastenflosser", "my aunt's address is Harbour Lane 9"


async def someone_who_talked(server: Server, seats: int = 2) -> tuple[Chair, Chair]:
    """Two programs at a table; the first has a revealing name, and has written too much."""
    wilma, other = await set_table(server.base, "ecard", seats)
    await call(server.base, "PATCH", "/session", {"name": NAME}, wilma.bearer)
    body = {"id": "said-1", "do": "say", "text": SECRET}
    await command(wilma, body)
    return wilma, other


async def command(chair: Chair, body: dict[str, Any]) -> Any:
    path = f"/tables/{chair.table}/commands"
    return await call(chair.base, "POST", path, body, chair.bearer, Facedown_Seat=chair.token)


async def snapshot(chair: Chair) -> Any:
    path = f"/tables/{chair.table}"
    return await call(chair.base, "GET", path, None, chair.bearer, Facedown_Seat=chair.token)


async def test_a_person_takes_everything_along_and_has_it_erased(server: Server) -> None:
    wilma, other = await someone_who_talked(server)
    data = await call(server.base, "GET", "/people/me/data", None, wilma.bearer)
    assert data["name"] == NAME
    assert [text["text"] for text in data["texts"] if text["kind"] == "chat"] == [SECRET]
    assert [table["table"] for table in data["tables"]] == [wilma.table]
    assert NAME in str(await snapshot(other))

    await call(server.base, "DELETE", "/people/me", None, wilma.bearer)

    with pytest.raises(ServerRefused) as refused:
        ask(server.base, "GET", "/session", None, wilma.bearer)
    assert refused.value.name == "bad_token"
    seen = await snapshot(other)
    while NAME in str(seen) and server.store_url.startswith("postgresql:"):
        seen = await snapshot(other)  # another process reads the table again in a moment
    assert NAME not in str(seen)
    assert SECRET not in str(seen)
    events = await call(server.base, "GET", f"/tables/{other.table}/events?after=0", None, other.bearer)
    assert [event["v"] for event in events["events"]] == list(range(1, seen["v"] + 1))  # none is missing
    assert NAME not in str(events)

    if server.store_url.startswith("postgresql:"):
        server.stop()  # everything is in the database now, and nothing beside it
    stored = kept_by(server).everything()
    assert NAME.encode() not in stored
    assert SECRET.encode() not in stored
    server.stop()
    assert wilma.table.encode() in stored
    server.start()
    assert NAME not in str(await snapshot(other))


async def test_signing_out_everywhere_ends_all_sessions_and_seat_tokens(server: Server) -> None:
    wilma, _ = await set_table(server.base, "ecard", 2)
    url = server.base.replace("http", "ws", 1) + "/ws/v1"
    async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None) as thief:
        await thief.send(json.dumps({"t": "hello", "table": wilma.table, "token": wilma.token}))
        assert json.loads(await thief.recv())["t"] == "welcome"
        fresh = await call(server.base, "DELETE", "/people/me/sessions", None, wilma.bearer)
        last = ""
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(PATIENCE):
                while True:
                    last = str(await thief.recv())
        assert json.loads(last)["code"] == "bad_token"
    for bearer, seat in ((wilma.bearer, {}), ("", {"Facedown_Seat": wilma.token})):
        with pytest.raises(ServerRefused) as refused:  # neither token is of any use to a thief
            ask(server.base, "GET", f"/tables/{wilma.table}", None, bearer, **seat)
        assert refused.value.name == "bad_token"
    resumed = ask(server.base, "POST", f"/tables/{wilma.table}/resume", {}, fresh["token"])
    assert resumed["seat"] == wilma.seat  # signing out does not lose the seat
