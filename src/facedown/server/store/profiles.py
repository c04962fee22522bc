"""Public pages of people: which parts of a page its owner shows.

The statements are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Final, NamedTuple

from facedown.server.store.accounts import Run, RunAll
from facedown.server.store.standings import RELIST

_PAGE: Final = "select person, handle, kept_at, shows from accounts where"


class Shows(IntFlag):
    """The parts of a page that others may see; without PAGE there is none, and no place in a list."""

    PAGE = 1
    RATING = 2
    RESULTS = 4
    RIVALS = 8
    GAMES = 16


class StoredPage(NamedTuple):
    """The page of a kept account."""

    person: str
    handle: str
    kept_at: int
    shows: int

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts that others may see."""
        return tuple(str(part.name).lower() for part in Shows if part & self.shows)

    def has(self, part: Shows) -> bool:
        """Whether others see this part."""
        return not ~self.shows & (Shows.PAGE | part)


class ProfileRows:
    """The pages of one store."""

    def __init__(self, select: Run, execute_all: RunAll) -> None:
        self._select = select
        self._execute_all = execute_all

    async def page(self, person: str) -> StoredPage | None:
        """The page of a person, whatever it shows; None for a guest."""
        found = await self._select(f"{_PAGE} person = $1", person)
        return StoredPage(*found[0]) if found else None

    async def by_handle(self, handle: str) -> StoredPage | None:
        found = await self._select(f"{_PAGE} handle = $1", handle)
        return StoredPage(*found[0]) if found else None

    async def show(self, person: str, parts: Shows) -> None:
        """Change what others see of a person, in the lists too."""
        await self._execute_all(
            ("update accounts set shows = $2 where person = $1", (person, int(parts))), (RELIST, (person,))
        )
