"""Programs that try what is not theirs to do, on a real server: forged, replayed, early, late and foreign."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.server.programs import Chair, call, open_body, pick_body, program, set_table, sit
from tests.server.running import Server

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("bad") / "data").start()
    yield running
    running.close()
    assert "Traceback" not in running.log()


class Seat:
    """A socket at a seat; received messages wait until they are read."""

    def __init__(self, chair: Chair, client: ClientConnection) -> None:
        self.chair = chair
        self.client = client
        self.heard: list[dict[str, Any]] = []

    async def do(self, **body: Any) -> dict[str, Any]:
        """A command and its answer."""
        await self.client.send(json.dumps({"t": "cmd", **body}))
        return await self.hear(lambda each: each["t"] in ("ack", "nak") and each["id"] == body["id"])

    async def hear(self, wanted: Any) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = json.loads(await self.client.recv())
                self.heard.append(message)
                if wanted(message):
                    return message


@asynccontextmanager
async def seated(chair: Chair, token: str | None = "", table: str = "") -> AsyncIterator[Seat]:
    """Sit down with one's own token, or another; up to the snap or the goodbye."""
    url = chair.base.replace("http", "ws", 1) + "/ws/v1"
    protocol = Subprotocol(SUBPROTOCOL)
    async with connect(url, subprotocols=[protocol], compression=None, proxy=None) as client:
        seat = Seat(chair, client)
        hello = {"t": "hello", "table": table or chair.table, "token": chair.token if token == "" else token}
        await client.send(json.dumps(hello))
        await seat.hear(lambda each: each["t"] in ("snap", "bye"))
        yield seat


@asynccontextmanager
async def playing(server: Server) -> AsyncIterator[tuple[Seat, Seat]]:
    """A table in its first decision."""
    one, two = await set_table(server.base, "ecard", 2)
    async with seated(one) as first, seated(two) as second:
        for seat in (first, second):
            assert (await seat.do(**open_body(seat.chair)))["t"] == "ack"
        await first.hear(lambda each: each.get("k") == "dealt")
        yield first, second


async def legal(seat: Seat) -> str:
    chair = seat.chair
    path = f"/tables/{chair.table}"
    snap = await call(chair.base, "GET", path, None, chair.bearer, Facedown_Seat=chair.token)
    return str(snap["legal"][0])


async def head(seat: Seat) -> int:
    chair = seat.chair
    snap = await call(chair.base, "GET", f"/tables/{chair.table}", None, chair.bearer)
    return int(snap["v"])


async def test_a_token_opens_one_seat_at_one_table(server: Server) -> None:
    mine, _ = await set_table(server.base, "ecard", 2)
    theirs, _ = await set_table(server.base, "ecard", 2)
    for token, table in (
        (mine.token, theirs.table),
        (mine.bearer, mine.table),
        (secrets.token_urlsafe(32), mine.table),
    ):
        async with seated(mine, token, table) as seat:
            assert (seat.heard[-1]["t"], seat.heard[-1]["code"]) == ("bye", "bad_token")


async def test_a_table_that_is_not_there_is_not_there(server: Server) -> None:
    mine, _ = await set_table(server.base, "ecard", 2)
    for token in (mine.token, None):
        async with seated(mine, token, "Z" * 26) as seat:
            assert (seat.heard[-1]["t"], seat.heard[-1]["code"]) == ("bye", "unknown_table")


async def test_a_seal_that_does_not_fit_is_refused(server: Server) -> None:
    async with playing(server) as (first, second):
        pick = await legal(first)
        fine = pick_body(first.chair, 1, pick)
        before = await head(first)
        for forged in (
            {**fine, "nonce": secrets.token_hex(32)},
            {**fine, "commit": secrets.token_hex(32)},
            pick_body(second.chair, 1, pick),  # made for the other seat
            {**fine, "commit": pick_body(first.chair, 2, pick)["commit"]},
        ):
            answer = await first.do(**{**forged, "id": secrets.token_hex(8)})
            assert (answer["t"], answer["code"]) == ("nak", "bad_seal")
        assert await head(first) == before


async def test_a_pick_that_is_not_in_the_hand_is_refused(server: Server) -> None:
    async with playing(server) as (first, _):
        before = await head(first)
        for pick in ("X", "joker", "🂡", "C C"):
            answer = await first.do(**pick_body(first.chair, 1, pick))
            assert answer["t"] == "nak"
            assert answer["code"] in ("illegal", "unreadable", "illegal_pick"), answer
        assert await head(first) == before


async def test_too_early_too_late_and_twice(server: Server) -> None:
    async with playing(server) as (first, second):
        pick = await legal(first)
        for decision in (2, 999_999):
            answer = await first.do(**pick_body(first.chair, decision, pick))
            assert (answer["t"], answer["code"]) == ("nak", "wrong_decision")
        assert (await first.do(**pick_body(first.chair, 1, pick)))["t"] == "ack"
        again = await first.do(**pick_body(first.chair, 1, pick))  # another command: a second thought
        assert again["t"] == "nak"
        assert (await second.do(**pick_body(second.chair, 1, await legal(second))))["t"] == "ack"
        await first.hear(lambda each: each.get("k") == "revealed")
        late = await first.do(**pick_body(first.chair, 1, pick))
        assert (late["t"], late["code"]) == ("nak", "wrong_decision")


async def test_a_replayed_command_gets_its_first_answer_and_changes_nothing(server: Server) -> None:
    async with playing(server) as (first, second):
        command = pick_body(first.chair, 1, await legal(first))
        answer = await first.do(**command)
        assert answer["t"] == "ack"
        before = await head(first)
        for _ in range(3):
            assert await first.do(**command) == answer
        async with seated(first.chair) as later:
            assert await later.do(**command) == answer
        assert await head(first) == before
        theirs = await second.do(**command)  # another player's bytes, on one's own seat
        assert (theirs["t"], theirs["code"]) == ("nak", "bad_seal")


async def test_entropy_that_was_not_promised_is_refused(server: Server) -> None:
    one, _ = await set_table(server.base, "ecard", 2)
    async with seated(one) as seat:
        answer = await seat.do(id="forged", do="open", entropy=secrets.token_hex(32))
        assert (answer["t"], answer["code"]) == ("nak", "bad_seal")
        assert (await seat.do(**open_body(one)))["t"] == "ack"


async def test_spectators_play_nothing(server: Server) -> None:
    async with playing(server) as (first, _), seated(first.chair, None) as watching:
        assert watching.heard[0]["seat"] == 0
        for command in (
            pick_body(first.chair, 1, await legal(first)),
            {"id": "r", "do": "resign", "decision": 1},
            {"id": "l", "do": "leave"},
            {"id": "o", "do": "open", "entropy": first.chair.entropy.hex()},
            {"id": "m", "do": "rematch"},
        ):
            answer = await watching.do(**command)
            assert answer["t"] == "nak", command


async def test_no_pick_is_sent_before_the_reveal(server: Server) -> None:
    async with playing(server) as (first, second), seated(first.chair, None) as watching:
        command = pick_body(first.chair, 1, await legal(first))
        assert (await first.do(**command))["t"] == "ack"
        for seat in (second, watching):
            sealed = await seat.hear(lambda each: each.get("k") == "sealed")
            assert sealed["commit"] == command["commit"]
            assert not any(command["nonce"] in json.dumps(each) for each in seat.heard)
            assert not any("pick" in each for each in seat.heard)


async def test_whoever_stood_up_sees_and_does_nothing_for_the_next_one(server: Server) -> None:
    host = await program(server.base)
    order = {"game": "ecard", "rules": "", "seats": [{"kind": "person"}] * 2}
    made = await call(server.base, "POST", "/tables", order, host)
    before = await sit(server.base, made["table"], made["invite"], 1)
    async with seated(before) as stood:
        assert (await stood.do(id="up", do="leave"))["t"] == "ack"
        after = await sit(server.base, made["table"], made["invite"], 1)
        other = await sit(server.base, made["table"], made["invite"], 2)
        async with seated(after) as now_there, seated(other) as opposite:
            answer = await stood.do(id="mine", do="open", entropy=before.entropy.hex())
            assert (answer["t"], answer["code"]) == ("nak", "bad_token")
            for seat in (now_there, opposite):
                assert (await seat.do(**open_body(seat.chair)))["t"] == "ack"
            theirs = await now_there.hear(lambda each: each.get("k") == "dealt")
            ours = await stood.hear(lambda each: each.get("k") == "dealt")
            assert theirs["legal"]
            assert not ours.get("legal")
            assert ours.get("view") != theirs["view"]
