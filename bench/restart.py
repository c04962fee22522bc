"""How long a restart takes.   python bench/restart.py [--tables N] [--times N]

A server with that many running games, all with clocks, is killed and started again: the seconds until its
port answers. Each start credits the outage to every clock. The bar: less than three seconds for ten thousand
tables.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.server.ids import hash_token, new_id, new_token
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.outages import OWED
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.values import Append, SeatHolder
from tests.server.programs import Chair, ask, call, open_body, set_table
from tests.server.running import Server

CLOCK: Final = {"kind": "correspondence", "days": 3}
OUTAGE_S: Final = 2
"""Seconds without a server: less would be no outage to credit."""
_AT_ONCE: Final = 500


async def one_game(server: Server) -> list[Chair]:
    """A game that waits for both of its people. Nothing is dealt in E-Card: its copies are games as well."""
    chairs = await set_table(server.base, "ecard", 2, clock=CLOCK)
    for chair in chairs:
        path = f"/tables/{chair.table}/commands"
        await call(server.base, "POST", path, open_body(chair), chair.bearer, Facedown_Seat=chair.token)
    return chairs


async def multiply(data: Path, chairs: list[Chair], times: int) -> str:
    """Append the same game that many times more, for the same people; the id of the last one."""
    store = open_store(f"sqlite:{data}")
    try:
        game = await _as_append(store, chairs)
        copies = [game._replace(table=new_id(), log_entries=(hash_token(new_token()),)) for _ in range(times)]
        for start in range(0, times, _AT_ONCE):
            await asyncio.gather(*map(store.append, copies[start : start + _AT_ONCE]))
        return (copies or [game])[-1].table
    finally:
        await store.close()


async def _as_append(store: Store, chairs: list[Chair]) -> Append:
    """The game of these seats, as one append."""
    table, seats = chairs[0].table, []
    for chair in chairs:
        token = hash_token(chair.token)
        found = await store.seat_of(table, token)
        assert found is not None, "the seat is taken"
        seats.append(SeatHolder(*found, token))
    listed = await store.listed(table)
    assert listed is not None, "the table is stored"
    assert listed.deadline is not None, "its clocks run"
    return Append(
        table, 0, tuple(await store.rows(table)), listed.deadline, listed.summary, seats=tuple(seats)
    )


def start_seconds(server: Server) -> float:
    """Seconds from the start of the process until it answers."""
    begun = time.perf_counter()
    server.start()
    with urllib.request.urlopen(f"{server.base}/healthz", timeout=60) as answer:
        assert answer.status == 200
    return time.perf_counter() - begun


def count_credited(server: Server) -> int:
    """How many tables the last start credited an outage to."""
    with closing(sqlite3.connect(server.data / DATABASE)) as connection:
        (number,) = connection.execute(f"select count(*) from tables where {OWED} <> 0").fetchone()
    return int(number)


def main() -> int:
    """Measure, and print what came out. No time is a failure; a clock without its credit is."""
    parser = argparse.ArgumentParser(description="How long a restart takes.")
    parser.add_argument("--tables", type=int, default=10_000, help="running games with clocks (10,000)")
    parser.add_argument("--times", type=int, default=3, help="how often it is restarted (3)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        server = Server(Path(folder) / "data").start()
        try:
            chairs = asyncio.run(one_game(server))
            server.stop()
            alone = start_seconds(server)
            server.kill()
            copy = asyncio.run(multiply(server.data, chairs, asked.tables - 1))
            times = []
            for _ in range(asked.times):
                time.sleep(OUTAGE_S)
                times.append(start_seconds(server))
                found = count_credited(server)
                assert found == asked.tables, f"{found} of {asked.tables} tables were credited the outage"
                state = ask(server.base, "GET", f"/tables/{copy}", token=chairs[0].bearer)["table"]["state"]
                assert state == "playing", f"a copied game is {state}"
                server.kill()
            size = (server.data / DATABASE).stat().st_size / 1e6
        finally:
            server.close()
    print(f"Python {interpreter()}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"one table: {alone:.2f} s; {asked.tables:,} tables with clocks ({size:.0f} MB): ", end="")
    print(f"{statistics.median(times):.2f} s (median of {asked.times}; the slowest {max(times):.2f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
