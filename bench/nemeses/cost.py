"""What a pick costs the servers' processors: on SQLite, on PostgreSQL, at two servers, with seats apart."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from statistics import median

from bench.nemeses.stage import Stage
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players

_SECONDS = 10.0
_THINK_S = 0.1
_WAYS = {
    "one on SQLite": (1, True, "sqlite"),
    "one": (1, True, "postgresql"),
    "two together": (2, True, "postgresql"),
    "two apart": (2, False, "postgresql"),
}


async def cost(stage: Stage) -> None:
    """Acknowledged picks per CPU-second of the servers alone, with as many paced tables for each of them."""
    figures: dict[str, list[float]] = {name: [] for name in _WAYS}
    for _ in range(stage.sizes.rounds):
        for name, way in _WAYS.items():
            figures[name].append(await _measure(stage, name, *way))
    found = {name: median(each) for name, each in figures.items()}
    for name, each in found.items():
        print(f"         {name}: {each:.0f} per CPU-second of servers, median of {stage.sizes.rounds}")
    for what, one, other, least in (
        ("one server on PostgreSQL, of one on SQLite", "one", "one on SQLite", 0.8),
        ("two affine servers, per CPU-second, of one", "two together", "one", 0.9),
        ("seats apart, of seats together", "two apart", "two together", 0.5),
    ):
        ratio = found[one] / found[other]
        stage.report.bar(what, f"{ratio:.2f}", ratio >= least, str(least))


async def _measure(stage: Stage, name: str, count: int, together: bool, store: str) -> float:
    """Picks per CPU-second of the servers, once all tables are set."""
    folder = stage.new_folder("sqlite")
    nodes = stage.nodes(count, url=f"sqlite:{folder}" if store == "sqlite" else "")
    try:
        tables = count * stage.tables // 2
        players = Players(nodes, tables, together=together, think=_THINK_S, seed="cost")
        await players.come()
        await players.everybody_goes_on()
        acked, spent, began = len(players.ledger.acked), cpu_seconds(nodes), time.perf_counter()
        await asyncio.sleep(_SECONDS)
        done = len(players.ledger.acked) - acked
        per_second = done / (cpu_seconds(nodes) - spent)
        rate = done / (time.perf_counter() - began)
        print(f"         {name}: {per_second:.0f} per CPU-second, {rate:.0f} a second, {tables} tables")
        await players.go()
        return per_second
    finally:
        nodes.close()


def cpu_seconds(nodes: ServerNodes) -> float:
    """The CPU-seconds of all servers so far."""
    ticks = 0
    for node in nodes.up:
        fields = Path(f"/proc/{node.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
