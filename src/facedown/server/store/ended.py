"""Finished games: their numbers, the ratings folded from them, and who played them.

A game gets its number from the first server that reads it: a sequence would not number rows in the order of
their commits. Games are read, worked on, and marked, unless another server has marked them in the meantime.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from facedown.server.clock import DAY_MS
from facedown.server.store.profiles import count_statements
from facedown.server.store.standings import STAND, StoredStanding
from facedown.server.store.steps import Many, Steps, batches, places
from facedown.server.store.values import KEPT, EndedGame, PlayedSeat, StoredRating

LOCK: Final = 0x46414346
"""The advisory lock of the server that numbers, folds or notes finished games."""
TO_RATE: Final = "select 1 from ended where rated = 0 limit 1"
"""Whether there are games to fold into ratings."""
TO_NOTE: Final = "select 1 from ended where noted = 0 limit 1"

_NUMBER: Final = """update ended set number = n.number from
    (select table_id, (select coalesce(max(number), 0) from ended)
        + row_number() over (order by at, table_id) as number from ended where number is null) as n
    where ended.table_id = n.table_id"""
_OF_GAME: Final = "from seats where seats.table_id = ended.table_id"
_EARLIER: Final = f"""case when (select count(*) {_OF_GAME}) <> 2 then 0 else (select count(*) from seats a
        join seats b on b.table_id = a.table_id join ended e on e.table_id = a.table_id
        where a.person = (select min(person) {_OF_GAME}) and b.person = (select max(person) {_OF_GAME})
            and e.at >= ended.at - ended.at % {DAY_MS} and e.number < ended.number) end"""
_GAMES: Final = f"""select number, ended.at, game, about, table_id, rules, {_EARLIER} from ended
    join tables on tables.id = table_id where {{which}} order by number limit $1"""
_LATEST: Final = """with wanted (game, person) as (values {pairs})
    select r.person, r.game, r.games, r.at, r.mean, r.deviation from wanted
    join ratings r on r.person = wanted.person and r.game = wanted.game
    where r.games = (select max(games) from ratings o where o.person = r.person and o.game = r.game)"""
_RATED: Final = """insert into ratings (person, game, games, at, mean, deviation)
    values ($1, $2, $3, $4, $5, $6)"""
_OLD: Final = "delete from ratings where person = $1 and game = $2 and games <= $3"
_NOTE: Final = """insert into played (person, at, table_id, seat, game, outcome)
    select cast($1 as text), cast($2 as bigint), cast($3 as text), cast($4 as int), cast($5 as text),
        cast($6 as text)
    where exists (select 1 from people where id = $1) on conflict do nothing"""


def games_to_rate(limit: int) -> Steps[list[EndedGame]]:
    """The next games that are not folded into ratings."""
    yield _NUMBER, ()
    return (yield from _games("rated = 0", limit))


def games_to_note(limit: int) -> Steps[list[EndedGame]]:
    """The next games that are not noted for their players."""
    yield _NUMBER, ()
    return (yield from _games("noted = 0", limit))


def latest(keys: Sequence[tuple[str, str]]) -> Steps[dict[tuple[str, str], StoredRating]]:
    """The latest ratings, by game and person."""
    found: dict[tuple[str, str], StoredRating] = {}
    for some in batches(keys):
        pairs = [f"(cast(${n} as text), cast(${n + 1} as text))" for n in range(1, 2 * len(some), 2)]
        values = [value for key in some for value in key]
        rows = yield _LATEST.format(pairs=", ".join(pairs)), values
        found |= {(each.game, each.person): each for each in (StoredRating(*fields) for fields in rows)}
    return found


def save_ratings(
    games: Sequence[EndedGame], rated: Sequence[StoredRating], standings: Sequence[StoredStanding]
) -> Steps[bool]:
    """Mark games, and save the ratings after them; False if another server has."""
    ((first,),) = yield "select min(number) from ended where rated = 0", ()
    if first != games[0].number:
        return False
    yield _mark("rated", games)
    yield Many(_RATED, rated)
    yield Many(STAND, standings)
    old = [(each.person, each.game, each.games - KEPT) for each in rated if each.games > KEPT]
    yield Many(_OLD, old)
    return True


def save_played(games: Sequence[EndedGame], played: Sequence[PlayedSeat], lock: str) -> Steps[bool]:
    """Mark games, and save who played them; erased people are left out. False if another server has.

    `lock` makes concurrent erasures wait until the commit."""
    ((first,),) = yield "select min(number) from ended where noted = 0", ()
    if first != games[0].number:
        return False
    for people in batches(sorted({each.person for each in played})):
        yield f"select id from people where id in ({places(people)}) order by id{lock}", people
    yield Many(_NOTE, [each[:6] for each in played])
    for statement, rows in count_statements(played):
        yield Many(statement, rows)
    yield _mark("noted", games)
    return True


def _mark(done: str, games: Sequence[EndedGame]) -> tuple[str, Sequence[object]]:
    return f"update ended set {done} = 1 where number between $1 and $2", (games[0].number, games[-1].number)


def _games(which: str, limit: int) -> Steps[list[EndedGame]]:
    found = yield _GAMES.format(which=which), (limit,)
    people: dict[str, list[tuple[int, str]]] = {}
    for tables in batches([fields[4] for fields in found]):
        held = f"select table_id, seat, person from seats where table_id in ({places(tables)})"
        for table, seat, person in (yield f"{held} order by table_id, seat", tables):
            people.setdefault(table, []).append((seat, person))
    return [
        EndedGame(number, at, game, about, tuple(people.get(table, ())), table, earlier, rules)
        for number, at, game, about, table, rules, earlier in found
    ]
