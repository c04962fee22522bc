"""What finished games cost on the disk, packed and not.   python bench/packed.py [--games N]

Plays whole games with random legal picks, saves them as servers do, and packs them. Sizes are those of the
whole store, freshly vacuumed, less an empty one; PostgreSQL is one of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.results import keep
from facedown.server.clock import now
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.values import Append
from tests import postgresql
from tests.server.playing import Bench, order

GAMES: Final = (("ecard", 2, "classic"), ("davenport", 2, "davenport"), ("davenport", 4, "davenport"))
AT_ONCE: Final = 8
"""Games in one step, as in the daily sweep."""


def main() -> int:
    """Measure both stores with each kind of game, and print a line for each."""
    parser = argparse.ArgumentParser(description="Bytes of a finished game, before and after it is packed.")
    parser.add_argument("--games", type=int, default=300, help="games of each kind (300)")
    parser.add_argument("--keep", action="store_true", help="keep what PostgreSQL holds")
    asked = parser.parse_args()
    games, kept = asked.games, dict[str, dict[str, float]]()
    print(f"Python {interpreter()}; {games} games of each kind; bytes a game")
    with tempfile.TemporaryDirectory(prefix="facedown-packed-") as place:
        folder = Path(place)
        folder.chmod(0o777)
        cluster = postgresql.Cluster(folder / "postgresql", fsync="on", autovacuum="on").make().start()
        try:
            for number, (game, seats, rules) in enumerate(GAMES):
                played = [_play(game, seats, rules, seed) for seed in range(games)]
                name = f"{game}, {seats} seats"
                data, database = folder / f"data{number}", f"games{number}"
                size: Callable[[], int] = partial(_sqlite_bytes, data)
                asyncio.run(_measure(f"{name}, SQLite", f"sqlite:{data}", played, size))
                cluster.sql(f"create database {database}")
                size = partial(_postgresql_bytes, cluster, database)
                found = asyncio.run(_measure(f"{name}, PostgreSQL", cluster.url(database), played, size))
                kept[f"{name}, PostgreSQL"] = found
        finally:
            cluster.stop()
    if asked.keep:
        keep("packed", kept)
    return 0


def _play(game: str, seats: int, rules: str, seed: int) -> list[Append]:
    bench = Bench(order(game, seats, rules), at=now() - 10_000)
    bench.begin()
    bench.play_out(random.Random(seed))
    # No notices: these people are at the table.
    return [tx.to_append()._replace(notices=()) for tx in bench.transactions if tx.entries]


async def _measure(
    name: str, url: str, played: list[list[Append]], size: Callable[[], int]
) -> dict[str, float]:
    store = open_store(url)
    try:
        await store.ready()
        empty = size()
        for game in played:
            for append in game:
                await store.append(append)
        tables = [game[0].table for game in played]
        events = sum(len(append.rows) for game in played for append in game)
        rows, reading = (size() - empty) / len(tables), await _reading(store, tables)
        steps = await _pack(store)
        packed, unpacking = (size() - empty) / len(tables), await _reading(store, tables)
    finally:
        await store.close()
    print(
        f"{name}: {events / len(tables):.0f} events, {rows:.0f} before and {packed:.0f} after "
        f"({rows / packed:.1f} times as much); a step of {AT_ONCE} games {1000 * median(steps):.0f} ms, "
        f"longest {1000 * max(steps):.0f} ms; reading a game {reading:.2f} and {unpacking:.2f} ms"
    )
    picks = sum(row.kind == "sealed" for game in played for append in game for row in append.rows)
    return {"rows": round(rows), "packed": round(packed), "picks": round(picks / len(tables), 1)}


async def _pack(store: Store) -> list[float]:
    steps: list[float] = []
    while True:
        begun = time.perf_counter()
        if not await store.packed.pack(now(), AT_ONCE):
            return steps
        steps.append(time.perf_counter() - begun)


async def _reading(store: Store, tables: list[str]) -> float:
    """The median time of reading all events of a game, in ms."""
    times = []
    for table in tables:
        begun = time.perf_counter()
        await store.rows(table)
        times.append(time.perf_counter() - begun)
    return 1000 * median(times)


def _sqlite_bytes(data: Path) -> int:
    copy = data / "copy"
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.execute("vacuum into ?", (str(copy),))
    size = copy.stat().st_size
    copy.unlink()
    return size


def _postgresql_bytes(cluster: postgresql.Cluster, database: str) -> int:
    cluster.sql("vacuum full", database)
    return int(cluster.sql(f"select pg_database_size('{database}')"))


if __name__ == "__main__":
    sys.exit(main())
