"""Minds of the day: how many of ten chips each person laid on the first of two picks.

The statements are the same for SQLite and PostgreSQL. A day that is over is settled once: its counts are a
value of the store (`settled_name`), so that no erased person changes the results of others.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from facedown.server.store.values import Rows

_SEAL: Final = """insert into minds (day, person, seat, chips)
    select cast($1 as text), cast($2 as text), cast($3 as int), cast($4 as int)
    where exists (select 1 from people where id = $2) and not exists (select 1 from notes where name = $5)
    on conflict (day, person) do update set chips = excluded.chips
    returning seat"""
_SEALS: Final = "select day, seat, chips from minds where person = $1 and day >= $2 order by day"
_PEOPLE: Final = "select count(*) from minds where day = $1"
_COUNTS: Final = "select seat, chips, count(*) from minds where day = $1 group by seat, chips"


class StoredMind(NamedTuple):
    """What a person sealed on a day."""

    day: str
    seat: int
    chips: int


def settled_name(day: str) -> str:
    """The name of the value that holds the settled crowd of a day."""
    return f"mind {day}"


class MindRows(Rows):
    """The minds of one store."""

    async def seal(self, day: str, person: str, seat: int, chips: int) -> bool:
        """Seal a person's chips, or change them on the same seat; whether the day was open for that."""
        return bool(await self._execute(_SEAL, day, person, seat, chips, settled_name(day)))

    async def seals(self, person: str, since: str = "") -> list[StoredMind]:
        """What a person sealed since a day, oldest first."""
        return [StoredMind(*found) for found in await self._select(_SEALS, person, since)]

    async def people(self, day: str) -> int:
        """How many people have sealed on a day."""
        ((count,),) = await self._select(_PEOPLE, day)
        return int(count)

    async def counts(self, day: str) -> dict[tuple[int, int], int]:
        """The number of people, by seat and by the chips they laid."""
        return {(seat, chips): count for seat, chips, count in await self._select(_COUNTS, day)}
