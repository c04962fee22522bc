"""Open data: the rated public games that people ended in one month, without anything that leads back to them.

A player has a pseudonym under a key that exists only while the month is read, so that two months have no
name in common; only people who chose so appear under their handle. A game has no time but its day, no seed,
no proof and no id of its table, and ratings are bands. Erased people's games are left out, and so are rules
that fewer than `LEAST` people played in the month: they would give these people away.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

from facedown.core.errors import Unreadable
from facedown.core.record import Record
from facedown.server.accounts.finished_games import fold, rated_people, standing_of
from facedown.server.clock import DAY_MS
from facedown.server.store.base import Store
from facedown.server.store.crowds import BANDS, LEAST
from facedown.server.store.profiles import Shows
from facedown.server.store.values import StoredRating
from facedown.server.table.facts import TableCreated, from_row
from facedown.server.table.record import read_record
from facedown.sim.ratings import PROVISIONAL_ERROR

_AT_ONCE: Final = 1000
_LIMITS: Final = (1400, 1600)
"""The points at which `BANDS` begin, after those of new players."""

Show: TypeAlias = Callable[[int, int], None]
"""Shows how many games are written, and of how many; of none while they are looked through."""


class OpenGame(NamedTuple):
    """A game as it is given away: the seats of the record are pseudonyms or handles."""

    record: Record
    day: str
    """The day (UTC) on which it ended."""
    bands: tuple[str, ...]
    """The band of each seat's rating before the game."""


class Month(NamedTuple):
    """A calendar month (UTC), from its first millisecond to the first one after it."""

    name: str
    begin: int
    end: int

    @classmethod
    def read(cls, text: str) -> Month:
        """A month as people write it.

        >>> Month.read("1970-02").begin // DAY_MS
        31
        """
        try:
            first = datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
            after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
        except ValueError:
            raise Unreadable(f"{text[:40]!r} is not a month such as 2026-10", text=text[:40]) from None
        begin, end = (int(each.timestamp()) * 1000 for each in (first, after))
        return cls(f"{first:%Y-%m}", begin, end)


class _FoundGame(NamedTuple):
    day: str
    id: str
    table: str
    people: tuple[str, ...]
    bands: tuple[str, ...]


async def open_games(
    store: Store, month: Month, show: Show = lambda done, of: None
) -> AsyncIterator[OpenGame]:
    """The games of a month by day, and in no order within a day."""
    names = _Names(store)
    rules = defaultdict[tuple[str, str], list[_FoundGame]](list)
    async for kind, found in _rated_games(store, month, names, show):
        rules[kind].append(found)
    wide = [games for games in rules.values() if _count_people(games) >= LEAST]
    chosen = sorted(found for games in wide for found in games)
    for number, each in enumerate(chosen, 1):
        record = read_record(each.table, await store.rows(each.table))
        assert record is not None, "it has ended"
        seats = tuple([await names.of(person) for person in each.people])
        yield OpenGame(replace(record, id=each.id, seats=seats), each.day, each.bands)
        show(number, len(chosen))


def _count_people(games: Iterable[_FoundGame]) -> int:
    return len({person for found in games for person in found.people})


async def _rated_games(
    store: Store, month: Month, names: _Names, show: Show
) -> AsyncIterator[tuple[tuple[str, str], _FoundGame]]:
    """The games of a month that may be given away, with their game and rules; all rated games are read from
    the first, because the ratings before each follow from those before it."""
    latest: dict[tuple[str, str], StoredRating] = {}
    after = seen = 0
    while games := await store.rated_games(after, _AT_ONCE):
        after = games[-1].number
        seen += len(games)
        show(seen, 0)
        rated = defaultdict[tuple[str, str, int], list[StoredRating]](list)
        for row in fold(games, latest):
            rated[row.game, row.person, row.at].append(row)
        for each in games:
            people = rated_people(each)
            if people is None:
                continue
            before = [latest.get((each.game, person)) for person in people]
            for person in people:
                latest[each.game, person] = rated[each.game, person, each.at].pop(0)
            if not month.begin <= each.at < month.end or not await names.know(people):
                continue
            if await _was_public(store, each.table):
                day = f"{datetime.fromtimestamp(each.at // DAY_MS * DAY_MS // 1000, UTC):%Y-%m-%d}"
                bands = tuple(map(_band, before))
                found = _FoundGame(day, names.pseudonym("game", each.table), each.table, people, bands)
                yield (each.game, each.rules), found


def _band(rating: StoredRating | None) -> str:
    if rating is None or (standing := standing_of(rating)).error > PROVISIONAL_ERROR:
        return BANDS[0]
    return BANDS[1 + sum(standing.points >= limit for limit in _LIMITS)]


async def _was_public(store: Store, table: str) -> bool:
    """Whether anyone could find and watch the game: at a public table, or at one of paired people."""
    created = from_row((await store.rows(table))[0]).fact
    assert isinstance(created, TableCreated)
    is_paired = created.seating > 0 and not created.challenge
    return created.watch == "anyone" and (created.public or is_paired)


class _Names:
    """What people are called in one month."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = secrets.token_bytes(32)
        self._known: dict[str, str | None] = {}
        """By person; None for an erased one."""

    def pseudonym(self, kind: str, of: str) -> str:
        """A name of its own for each person and game; nothing but the key leads back from it."""
        digest = hmac.digest(self._key, f"{kind}/{of}".encode(), hashlib.sha256)
        return f"~{base64.b32encode(digest[:10]).decode().lower()}"  # no handle has a tilde

    async def know(self, people: Iterable[str]) -> bool:
        """Whether all of these people still exist."""
        return all([await self._find(each) is not None for each in people])

    async def of(self, person: str) -> str:
        return await self._find(person) or self.pseudonym("person", person)

    async def _find(self, person: str) -> str | None:
        if person not in self._known:
            page = await self._store.profiles.page(person)
            if page is not None and page.has(Shows.DATASET):
                self._known[person] = page.handle
            else:
                exists = await self._store.person(person) is not None
                self._known[person] = self.pseudonym("person", person) if exists else None
        return self._known[person]
