"""Exhibition games of a demo: characters of the house play each other at public tables, and in an arena."""

from __future__ import annotations

import asyncio
import random
from itertools import cycle
from typing import Final

from facedown.bots.house import house_of
from facedown.core import registry
from facedown.protocol.errors import BrokenTable, UnknownTable
from facedown.protocol.messages import Clock
from facedown.protocol.rest import MachineSeat, TableOrder
from facedown.protocol.tournaments import NewTournament
from facedown.server.ops.logs import get_log
from facedown.server.store.failures import survive
from facedown.server.table.tables import Tables
from facedown.server.tournaments.service import Tournaments

TABLES: Final = 3
_MOST_SEATS: Final = 4
_EVERY_S: Final = 5.0


class Exhibition:
    """Keeps a few games of machines and an arena going; a new one begins soon after one is over."""

    def __init__(self, tables: Tables, tournaments: Tournaments | None) -> None:
        self._tables = tables
        self._tournaments = tournaments
        self._playing: list[str] = []
        self._games = cycle([game for game in registry.names() if len(house_of(game)) >= _MOST_SEATS])
        self._task: asyncio.Task[None] | None = None
        self._log = get_log(__name__)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="exhibition")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            with survive(self._log, "exhibition"):
                await self.fill()
            await asyncio.sleep(_EVERY_S)

    async def fill(self) -> None:
        """Begin as many games as are missing."""
        self._playing = [table for table in self._playing if await self._is_played(table)]
        while len(self._playing) < TABLES:
            self._playing.append((await self._tables.create(_order(next(self._games)), "")).id)
        if self._tournaments is not None:
            listed = await self._tournaments.listed(0)
            if not (listed.running or listed.open):
                await self._tournaments.create(None, _arena(next(self._games)))

    async def _is_played(self, table: str) -> bool:
        try:
            return (await self._tables.get(table)).phase not in ("over", "closed")
        except (BrokenTable, UnknownTable):
            return False


def _order(game: str) -> TableOrder:
    """A public table of different characters."""
    seats = min(registry.get(game).meta.most_seats, _MOST_SEATS)
    return TableOrder(game, tuple(map(MachineSeat, random.sample(_characters(game), seats))), public=True)


def _arena(game: str) -> NewTournament:
    """An arena of the whole house, which people may enter."""
    title, machines = str(registry.get(game).meta.title), tuple(_characters(game))
    return NewTournament("arena", title, game, Clock("decision"), starts_in=0, machines=machines)


def _characters(game: str) -> list[str]:
    return [each.bot.name for each in house_of(game)]
