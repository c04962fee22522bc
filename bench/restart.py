"""How long a restart takes.   python bench/restart.py [--tables N]

A server with so many running games, all with clocks, is killed and started again: the seconds until its port
answers, and what it wrote for that. The bar: less than three seconds for ten thousand tables.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.server.store.sqlite.data_dir import DATABASE
from tests.server.programs import Chair, call, open_body, set_table
from tests.server.running import Server

CLOCK: Final = {"kind": "correspondence", "days": 3}
TIMES: Final = 3


async def one_game(server: Server) -> Chair:
    """A game that waits for both of its people."""
    chairs = await set_table(server.base, "davenport", 2, clock=CLOCK)
    for chair in chairs:
        path = f"/tables/{chair.table}/commands"
        await call(server.base, "POST", path, open_body(chair), chair.bearer, Facedown_Seat=chair.token)
    return chairs[0]


def multiply(data: Path, table: str, times: int) -> None:
    """The same game that many times more, under other names."""
    with contextlib.closing(sqlite3.connect(data / DATABASE)) as database, database:
        for name in ("tables", "events", "seats", "texts"):
            key = "id" if name == "tables" else "table_id"
            columns = [row[1] for row in database.execute(f"pragma table_info({name})")]
            listed = ", ".join(columns)
            copied = ", ".join(f"? || substr({key}, 9)" if each == key else each for each in columns)
            statement = f"insert into {name} ({listed}) select {copied} from {name} where {key} = ?"
            database.executemany(statement, [(f"{number:08d}", table) for number in range(times)])


def started(server: Server) -> float:
    """Seconds from the start of the process until it answers."""
    begun = time.perf_counter()
    server.start()
    with urllib.request.urlopen(f"{server.base}/healthz", timeout=60) as answer:
        assert answer.status == 200
    return time.perf_counter() - begun


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description="How long a restart takes.")
    parser.add_argument("--tables", type=int, default=10_000, help="running games with clocks")
    tables = parser.parse_args().tables
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        server = Server(Path(folder) / "data").start()
        try:
            chair = asyncio.run(one_game(server))
            server.stop()
            empty = started(server)
            server.kill()
            multiply(server.data, chair.table, tables)
            times = []
            for _ in range(TIMES):
                times.append(started(server))
                time.sleep(2.5)  # so that there is an outage to credit
                server.kill()
                time.sleep(2)
            size = (server.data / DATABASE).stat().st_size / 1e6
        finally:
            server.close()
    print(f"Python {interpreter()}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"one table: {empty:.2f} s; {tables:,} tables with clocks ({size:.0f} MB): ", end="")
    print(f"{statistics.median(times):.2f} s (median of {TIMES}; the slowest {max(times):.2f} s)")


if __name__ == "__main__":
    main()
