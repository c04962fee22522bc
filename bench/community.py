"""People who find each other, at two servers of which one is killed.   python bench/community.py [--joins N]

Everybody asks once for a game of two; then every person's seats are counted in the store. On PostgreSQL two
servers pair, one of them is killed half-way, and its people ask the other one; on SQLite the only server is
killed and started again. Prints each bar with its figure; status 1 where one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

import asyncpg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.core.errors import FacedownError
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import NewTicket
from facedown.server.pairing import Pairing
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store import open_store, tickets
from facedown.server.store.values import Person
from tests import postgresql

JOINS: Final = 10_000
AT_ONCE: Final = 8
LEAST_PER_SECOND: Final = 200.0
MOST_P99_MS: Final = 250.0
WANTED: Final = NewTicket("ecard", Clock("decision"))
DOUBLE: Final = """select count(*) from (select person from texts where slot like 'kept%'
    group by person having count(*) > 1) as twice"""
SEATED: Final = "select count(distinct person) from texts where slot like 'kept%'"


class Joins(NamedTuple):
    """What servers printed: who was answered, and how long each answer took, in ms."""

    people: set[int]
    took: list[float]
    spent: str = ""
    """What the server that was not killed spent on a join."""


def main() -> int:
    """Measure both stores, or be one of the servers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--joins", type=int, default=JOINS, help=f"people who ask for a game ({JOINS})")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), action="append", help="both if left out")
    parser.add_argument("--node", help=argparse.SUPPRESS)
    parser.add_argument("joining", type=int, nargs="*", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.node:
        asyncio.run(_serve(asked.node, asked.joining))
        return 0
    print(json.dumps({"python": interpreter(), "cores": os.cpu_count(), "joins": asked.joins}))
    missed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        for kind in asked.store or ("sqlite", "postgresql"):
            missed += _measure(kind, Path(folder), asked.joins)
    print("all bars hold" if not missed else f"missed: {', '.join(missed)}")
    return bool(missed)


def _measure(kind: str, folder: Path, joins: int) -> list[str]:
    """Pair people on one store; the bars that were missed."""
    if kind == "sqlite":
        return _pair(kind, f"sqlite:{folder / 'data'}", joins, nodes=1)
    cluster = postgresql.Cluster(folder / "postgresql", fsync="on").make().start()
    postgresql.end_with(os.getpid(), cluster)
    try:
        return _pair(kind, cluster.url("postgres"), joins, nodes=2)
    finally:
        cluster.stop()


def _pair(kind: str, url: str, joins: int, nodes: int) -> list[str]:
    """Let everybody ask, kill a server half-way, and print what came of it; the bars that were missed."""
    asyncio.run(_add_people(url, joins))
    begun = time.monotonic()
    servers = [_start(url, range(node, joins, nodes)) for node in range(nodes)]
    first = _read(servers[0], joins // nodes // 2)
    servers[0].send_signal(signal.SIGKILL)
    servers[0].wait()
    left = sorted(set(range(0, joins, nodes)) - first.people)
    servers[0] = _start(url, left)
    answers = [first, *(_read(server, joins) for server in servers)]
    seconds = time.monotonic() - begun
    took = [each for found in answers for each in found.took]
    seated, doubled = asyncio.run(_count(url))
    figures = {
        f"{kind}: people seated": (seated, seated >= joins - joins % 2),
        f"{kind}: people with two tables": (doubled, doubled == 0),
        f"{kind}: joins a second": (round(len(took) / seconds), len(took) / seconds >= LEAST_PER_SECOND),
        f"{kind}: p99 in ms": (
            round(quantiles(took, n=100)[98], 1),
            quantiles(took, n=100)[98] < MOST_P99_MS,
        ),
    }
    print(f"{kind}: {joins} joins in {seconds:.1f} s, median {median(took):.1f} ms, one server killed")
    print(f"  {kind}: load of the machine {os.getloadavg()[0]:.1f}; for each join {answers[-1].spent}")
    for name, (figure, _) in figures.items():
        print(f"  {name}: {figure}")
    return [name for name, (_, holds) in figures.items() if not holds]


async def _add_people(url: str, count: int) -> None:
    store = open_store(url)
    for start in range(0, count, 200):
        some = range(start, min(start + 200, count))
        await asyncio.gather(*(store.add_person(f"p{n}", f"Person {n}", 1) for n in some))
    await store.close()


async def _count(url: str) -> tuple[int, int]:
    store = open_store(url)
    found = [(await store._select_one(query))[0] for query in (SEATED, DOUBLE)]
    await store.close()
    return found[0], found[1]


def _start(url: str, people: Sequence[int]) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--node", url, *map(str, people)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _read(server: subprocess.Popen[str], most: int) -> Joins:
    """The next answers of a server, until it ends."""
    found = Joins(set(), [])
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("spent "):
            found = found._replace(spent=line.removeprefix("spent ").strip())
            continue
        person, took = line.split()
        found.people.add(int(person))
        found.took.append(float(took))
        if len(found.took) >= most:
            break
    return found


async def _serve(url: str, people: Sequence[int]) -> None:
    """Let these people ask at this server, some at once; print who was answered, and how fast."""
    tickets.LASTS_MS = 600_000  # type: ignore[misc]  # a killed server's people come back
    with tempfile.TemporaryDirectory() as folder:
        services = open_services(Settings(data=Path(folder), store=url))
        await services.tables.start()
        pairing, waiting = Pairing(services.store, services.tables), list(reversed(people))

        async def ask() -> None:
            while waiting:
                number = waiting.pop()
                begun = time.perf_counter()
                while True:
                    try:
                        await pairing.put(Person(f"p{number}", f"Person {number}", 1), WANTED)
                        break
                    except FacedownError:  # as a client would: once more
                        await asyncio.sleep(0.1)
                print(number, round((time.perf_counter() - begun) * 1000, 2), flush=True)

        statements, before = _count_statements(), time.process_time()
        await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
        share = 1 / max(1, len(people))
        cpu = f"{(time.process_time() - before) * share * 1000:.2f} ms of CPU in the server"
        print(f"spent {cpu}, {sum(statements) * share:.2f} round trips to PostgreSQL", flush=True)
        await services.tables.stop()
        await services.store.close()


def _count_statements() -> list[int]:
    """A list that gets a 1 for each statement that is sent to PostgreSQL from now on."""
    sent: list[int] = []

    def counted(send: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        def count_and_send(*values: object, **named: object) -> Awaitable[object]:
            sent.append(1)
            return send(*values, **named)

        return count_and_send

    for name in ("execute", "fetch", "fetchrow", "fetchval"):
        setattr(asyncpg.Connection, name, counted(getattr(asyncpg.Connection, name)))
    return sent


if __name__ == "__main__":
    sys.exit(main())
