"""Honest games over kills, restarts, cut connections, moves between servers, clocks and forfeits: no alarm.

`python bench/honest.py` plays thousands of them.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
from pathlib import Path

import pytest

from tests.nodes.honest import KINDS, HonestGames, Relay, opens_within
from tests.nodes.nodes import ServerNodes

pytestmark = pytest.mark.anyio
GAMES = 5
OPENING_MS = 2000


@pytest.mark.parametrize("servers", [1, 2], ids=["sqlite", "postgresql"])
async def test_honest_games_raise_no_alarm(
    servers: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    seed = os.environ.get("HONEST_SEED") or secrets.token_hex(4)
    print(f"HONEST_SEED={seed}")
    nodes = ServerNodes(tmp_path, request.getfixturevalue("store_url") if servers > 1 else "", servers)
    for node in nodes.all:
        node.after(opens_within(OPENING_MS))
    await asyncio.to_thread(nodes.start)
    relay = await Relay(nodes, random.Random(seed)).start()
    games = HonestGames(relay.address, tmp_path / "seats", OPENING_MS / 1000, seed, kinds=KINDS[:5])
    try:
        playing = asyncio.create_task(games.play(GAMES, GAMES))
        for node in nodes.all:
            await asyncio.to_thread(nodes.kill, node)
            await asyncio.to_thread(nodes.rise, node)
            await relay.stall(0.2)
            relay.cut(0.5)
            assert await asyncio.to_thread(nodes.term, node) == 0
            await asyncio.to_thread(nodes.rise, node)
        await playing
    finally:
        await relay.close()
        nodes.close()
    assert (games.tally.alarms, games.tally.wrong) == ([], [])
    assert games.tally.played == GAMES
    assert games.tally.acked
