"""Three servers on one PostgreSQL with everything going wrong.   python bench/cluster.py [NEMESIS …]

For each nemesis tables are played without a pause by clients that repeat what was not answered and come back
anywhere; then every client's history is held against the store. Prints each bar with its figure; status 1
where one is missed. Nemeses: kill, stop, bus, lossy, postgres, skew, deadlines, machines, rolling, cost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from facedown.server.store import open_store
from facedown.server.store.base import EventRow
from tests import postgresql
from tests.cluster.history import anomalies
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players
from tests.server.programs import call, open_body, program, set_table

LOSSY: Final = """
import asyncio, random
from facedown.server.bus.hints import HintBus
heard = HintBus.received
def received(self, message):
    if random.random() < 0.3:
        return
    asyncio.get_running_loop().call_later(random.choice((0, 0, 5 * random.random())), heard, self, message)
HintBus.received = received
"""
"""A server that loses 30 % of all hints, and hears others up to five seconds late and out of order."""
DEAF: Final = """
from facedown.server.bus.hints import HintBus
HintBus.received = lambda self, message: None
"""
SKEWED: Final = """
import time
shown = time.time_ns
time.time_ns = lambda: shown() + {seconds} * 1_000_000_000
"""


@dataclass
class Report:
    """Bars and their figures."""

    missed: list[str] = field(default_factory=list)

    def bar(self, what: str, figure: float | str, holds: bool, wanted: str) -> None:
        """Print one."""
        print(f"  {'ok    ' if holds else 'MISSED'} {what}: {figure} (wanted: {wanted})", flush=True)
        if not holds:
            self.missed.append(what)


class Bench:
    """One PostgreSQL, and for each nemesis a database and three servers."""

    def __init__(self, cluster: postgresql.Cluster, folder: Path, tables: int, report: Report) -> None:
        self.cluster = cluster
        self.folder = folder
        self.tables = tables
        self.report = report
        self._count = 0

    def nodes(self, count: int = 3, before: dict[int, str] | None = None, **settings: str) -> ServerNodes:
        """Servers on a new database; `before` is code that some of them run first."""
        self._count += 1
        name = f"bench{self._count}"
        self.cluster.sql(f"create database {name}")
        self.url = self.cluster.url(name)
        nodes = ServerNodes(self.folder / name, self.url, count, **settings)
        for number, code in (before or {}).items():
            nodes.all[number].after(code)
        return nodes.start()

    async def rows(self, players: Players) -> dict[str, list[EventRow]]:
        """All events of the tables that were played."""
        store = open_store(self.url)
        try:
            return {table: await store.rows(table) for table in players.tables}
        finally:
            await store.close()

    async def check(self, players: Players) -> dict[str, list[EventRow]]:
        """Hold all histories against the store."""
        await players.go()
        rows = await self.rows(players)
        found = anomalies(rows, players.logs)
        acked = sum(len(log.acked) for log in players.logs)
        self.report.bar(f"anomalies in {acked} acknowledged commands", len(found), not found, "0")
        for each in found[:5]:
            print(f"         {each}")
        return rows

    def waits(self, players: Players, most_s: float) -> None:
        """How long seats took to play again."""
        back = players.back
        if back:
            p99 = back[int(len(back) * 0.99)]
            self.report.bar(
                "seats play again, p99", f"{p99:.2f} s of {len(back)}", p99 <= most_s, f"{most_s} s"
            )
        waits = sorted(players.ledger.waits)
        if waits:
            print(
                f"         ack p50 {waits[len(waits) // 2] * 1000:.1f} ms, p99 {p99_of(waits) * 1000:.1f} ms"
            )


def p99_of(values: list[float]) -> float:
    """The 99th percentile of sorted values."""
    return values[int(len(values) * 0.99)]


async def kill(bench: Bench, *, kills: int = 30) -> None:
    """kill -9 of a random server every 2 s, seats together and apart."""
    for together in (True, False):
        nodes = bench.nodes()
        try:
            players = Players(nodes, bench.tables, together=together, seed="kill")
            await players.come()
            source = random.Random("kill")
            for _ in range(kills):
                victim = source.choice(nodes.up)
                await asyncio.to_thread(nodes.kill, victim)
                await asyncio.sleep(2)
                await asyncio.to_thread(nodes.rise, victim)
            await players.everybody_goes_on()
            print(f"  seats {'together' if together else 'apart'}, {kills} kills")
            await bench.check(players)
            bench.waits(players, 3.0)
        finally:
            nodes.close()


async def stop(bench: Bench) -> None:
    """SIGSTOP of a server for 30 s, then SIGCONT; with clocks."""
    nodes = bench.nodes()
    try:
        players = Players(
            nodes, bench.tables, seed="stop", clock={"kind": "decision", "seconds": 60, "bank": 0}
        )
        await players.come()
        nodes.freeze(frozen := nodes.up[0])
        await asyncio.sleep(30)
        nodes.thaw(frozen)
        await players.everybody_goes_on()
        rows = await bench.check(players)
        bench.waits(players, 5.0)
        outages = sum(row.kind == "outage" for events in rows.values() for row in events)
        bench.report.bar("outages at tables that others served", outages, not outages, "0")
    finally:
        nodes.close()


async def _told(bench: Bench, before: str, name: str) -> None:
    nodes = bench.nodes(before=dict.fromkeys(range(3), before))
    try:
        players = Players(nodes, bench.tables, seed=name)
        await players.come()
        await asyncio.sleep(20)
        await bench.check(players)
    finally:
        nodes.close()


async def bus(bench: Bench) -> None:
    """No hint is heard at all: the sweep tells everything."""
    await _told(bench, DEAF, "bus")


async def lossy(bench: Bench) -> None:
    """30 % of hints are lost, others late and out of order."""
    await _told(bench, LOSSY, "lossy")


async def postgres(bench: Bench) -> None:
    """The database crashes ten times, and is away for 20 s once."""
    nodes = bench.nodes()
    try:
        players = Players(nodes, bench.tables, seed="postgres")
        await players.come()
        for _ in range(10):
            await asyncio.to_thread(bench.cluster.stop)
            await asyncio.to_thread(bench.cluster.start)
            await players.everybody_goes_on()
        await asyncio.to_thread(bench.cluster.stop)
        await asyncio.sleep(20)
        await asyncio.to_thread(bench.cluster.start)
        back = time.perf_counter()
        await players.play_on(bench.tables)
        took = time.perf_counter() - back
        bench.report.bar("back after the database is", f"{took:.2f} s", took <= 2.0, "2 s")
        await players.everybody_goes_on()
        await bench.check(players)
        codes = {code for player in players.all for code in player.refusals}
        bench.report.bar(
            "refusals", (sorted(codes) and str(sorted(codes))) or "none", codes <= {"store_failed"}, "503"
        )
    finally:
        nodes.close()


async def skew(bench: Bench) -> None:
    """One server's clock is ten minutes ahead, another's ten minutes behind."""
    nodes = bench.nodes(before={0: SKEWED.format(seconds=600), 1: SKEWED.format(seconds=-600)})
    try:
        players = Players(
            nodes, bench.tables, seed="skew", clock={"kind": "decision", "seconds": 20, "bank": 0}
        )
        await players.come()
        await asyncio.sleep(30)
        rows = await bench.check(players)  # time that goes back is an anomaly
        flags = [
            row
            for events in rows.values()
            for row in events
            if row.kind == "sealed" and b'"flag"' in row.public
        ]
        bench.report.bar("false flags", len(flags), not flags, "0")
    finally:
        nodes.close()


async def deadlines(bench: Bench, *, count: int = 200) -> None:
    """Many deadlines, and the server that made them is killed."""
    nodes = bench.nodes()
    try:
        first = nodes.up[0]
        tables = []
        for _ in range(count):
            chairs = await set_table(
                first.base, "ecard", 2, clock={"kind": "decision", "seconds": 10, "bank": 0}
            )
            for chair in chairs:
                path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
                await call(first.base, "POST", path, open_body(chair), chair.bearer, **seat)
            tables.append(chairs[0].table)
        await asyncio.to_thread(nodes.kill, first)
        await asyncio.sleep(22)
        store = open_store(bench.url)
        try:
            rows = {table: await store.rows(table) for table in tables}
        finally:
            await store.close()
        late = []
        for events in rows.values():
            dealt = next(row.at for row in events if row.kind == "dealt")
            sealed = [row for row in events if row.kind == "sealed"]
            late.append(sealed[0].at - dealt - 10_000 if sealed else 10**6)
        late.sort()
        bench.report.bar("flags, latest", f"{late[-1]} ms of {count}", late[-1] <= 6000, "6000 ms")
        found = anomalies(rows, ())
        bench.report.bar("anomalies", len(found), not found, "0")
    finally:
        nodes.close()


async def machines(bench: Bench, *, count: int = 20) -> None:
    """Machines play each other, and the server that moves them is killed."""
    nodes = bench.nodes()
    try:
        first = nodes.up[0]
        bearer = await program(first.base)
        order = {"game": "ecard", "seats": [{"kind": "machine", "machine": "uniform"}] * 2}
        tables = [(await call(first.base, "POST", "/tables", order, bearer))["table"] for _ in range(count)]
        await asyncio.to_thread(nodes.kill, first)
        began = time.perf_counter()
        store = open_store(bench.url)
        try:
            while True:
                rows = {table: await store.rows(table) for table in tables}
                if all(events[-1].kind == "over" for events in rows.values()):
                    break
                await asyncio.sleep(0.2)
        finally:
            await store.close()
        took = time.perf_counter() - began
        bench.report.bar(f"{count} games of machines are over", f"{took:.1f} s", took <= 30, "30 s")
        found = anomalies(rows, ())
        bench.report.bar("anomalies", len(found), not found, "0")
    finally:
        nodes.close()


async def rolling(bench: Bench) -> None:
    """Each server is restarted cleanly, one after the other, under load."""
    nodes = bench.nodes()
    try:
        players = Players(nodes, bench.tables, seed="rolling")
        await players.come()
        for node in nodes.all:
            await asyncio.to_thread(nodes.term, node)
            await asyncio.to_thread(nodes.rise, node)
            await players.everybody_goes_on()
        await bench.check(players)
        bench.waits(players, 3.0)
        codes = {code for player in players.all for code in player.refusals}
        bench.report.bar("refusals", str(sorted(codes) or "none"), codes <= {"draining"}, "none but draining")
    finally:
        nodes.close()


async def cost(bench: Bench, *, seconds: float = 10.0) -> None:
    """Acknowledged picks per CPU-second of the servers: one, two with seats together, two with them apart."""
    figures: dict[str, float] = {}
    for name, count, together in (("one", 1, True), ("two together", 2, True), ("two apart", 2, False)):
        nodes = bench.nodes(count)
        try:
            players = Players(nodes, bench.tables, together=together, think=0.0, seed="cost")
            await players.come()
            acked, spent, began = len(players.ledger.acked), _cpu(nodes), time.perf_counter()
            await asyncio.sleep(seconds)
            done = len(players.ledger.acked) - acked
            figures[name] = done / (_cpu(nodes) - spent)
            rate = done / (time.perf_counter() - began)
            print(f"         {name}: {figures[name]:.0f} per CPU-second of servers, {rate:.0f} a second")
            await players.go()
        finally:
            nodes.close()
    affine, apart = figures["two together"] / figures["one"], figures["two apart"] / figures["two together"]
    bench.report.bar("two affine servers, per CPU-second, of one", f"{affine:.2f}", affine >= 0.9, "0.9")
    bench.report.bar("apart, of together", f"{apart:.2f}", apart >= 0.5, "0.5")


def _cpu(nodes: ServerNodes) -> float:
    """CPU-seconds of all servers."""
    ticks = 0
    for node in nodes.up:
        fields = Path(f"/proc/{node.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


NEMESES: Final[dict[str, Callable[[Bench], Awaitable[Any]]]] = {
    each.__name__: each
    for each in (kill, stop, bus, lossy, postgres, skew, deadlines, machines, rolling, cost)
}


def main() -> int:
    """Run the nemeses that were asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "nemeses", nargs="*", default=list(NEMESES), choices=[*NEMESES, []], metavar="NEMESIS"
    )
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--kills", type=int, default=30)
    asked = parser.parse_args()
    report = Report()
    about = {"python": platform.python_version(), "cores": os.cpu_count(), "tables": asked.tables}
    print(json.dumps(about))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        os.chmod(folder, 0o755)
        cluster = postgresql.Cluster(Path(folder) / "postgresql").make().start()
        postgresql.end_with(os.getpid(), cluster)
        bench = Bench(cluster, Path(folder), asked.tables, report)
        try:
            for name in asked.nemeses:
                print(f"{name}: {NEMESES[name].__doc__}", flush=True)
                run = kill(bench, kills=asked.kills) if name == "kill" else NEMESES[name](bench)
                asyncio.run(run)  # type: ignore[arg-type]  # all of them are coroutines
        finally:
            cluster.stop()
    print("all bars hold" if not report.missed else f"{len(report.missed)} bars missed")
    return bool(report.missed)


if __name__ == "__main__":
    sys.exit(main())
