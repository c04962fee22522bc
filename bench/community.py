"""People who find each other, at two servers of which one is killed.   python bench/community.py [--joins N]

Everybody asks once for a game of two; then every person's seats are counted in the store. On PostgreSQL two
servers pair, one of them is killed half-way, and its people ask the other one; on SQLite the only server is
killed and started again. Then made-up people, their standings, results and games are written, and what the
pages of people and lists ask for is read. Prints each bar with its figure; status 1 where one is missed.
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
import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.core.errors import FacedownError
from facedown.protocol.messages import Clock, GameResult
from facedown.protocol.pairing import NewTicket
from facedown.server.pairing import Pairing
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store import open_store, tickets
from facedown.server.store.base import Store
from facedown.server.store.values import Person
from facedown.server.table.summary import SummaryDetails, SummarySeat
from tests import postgresql

JOINS: Final = 10_000
AT_ONCE: Final = 8
LEAST_PER_SECOND: Final = 200.0
MOST_P99_MS: Final = 250.0
PEOPLE: Final = 1_000_000
GAMES: Final = 10_000_000
MOST_LIST_MS: Final = 10.0
_FILLED: Final = 50_000
_TIMES: Final = 21
_NUMBERS: Final = """with recursive n (i) as
    (select cast($1 as bigint) union all select i + 1 from n where i < cast($2 as bigint))"""
_ACCOUNTS: Final = f"""insert into accounts (person, handle, folded, skeleton, kept_at)
    {_NUMBERS} select 's' || i, 'h' || i, 'h' || i, cast('s' || i as {{bytes}}), 1 from n"""
_STANDINGS: Final = f"""insert into standings (game, person, points, error, games, at, listed)
    {_NUMBERS} select 'ecard', 's' || i, 900 + (i * 7919 % 1201 + i * 104729 % 601), 90, 40, 1, 1 from n"""
_PEOPLE: Final = f"""insert into people (id, name, created_at)
    {_NUMBERS} select 's' || i, 'Person ' || i, 1 from n"""
_RESULTS: Final = f"""insert into results (person, game, rules, side, won, tied, lost)
    {_NUMBERS} select 's' || i, 'ecard', rules, side, 4, 1, 5 from n
    cross join (select 'classic' as rules, 1 as side union all select 'classic', -1
        union all select 'purse', 1) as kinds where i % 10 = 0"""
_RIVALS: Final = f"""insert into rivals (person, other, games, won, tied, lost, at, course)
    {_NUMBERS} select 's' || i, 's' || (1 + (i + step * 7919) % {{people}}), step, step, 0, 0, i, 'w' from n
    cross join (select 1 as step union all select 2 union all select 3 union all select 4 union all select 5)
        as steps where i % 10 = 0"""
_RATINGS: Final = f"""insert into ratings (person, game, games, at, mean, deviation)
    {_NUMBERS} select 's' || i, 'ecard', step, i, 25, 3 from n
    cross join (select 1 as step union all select 2 union all select 3 union all select 4 union all select 5)
        as steps where i % 10 = 0"""
_TABLES: Final = f"""insert into tables
        (id, head, changed_at, game, rules, state, public, created_at, about)
    {_NUMBERS} select 't' || i, 60, i, 'ecard', 'classic', 'over', {{no}}, i, cast($3 as {{bytes}}) from n"""
_PLAYED: Final = f"""insert into played (person, at, table_id, seat, game, outcome)
    {_NUMBERS} select 's' || (1 + (i * seat * 7919) % {{people}}), i, 't' || i, seat, 'ecard',
        case when seat = 1 then 'won' else 'lost' end
    from n cross join (select 1 as seat union all select 2) as seats where true on conflict do nothing"""
_ABOUT: Final = msgspec.json.encode(
    SummaryDetails(
        tuple(SummarySeat(seat, f"Person {seat}", "person") for seat in (1, 2)),
        Clock("decision"),
        False,
        GameResult(1, "completed", (6, 4), ()),
        1,
    )
)
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
    parser.add_argument("--people", type=int, default=PEOPLE, help=f"people in the standings ({PEOPLE})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"finished games ({GAMES}), on PostgreSQL")
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
            missed += _measure(kind, Path(folder), asked)
    print("all bars hold" if not missed else f"missed: {', '.join(missed)}")
    return bool(missed)


def _measure(kind: str, folder: Path, asked: argparse.Namespace) -> list[str]:
    """Both parts on one store; games without number are for PostgreSQL."""
    if kind == "sqlite":
        url = f"sqlite:{folder / 'data'}"
        few = min(asked.games, asked.people // 10)
        return [
            *_pair(kind, url, asked.joins, nodes=1),
            *asyncio.run(_read_pages(kind, url, asked.people, few)),
        ]
    cluster = postgresql.Cluster(folder / "postgresql", fsync="on").make().start()
    postgresql.end_with(os.getpid(), cluster)
    try:
        url = cluster.url("postgres")
        return [
            *_pair(kind, url, asked.joins, nodes=2),
            *asyncio.run(_read_pages(kind, url, asked.people, asked.games)),
        ]
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


async def _fill(store: Store, kind: str, people: int, games: int) -> None:
    """Write made-up people with their standings and finished games; each tenth one has results, opponents
    and ratings as well."""
    words = {"bytes": "blob", "no": "0"} if kind == "sqlite" else {"bytes": "bytea", "no": "false"}
    words["people"] = str(people)
    begun = time.monotonic()
    for statement in (_PEOPLE, _ACCOUNTS, _STANDINGS, _RESULTS, _RIVALS, _RATINGS):
        for start in range(0, people, _FILLED):
            numbers = (start + 1, min(start + _FILLED, people))
            await store._execute(statement.format(**words), *numbers)
    for start in range(0, games, _FILLED):
        numbers = (start + 1, min(start + _FILLED, games))
        await store._execute(_TABLES.format(**words), *numbers, _ABOUT)
        await store._execute(_PLAYED.format(**words), *numbers)
    if kind == "postgresql":
        await store._execute("analyze")
    seconds = time.monotonic() - begun
    print(f"{kind}: {people} people and {games} finished games, made in {seconds:.0f} s", flush=True)


async def _read_pages(kind: str, url: str, people: int, games: int) -> list[str]:
    """Fill the store, and time what the pages of people and lists ask for; the bars that were missed."""
    store = open_store(url)
    await _fill(store, kind, people, games)
    missed = []
    for number in (10, people // 20 * 10, people // 10 * 10):
        (own,) = await store.own_standings(f"s{number}")
        for name, ask in (
            ("the first 50", lambda: store.top("ecard")),
            (
                "around a person",
                lambda me=f"s{number}", own=own: store.around("ecard", me, own.points),
            ),
            ("own rank", lambda me=f"s{number}": store.own_standings(me)),
            ("a page by its handle", lambda me=f"h{number}": store.profiles.by_handle(me)),
            ("results", lambda me=f"s{number}": store.profiles.results(me)),
            ("opponents", lambda me=f"s{number}": store.profiles.rivals(me)),
            ("ratings", lambda me=f"s{number}": store.ratings(me)),
            ("last games", lambda me=f"s{number}": store.person_games(me)),
            ("handles that begin so", lambda me=f"h{number}": store.profiles.find(me, "", 20)),
        ):
            took = []
            for _ in range(_TIMES):
                begun = time.perf_counter()
                await ask()
                took.append((time.perf_counter() - begun) * 1000)
            print(f"  {kind}: {name} at rank {own.rank}: median {median(took):.1f} ms")
            if median(took) >= MOST_LIST_MS:
                missed.append(f"{kind}: {name}")
    await store.close()
    return missed


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
