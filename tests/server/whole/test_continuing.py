"""A game that goes on from another one's position survives kill -9: its own events are enough."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from facedown.core.record import Record
from facedown.proof import verify
from tests import postgresql
from tests.patience import PATIENCE
from tests.server.programs import Ledger, RestPlayer, SocketPlayer, call, set_table, sit
from tests.server.running import Server

pytestmark = pytest.mark.anyio
CHECKS = (
    *("picks", "result", "links", "promises", "seals", "placers", "deal"),
    *("machines", "signature", "log"),
)


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
async def test_it_goes_on_after_the_server_was_killed(tmp_path: Path, store: str) -> None:
    place = {} if store == "sqlite" else {"FACEDOWN_STORE": postgresql.clean_database("server")}
    server = Server(tmp_path / "data", **place).start()
    try:
        chairs = await set_table(server.base, "davenport", 3)
        await asyncio.gather(*(RestPlayer(chair, random.Random(chair.seat)).play() for chair in chairs))
        old, me = f"/tables/{chairs[0].table}", chairs[1].bearer
        record = await call(server.base, "GET", f"{old}/record", None, me)
        made = await call(server.base, "POST", f"{old}/continue", {"keep": 3}, me)
        server.kill()
        server.start()
        chair = await sit(server.base, made["table"], made["invite"], 2, me)
        player = SocketPlayer(chair, Ledger(), random.Random("on"))
        playing = asyncio.ensure_future(player.play())
        while not player.ledger.acked:
            await asyncio.sleep(0.01)
        server.kill()
        server.start()
        await asyncio.wait_for(playing, PATIENCE)
        after = await call(server.base, "GET", f"/tables/{chair.table}/record", None, me)
    finally:
        server.close()
    taken = after["continues"]
    assert (taken["id"], taken["decisions"]) == (record["id"], 3)
    assert after["picks"][:3] == record["picks"][:3]
    assert after["chance"][: taken["draws"]] == record["chance"][: taken["draws"]]
    found = {finding.check: finding.holds for finding in verify(Record.read(json.dumps(after)))}
    assert found == dict.fromkeys(CHECKS, True) | dict.fromkeys(("origin", "key")), (
        "machines and signature included"
    )
