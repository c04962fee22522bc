"""A crowd of machines that fills a place, to test it.   python bench/crowd.py [ADDRESS] [--people N]

Each signs in as a guest whose name says that it is simulated, looks for someone to play (as *Play anyone*
does), makes random legal picks after a moment, chats now and then, leaves some games in the middle, and looks
again. Without an address it starts a server with wide limits on a temporary folder; a server at an address
has its own limits, and what it refuses is counted and tried again later. Aim it at servers of your own only.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from facedown.client import RestClient, SeatKey, ServerTable
from facedown.client.rest import pair
from facedown.core.errors import FacedownError
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import NewTicket
from tests.server.running import Server

WANTED: Final = NewTicket("ecard", clock=Clock("decision", seconds=30), rules="short")
CHATS: Final = ("hello", "well_played", "thanks")
PER_CHAT: Final = 20
"""Picks for each chat message, on average."""
PER_LEAVE: Final = 60
"""Picks for each game that is left in the middle, on average."""
REST_S: Final = 2.0
PATIENCE_S: Final = 5.0
"""How long a thread waits for an opponent: it cannot be interrupted."""


@dataclass
class Figures:
    """What the crowd did, and how long it waited."""

    did: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    found_s: list[float] = field(default_factory=list)
    pick_s: list[float] = field(default_factory=list)

    def print(self, people: int, seconds: float) -> None:
        did = self.did
        print(f"{people} machines as people for {seconds:.0f} s: {did['signed in']} guests in all")
        print(f"games: {did['begun']} seats taken, {did['finished']} played to the end, {did['left']} left")
        print(f"looking for an opponent: {_spread(self.found_s)}")
        print(f"picks: {len(self.pick_s)}, {len(self.pick_s) / seconds:.1f} a second; {_spread(self.pick_s)}")
        print(f"chat messages: {did['said']}")
        print(f"refused: {', '.join(f'{count} {code}' for code, count in self.refused.items()) or 'nothing'}")


def _spread(found: list[float]) -> str:
    if len(found) < 2:
        return "too few to say"
    return f"median {1000 * median(found):,.0f} ms, p99 {1000 * quantiles(found, n=100)[98]:,.0f} ms"


class Machine:
    """One of the crowd."""

    def __init__(self, address: str, number: int, think_s: float, figures: Figures) -> None:
        self._address = address
        self._name = f"Simulated {number}"
        self._think_s = think_s
        self._figures = figures
        self._source = random.Random(number)
        self._client: RestClient | None = None

    async def run(self) -> None:
        """Play one game after the other, until it is cancelled."""
        while True:
            try:
                await self._play_one()
            except FacedownError as error:
                self._figures.refused[getattr(error, "name", error.code)] += 1
                if getattr(error, "name", "") == "pairing_paused":
                    self._client = None  # someone else comes
                await asyncio.sleep(REST_S * (0.5 + self._source.random()))

    async def _play_one(self) -> None:
        if self._client is None:
            client = RestClient(self._address)
            await asyncio.to_thread(client.sign_in, self._name)
            self._client = client
            self._figures.did["signed in"] += 1
        began, key = time.perf_counter(), None
        while key is None:
            key = await asyncio.to_thread(pair, self._client, WANTED, PATIENCE_S)
        self._figures.found_s.append(time.perf_counter() - began)
        self._figures.did["begun"] += 1
        await self._play(self._client, key)

    async def _play(self, client: RestClient, key: SeatKey) -> None:
        table, source, figures = ServerTable(client, key.table, key), self._source, self._figures
        try:
            await table.open()
            async for turn in table.turns():
                await asyncio.sleep(self._think_s * (0.5 + source.random()))
                if source.random() * PER_LEAVE < 1:
                    await table.leave()
                    figures.did["left"] += 1
                    return
                if source.random() * PER_CHAT < 1:
                    await table.say_preset(source.choice(CHATS))
                    figures.did["said"] += 1
                sent = time.perf_counter()
                await table.seal(source.choice(turn.legal), turn.decision)
                figures.pick_s.append(time.perf_counter() - sent)
            figures.did["finished"] += table.outcome is not None
        finally:
            await table.close()


async def fill(address: str, people: int, seconds: float, think_s: float) -> None:
    """Let a crowd play for some time, and print the figures."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * people + 4))
    figures = Figures()
    crowd = [Machine(address, number, think_s, figures).run() for number in range(1, people + 1)]
    tasks = [asyncio.create_task(each) for each in crowd]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    figures.print(people, seconds)


def main() -> None:
    """Fill a server at an address, or one of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("   ")[0])
    parser.add_argument("address", nargs="?", help="a server of your own (default: a new one)")
    parser.add_argument("--people", type=int, default=20, help="how many play at once (20)")
    parser.add_argument("--seconds", type=float, default=30, help="how long (30)")
    parser.add_argument("--think", type=float, default=0.5, help="seconds before a pick, on average (0.5)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = None if asked.address else Server(Path(folder) / "data").start()
        try:
            address = asked.address or (server.base if server else "")
            asyncio.run(fill(address, asked.people, asked.seconds, asked.think))
        finally:
            if server is not None:
                with suppress(ProcessLookupError):
                    server.stop()


if __name__ == "__main__":
    main()
