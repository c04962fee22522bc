"""SQL of finished games on SQLite: the ratings folded from them, and who played them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from facedown.server.clock import DAY_MS
from facedown.server.store.profiles import count_statements
from facedown.server.store.sqlite.reader import execute
from facedown.server.store.standings import STAND, StoredStanding
from facedown.server.store.values import KEPT, MACHINE_PREFIX, EndedGame, PlayedSeat, RatingKeys, StoredRating

_ENDED: Final = """select number, ended.at, game, rules, about, table_id from ended
    join tables on tables.id = table_id where {which} order by number limit ?"""
_LATEST: Final = """select person, game, games, at, mean, deviation from ratings
    where person = ? and game = ? order by games desc limit 1"""
_ERASED_WITH_RATINGS: Final = f"""with recursive rated (person) as (
        select min(person) from ratings
        union all select (select min(person) from ratings where ratings.person > rated.person)
            from rated where person is not null)
    select person from rated where person is not null and person not like '{MACHINE_PREFIX}%'
        and not exists (select 1 from people where people.id = rated.person)"""
"""Steps from person to person in the index: each has up to a hundred rows for each game."""
_EARLIER: Final = """select count(*) from seats a
    join seats b on b.table_id = a.table_id and b.person = ? join ended on ended.table_id = a.table_id
    where a.person = ? and ended.at >= ? and number < ?"""
_NOTE: Final = """insert into played (person, at, table_id, seat, game, outcome)
    select ?, ?, ?, ?, ?, ? where exists (select 1 from people where id = ?) on conflict do nothing"""


def games_to_rate(
    connection: sqlite3.Connection, limit: int, keys: RatingKeys
) -> tuple[list[EndedGame], dict[tuple[str, str], StoredRating]]:
    """The next games that are not folded into ratings, and the ratings before them."""
    games = ended_games(connection, "not rated", limit)
    known = {}
    for game, person in keys(games):
        for fields in connection.execute(_LATEST, (person, game)):
            known[game, person] = StoredRating(*fields)
    return games, known


def save_ratings(
    connection: sqlite3.Connection,
    games: Sequence[EndedGame],
    rated: Sequence[StoredRating],
    standings: Sequence[StoredStanding] = (),
) -> None:
    """Mark games, and save the ratings after them; does nothing if some were folded since they were read."""
    first = connection.execute("select min(number) from ended where not rated").fetchone()[0]
    if first != games[0].number:
        return
    connection.executemany(
        "update ended set rated = true where number = ?", [(each.number,) for each in games]
    )
    connection.executemany("insert into ratings values (?, ?, ?, ?, ?, ?)", rated)
    for each in standings:
        execute(connection, STAND, each)
    connection.executemany(
        "delete from ratings where person = ? and game = ? and games <= ?",
        [(each.person, each.game, each.games - KEPT) for each in rated if each.games > KEPT],
    )


def save_played(
    connection: sqlite3.Connection, games: Sequence[EndedGame], played: Sequence[PlayedSeat]
) -> None:
    """Mark games, and save who played them; does nothing if some were noted since they were read."""
    first = connection.execute("select min(number) from ended where not noted").fetchone()[0]
    if first != games[0].number:
        return
    connection.executemany(_NOTE, [(*each[:6], each.person) for each in played])
    for statement, rows in count_statements(played):
        for values in rows:
            execute(connection, statement, values)
    connection.executemany(
        "update ended set noted = true where number = ?", [(each.number,) for each in games]
    )


def erased_people_with_ratings(connection: sqlite3.Connection) -> list[str]:
    """Erased people who have ratings again, because their last games were folded afterwards.

    Empty while there are games to fold: folding needs these ratings.
    """
    if ended_games(connection, "not rated", 1):
        return []
    return [person for (person,) in connection.execute(_ERASED_WITH_RATINGS)]


def ended_games(connection: sqlite3.Connection, which: str, limit: int) -> list[EndedGame]:
    """The next finished games for which a condition holds, in the order of their numbers."""
    found = connection.execute(_ENDED.format(which=which), (limit,)).fetchall()
    return [
        _with_earlier(
            connection, EndedGame(number, at, game, about, _people(connection, table), table, rules=rules)
        )
        for number, at, game, rules, about, table in found
    ]


def _with_earlier(connection: sqlite3.Connection, ended: EndedGame) -> EndedGame:
    if len(ended.people) != 2:
        return ended
    (_, one), (_, other) = ended.people
    found = connection.execute(_EARLIER, (other, one, ended.at - ended.at % DAY_MS, ended.number)).fetchone()
    return replace(ended, earlier=found[0])


def _people(connection: sqlite3.Connection, table: str) -> tuple[tuple[int, str], ...]:
    query = "select seat, person from seats where table_id = ? order by seat"
    return tuple(connection.execute(query, (table,)).fetchall())
