"""What people picked in finished games, counted by position: the fold, and what may be read of it.

Counted are picks that people made themselves, each on their own device, where they had a choice: none of a
machine or the clock, and none that a continued game has taken over from another one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

from facedown.core.chain import PERSON
from facedown.core.parts.explorer import Explorer
from facedown.core.seats import Seat
from facedown.server.accounts.finished_games import FoldedGames
from facedown.server.store.base import Store
from facedown.server.store.crowds import NO_CROWD, SeatPick, ShownCrowd, UncountedGame
from facedown.server.store.values import EventRow
from facedown.server.table.facts import (
    PickOpened,
    PickSealed,
    PickSecret,
    PicksRevealed,
    SeatResigned,
    from_row,
)
from facedown.server.table.state import TableState
from facedown.server.table.summary import details_of
from facedown.study.explore import explorer_of

_FRESH_S: Final = 60.0
_MOST_READ: Final = 2000
_PAUSE_S: Final = 0.02
"""After each game, which takes about 4 ms: picks go first, however many games wait to be counted."""
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
        games = await self._store.crowds.uncounted(min(limit, _AT_ONCE))
        for each in games:
            await self._store.crowds.count(each, await self._picks(each))
            await asyncio.sleep(_PAUSE_S)
        return len(games)

    async def _picks(self, ended: UncountedGame) -> list[SeatPick]:
        explorer = explorer_of(ended.game)
        if explorer is None or not _counts(ended):
            return []
        rows = await self._store.rows(ended.table)
        try:
            return await asyncio.to_thread(lambda: list(people_picks(ended.table, rows, explorer)))
        except Exception as error:  # another version of a game may have written it: it must stop nothing else
            self._log.warning("a game's picks cannot be counted", table=ended.table, error=str(error))
            return []


def _counts(ended: UncountedGame) -> bool:
    about = details_of(ended.about)
    return about.result is not None and not (about.hotseat or about.continued or about.one_device)


def people_picks(table: str, rows: Iterable[EventRow], explorer: Explorer) -> Iterator[SeatPick]:
    """The picks of a game that people made where they had a choice, with the keys of their positions."""
    state, sealed = TableState(table), dict[Seat, tuple[str, int] | None]()
    picks: dict[Seat, str] = {}
    for entry in map(from_row, rows):
        fact = entry.fact
        if isinstance(fact, PickSealed) and fact.placer == PERSON:
            sealed[fact.seat] = explorer.place_of_seat(state.match.state, fact.seat)
        if isinstance(fact, PickSealed | PickOpened) and isinstance(entry.secret, PickSecret):
            picks[fact.seat] = str(entry.secret.pick)
        state.apply(entry)
        if isinstance(fact, PicksRevealed):
            for seat, place in sorted(sealed.items()):
                if place is not None and seat in picks:
                    yield SeatPick(seat, *place, picks[seat])
        if isinstance(fact, PicksRevealed | SeatResigned):
            sealed.clear()
            picks.clear()
