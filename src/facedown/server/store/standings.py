"""Standings: one row for each person and game, written by the fold of ratings, and ranks from it.

The schema counts the listed people at every number of points (`levels`, by triggers), so that a rank adds up
some hundred rows and not a million.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

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
_ROW: Final = """select standings.person, handle, levels.people, standings.points, error, games from standings
    join accounts on accounts.person = standings.person
    join levels on levels.game = standings.game and levels.points = standings.points
    where standings.game = $1 and listed = 1"""
TOP: Final = f"{_ROW} order by standings.points desc, standings.person desc limit $2"
ABOVE: Final = f"{_ROW} and standings.points > $2 order by standings.points, standings.person limit $3"
SELF: Final = f"{_ROW} and standings.person = $2"
BELOW: Final = f"""{_ROW} and standings.points <= $2 and standings.person <> $3
    order by standings.points desc, standings.person desc limit $4"""
OWN: Final = f"""select game, points, error, games, at, listed, {_RANK} from standings
    where person = $1 order by game"""
OF_PLAYERS: Final = """select game, person, points, error, games, at, listed from standings
    where game = $1 and person in ({people}) order by points desc, person"""
EACH_WAY: Final = 5
"""How many people above and below a person are shown."""
AHEAD: Final = "select coalesce(sum(people), 0) from levels where game = $1 and points > $2"
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


class OwnStanding(NamedTuple):
    """A person's own standing in a game; the rank counts only if the person is listed."""

    game: str
    points: int
    error: int
    games: int
    at: int
    listed: int
    rank: int
