"""Whole games by different programs at once, over REST, over sockets and mixed.

Always the record that the same picks give at a table without a server.
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from facedown.core import registry
from facedown.core.chance import Seeded
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.core.replay import key_of
from facedown.proof import verify
from tests.patience import PATIENCE
from tests.server.programs import Chair, Ledger, RestPlayer, SocketPlayer, call, set_table
from tests.server.running import Server

pytestmark = pytest.mark.anyio
WAYS = ["rest", "sockets", "mixed"]
CHECKS = ("picks", "result", "links", "promises", "seals", "placers", "deal", "signature", "log")


def player(chair: Chair, way: str) -> RestPlayer | SocketPlayer:
    source = random.Random(f"{chair.seat} {way}")
    if way == "rest" or (way == "mixed" and chair.seat % 2):
        return RestPlayer(chair, source)
    return SocketPlayer(chair, Ledger(), source)


async def played(
    server: Server, way: str, game: str, seats: int, rules: str
) -> tuple[list[Chair], dict[str, Any]]:
    chairs = await set_table(server.base, game, seats, rules)
    await asyncio.wait_for(asyncio.gather(*(player(chair, way).play() for chair in chairs)), PATIENCE)
    record = await call(server.base, "GET", f"/tables/{chairs[0].table}/record", None, chairs[0].bearer)
    return chairs, record


def replayed_locally(record: dict[str, Any]) -> dict[str, Any]:
    """The same picks at a table without a server, dealt from the seed and what the seats threw in."""
    game = registry.get(record["game"])
    key = key_of(Record.read(json.dumps(record)))
    match = Match(game, game.rules.read(record["rules"]), record["seats"], Seeded(key))
    for joint in record["picks"]:
        for seat in [seat for wave in match.pending for seat in wave]:
            match.seal(seat, str(joint[seat - 1]))
    again: dict[str, Any] = json.loads(
        match.record(game_id=record["id"], seed=bytes.fromhex(record["seed"])).write()
    )
    return again


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("game", "seats", "rules"),
    [
        ("ecard", 2, "classic"),
        ("ecard", 2, "purse"),
        ("davenport", 7, "davenport"),
        ("davenport", 3, "pointed"),
    ],
)
async def test_the_record_is_that_of_the_same_picks(
    server: Server, way: str, game: str, seats: int, rules: str
) -> None:
    _, record = await played(server, way, game, seats, rules)
    of_the_server = {"fair", "signed"}  # a table without a server promises and signs nothing
    assert of_the_server <= record.keys()
    assert replayed_locally(record) == {name: record[name] for name in record.keys() - of_the_server}
    found = {finding.check: finding.holds for finding in verify(Record.read(json.dumps(record)))}
    assert found == dict.fromkeys(CHECKS, True) | {"key": None}


async def test_all_who_ask_get_the_same_finished_record_but_for_names(server: Server) -> None:
    chairs, record = await played(server, "sockets", "davenport", 4, "aces")
    for chair in chairs:
        assert await call(server.base, "GET", f"/tables/{chair.table}/record", None, chair.bearer) == record
    public = await call(server.base, "GET", f"/tables/{chairs[0].table}/record")
    assert set(public["seats"]) - set(record["seats"]) == {""}, "losers are not named to others"
    assert public["fair"]["links"] == record["fair"]["links"]  # proofs of the public log grow with it
    assert public | {name: record[name] for name in ("seats", "signed", "fair")} == record
