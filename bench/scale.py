"""How far one process goes.   python bench/scale.py [PART …] [--games N] [--store postgresql] [--keep DIR]

A store with 100,000 finished games (over a million events): how long the server takes to start on it, what
lists and people's pages take over HTTP, and every query of the store on its own, the slow ones with their
plans. Then 10,000 idle sockets and the memory of the server, and a table with 1,000 spectators: how long it
is from a reveal, by the server's own clock, until the last of them has it. Parts: start lists queries idle
spectators (all of them, unless some are named).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.scaling import crowd
from bench.scaling.games import Filled, fill
from bench.scaling.queries import SLOW_MS, time_all
from facedown.server.accounts.finished_games import PlayedGames, Ratings
from facedown.server.store import open_store
from tests import postgresql
from tests.server.programs import Chair, Ledger, SocketPlayer, set_table
from tests.server.running import Server

PARTS: Final = ("start", "lists", "queries", "idle", "spectators")
ASKED: Final = 20
LIMITS: Final = {f"FACEDOWN_{name}": "1000000" for name in ("SOCKETS", "CONNECTIONS", "STREAMS")}
LISTS: Final = {
    "tables that are open": ("/tables", ""),
    "tables that are over": ("/tables?state=over", ""),
    "the same, of a game": ("/tables?state=over&game=davenport", ""),
    "a person's tables": ("/tables?mine=true", "usual"),
    "the busiest person's tables": ("/tables?mine=true", "busy"),
    "a person's page": ("/people/me", "usual"),
    "the busiest person's page": ("/people/me", "busy"),
}


def main() -> int:
    """Measure, and say what came out."""
    arguments = _arguments()
    _say(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, ", end="")
    _say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with contextlib.ExitStack() as closing:
        folder = Path(arguments.keep or closing.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o777)
        url = _store(arguments.store, folder, closing)
        parts = arguments.parts or PARTS
        if set(parts) & {"start", "lists", "queries"}:
            filled = asyncio.run(_filled(url, folder, arguments.games, arguments.people))
            if "queries" in parts:
                asyncio.run(_queries(url, filled))
            if set(parts) & {"start", "lists"}:
                _starts_and_lists(url, folder, filled, arguments.starts, "lists" in parts)
        if "idle" in parts:
            _idle(folder, arguments.sockets, arguments.tables, arguments.wait)
        if "spectators" in parts:
            _spectators(folder, arguments.spectators, arguments.reveals)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How far one process of the server goes.")
    parser.add_argument("parts", metavar="PART", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--games", type=int, default=100_000, help="finished games in the store (100,000)")
    parser.add_argument("--people", type=int, default=5000, help="the people who played them (5,000)")
    parser.add_argument("--starts", type=int, default=3, help="starts that are timed (3)")
    parser.add_argument("--sockets", type=int, default=10_000, help="idle sockets (10,000)")
    parser.add_argument("--tables", type=int, default=100, help="the tables that they watch (100)")
    parser.add_argument(
        "--wait", type=float, default=25, help="seconds until memory is read (25: each has had a ping)"
    )
    parser.add_argument("--spectators", type=int, default=1000, help="spectators at one table (1,000)")
    parser.add_argument("--reveals", type=int, default=200, help="how many of them are timed (200)")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--keep", metavar="DIR", help="keep the filled SQLite store there, and use it again")
    return parser.parse_args()


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


# --- a store with many games -----------------------------------------------------------------------------


def _store(kind: str, folder: Path, closing: contextlib.ExitStack) -> str:
    if kind == "sqlite":
        return f"sqlite:{folder / 'data'}"
    cluster = (
        postgresql.Cluster(folder / "postgresql", shared_buffers="128MB", autovacuum="on").make().start()
    )
    closing.callback(cluster.stop)
    cluster.sql("create database scale")
    return cluster.url("scale")


async def _filled(url: str, folder: Path, games: int, people: int) -> Filled:
    """Fill the store, where that was not done before, and fold its ratings."""
    note = folder / f"filled-{games}.json"
    if note.exists() and url.startswith("sqlite:"):
        return Filled(**json.loads(note.read_text()))
    begun = time.perf_counter()
    store = open_store(url)
    filled = await fill(store, games, people)
    note.write_text(json.dumps(filled._asdict()))
    appended, begun = time.perf_counter() - begun, time.perf_counter()
    await Ratings(store).catch_up()
    folded, begun = time.perf_counter() - begun, time.perf_counter()
    await PlayedGames(store).catch_up()
    noted = time.perf_counter() - begun
    await store.close()
    _say(f"{games:,} games, {filled.events:,} events appended in {appended:.0f} s", end="")
    _say(f", ratings in {folded:.0f} s, people's games in {noted:.0f} s")
    return filled


async def _queries(url: str, filled: Filled) -> None:
    store = open_store(url)
    timed = await time_all(store, filled)
    await store.close()
    _say(f"questions to the store ({len(timed)}), the slowest first (median, least processor time here):")
    for each in timed[:10]:
        _say(f"  {each.name:<36} {each.median:8.2f} ms {each.cpu:8.2f} ms")
    for each in timed:
        if each.plan:
            _say(f"slower than {SLOW_MS:.0f} ms: {each.name}")
            for line in each.plan:
                _say(f"    {line}")


def _starts_and_lists(url: str, folder: Path, filled: Filled, starts: int, lists: bool) -> None:
    store = {} if url.startswith("sqlite:") else {"FACEDOWN_STORE": url}
    server = Server(folder / "data", **LIMITS, **store)
    try:
        server.start()
        times = []
        for _ in range(starts):
            server.stop()
            times.append(_start_seconds(server))
        _say(f"start: {median(times):.2f} s (median of {starts}; the slowest {max(times):.2f} s)")
        if lists:
            _lists(server, filled)
        _say(f"memory of the server: {_memory(server.pid):.0f} MB")
    finally:
        server.close()


def _start_seconds(server: Server) -> float:
    """Seconds from the start of the process until it answers."""
    begun = time.perf_counter()
    server.start()
    with urllib.request.urlopen(f"{server.base}/healthz", timeout=60) as answer:
        assert answer.status == 200
    return time.perf_counter() - begun


def _lists(server: Server, filled: Filled) -> None:
    tokens = {"busy": filled.token, "usual": filled.usual_token, "": ""}
    for name, (path, who) in LISTS.items():
        took = [_asked(f"{server.base}/api/v1{path}", tokens[who]) for _ in range(ASKED)]
        first, rest = took[0], took[1:]
        _say(
            f"  {name:<30} {median(rest):7.1f} ms, the slowest {max(rest):7.1f} ms, the first {first:7.1f} ms"
        )


def _asked(url: str, token: str) -> float:
    """Milliseconds until a request is answered."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    begun = time.perf_counter()
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
        answer.read()
    return (time.perf_counter() - begun) * 1000


# --- sockets ---------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _watched(server: Server, tables: list[str], sockets: int) -> Iterator[subprocess.Popen[bytes]]:
    """A crowd that watches these tables; it has said that all are welcome."""
    address = server.base.removeprefix("http://")
    command = [sys.executable, crowd.__file__, address, ",".join(tables), str(sockets)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["ready"] == sockets, said
        yield process
    finally:
        process.kill()
        process.wait()


def _idle(folder: Path, sockets: int, tables: int, wait: float) -> None:
    server = Server(folder / "idle", **LIMITS).start()
    try:
        chairs = asyncio.run(_many_tables(server, tables))
        before = _memory(server.pid)
        with _watched(server, [chair.table for chair in chairs], sockets):
            time.sleep(wait)
            after = _memory(server.pid)
        _say(f"{sockets:,} idle sockets at {tables} tables: {after:.0f} MB", end=" ")
        _say(f"({before:.0f} MB before; {(after - before) * 1024 / sockets:.1f} KB a socket)")
    finally:
        server.close()


async def _many_tables(server: Server, tables: int) -> list[Chair]:
    return [(await set_table(server.base, "ecard", 2, public=True))[0] for _ in range(tables)]


def _spectators(folder: Path, spectators: int, reveals: int) -> None:
    server = Server(folder / "watched", **LIMITS).start()
    try:
        found = asyncio.run(_play_before(server, spectators, reveals))
    finally:
        server.close()
    late = sorted(last for _, last, count in found if count == spectators)
    spread = [last - first for first, last, _ in found]
    cut = quantiles(late, n=100)
    _say(
        f"{spectators:,} spectators; {len(late)} of {len(found)} reveals were seen by all. Until the last has"
    )
    _say(f"it: p50 {median(late):.0f} ms, p99 {cut[98]:.0f} ms ({median(spread):.0f} ms after the first)")


async def _play_before(server: Server, spectators: int, reveals: int) -> list[Any]:
    """Games one after the other at tables that all watch; when each reveal was heard."""
    found: list[Any] = []
    while len(found) < reveals:
        chairs = await set_table(server.base, "ecard", 2, public=True)
        with _watched(server, [chairs[0].table], spectators) as process:
            ledger, source, spent = Ledger(), random.Random(len(found)), _seconds(server.pid)
            await asyncio.gather(*(SocketPlayer(chair, ledger, source).play() for chair in chairs))
            await asyncio.sleep(1)
            spent = _seconds(server.pid) - spent
            said, _ = await asyncio.to_thread(process.communicate)
        heard = list(json.loads(said)["reveals"].values())
        _say(f"a game of {len(heard)} decisions: {spent / len(heard) * 1000:.0f} ms of the server for each")
        found += heard
    return found


def _seconds(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """The resident memory of a process, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no such line")


if __name__ == "__main__":
    sys.exit(main())
