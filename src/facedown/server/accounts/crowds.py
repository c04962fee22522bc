"""What people picked in finished games, counted by position: the fold, and what may be read of it.

Counted are picks that people made themselves, each on their own device, where they had a choice: none of a
machine or the clock, and none that a continued game has taken over from another one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Final

from facedown.server.accounts.finished_games import FoldedGames
from facedown.server.store.base import Store
from facedown.server.store.crowds import NO_CROWD, SeatPick, ShownCrowd, UncountedGame
from facedown.server.store.failures import StoreFailed
from facedown.server.table.record import people_picks
from facedown.server.table.summary import details_of
from facedown.study.explore import explorer_of

_FRESH_S: Final = 60.0
_MOST_READ: Final = 2000
_PAUSE: Final = 25
"""After each game, times as long as it took: picks go first, however many games wait to be counted."""
_AT_ONCE: Final = 20
"""Games that are read before others get a turn: each is read whole."""


class CountedGames(FoldedGames):
    """Counts the picks of finished games in the background: no pick and no result waits for it."""

    name = "people's picks"

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._read: OrderedDict[tuple[str, ...], tuple[float, ShownCrowd]] = OrderedDict()

    async def at(self, game: str, rules: str, position: str, band: str) -> ShownCrowd:
        """What people picked in a position, by its key, of a band (empty: of all); up to a minute old."""
        key, at = (game, rules, position, band), time.monotonic()
        read_at, found = self._read.get(key, (0.0, NO_CROWD))
        if not read_at or at - read_at > _FRESH_S:
            found = await self._store.crowds.at(*key)
            self._read[key] = at, found
            self._read.move_to_end(key)
            if len(self._read) > _MOST_READ:
                self._read.popitem(last=False)
        return found

    async def fold_some(self, limit: int) -> int:
        counted = 0
        for each in await self._store.crowds.uncounted(min(limit, _AT_ONCE)):
            began = time.monotonic()
            with suppress(StoreFailed):  # the cluster of its table is away: others are counted
                await self._store.crowds.count(each, await self._picks(each))
                counted += 1
            await asyncio.sleep(_PAUSE * (time.monotonic() - began))
        return counted

    async def _picks(self, ended: UncountedGame) -> list[SeatPick]:
        explorer = explorer_of(ended.game)
        if explorer is None or not _counts(ended):
            return []
        rows = await self._store.rows(ended.table)
        try:
            return await asyncio.to_thread(people_picks, ended.table, rows, explorer)
        except Exception as error:  # another version of a game may have written it: it must stop nothing else
            self._log.warning("a game's picks cannot be counted", table=ended.table, error=str(error))
            return []


def _counts(ended: UncountedGame) -> bool:
    about = details_of(ended.about)
    return about.result is not None and not (about.hotseat or about.continued or about.one_device)
