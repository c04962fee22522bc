"""A long run of several servers on one or two PostgreSQL clusters, with a fault every minute.

The first server is never ended, so that its memory can be followed: it loses its database, its connections
and its listeners, and stands still. The others are killed and restarted.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from bench.nemeses.stage import Stage, percentile
from tests import postgresql
from tests.cluster.nemesis import Fault, Nemesis
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import KINDS, Players

_COUNT: Final = """
import asyncio, os, sys, threading, time
def count():
    tasks = asyncio.tasks
    known = getattr(tasks, "_scheduled_tasks", None) or tasks._all_tasks
    while True:
        with open({path!r} + ".new", "w") as file:
            file.write(f"{{len(known)}} {{sys.getallocatedblocks()}}")
        os.replace({path!r} + ".new", {path!r})
        time.sleep(2)
threading.Thread(target=count, daemon=True).start()
"""
_SAMPLE_S: Final = 5.0
_SHOWN: Final = 24
"""One sample out of this number is kept for the plot."""
_BACK_S: Final = 30.0
"""From a lost connection to the next answer: PostgreSQL is away for 13 s, and others may have to act."""
_MINUTE_S: Final = 60.0
_MB: Final = 1 << 20


@dataclass(frozen=True)
class Sample:
    """What the first server held at one moment, and what went on since the last one."""

    at: float
    """Seconds from the beginning."""
    memory_mb: float
    files: int
    tasks: int
    python_blocks: int
    """Handed out by Python's own allocator: they follow the objects, not the pages of the system."""
    wal_mb: float
    """Written by all clusters since the beginning."""
    acked: int
    p50_ms: float
    p99_ms: float
    """Of the answers since the last sample, on connections that were not lost."""
    load: float
    """Of the whole machine."""


class Slope(NamedTuple):
    """A straight line through points, with the error of its slope."""

    by: float
    error: float
    """Twice its standard error; wider if what a point is off the line goes on at the next one."""


def slope(points: Sequence[tuple[float, float]]) -> Slope:
    """By least squares.

    Memory that wanders stays above or below the line for minutes, so points depend on each other: the error
    is widened by the correlation of each point's distance from the line with the next one's.

    >>> slope([(0, 1), (1, 3), (2, 5), (3, 7)])
    Slope(by=2.0, error=0.0)
    >>> slope([(0, 0), (1, 1), (2, 0), (3, 1)]).by
    0.2
    >>> round(slope([(0, 0), (1, 1), (2, 0), (3, 1), (4, 0), (5, 1)]).error, 2)  # each is off on its own
    0.28
    >>> round(slope([(0, 0), (1, 1), (2, 2), (3, 2), (4, 1), (5, 0)]).error, 2)
    0.62
    """
    mean_x, mean_y = fmean(x for x, _ in points), fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    by = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    off = [y - mean_y - by * (x - mean_x) for x, y in points]
    left = sum(each**2 for each in off)
    goes_on = max(0.0, sum(one * two for one, two in pairwise(off)) / left) if left else 0.0
    return Slope(by, 2 * sqrt(left / (len(points) - 2) / spread * (1 + goes_on) / (1 - goes_on)))


def by_minute(samples: Sequence[Sample], name: str) -> list[tuple[float, float]]:
    """The mean of a quantity in each minute, at its middle: samples within one depend on each other."""
    found: dict[int, list[float]] = {}
    for each in samples:
        found.setdefault(int(each.at // _MINUTE_S), []).append(getattr(each, name))
    return [(number + 0.5, fmean(values)) for number, values in sorted(found.items())]


class _Nemesis(Nemesis):
    """Ends no server but the last one."""

    def _any_node(self) -> Any:
        return self.nodes.all[-1]

    async def kill_all_nodes(self) -> None:
        """The first one stands still instead: its memory is followed."""
        self.nodes.freeze(self.nodes.all[0])
        await self.wait()
        self.nodes.thaw(self.nodes.all[0])


async def lasting(
    stage: Stage, clusters: Sequence[postgresql.Cluster], count: int, seconds: float, every: float, seed: str
) -> dict[str, Any]:
    """Play for a given time with a fault at a given interval; what came out."""
    nodes = ServerNodes(
        stage.new_folder("nodes"),
        " ".join(each.url("games") for each in clusters),
        count,
        FACEDOWN_DRAIN_SECONDS="1",
    )
    stage.url = nodes.all[0].store_url
    counts = stage.folder / "counts"
    nodes.all[0].after(_COUNT.format(path=str(counts)))
    nemeses = [
        _Nemesis(nodes, each, None, random.Random(f"{seed} {number}"), lambda: asyncio.sleep(3))
        for number, each in enumerate(clusters)
    ]
    try:
        await asyncio.to_thread(nodes.start)
        players = Players(nodes, stage.tables, think=1.0, seed=seed, kinds=KINDS, watched=True)
        await players.come()
        watch = _Watch(nodes, clusters, players, counts)
        sampling = asyncio.create_task(watch.go_on())
        done = Counter[str]()
        stuck = await _faults(nemeses, players, seconds, every, done)
        sampling.cancel()
        await asyncio.gather(sampling, return_exceptions=True)
        wrong = [*stuck, *(each for nemesis in nemeses for each in nemesis.wrong)]
        stage.report.none_of("clients that were stuck, servers that did not end", len(wrong))
        print(*wrong[:5], sep="\n", end="")
        everywhere = [each for nemesis in nemeses for each in nemesis.outages]
        await stage.check(players, [[*everywhere, *nemesis.cluster_outages] for nemesis in nemeses])
        stage.waits(players, _BACK_S)
    finally:
        nodes.close()
    result = _result(watch.samples, done, len(players.ledger.acked), len(players.tables), seconds)
    return {"servers": count, "clusters": len(clusters), "anomalies": stage.anomalies, **result}


async def _faults(
    nemeses: Sequence[Nemesis], players: Players, seconds: float, every: float, done: Counter[str]
) -> list[str]:
    """One after the other, each at the next cluster, and everybody goes on after each."""
    end, stuck = time.monotonic() + seconds, list[str]()
    for fault in _bags(nemeses):
        pause = min(every, end - time.monotonic())
        if pause <= 0:
            return stuck
        began = time.monotonic()
        print(f"  {time.strftime('%X')} {fault.__name__}, load {os.getloadavg()[0]:.1f}", flush=True)
        done[fault.__name__] += 1
        await fault()
        stuck += await players.stuck()
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - began)))
    raise AssertionError("a bag is never empty")


def _bags(nemeses: Sequence[Nemesis]) -> Iterator[Fault]:
    """A bag of faults for each cluster in turn, fault by fault."""
    while True:
        for faults in zip(*(list(nemesis.bag()) for nemesis in nemeses), strict=True):
            yield from faults


class _Watch:
    """Takes samples of the first server and of the clusters."""

    def __init__(
        self, nodes: ServerNodes, clusters: Sequence[postgresql.Cluster], players: Players, counts: Path
    ) -> None:
        self._nodes, self._clusters, self._players, self._counts = nodes, clusters, players, counts
        self._began = time.monotonic()
        self._wal: list[float] = [0.0] * len(clusters)
        self._wal_before: list[float] = [self._written(each) for each in clusters]
        self._counted: dict[int, int] = {}
        self.samples: list[Sample] = []

    async def go_on(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(_SAMPLE_S)
            for number, cluster in enumerate(self._clusters):
                with suppress(AssertionError):  # it is away
                    written = await asyncio.to_thread(self._written, cluster)
                    self._wal[number] = written - self._wal_before[number]
            self.samples.append(self._sample())

    def _sample(self) -> Sample:
        process = Path(f"/proc/{self._nodes.all[0].pid}")
        resident = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
        tasks, blocks = map(int, self._counts.read_text().split())
        calm = sorted(self._answers()) or [0.0]
        return Sample(
            round(time.monotonic() - self._began, 1),
            round(resident / _MB, 2),
            len(list((process / "fd").iterdir())),
            tasks,
            blocks,
            round(sum(self._wal), 2),
            len(self._players.ledger.acked),
            round(1000 * percentile(calm, 0.5), 1),
            round(1000 * percentile(calm, 0.99), 1),
            round(os.getloadavg()[0], 1),
        )

    def _answers(self) -> list[float]:
        """Seconds to each answer that came since the last time."""
        found: list[float] = []
        for player in self._players.all:
            found += player.calm[self._counted.get(id(player), 0) :]
            self._counted[id(player)] = len(player.calm)
        return found

    @staticmethod
    def _written(cluster: postgresql.Cluster) -> float:
        return int(cluster.sql("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")) / _MB


def _result(
    samples: Sequence[Sample], done: Counter[str], acked: int, tables: int, seconds: float
) -> dict[str, Any]:
    """Figures, and samples for a plot."""
    warm = min(600.0, seconds / 3)
    later = [each for each in samples if each.at >= warm]
    return {
        "seconds": round(seconds),
        "faults": dict(sorted(done.items())),
        "acked": acked,
        "tables": tables,
        "warm_s": round(warm),
        **_growth(by_minute(later, "memory_mb"), "memory_mb", 2),
        **_growth(by_minute(later, "python_blocks"), "python_blocks", 0),
        "samples": [asdict(each) for each in samples[::_SHOWN]],
    }


def _growth(minutes: Sequence[tuple[float, float]], name: str, digits: int) -> dict[str, float | None]:
    """By how much something grows in an hour, with its error; None if there is too little to say."""
    found = slope(minutes) if len(minutes) > 3 else None
    return {
        f"{name}_per_hour": None if found is None else round(60 * found.by, digits),
        f"{name}_per_hour_error": None if found is None else round(60 * found.error, digits),
    }
