"""Servers of every layout through every fault: nothing is lost, doubled, leaked, or shown unsaved.

Each run of the tests takes three servers on one PostgreSQL through every fault; with `THOROUGH=1` every
layout goes on for minutes. The order of the faults and the picks follow from a seed, which a failure prints:
`FAULTS_SEED=… ./test` takes it again.
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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from facedown.server.store import folder_of, is_postgresql
from facedown.server.store.postgresql.check import check_postgresql
from facedown.server.store.sqlite.backup import backup
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.values import EventRow
from tests import postgresql
from tests.nodes.conftest import database_name
from tests.nodes.faults import lossy, wrong_clock
from tests.nodes.history import anomalies, rows_of
from tests.nodes.nemesis import Fault, Nemesis
from tests.nodes.nodes import ServerNodes
from tests.nodes.players import KINDS, Players
from tests.nodes.readers import RestReader
from tests.patience import PATIENCE
from tests.server.programs import call, open_body, program, set_table

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
PICKS = 8
"""At least, between two faults."""
THINK_S = 0.03
MINUTES_S = 150.0
"""On each layout."""
MANY_TABLES = 16
BACK_S = 3.0
"""From a lost connection to the next snapshot after a server was killed, at the 99th percentile."""
_SHOWN = 40
"""At most, of what is wrong."""


class Layout(NamedTuple):
    """Servers, and what they keep their tables in."""

    servers: int
    postgresql: bool = True
    """Rather than SQLite."""


LAYOUTS: Final = {
    "sqlite": Layout(1, postgresql=False),
    "postgresql": Layout(3),
}


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

    def __init__(self, nodes: ServerNodes, cluster: postgresql.Cluster | None, store: str) -> None:
        self.seed = os.environ.get("FAULTS_SEED") or secrets.token_hex(4)
        print(f"the seed of this run: FAULTS_SEED={self.seed}")
        self._nodes = nodes
        self._store = store
        self.players: Players
        self.source = random.Random(self.seed)
        self.nemesis = Nemesis(nodes, cluster, self.source, self.wait_for_all)
        self._done: list[tuple[str, float, float]] = []
        """Faults, and when they began and were over."""

    async def begin(self, tables: int) -> None:
        """All sit down, and a reader follows."""
        self.players = Players(self._nodes, tables, think=THINK_S, seed=self.seed, kinds=KINDS, watched=True)
        self._reader = RestReader(self.players.bases, self.players.nonces)
        await self.players.come()
        source = random.Random(f"{self.seed} reader")
        self._reading = asyncio.create_task(self._reader.follow(self.players, source))

    def bag(self) -> Iterator[Fault]:
        """Every fault once, and three times those that cut connections to PostgreSQL."""
        return self.nemesis.bag(often=3)

    async def do(self, fault: Fault) -> None:
        begun = time.perf_counter()
        await fault()
        self._done.append((fault.__name__, begun, time.perf_counter()))

    async def wait_for_all(self) -> None:
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
        rows = await self._rows()
        found += await self._reader.unanswered({table: len(events) for table, events in rows.items()})
        rows = await self._rows()
        logs = [*players.logs, *self._reader.logs]
        return found + anomalies(rows, logs, self.nemesis.outages)

    async def _rows(self) -> dict[str, list[EventRow]]:
        tables = self.players.tables
        if is_postgresql(self._store):
            return await rows_of(self._store, tables)
        with tempfile.TemporaryDirectory() as folder:  # the server has locked the original
            await asyncio.to_thread(backup, folder_of(self._store), Path(folder) / DATABASE)
            return await rows_of(f"sqlite:{folder}", tables)

    def after_kills(self, seconds: Sequence[tuple[float, float]]) -> list[float]:
        """Those of these absences that began when a server was killed, and saw no other fault, sorted."""
        found = []
        for begin, end in seconds:
            faults = [each for each in self._done if each[1] <= end and begin - 1 <= each[2]]
            if [name for name, *_ in faults] == ["kill_node"]:
                found.append(end - (begin if len(self._nodes.all) > 1 else max(begin, faults[0][2])))
        return sorted(found)

    @property
    def summary(self) -> str:
        """What was done, in figures."""
        players = self.players
        acked = sum(len(log.acked) for log in players.logs)
        done = Counter(name for name, *_ in self._done)
        faults = ", ".join(f"{name} {times}" for name, times in sorted(done.items()))
        seated = self.after_kills([each for player in players.all for each in player.unseated])
        back = self.after_kills([each for player in players.all for each in player.absences])
        return (
            f"\n{acked} acknowledged at {len(players.tables)} tables, answers {_p50_p99(players.calm)}; "
            f"after any fault an answer {_p50_p99(players.back)}; after the kill of a server a snapshot "
            f"{_p50_p99(seated)}, an answer {_p50_p99(back)}; {sum(done.values())} faults: {faults}"
        )


def _p50_p99(seconds: Sequence[float]) -> str:
    """Of sorted seconds."""
    if not seconds:
        return "never"
    return f"{seconds[len(seconds) // 2]:.2f} / {seconds[len(seconds) * 99 // 100]:.2f} s (of {len(seconds)})"


async def test_three_servers_through_every_fault(
    cluster: postgresql.Cluster,
    store_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Seats of a table at different servers, one with a wrong clock, another one that loses hints."""
    nodes = ServerNodes(tmp_path, store_url, 3, FACEDOWN_DRAIN_SECONDS="1")
    nodes.all[1].after(wrong_clock(600))
    nodes.all[2].after(lossy(late=2))
    try:
        await asyncio.to_thread(nodes.start)
        run = Run(nodes, cluster, store_url)
        await run.begin(len(KINDS))
        alone = await tables_of_one(nodes.all[0].base)
        await run.nemesis.kill_node(nodes.all[0])
        for fault in run.bag():
            await run.do(fault)
            await run.players.play_on(PICKS)
        await run.check()
        await are_claimed(store_url, *alone)
    finally:
        nodes.close()
    with capsys.disabled():
        print(run.summary)


async def run_for_minutes(run: Run) -> None:
    """Fault after fault; clients need not have recovered before the next one."""
    run.nemesis.wait = lambda: asyncio.sleep(run.source.uniform(1, 8))
    await run.begin(MANY_TABLES)
    end = time.monotonic() + MINUTES_S
    for fault in chain.from_iterable(run.bag() for _ in count()):
        if time.monotonic() > end:
            break
        await run.do(fault)
        await asyncio.sleep(run.source.uniform(0.2, 3))


if os.environ.get("THOROUGH"):

    @pytest.mark.parametrize("name", LAYOUTS)
    async def test_minutes_of_faults(
        name: str,
        cluster: postgresql.Cluster,
        tmp_path: Path,
        request: pytest.FixtureRequest,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        layout = LAYOUTS[name]
        database = cluster if layout.postgresql else None
        store = database.new_url(database_name(request)) if database else f"sqlite:{tmp_path / 'games'}"
        settings = {"FACEDOWN_DRAIN_SECONDS": "1"}
        nodes = ServerNodes(tmp_path, store, layout.servers, **settings)
        run = Run(nodes, database, store)
        try:
            await asyncio.to_thread(nodes.start)
            await run_for_minutes(run)
            await run.check()
        finally:
            with capsys.disabled():
                print(f"{name}: {run.summary}")
            nodes.close()
        if database:
            assert await check_postgresql(store) == []


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
