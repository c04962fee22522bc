"""Counts of people's picks by position: rows that name a person, and the sums that anyone may see.

`picked` has a row for each person, position, band of rating and card: erasure deletes a person's rows, an
export lists them, and a merge adds them up. `crowds` has the sums: they change only when the picks of at
least `LEAST` different people of one band are added at once, so that the difference of any two answers,
between bands or over time, is never about fewer people; what an erased person picked leaves them with the
next such change, and not before, because a change of its own would show what it was.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.core.parts.explorer import PeoplesPicks
from facedown.core.seats import Seat
from facedown.server.ids import BOT_PREFIX
from facedown.server.store.tickets import Steps
from facedown.sim.ratings import PROVISIONAL_ERROR

LEAST: Final = 20
"""Different people whose picks are added to the sums at once, and below whom nothing is shown."""
BANDS: Final = ("new", "under_1400", "1400_1599", "from_1600")
"""Bands of rating, by their number: too few rated games, and then by points."""
PEOPLE: Final = ""
"""The card under which `crowds` counts people."""

BAND_OF: Final = f"""coalesce((select case when error > {PROVISIONAL_ERROR} then 0 when points < 1400 then 1
    when points < 1600 then 2 else 3 end from standings
    where standings.game = $1 and standings.person = {{person}}), 0)"""
_KEY: Final = "game, rules, position, side, band"
_UNIT: Final = "game = $1 and rules = $2 and position = $3 and side = $4 and band = $5"
_VALUES: Final = """cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as int), cast($5 as int)"""
_ADD: Final = f"""insert into picked ({_KEY}, person, card, n, shown)
    select cast($1 as text), cast($2 as text), made.position, made.side,
        {BAND_OF.format(person="people.id")}, people.id, made.card, made.n, 0
    from {{made}} join seats on seats.table_id = $4 and seats.seat = made.seat
    join people on people.id = seats.person and people.id not like '{BOT_PREFIX}%'
    where not exists (select 1 from seats other
        where other.table_id = $4 and other.seat <> made.seat and other.person = people.id)
    on conflict ({_KEY}, person, card) do update set n = picked.n + excluded.n"""
_READY: Final = f"""select {_KEY} from (select distinct position as place, side as part from {{made}}) as here
    cross join picked where game = $1 and rules = $2 and position = place and side = part and n > shown
    group by {_KEY} having count(distinct person) >= {LEAST}"""
"""The sums to change: those with enough people among the positions of a game."""
_SHOW_PEOPLE: Final = f"""insert into crowds ({_KEY}, card, n, gone)
    select {_VALUES}, '{PEOPLE}', count(distinct person), 0 from picked
    where {_UNIT} and n > shown and not exists (select 1 from picked known
        where known.game = $1 and known.rules = $2 and known.position = $3 and known.side = $4
            and known.band = $5 and known.person = picked.person and known.shown > 0)
    on conflict ({_KEY}, card) do update set n = crowds.n + excluded.n"""
_SHOW_CARDS: Final = f"""insert into crowds ({_KEY}, card, n, gone)
    select {_VALUES}, card, sum(n - shown), 0 from picked where {_UNIT} and n > shown group by card
    on conflict ({_KEY}, card) do update set n = crowds.n + excluded.n"""
_DROP_GONE: Final = f"update crowds set n = n - gone, gone = 0 where {_UNIT}"
_MARK_SHOWN: Final = f"update picked set shown = n where {_UNIT} and n > shown"
_SHOW: Final = (_SHOW_PEOPLE, _SHOW_CARDS, _DROP_GONE, _MARK_SHOWN)

_OF_LESS: Final = """less.game = crowds.game and less.rules = crowds.rules
    and less.position = crowds.position and less.side = crowds.side and less.band = crowds.band"""
FORGET: Final = f"""less as (
        select {_KEY}, card, shown from dropped where shown > 0
        union all select distinct {_KEY}, '{PEOPLE}', 1 from dropped where shown > 0)
    update crowds set gone = gone + less.shown from less where {_OF_LESS} and less.card = crowds.card"""
"""Marks the picks of the rows in `dropped` as gone: the next change of a sum takes them out."""
MERGE: Final = (
    f"""update crowds set gone = gone + 1
        from (select {_KEY} from picked where person = $1 and shown > 0
            intersect select {_KEY} from picked where person = $2 and shown > 0) as less
        where {_OF_LESS} and card = '{PEOPLE}'""",
    f"""insert into picked ({_KEY}, person, card, n, shown)
        select {_KEY}, cast($2 as text), card, n, shown from picked where person = $1
        on conflict ({_KEY}, person, card) do update set n = picked.n + excluded.n,
            shown = picked.shown + excluded.shown""",
)
"""Adds a guest's picks ($1) to those of an account ($2), who are one person from now on."""

_READ: Final = """select side, band, card, n, gone from crowds
    where game = $1 and rules = $2 and position = $3"""
_READ_ALL: Final = "select game, rules, position, side, band, card, n, gone from crowds"
_OWN: Final = """select game, rules, position, side, band, card, n from picked where person = $1
    order by game, rules, position, side, band, card"""
_AGAIN: Final = ("delete from crowds", "delete from picked", "update ended set counted = false where counted")


_Sum: TypeAlias = tuple[int, int, str, int, int]
"""A row of `_READ`."""


class UncountedGame(NamedTuple):
    """A finished game whose picks are not counted yet."""

    table: str
    game: str
    rules: str
    about: bytes


class CountedCard(NamedTuple):
    """How often a person picked a card; `band` is a number of `BANDS`."""

    game: str
    rules: str
    position: str
    side: int
    band: int
    card: str
    n: int


class SeatPick(NamedTuple):
    """A pick that a person made at a seat, in a position and on a side of it."""

    seat: Seat
    position: str
    side: int
    card: str


class ShownCrowd(NamedTuple):
    """What people of all shown bands, or of one, picked in a position: by side, in their order."""

    bands: tuple[str, ...]
    """The bands that can be shown for themselves, on one side at least."""
    sides: tuple[PeoplesPicks, ...]
    """Empty if no side has enough people."""


NO_CROWD: Final = ShownCrowd((), ())


class CrowdDialect(NamedTuple):
    """What a database says in its own words."""

    uncounted: str
    """The fields of `UncountedGame`, oldest first, as many as $1."""
    mark: str
    """Marks the game of table $1 as counted; returns a row if it was not."""
    made: str
    """The picks of a game as a relation `made`, from their JSON in $3."""


class CrowdRows:
    """The counted picks of one store."""

    def __init__(
        self,
        select: Callable[..., Awaitable[list[Any]]],
        execute_all: Callable[..., Awaitable[None]],
        run: Callable[[Callable[[], Steps[bool]]], Awaitable[bool]],
        dialect: CrowdDialect,
    ) -> None:
        self._select = select
        self._execute_all = execute_all
        self._run = run
        self._dialect = dialect

    async def uncounted(self, limit: int) -> list[UncountedGame]:
        """The next finished games whose picks are not counted."""
        return [UncountedGame(*found) for found in await self._select(self._dialect.uncounted, limit)]

    async def count(self, ended: UncountedGame, picks: Iterable[SeatPick]) -> bool:
        """Count the picks of a game, all at once and once; False if another server has done it."""
        made = [{**each._asdict(), "n": n} for each, n in sorted(Counter(picks).items())]
        return await self._run(lambda: _count(self._dialect, ended, json.dumps(made)))

    async def at(self, game: str, rules: str, position: str, band: str = "") -> ShownCrowd:
        """What people picked in a position, by its key; of one band, or of all shown bands."""
        return _visible_crowd(await self._select(_READ, game, rules, position), band)

    async def everywhere(self) -> dict[tuple[str, str], dict[str, tuple[PeoplesPicks, ...]]]:
        """Everything that is shown of all bands, by game and rules, and by position. Reads all sums."""
        rows: defaultdict[tuple[str, str, str], list[_Sum]] = defaultdict(list)
        for game, rules, position, *row in await self._select(_READ_ALL):
            rows[game, rules, position].append(tuple(row))
        found: defaultdict[tuple[str, str], dict[str, tuple[PeoplesPicks, ...]]] = defaultdict(dict)
        for (game, rules, position), here in sorted(rows.items()):
            if sides := _visible_crowd(here, "").sides:
                found[game, rules][position] = sides
        return dict(found)

    async def band_of(self, game: str, person: str) -> str:
        """The band in which a person's picks are counted now."""
        ((band,),) = await self._select(f"select {BAND_OF.format(person='cast($2 as text)')}", game, person)
        return BANDS[band]

    async def own(self, person: str) -> list[CountedCard]:
        """Everything that is counted under a person's name."""
        return [CountedCard(*found) for found in await self._select(_OWN, person)]

    async def count_again(self) -> None:
        """Delete all counts, so that all games are counted again, from the first."""
        await self._execute_all(*((each, ()) for each in _AGAIN))


def _count(dialect: CrowdDialect, ended: UncountedGame, made: str) -> Steps[bool]:
    if not (yield dialect.mark, (ended.table,)):
        return False
    yield _ADD.format(made=dialect.made), (ended.game, ended.rules, made, ended.table)
    for unit in (yield _READY.format(made=dialect.made), (ended.game, ended.rules, made)):
        for statement in _SHOW:
            yield statement, tuple(unit)
    return True


def _visible_crowd(rows: Iterable[_Sum], band: str) -> ShownCrowd:
    people: dict[tuple[int, int], int] = {}
    cards: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for side, number, card, n, gone in rows:
        if card != PEOPLE:
            cards[side, number][card] = n
        elif n - gone >= LEAST:
            people[side, number] = n
    bands = tuple(BANDS[number] for number in sorted({number for _, number in people}))
    units = [unit for unit in people if band in ("", BANDS[unit[1]])]
    sides = []
    for side in range(max((side for side, _ in units), default=-1) + 1):
        here = [unit for unit in units if unit[0] == side]
        picks = Counter[str]()
        for unit in here:
            picks.update(cards[unit])
        sides.append(PeoplesPicks(sum(people[unit] for unit in here), dict(sorted(picks.items()))))
    return ShownCrowd(bands, tuple(sides))
