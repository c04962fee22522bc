"""Three servers on one PostgreSQL, and all that may happen to them: nothing is lost, doubled or leaked."""

from __future__ import annotations

import asyncio
import os
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from facedown.server.bus.hints import HintBus
from facedown.server.store import open_store
from facedown.server.store.base import EventRow
from tests import postgresql
from tests.cluster.faults import lossy, wrong_clock
from tests.cluster.history import anomalies
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players
from tests.patience import PATIENCE
from tests.server.programs import call, open_body, program, set_table

pytestmark = pytest.mark.anyio
TABLES = 4
PICKS = 8
"""At least, between two faults."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[postgresql.Cluster]:
    """A PostgreSQL of these tests' own: it may be crashed."""
    postgresql.programs()
    with tempfile.TemporaryDirectory(prefix="facedown-cluster-") as folder:
        os.chmod(folder, 0o755)
        made = postgresql.Cluster(Path(folder) / "postgresql").make().start()
        postgresql.end_with(os.getpid(), made)
        yield made
        made.stop()


@pytest.fixture
def nodes(tmp_path: Path, store_url: str) -> Iterator[ServerNodes]:
    running = ServerNodes(tmp_path, store_url, FACEDOWN_DRAIN_SECONDS="1")
    running.all[1].after(wrong_clock(600))
    running.all[2].after(lossy(late=2))
    try:
        yield running.start()
    finally:
        running.close()


class BusTap:
    """Hears all that is on the bus."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.messages: list[str] = []

    async def listen(self, secret: bytes) -> None:
        import asyncpg

        bus = HintBus()
        channels: list[str] = []

        async def opened(channel: str) -> None:
            channels.append(channel)

        bus.open = opened  # type: ignore[method-assign]  # only the name of the channel is asked for
        await bus.start(secret, lambda: None)
        self._connection = await asyncpg.connect(self._url)
        await self._connection.add_listener(channels[0], lambda *said: self.messages.append(str(said[3])))

    def close(self) -> None:
        self._connection.terminate()


async def rows_of(url: str, tables: list[str]) -> dict[str, list[EventRow]]:
    store = open_store(url)
    try:
        return {table: await store.rows(table) for table in tables}
    finally:
        await store.close()


async def cluster_secret(url: str) -> bytes:
    store = open_store(url)
    try:
        return await store.get_value("cluster_secret") or b""
    finally:
        await store.close()


async def test_three_servers_through_all_that_may_happen(
    nodes: ServerNodes, cluster: postgresql.Cluster, store_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seats apart, clients that come back anywhere; a server is killed, one stands still, the database
    crashes, one is restarted cleanly. Then every client's history is held against the store."""
    tap = BusTap(store_url)
    await tap.listen(await cluster_secret(store_url))
    players = Players(nodes, TABLES, seed="short")
    await players.come()
    source = random.Random("faults")

    killed = nodes.up[0]
    alone = await tables_of_one(killed.base)
    await asyncio.to_thread(nodes.kill, killed)
    await players.everybody_goes_on()
    await are_looked_after(nodes.up[0].base, *alone)
    await asyncio.to_thread(nodes.rise, killed)
    await players.play_on(PICKS)

    frozen = source.choice(nodes.up)
    nodes.freeze(frozen)
    await players.everybody_goes_on()
    nodes.thaw(frozen)
    await players.play_on(PICKS)

    await asyncio.to_thread(cluster.stop)
    await asyncio.to_thread(cluster.start)
    await players.everybody_goes_on()
    await players.play_on(PICKS)

    restarted = source.choice(nodes.up)
    ending = asyncio.create_task(asyncio.to_thread(nodes.term, restarted))
    while await asyncio.to_thread(nodes.is_ready, restarted):
        await asyncio.sleep(0.02)
    assert await ending == 0
    await players.everybody_goes_on()
    await asyncio.to_thread(nodes.rise, restarted)
    await players.play_on(PICKS)
    await players.go()

    rows = await rows_of(store_url, players.tables)
    assert anomalies(rows, players.logs) == []
    acked = sum(len(log.acked) for log in players.logs)
    back = players.back
    with capsys.disabled():
        print(f"\n{acked} acknowledged, none lost; {len(players.tables)} tables;", end=" ")
        print(f"seats back after {back[len(back) // 2]:.2f} s (median), {back[-1]:.2f} s (slowest)")
    check_secrecy(tap.messages, rows)
    tap.close()


def check_secrecy(messages: list[str], rows: dict[str, list[EventRow]]) -> None:
    """Nothing but hashes and numbers was on the bus."""
    assert messages
    shape = re.compile(r"[0-9a-f]{12} [0-9]+ [0-9]+ ([0-9a-f]{32}:[0-9]+)(,[0-9a-f]{32}:[0-9]+)*")
    assert all(shape.fullmatch(message) for message in messages)
    said = "\n".join(messages)
    assert not [table for table in rows if table in said]


async def tables_of_one(base: str) -> tuple[str, str]:
    """A table of machines, and one whose people do nothing: only this server knows of them."""
    order = {"game": "ecard", "rules": "classic", "seats": [{"kind": "machine", "machine": "uniform"}] * 2}
    machines = await call(base, "POST", "/tables", order, await program(base))
    chairs = await set_table(base, "ecard", 2, clock={"kind": "decision", "seconds": 2, "bank": 0})
    for chair in chairs:
        path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
        await call(base, "POST", path, open_body(chair), chair.bearer, **seat)
    return machines["table"], chairs[0].table


async def are_looked_after(base: str, machines: str, silent: str) -> None:
    """Machines play on and flags fall though the server that knew of them was killed."""

    async def events(table: str) -> list[dict[str, Any]]:
        return list((await call(base, "GET", f"/tables/{table}/events?after=0"))["events"])

    async with asyncio.timeout(PATIENCE):
        while not any(event["k"] == "over" for event in await events(machines)):
            await asyncio.sleep(0.2)
        while not any(event["k"] == "revealed" for event in await events(silent)):
            await asyncio.sleep(0.2)
    sealed = [event for event in await events(silent) if event["k"] == "sealed"]
    assert all(event["flag"] for event in sealed)
    assert len({(event["decision"], event["seat"]) for event in sealed}) == len(sealed)
