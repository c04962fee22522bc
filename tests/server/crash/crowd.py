"""Tables of two programs each that never stop playing, and what is compared with the server afterwards."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

from facedown.client import ServerLost, ServerRefused
from tests.patience import PATIENCE
from tests.server.kept import kept_by
from tests.server.programs import Ledger, SocketPlayer, ask, set_table
from tests.server.running import Server

TABLES = 5


class Crowd:
    """Plays until it is stopped; after each game it goes on at a new table."""

    def __init__(
        self,
        server: Server,
        tables: int = TABLES,
        player: type[SocketPlayer] = SocketPlayer,
        **order: Any,
    ) -> None:
        self.server = server
        self._player = player
        self._order = order
        self.ledger = Ledger()
        self.tables: list[str] = []
        self._many = tables
        self._tasks: list[asyncio.Task[None]] = []
        self._playing: list[SocketPlayer] = []
        self.all: list[SocketPlayer] = []
        self.stopping = False

    async def come(self) -> None:
        """All sit down and play."""
        self._tasks = [asyncio.create_task(self._pair(number)) for number in range(self._many)]
        while len(self.ledger.acked) < self._many * 2:
            self._raise_failures()
            await asyncio.sleep(0.05)

    async def _pair(self, number: int) -> None:
        game = 0
        while not self.stopping:
            game += 1
            try:
                chairs = await set_table(self.server.base, "ecard", 2, "classic", **self._order)
            except ServerLost:  # the server is down at this moment
                await asyncio.sleep(0.1)
                continue
            except ServerRefused as refused:
                if refused.name != "store_failed":
                    raise
                self.ledger.refused += 1
                await asyncio.sleep(0.1)  # its disk is full at this moment
                continue
            self.tables.append(chairs[0].table)
            players = [
                self._player(chair, self.ledger, random.Random(f"{number} {game} {chair.seat}"))
                for chair in chairs
            ]
            self._playing.extend(players)
            self.all.extend(players)
            await asyncio.gather(*(player.play() for player in players))
            for player in players:
                self._playing.remove(player)

    def _raise_failures(self) -> None:
        for task in self._tasks:
            if task.done() and (error := task.exception()):
                raise error

    async def play_on(self, picks: int, seconds: float = PATIENCE) -> None:
        """Wait until this many more picks are acknowledged."""
        goal = len(self.ledger.acked) + picks
        for _ in range(int(seconds / 0.02)):
            self._raise_failures()
            if len(self.ledger.acked) >= goal:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"stuck: {goal - len(self.ledger.acked)} picks are missing")

    async def is_refused(self, times: int) -> None:
        """Wait until this many more commands were refused because nothing can be saved."""
        goal = self.ledger.refused + times
        for _ in range(int(PATIENCE / 0.02)):
            self._raise_failures()
            if self.ledger.refused >= goal:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("nothing is refused")

    async def everybody_goes_on(self, seconds: float = PATIENCE) -> None:
        """Until every table that was being played has had something acknowledged from now on."""
        missing = {player.chair.table for player in self._playing if not player.over}
        before = len(self.ledger.acked)
        for _ in range(int(seconds / 0.02)):
            self._raise_failures()
            missing -= {table for table, *_ in self.ledger.acked[before:]}
            missing &= {player.chair.table for player in self._playing if not player.over}
            if not missing:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{len(missing)} tables are stuck")

    async def go(self) -> None:
        """All stop where they are."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def check_store(server: Server) -> None:
    """What is kept is sound."""
    assert kept_by(server).problems() == []


def hold_against(server: Server, ledger: Ledger) -> int:
    """Every acknowledged pick is there, once, at the place that was acknowledged; how many there are."""
    by_table: dict[str, list[tuple[int, int, str]]] = {}
    for table, seat, v, commit in ledger.acked:
        by_table.setdefault(table, []).append((seat, v, commit))
    for table, acked in by_table.items():
        events = ask(server.base, "GET", f"/tables/{table}/events?after=0")["events"]
        assert [event["v"] for event in events] == list(range(1, len(events) + 1))
        sealed = {event["v"]: (event["seat"], event["commit"]) for event in events if event["k"] == "sealed"}
        for seat, v, commit in acked:
            assert sealed.get(v) == (seat, commit), f"an acknowledged pick of table {table} is lost"
        per_decision = Counter(
            (event["decision"], event["seat"]) for event in events if event["k"] == "sealed"
        )
        assert set(per_decision.values()) <= {1}, f"a pick of table {table} was applied twice"
    return len(ledger.acked)
