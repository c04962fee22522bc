"""Several servers on one PostgreSQL through every fault: nothing is lost, doubled, leaked, or shown unsaved.

Each run of the tests goes through every fault; `THOROUGH=1` goes on for five minutes. The order of the
faults and the picks follow from a seed, which a failure prints: `FAULTS_SEED=… ./test` takes it again.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

import pytest

from tests import postgresql
from tests.cluster.faults import lossy, wrong_clock
from tests.cluster.history import ENDLESS_S, anomalies, rows_of
from tests.cluster.nats_server import NatsServer
from tests.cluster.nats_tap import NatsTap
from tests.cluster.nemesis import CLOCK_S, Nemesis
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players, TableKind
from tests.cluster.readers import RestReader
from tests.patience import PATIENCE
from tests.server.programs import call, open_body, program, set_table

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
ENDLESS = {"kind": "decision", "seconds": ENDLESS_S, "bank": 0}
KINDS = (
    TableKind(),
    TableKind(order={"clock": {"kind": "decision", "seconds": CLOCK_S, "bank": 0}}),
    TableKind("davenport", 3, "", {"clock": ENDLESS}),
    TableKind(order={"clock": ENDLESS, "seal": "blind"}),
)
PICKS = 8
"""At least, between two faults."""
THINK_S = 0.03
MINUTES_S = 150.0
"""With each bus."""
MANY_TABLES = 16
_SHOWN = 40
"""At most, of what is wrong."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[postgresql.Cluster]:
    """A PostgreSQL of these tests' own: it is killed."""
    postgresql.programs()
    with tempfile.TemporaryDirectory(prefix="facedown-cluster-") as folder:
        os.chmod(folder, 0o755)
        made = postgresql.Cluster(Path(folder) / "postgresql").make().start()
        postgresql.end_with(os.getpid(), made)
        yield made
        made.stop()


class Run:
    """One run: tables that are played, watched and read, and what happens to their servers."""

    def __init__(
        self, nodes: ServerNodes, cluster: postgresql.Cluster, nats: NatsServer | None, store: str
    ) -> None:
        self.seed = os.environ.get("FAULTS_SEED") or secrets.token_hex(4)
        print(f"the seed of this run: FAULTS_SEED={self.seed}")
        self._nodes = nodes
        self._store = store
        self.players: Players
        self.nemesis = Nemesis(nodes, cluster, nats, random.Random(self.seed), self._wait)

    async def begin(self, tables: int) -> None:
        """All sit down, and a reader follows."""
        self.players = Players(self._nodes, tables, think=THINK_S, seed=self.seed, kinds=KINDS, watched=True)
        self._reader = RestReader(self.players.bases, self.players.nonces)
        await self.players.come()
        source = random.Random(f"{self.seed} reader")
        self._reading = asyncio.create_task(self._reader.follow(self.players, source))

    async def _wait(self) -> None:
        self.nemesis.wrong += await self.players.stuck()

    async def check(self) -> None:
        """Everything is up again: compare everything that clients saw with the store."""
        found = await self._anomalies()
        kinds = Counter(each.partition(": ")[2].partition(": ")[0] for each in found)
        assert not found, "\n".join([f"FAULTS_SEED={self.seed}: {dict(kinds)}", *found[:_SHOWN]])

    async def _anomalies(self) -> list[str]:
        players = self.players
        found = self.nemesis.wrong + await players.stuck()
        await players.go()
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading
        rows = await rows_of(self._store, players.tables)
        found += await self._reader.unanswered({table: len(events) for table, events in rows.items()})
        rows = await rows_of(self._store, players.tables)
        return found + anomalies(rows, [*players.logs, *self._reader.logs], self.nemesis.outages)

    @property
    def summary(self) -> str:
        """What was done, in figures."""
        acked = sum(len(log.acked) for log in self.players.logs)
        back = self.players.back or [0.0]
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.nemesis.done.items()))
        return (
            f"\n{acked} acknowledged at {len(self.players.tables)} tables; "
            f"seats back after {back[len(back) // 2]:.2f} s (median), {back[-1]:.2f} s (slowest); {faults}"
        )


async def test_three_servers_through_every_fault(
    cluster: postgresql.Cluster,
    store_url: str,
    nats: NatsServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Seats of a table at different servers, one with a wrong clock, another one that loses hints."""
    nodes = ServerNodes(tmp_path, store_url, 3, nats.url, FACEDOWN_DRAIN_SECONDS="1")
    nodes.all[1].after(wrong_clock(600))
    nodes.all[2].after(lossy(late=2))
    tap = NatsTap(nats.url)
    try:
        await asyncio.to_thread(nodes.start)
        await tap.listen()
        run = Run(nodes, cluster, nats, store_url)
        await run.begin(len(KINDS))
        alone = await tables_of_one(nodes.all[0].base)
        await run.nemesis.kill_node(nodes.all[0])
        for fault in run.nemesis.bag(often=3):
            await fault()
            await run.players.play_on(PICKS)
        await run.check()
        await are_claimed(store_url, *alone)
        tap.check_secrecy(run.players.tables)
    finally:
        await tap.close()
        nodes.close()
    with capsys.disabled():
        print(run.summary)


async def run_for_minutes(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Fault after fault; clients need not have recovered before the next one."""
    source = run.nemesis.source
    run.nemesis.wait = lambda: asyncio.sleep(source.uniform(1, 8))
    await run.begin(MANY_TABLES)
    end = time.monotonic() + MINUTES_S
    for fault in chain.from_iterable(run.nemesis.bag(often=3) for _ in count()):
        if time.monotonic() > end:
            break
        await fault()
        await asyncio.sleep(source.uniform(0.2, 3))
    with capsys.disabled():
        print(run.summary)
    await run.check()


if os.environ.get("THOROUGH"):

    async def test_minutes_of_faults_on_nats(
        cluster: postgresql.Cluster,
        store_url: str,
        nats: NatsServer,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        nodes = ServerNodes(tmp_path, store_url, 3, nats.url, FACEDOWN_DRAIN_SECONDS="1")
        try:
            await asyncio.to_thread(nodes.start)
            await run_for_minutes(Run(nodes, cluster, nats, store_url), capsys)
        finally:
            nodes.close()

    async def test_minutes_of_faults_at_servers_of_two_processes(
        cluster: postgresql.Cluster, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        nodes = ServerNodes(tmp_path, store_url, 2, FACEDOWN_DRAIN_SECONDS="1", FACEDOWN_PROCESSES="2")
        try:
            await asyncio.to_thread(nodes.start)
            await run_for_minutes(Run(nodes, cluster, None, store_url), capsys)
        finally:
            nodes.close()


async def tables_of_one(base: str) -> tuple[str, str]:
    """A table of machines, and one whose people do nothing: no other server has them in memory."""
    order = {"game": "ecard", "rules": "classic", "seats": [{"kind": "machine", "machine": "uniform"}] * 2}
    machines = await call(base, "POST", "/tables", order, await program(base))
    chairs = await set_table(base, "ecard", 2, clock={"kind": "decision", "seconds": 2, "bank": 0})
    for chair in chairs:
        path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
        await call(base, "POST", path, open_body(chair), chair.bearer, **seat)
    return machines["table"], chairs[0].table


async def are_claimed(store: str, machines: str, silent: str) -> None:
    """Machines play on and flags fall though the server that knew of them was killed."""
    async with asyncio.timeout(PATIENCE):
        while True:
            played, waited = (await rows_of(store, (machines, silent))).values()
            if played[-1].kind == "over" and any(row.kind == "revealed" for row in waited):
                break
            await asyncio.sleep(0.2)
    sealed = [json.loads(row.public) for row in waited if row.kind == "sealed"]
    assert all(each["flag"] for each in sealed)
    assert len({(each["decision"], each["seat"]) for each in sealed}) == len(sealed)
