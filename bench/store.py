"""Appends per second of the store, compared with the disk.   python bench/store.py [DIRECTORY] [--json]

Every append is on the disk before its answer. Measured in turns, so that a slow moment affects all alike: the
disk alone (`fdatasync` after each write to a plain file), then the store with different numbers of tables,
with an idle loop and with a busy one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.server.run import SWITCH_INTERVAL_S
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.values import Append, EventRow, TableSummary

TABLES: Final = (1, 10, 100, 1000)
TURNS: Final = 3
SECONDS: Final = 1.0
SUMMARY: Final = TableSummary("any", "usual", "playing", True, 0, b"{}")
PUBLIC, SECRET = b"p" * 160, b"s" * 120


def main() -> int:
    """Measure, and print the results."""
    arguments = _arguments()
    sys.setswitchinterval(SWITCH_INTERVAL_S)  # as the server does
    with tempfile.TemporaryDirectory(prefix="facedown-bench-", dir=arguments.directory) as folder:
        found = measure(Path(folder), arguments.turns, arguments.tables or TABLES, arguments.seconds)
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How many appends per second the store saves.")
    parser.add_argument("directory", metavar="DIRECTORY", nargs="?", help="whose disk is measured")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how often all are measured ({TURNS})")
    parser.add_argument(
        "--tables", type=int, action="append", help=f"tables at once (more than one may be named; {TABLES})"
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"how long each is measured ({SECONDS})"
    )
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    return parser.parse_args()


def measure(folder: Path, turns: int, sizes: Sequence[int], seconds: float) -> dict[str, Any]:
    """The medians over the turns."""
    disks: list[float] = []
    laps: dict[tuple[int, bool], list[dict[str, float]]] = {}
    for turn in range(turns):
        disks.append(syncs(folder / "plain", seconds))
        for tables in sizes:
            for busy in (False, True):
                print(".", end="", flush=True, file=sys.stderr)
                place = folder / f"{turn}-{tables}-{busy}"
                laps.setdefault((tables, busy), []).append(asyncio.run(lap(place, tables, busy, seconds)))
    print(file=sys.stderr)
    rows = [
        {"tables": tables, "busy": busy} | {name: median(each[name] for each in runs) for name in runs[0]}
        for (tables, busy), runs in laps.items()
    ]
    return {"python": interpreter(), "fdatasync_per_second": median(disks), "store": rows}


def syncs(path: Path, seconds: float) -> float:
    """How often per second this disk makes 4 KiB at the end of a file durable."""
    page, count = b"x" * 4096, 0
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        os.write(file, page)
        os.fdatasync(file)
        count += 1
    os.close(file)
    return count / spent


async def lap(folder: Path, tables: int, busy: bool, seconds: float) -> dict[str, float]:
    """Append to this number of tables; each waits for its answer before its next step."""
    store = open_store(f"sqlite:{folder}")
    names = [os.urandom(8).hex() for _ in range(tables)]
    await asyncio.gather(*(store.append(Append(name, 0, (row(1),), None, SUMMARY)) for name in names))
    stats, waits = store.stats, list[float]()
    commits, rows = stats.commits, stats.rows
    begun = time.perf_counter()
    end = begun + seconds
    rest = asyncio.create_task(_keep_busy(end)) if busy else None
    await asyncio.gather(*(play(store, name, end, waits) for name in names))
    spent = time.perf_counter() - begun
    if rest is not None:
        await rest
    commits, rows = stats.commits - commits, stats.rows - rows
    await store.close()
    return {
        "appends_per_second": rows / spent,
        "commits_per_second": commits / spent,
        "rows_per_commit": rows / max(commits, 1),
        "wait_ms_median": median(waits) * 1000,
        "wait_ms_p99": quantiles(waits, n=100)[98] * 1000,
    }


async def play(store: Store, table: str, end: float, waits: list[float]) -> None:
    """Append to one table until the end, at least twice."""
    head = 1
    while (asked := time.perf_counter()) < end or head < 3:
        await store.append(Append(table, head, (row(head + 1),), int(asked * 1000) + 30_000))
        waits.append(time.perf_counter() - asked)
        head += 1


async def _keep_busy(end: float) -> None:
    """Other work of the same loop: 2 ms at a time, without a pause."""
    while time.perf_counter() < end:
        until = time.perf_counter() + 0.002
        while time.perf_counter() < until:
            pass
        await asyncio.sleep(0)


def row(v: int) -> EventRow:
    """An event of the usual size."""
    return EventRow(v, "sealed", v, PUBLIC, SECRET, seat=1, command=f"{v:026d}")


def report(found: dict[str, Any]) -> list[str]:
    """The numbers as a table."""
    lines = [
        f"Python {found['python']}",
        f"this disk alone: {found['fdatasync_per_second']:,.0f} fdatasync per second, one after the other",
        "",
        "  tables  loop   appends/s  commits/s  rows/commit  wait median     p99",
    ]
    lines += [
        f"  {each['tables']:6,}  {'busy' if each['busy'] else 'idle'}  {each['appends_per_second']:10,.0f}"
        f"  {each['commits_per_second']:9,.0f}  {each['rows_per_commit']:11,.1f}"
        f"  {each['wait_ms_median']:8.2f} ms  {each['wait_ms_p99']:6.1f} ms"
        for each in found["store"]
    ]
    return lines


if __name__ == "__main__":
    sys.exit(main())
