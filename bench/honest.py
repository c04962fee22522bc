"""Honest games while everything goes wrong: no client may raise an alarm.   python bench/honest.py --help

The shipped client plays short games of every kind through a relay that cuts and stalls connections and takes
each one to any server; servers are killed, restarted, and stand still. Prints the alarms, the acknowledged
picks that were lost, and the games that got stuck; status 1 where there is one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from tests import postgresql
from tests.nodes.faults import wrong_clock
from tests.nodes.honest import HonestGames, Relay, Tally, opens_within
from tests.nodes.nemesis import Nemesis
from tests.nodes.nodes import ServerNodes

OPENING_MS: Final = 7000
"""For opening numbers and picks: a forfeit before 2 s would be an alarm."""


async def go_wrong(nemesis: Nemesis, relay: Relay, every: float) -> None:
    """One fault after the other."""
    source = nemesis.source

    async def cut() -> None:
        relay.cut(source.random())

    async def stall() -> None:
        await relay.stall(source.uniform(0.5, 8))

    faults: list[Callable[[], Awaitable[None]]] = [
        *(cut, cut, cut, stall),
        *(nemesis.kill_node, nemesis.restart_node, nemesis.freeze_node),
    ]
    if len(nemesis.nodes.all) > 1:
        faults += [nemesis.kill_node, nemesis.terminate_most, nemesis.kill_all_nodes]
    while True:
        await asyncio.sleep(every * (0.5 + source.random()))
        fault = source.choice(faults)
        nemesis.done[fault.__name__] += 1
        await fault()


async def play(nodes: ServerNodes, cluster: postgresql.Cluster, asked: argparse.Namespace) -> Tally:
    """Play with everything going wrong."""
    loop, source = asyncio.get_running_loop(), random.Random(asked.seed)
    loop.set_default_executor(ThreadPoolExecutor(2 * asked.tables))
    relay = await Relay(nodes, random.Random(f"{asked.seed} relay")).start()
    nemesis = Nemesis(nodes, cluster, source, lambda: asyncio.sleep(source.uniform(0.1, 2)))
    games = HonestGames(relay.address, asked.folder, OPENING_MS / 1000, asked.seed)
    faults = asyncio.create_task(go_wrong(nemesis, relay, asked.every))
    watch = asyncio.create_task(report_often(games.tally, nemesis))
    playing = asyncio.create_task(games.play(asked.games, asked.tables, loop.time() + asked.minutes * 60))
    await asyncio.wait((playing, faults, watch), return_when=asyncio.FIRST_COMPLETED)
    for task in (faults, watch):
        task.cancel()
    results = await asyncio.gather(playing, faults, watch, return_exceptions=True)
    await relay.close()
    for each in results:
        if isinstance(each, Exception):
            raise each
    games.tally.happened.update(nemesis.done)
    games.tally.wrong += nemesis.wrong
    return games.tally


async def report_often(tally: Tally, nemesis: Nemesis) -> None:
    """How far it is, every half minute."""
    while True:
        await asyncio.sleep(30)
        done = sum(nemesis.done.values())
        print(f"{tally.played} games, {done} faults, {len(tally.alarms)} alarms, {len(tally.wrong)} wrong")
        print(*tally.alarms[:3], *tally.wrong[:3], sep="\n", flush=True)


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(description="Honest games while everything goes wrong.")
    parser.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--games", type=int, default=10_000, help="how many (10,000)")
    parser.add_argument("--minutes", type=float, default=600, help="at most; games that began end (600)")
    parser.add_argument("--tables", type=int, default=40, help="games at once (40)")
    parser.add_argument("--every", type=float, default=5, help="seconds between two faults (5)")
    parser.add_argument("--seed", default="1", help="decides what happens, and when")
    parser.add_argument("--folder", type=Path, help="keeps the memories of seats, those of alarms too")
    asked = parser.parse_args()
    print(f"{asked.store}, seed {asked.seed}; Python {interpreter()}", flush=True)
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as name:
        folder = Path(name)
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        asked.folder = asked.folder or folder / "seats"
        asked.folder.mkdir(parents=True, exist_ok=True)
        cluster = postgresql.Cluster(folder / "postgresql")
        if asked.store == "postgresql":
            cluster.make().start()
            postgresql.end_with(os.getpid(), cluster)
            nodes = ServerNodes(folder, cluster.url("postgres"), 2)
            nodes.all[1].after(wrong_clock(600))
        else:
            nodes = ServerNodes(folder, "", 1)
        for node in nodes.all:
            node.after(opens_within(OPENING_MS))
        try:
            tally = asyncio.run(play(nodes.start(), cluster, asked))
        finally:
            nodes.close()
            if asked.store == "postgresql":
                cluster.stop()
    return report(tally, time.monotonic() - began)


def report(tally: Tally, seconds: float) -> int:
    """Print what came out; the exit status."""
    print(*tally.alarms, *tally.wrong, sep="\n")
    print("; ".join(f"{count} × {what}" for what, count in sorted(tally.happened.items()) if count))
    kinds = ", ".join(f"{count} {name}" for name, count in tally.games.items())
    verdicts = ", ".join(f"{count} {name}" for name, count in tally.verdicts.most_common())
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{tally.played} games in {seconds:.0f} s ({load}): {kinds}; records: {verdicts}")
    print(f"{tally.acked} acknowledged picks, {len(tally.wrong)} wrong, {len(tally.alarms)} alarms")
    return int(bool(tally.alarms or tally.wrong))


if __name__ == "__main__":
    sys.exit(main())
