"""An arena at two servers of which one is killed every ten seconds.   python bench/tournament.py [--people N]

Simulated people sign in, enter, play those they are paired with over WebSockets, come back at either server
after a kill, and give up after a few picks, so that many games are played. For the second half of the arena
others follow the standings. Then the facts in the store are compared with what must be. Prints each bar with
its figure; status 1 where one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.nemeses.stage import Report, Stage, percentile
from facedown.client import ServerLost, ServerRefused
from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Clock
from facedown.protocol.tournaments import NewTournament, TournamentUpdate
from facedown.server.bus import Bus
from facedown.server.store import open_store
from facedown.server.table.tables import Tables
from facedown.server.tournaments.facts import Tournament
from facedown.server.tournaments.service import Tournaments
from tests import postgresql
from tests.nodes.nodes import ServerNodes
from tests.nodes.players import RovingPlayer
from tests.server.programs import Chair, Ledger, call, program

MOST_P99_MS: Final = 2000.0
MOST_SLOWER: Final = 1.25
_DOWN_S: Final = 3.0
"""How long a killed server is down."""
_AT_ONCE: Final = 32
"""People who sign in at once."""
_FIRST: Final = asyncio.FIRST_COMPLETED
_WIDE: Final = {
    "FACEDOWN_STREAMS": "1000000",
    "FACEDOWN_CONNECTIONS": "1000000",
    "FACEDOWN_SOCKETS": "1000000",
}
_decode: Final = msgspec.json.Decoder(TournamentUpdate).decode


@dataclass
class Entrant(RovingPlayer):
    """A seat of a game, whose player gives up after some picks if it is their turn to."""

    gives_up_after: int = 0
    answers: list[tuple[float, float]] = field(default_factory=list)
    """When a command was answered on a connection that was not lost, and how long that took."""

    def _acked(self, ack: dict[str, Any]) -> None:
        before = len(self.calm)
        super()._acked(ack)
        self.answers += [(time.monotonic(), took) for took in self.calm[before:]]

    def _next_command(self) -> dict[str, Any] | None:
        command = super()._next_command()
        if command is None or command["do"] != "pick" or not self.gives_up_after:
            return command
        if len([each for each in self._answered if each["do"] == "pick"]) < self.gives_up_after:
            return command
        return {"id": secrets.token_hex(8), "do": "resign", "decision": command["decision"]}


@dataclass
class Arena:
    """The tournament, and the people in it."""

    nodes: ServerNodes
    tournament: str
    think_s: float
    picks: int
    bearers: dict[int, str] = field(default_factory=dict)
    """The token of each entrant."""
    played: set[str] = field(default_factory=set)
    """Seats that were taken, as `TABLE SEAT`."""
    answers: list[tuple[float, float]] = field(default_factory=list)
    """Those of all people."""
    games: list[asyncio.Task[None]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def bases(self) -> list[str]:
        return [node.base for node in self.nodes.all]

    async def enter(self, people: int) -> None:
        """Everybody signs in and enters."""
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(number: int) -> None:
            async with slots:
                bearer = await self._try(lambda base: program(base))
                path = f"/tournaments/{self.tournament}/entry"
                info = await self._try(lambda base: call(base, "PUT", path, {}, bearer))
                self.bearers[info["own"]] = bearer

        await asyncio.gather(*(one(number) for number in range(people)))

    async def _try(self, ask: Any) -> Any:
        """Ask a server, and another one after a failure."""
        while True:
            try:
                return await ask(random.choice(self.bases))
            except ServerLost:
                self.refused["lost"] += 1
            except ServerRefused as refused:
                self.refused[refused.name] += 1
                if refused.status not in (429, 503):
                    raise
            await asyncio.sleep(0.2 + random.random())

    async def play(self) -> None:
        """Follow the standings, and let everybody play at the tables that they get, until it is over."""
        async for line in lines(self.bases, self.tournament):
            update = _decode(line)
            for row in update.rows:
                for table, seat in zip(row.tables, row.seats, strict=True):
                    if row.number in self.bearers and f"{table} {seat}" not in self.played:
                        self.played.add(f"{table} {seat}")
                        self.games.append(asyncio.create_task(self._game(row.number, table, seat)))
            if update.head.state in ("over", "cancelled"):
                break
        for game in self.games:
            game.cancel()
        found = await asyncio.gather(*self.games, return_exceptions=True)
        for error in found:
            if isinstance(error, Exception):
                self.refused[f"a game ended by {type(error).__name__}"] += 1

    async def _game(self, number: int, table: str, seat: int) -> None:
        bearer, entropy = self.bearers[number], secrets.token_bytes(32)
        body = {"seat": seat, "commit": entropy_commitment(table, seat, entropy).hex()}
        token = (await self._try(lambda base: call(base, "POST", f"/tables/{table}/join", body, bearer)))[
            "token"
        ]
        gives_up = self.picks if seat == 1 + sum(table.encode()) % 2 else 0
        chair, source = Chair("", table, seat, token, bearer, entropy), random.Random(f"{table} {seat}")
        player = Entrant(chair, Ledger(), source, think=self.think_s, gives_up_after=gives_up)
        player.bases = self.bases
        try:
            await player.play()
        finally:
            self.answers += player.answers


async def lines(bases: list[str], tournament: str) -> AsyncIterator[bytes]:
    """The lines of a tournament's stream, from any server that answers."""
    while True:
        where = urlsplit(random.choice(bases))
        with suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1 << 24)
            try:
                path = f"/api/v1/tournaments/{tournament}/events"
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                while b" 200 " in head:
                    size = int(await reader.readline(), 16)
                    chunk = await reader.readexactly(size + 2)
                    if not size:
                        break
                    if chunk.strip():
                        yield chunk
            finally:
                writer.close()
        await asyncio.sleep(0.2 + random.random())


async def view(bases: list[str], tournament: str, count: int) -> None:
    """Follow the standings many times, until this process is ended; prints how many lines each second."""
    seen = 0

    async def one() -> None:
        nonlocal seen
        async for _ in lines(bases, tournament):
            seen += 1

    viewers = [asyncio.create_task(one()) for _ in range(count)]
    while True:
        await asyncio.sleep(1)
        print(json.dumps({"lines": seen, "viewers": len(viewers)}), flush=True)


async def kill_one_after_the_other(nodes: ServerNodes, every_s: float) -> None:
    """kill -9 of one of them, again and again."""
    for kill in range(1 << 30):
        await asyncio.sleep(every_s - _DOWN_S)
        victim = nodes.all[kill % len(nodes.all)]
        await asyncio.to_thread(nodes.kill, victim)
        await asyncio.sleep(_DOWN_S)
        await asyncio.to_thread(nodes.rise, victim)
        print(f"  server {1 + kill % len(nodes.all)} was killed; load {os.getloadavg()[0]:.1f}", flush=True)


# --- what must hold --------------------------------------------------------------------------------------


async def check(report: Report, store_url: str, arena: Arena, people: int) -> None:
    """Hold the facts in the store against what must be."""
    store = open_store(store_url)
    try:
        state, doubled, planned, results = Tournament(arena.tournament), 0, 0, 0
        for event in await store.tournaments.rows(arena.tournament, 0):
            before = {number for each in state.tables.values() for number in each.numbers}
            running, known = len(state.tables), set(state.tables)
            state.read(*event)
            new = [each for table, each in state.tables.items() if table not in known]
            seated = Counter(number for each in new for number in each.numbers)
            doubled += sum(count > 1 or number in before for number, count in seated.items())
            planned += len(new)
            results += running - len(known & set(state.tables)) if state.ended is None else 0
        (found,) = await store._select("select count(*) from tables")
        listed = {each.number: each for each in await store.tournaments.entrants(arena.tournament)}
    finally:
        await store.close()
    games = [len(each.scores) for each in state.entrants.values()]
    report.bar("entrants", len(state.entrants), len(state.entrants) == people, str(people))
    report.none_of("entrants who were never paired", sum(not each.met for each in state.entrants.values()))
    report.none_of("entrants at two tables at once", doubled)
    report.bar("tables in the store", found[0], found[0] == planned, f"the {planned} of all pairings")
    report.bar("games with a result", results, results == planned, f"all {planned}")
    report.bar("scores in the standings", sum(games), sum(games) == 2 * results, f"two for each of {results}")
    places = state.places()
    wrong = sum(listed[number].number != number for number in places)
    report.none_of("entrants without a place", wrong + sum(not place for place in places.values()))
    print(f"         games of one entrant: {min(games)} to {max(games)}; the end: {state.ended}")


def check_pairings(report: Report, nodes: ServerNodes) -> None:
    """How long pairings took, as the servers log it."""
    logged = [json.loads(line) for line in nodes.log().splitlines() if '"tables paired"' in line]
    took = sorted(float(each["ms"]) for each in logged)
    figure = f"p50 {percentile(took, 0.5):.0f} ms, p99 {percentile(took, 0.99):.0f} ms of {len(took)}"
    most = max(each["tables"] for each in logged)
    print(f"         tables of one pairing: up to {most}")
    report.bar("pairings", figure, percentile(took, 0.99) < MOST_P99_MS, f"p99 under {MOST_P99_MS:.0f} ms")


def check_answers(report: Report, arena: Arena, half: float, viewers: int) -> None:
    """How long commands took, without viewers and with them."""
    alone = sorted(took for at, took in arena.answers if at < half)
    watched = sorted(took for at, took in arena.answers if at >= half)
    for name, each in (("without viewers", alone), (f"with {viewers} viewers", watched)):
        if each:
            middle, worst = percentile(each, 0.5), percentile(each, 0.99)
            print(
                f"         {len(each)} answers {name}: p50 {1000 * middle:.0f} ms, p99 {1000 * worst:.0f} ms"
            )
    if viewers and alone and watched:
        slower = percentile(watched, 0.5) / percentile(alone, 0.5)
        report.bar("answers with viewers, median", f"{slower:.2f} times", slower <= MOST_SLOWER, "1.25 times")


# --- the run ---------------------------------------------------------------------------------------------


async def set_up(store_url: str, minutes: int) -> str:
    """A new arena, by the server itself; its id."""
    store = open_store(store_url)
    try:
        wanted = NewTournament(
            kind="arena",
            title="Simulated",
            game="ecard",
            rules="short",
            clock=Clock("decision", seconds=120),
            starts_in=0,
            minutes=minutes,
        )
        return (await Tournaments(store, Tables(store, Bus())).create(None, wanted)).id
    finally:
        await store.close()


async def run(stage: Stage, asked: argparse.Namespace) -> None:
    """One arena, from the first entry to the last check."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * _AT_ONCE))
    nodes = stage.nodes(2, **_WIDE)
    viewing = None
    try:
        arena = Arena(nodes, await set_up(stage.url, asked.minutes), asked.think, asked.picks)
        killing = asyncio.create_task(kill_one_after_the_other(nodes, asked.every))
        playing = asyncio.create_task(arena.play())
        begun = time.monotonic()
        await arena.enter(asked.people)
        print(f"  {asked.people} entered in {time.monotonic() - begun:.0f} s", flush=True)
        half = begun + 60 * asked.minutes / 2 + (time.monotonic() - begun) / 2
        await asyncio.wait((playing, killing), timeout=half - time.monotonic(), return_when=_FIRST)
        if asked.viewers:
            command = [sys.executable, __file__, "--view", arena.tournament, "--viewers", str(asked.viewers)]
            viewing = subprocess.Popen([*command, *arena.bases], stdout=subprocess.PIPE, text=True)
            half = time.monotonic()
        await asyncio.wait((playing, killing), return_when=_FIRST)
        if killing.done():
            killing.result()  # a server did not start again
        await playing
        killing.cancel()
        await asyncio.gather(killing, return_exceptions=True)
        seen = ""
        if viewing is not None and viewing.stdout is not None:
            viewing.terminate()
            seen = (viewing.stdout.read().splitlines() or [""])[-1]
        print(f"  viewers: {seen or 'none'}; refused on the way: {dict(arena.refused) or 'nothing'}")
        await check(stage.report, stage.url, arena, asked.people)
        check_pairings(stage.report, nodes)
        check_answers(stage.report, arena, half, asked.viewers)
    finally:
        if viewing is not None:
            viewing.kill()
        nodes.close()


def main() -> int:
    """Run one arena, or be the process of its viewers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=1000, help="how many play (1000)")
    parser.add_argument("--viewers", type=int, default=2000, help="how many follow the standings (2000)")
    parser.add_argument("--minutes", type=int, default=4, help="how long the arena lasts (4)")
    parser.add_argument("--think", type=float, default=3.0, help="seconds before a pick, on average (3)")
    parser.add_argument("--picks", type=int, default=4, help="after how many one of the two gives up (4)")
    parser.add_argument("--every", type=float, default=10.0, help="seconds from kill to kill (10)")
    parser.add_argument("--view", help=argparse.SUPPRESS)
    parser.add_argument("bases", nargs="*", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.view:
        asyncio.run(view(asked.bases, asked.view, asked.viewers))
        return 0
    print(json.dumps({"python": interpreter(), "cores": os.cpu_count(), "people": asked.people}))
    report = Report()
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        cluster = postgresql.Cluster(Path(folder) / "postgresql", fsync="on").make().start()
        postgresql.end_with(os.getpid(), cluster)
        try:
            asyncio.run(run(Stage(cluster, Path(folder), asked.people, report), asked))
        finally:
            cluster.stop()
    print("all bars hold" if not report.missed else f"missed: {', '.join(report.missed)}")
    return bool(report.missed)


if __name__ == "__main__":
    sys.exit(main())
