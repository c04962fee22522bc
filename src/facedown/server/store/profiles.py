"""People's pages: what their owners show, and counts of their games by rules, by side and by opponent.

The counts are folded from finished games as these are noted. The statements are the same for SQLite and
PostgreSQL.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import IntFlag
from typing import Final, NamedTuple

from facedown.server.store.standings import FRIENDS, RELIST, RankedPerson, among_themselves
from facedown.server.store.steps import places
from facedown.server.store.values import Outcome, PlayedSeat, Rows

_PAGE: Final = "select person, handle, kept_at, shows from accounts where"
COURSE: Final = 40
"""How many of the last games between two people are known one by one."""
MOST_RIVALS: Final = 20
"""How many opponents a page lists."""
MOST_RULES: Final = 200
"""How many rules of a person's games, by side, a page counts."""
_COUNT_RESULT: Final = """insert into results (person, game, rules, side, won, tied, lost)
    select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as int), cast($5 as int),
        cast($6 as int), cast($7 as int)
    where exists (select 1 from people where id = $1)
    on conflict (person, game, rules, side) do update set won = results.won + excluded.won,
        tied = results.tied + excluded.tied, lost = results.lost + excluded.lost"""
_COUNT_RIVAL: Final = f"""insert into rivals (person, other, games, won, tied, lost, at, course)
    select cast($1 as text), cast($2 as text), cast($3 as int), cast($4 as int), cast($5 as int),
        cast($6 as int), cast($7 as bigint), cast($8 as text)
    where exists (select 1 from people where id = $1) and exists (select 1 from people where id = $2)
    on conflict (person, other) do update set games = rivals.games + excluded.games,
        won = rivals.won + excluded.won, tied = rivals.tied + excluded.tied,
        lost = rivals.lost + excluded.lost, at = excluded.at,
        course = case when length(rivals.course || excluded.course) <= {COURSE}
            then rivals.course || excluded.course
            else substr(rivals.course || excluded.course,
                length(rivals.course || excluded.course) - {COURSE - 1}) end"""
_RESULTS: Final = """select game, rules, side, won, tied, lost from results where person = $1
    order by won + tied + lost desc, game, rules, side limit $2"""
_RIVALS: Final = """select rivals.other, people.name, accounts.handle, coalesce(accounts.shows, 0),
        games, won, tied, lost, at, course
    from rivals join people on people.id = rivals.other
    left join accounts on accounts.person = rivals.other
    where rivals.person = $1"""
_FIND: Final = """select handle from accounts where shows & 1 = 1
    and folded >= $1 and folded < $2 and folded <> $3 order by folded limit $4"""
_LAST_LETTER: Final = "\U0010ffff"
_HANDLES: Final = """select table_id, seat, handle from seats
    join accounts on accounts.person = seats.person where shows & 17 = 17 and table_id in"""
"""17 is PAGE and GAMES."""
_NAMES: Final = """select table_id, seat, name from seats join people on people.id = seats.person
    where not exists (select 1 from seats o where o.table_id = seats.table_id
        and o.person = seats.person and o.seat <> seats.seat) and table_id in"""
"""Without the seats of guests on a person's device, who have names of their own."""


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


class StoredResult(NamedTuple):
    """How a person's games with these rules came out; `side` as in `PlayedSeat`."""

    game: str
    rules: str
    side: int
    won: int
    tied: int
    lost: int


class StoredRival(NamedTuple):
    """How a person's games against another one came out, and one letter for each of the last: w, t or l."""

    person: str
    name: str
    handle: str | None
    shows: int
    games: int
    won: int
    tied: int
    lost: int
    at: int
    course: str


class ProfileRows(Rows):
    """The pages of one store."""

    async def page(self, person: str) -> StoredPage | None:
        """The page of a person, whatever it shows; None for a guest."""
        found = await self._select(f"{_PAGE} person = $1", person)
        return StoredPage(*found[0]) if found else None

    async def by_handle(self, folded: str) -> StoredPage | None:
        found = await self._select(f"{_PAGE} folded = $1", folded)
        return StoredPage(*found[0]) if found else None

    async def show(self, person: str, parts: Shows) -> None:
        """Change what others see of a person, in the lists too."""
        await self._execute_all(
            ("update accounts set shows = $2 where person = $1", (person, int(parts))), (RELIST, (person,))
        )

    async def results(self, person: str, limit: int = MOST_RULES) -> list[StoredResult]:
        """How a person's games came out, by rules and side, those played most first."""
        return [StoredResult(*found) for found in await self._select(_RESULTS, person, limit)]

    async def rivals(self, person: str, limit: int = MOST_RIVALS) -> list[StoredRival]:
        """The people against whom a person has played most."""
        found = await self._select(f"{_RIVALS} order by games desc, at desc limit $2", person, limit)
        return [StoredRival(*each) for each in found]

    async def find(self, start: str, after: str, limit: int) -> list[str]:
        """Handles that begin with this text and have a page, in order, after the last one found."""
        found = await self._select(_FIND, max(start, after), start + _LAST_LETTER, after, limit)
        return [handle for (handle,) in found]

    async def handles_at(self, tables: Sequence[str]) -> dict[tuple[str, int], str]:
        """The handles of people who show their games, by table and seat."""
        return await self._by_seat(_HANDLES, tables)

    async def names_at(self, tables: Sequence[str]) -> dict[tuple[str, int], str]:
        """What people are called now, by table and seat; they may have had other names at the table."""
        return await self._by_seat(_NAMES, tables)

    async def _by_seat(self, query: str, tables: Sequence[str]) -> dict[tuple[str, int], str]:
        if not tables:
            return {}
        found = await self._select(f"{query} ({places(tables)})", *tables)
        return {(table, seat): name for table, seat, name in found}

    async def friends_standings(self, game: str, person: str, limit: int = 50) -> list[RankedPerson]:
        """The listed people whom a person follows, and the person, ranked among each other."""
        return among_themselves(await self._select(FRIENDS, game, person, limit))


# --- counting --------------------------------------------------------------------------------------------


def count_statements(played: Sequence[PlayedSeat]) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Statements that add these games to the counts, each with its rows in an order that all servers keep."""
    results: defaultdict[tuple[str, str, str, int], list[Outcome]] = defaultdict(list)
    rivals: defaultdict[tuple[str, str], list[tuple[int, Outcome]]] = defaultdict(list)
    for each in played:
        if each.outcome == "continued":
            continue
        results[each.person, each.game, each.rules, each.side].append(each.outcome)
        for other, outcome in each.against:
            rivals[each.person, other].append((each.at, outcome))
    yield _COUNT_RESULT, [(*key, *_counts(outcomes)) for key, outcomes in sorted(results.items())]
    yield _COUNT_RIVAL, [_rival_row(pair, sorted(games)) for pair, games in sorted(rivals.items())]


def _rival_row(pair: tuple[str, str], games: Sequence[tuple[int, Outcome]]) -> tuple[object, ...]:
    outcomes = [outcome for _, outcome in games]
    course = "".join(each[0] for each in outcomes)[-COURSE:]
    return (*pair, len(games), *_counts(outcomes), games[-1][0], course)


def _counts(outcomes: Sequence[Outcome]) -> tuple[int, int, int]:
    return outcomes.count("won"), outcomes.count("tied"), outcomes.count("lost")
