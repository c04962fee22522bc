"""Standings: one row for each person and game, written by the fold of ratings, and ranks from it.

The schema counts the listed people at every number of points (`levels`, by triggers), so that a rank adds up
some hundred rows and not a million.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from facedown.server.store.steps import places
from facedown.server.store.values import MetPair, Rows, WinsOverNewcomers
from facedown.sim.ratings import PROVISIONAL_ERROR

STAND: Final = """insert into standings (game, person, points, error, games, at, listed)
    values ($1, $2, $3, $4, $5, $6,
        case when $7 = 1 and exists (select 1 from accounts where accounts.person = $2 and shows & 3 = 3)
            then 1 else 0 end)
    on conflict (game, person) do update set points = excluded.points, error = excluded.error,
        games = excluded.games, at = excluded.at, listed = excluded.listed"""
RELIST: Final = f"""update standings set listed = case when error <= {PROVISIONAL_ERROR} and exists
    (select 1 from accounts where accounts.person = $1 and shows & 3 = 3) then 1 else 0 end
    where person = $1"""
"""After a person has kept an account, or shows other parts of the page than before."""
_RANK: Final = """(select coalesce(sum(people), 0) + 1 from levels
    where levels.game = standings.game and levels.points > standings.points)"""
_ROW: Final = """select standings.person, handle, (select levels.people from levels
        where levels.game = standings.game and levels.points = standings.points) as people,
    standings.points, error, games from standings join accounts on accounts.person = standings.person
    where standings.game = $1 and listed = 1"""
TOP: Final = f"{_ROW} order by standings.points desc, standings.person desc limit $2"
AROUND: Final = f"""select above.*, 0 as ahead from ({_ROW} and standings.points > $2
        order by standings.points, standings.person limit $4) as above
    union all select own.*, (select coalesce(sum(people), 0) from levels where game = $1 and points > $2)
        from ({_ROW} and standings.person = $3) as own
    union all select below.*, 0 from ({_ROW} and standings.points <= $2 and standings.person <> $3
        order by standings.points desc, standings.person desc limit $4) as below"""
"""A person with these points, how many people are ahead of them, and their neighbours in the list."""
FRIENDS: Final = f"""{_ROW} and (standings.person = $2 or standings.person in
        (select other from relations where relations.person = $2 and kind = 'follow'))
    order by standings.points desc, standings.person desc limit $3"""
OWN: Final = f"""select game, points, error, games, at, listed, {_RANK} from standings
    where person = $1 order by game"""
_MET_PAIRS: Final = """with games as (
        select min(person) as one, max(person) as other,
            max(case when outcome = 'won' then person end) as winner
        from played where at > $1 and outcome in ('won', 'lost')
        group by table_id having count(*) = 2 and count(distinct outcome) = 2),
    pairs as (
        select one, other, count(*) as games, sum(case when winner = one then 1 else 0 end) as wins
        from games group by one, other having count(*) >= $2),
    totals as (
        select person, count(*) as games, sum(won) as wins from (
            select one as person, case when winner = one then 1 else 0 end as won from games
            union all select other, case when winner = other then 1 else 0 end from games) as seats
        group by person)
    select pairs.one, a.name, pairs.other, b.name, pairs.games, pairs.wins,
        of_one.games, of_one.wins, of_other.games, of_other.wins
    from pairs join totals of_one on of_one.person = pairs.one
        join totals of_other on of_other.person = pairs.other
        join people a on a.id = pairs.one join people b on b.id = pairs.other"""
_WINS_OVER_NEWCOMERS: Final = """with games as (
        select game, max(case when outcome = 'won' then person end) as winner,
            max(case when outcome = 'lost' then person end) as loser
        from played where at > $1 and outcome in ('won', 'lost')
        group by table_id, game having count(*) = 2 and count(distinct outcome) = 2)
    select winner, name, count(*) as wins, sum(case when coalesce(theirs.games, 0) < $3 then 1 else 0 end)
    from games join people on people.id = winner
        join standings own on own.game = games.game and own.person = winner
        left join standings theirs on theirs.game = games.game and theirs.person = loser
    group by winner, name having count(*) >= $2"""
_ALL: Final = "select game, person, points, error, games, at, listed from standings"
EACH_WAY: Final = 5
"""How many people above and below a person are shown."""
LISTED: Final = "select coalesce(sum(people), 0) from levels where game = $1"


class StoredStanding(NamedTuple):
    """Where a person stands in a game; `listed` if enough is known for a place in the list."""

    game: str
    person: str
    points: int
    error: int
    games: int
    at: int
    listed: int


class RankedPerson(NamedTuple):
    """A listed person with the rank, which people with the same points share."""

    person: str
    handle: str
    rank: int
    points: int
    error: int
    games: int


def with_ranks(rows: Sequence[Any], ahead: int) -> list[RankedPerson]:
    """Neighbours in the list with their ranks; each row has the number of people with its points, and this
    many people are ahead of the first."""
    ranked: list[RankedPerson] = []
    rank, level = ahead + 1, 0
    for person, handle, people, points, error, games in rows:
        if ranked and ranked[-1].points != points:
            rank += level
        level = people
        ranked.append(RankedPerson(person, handle, rank, points, error, games))
    return ranked


def among_themselves(rows: Sequence[Any]) -> list[RankedPerson]:
    """Some people of the list, most points first, with their ranks among each other."""
    points = [row[3] for row in rows]
    return [
        RankedPerson(person, handle, 1 + points.index(own), own, error, games)
        for person, handle, _, own, error, games in rows
    ]


def neighbours(rows: Sequence[Any], person: str, points: int) -> list[RankedPerson]:
    """The rows of `AROUND` in the order of the list, with their ranks."""
    found = sorted(rows, key=lambda row: row[0], reverse=True)
    found.sort(key=lambda row: (-row[3], row[0] != person))
    above = {row[3]: row[2] for row in found if row[3] > points}
    return with_ranks([row[:6] for row in found], sum(row[6] for row in found) - sum(above.values()))


class OwnStanding(NamedTuple):
    """A person's own standing in a game; the rank counts only if the person is listed."""

    game: str
    points: int
    error: int
    games: int
    at: int
    listed: int
    rank: int


class LadderRows(Rows):
    """The standings of one store, and who met whom."""

    async def top(self, game: str, limit: int = 50) -> list[RankedPerson]:
        """The people with the most points."""
        return with_ranks(await self._select(TOP, game, limit), 0)

    async def around(self, game: str, person: str, points: int) -> list[RankedPerson]:
        """A listed person with these points, and the nearest others above and below; most points first."""
        rows = await self._select(AROUND, game, points, person, EACH_WAY)
        return neighbours(rows, person, points)

    async def own_standings(self, person: str) -> list[OwnStanding]:
        """Where a person stands, by game."""
        return [OwnStanding(*fields) for fields in await self._select(OWN, person)]

    async def people_listed(self, game: str) -> int:
        """How many people have a place in the list of a game."""
        return int((await self._select(LISTED, game))[0][0])

    async def of_players(self, game: str, players: Sequence[str]) -> list[StoredStanding]:
        """The standings of these players in a game, most points first."""
        if not players:
            return []
        query = f"{_ALL} where game = $1 and person in ({places(players, 2)}) order by points desc, person"
        return [StoredStanding(*fields) for fields in await self._select(query, game, *players)]

    async def met_pairs(self, since: int, least: int) -> list[MetPair]:
        """The pairs of people who ended at least that many games of two with each other since then. Reads
        all games since then."""
        return [MetPair(*found) for found in await self._select(_MET_PAIRS, since, least)]

    async def wins_over_newcomers(self, since: int, least: int, few: int) -> list[WinsOverNewcomers]:
        """The rated people with at least that many wins since then, and how many of these were over people
        with less than `few` rated games. Reads all games since then."""
        found = await self._select(_WINS_OVER_NEWCOMERS, since, least, few)
        return [WinsOverNewcomers(*each) for each in found]
