"""Tickets: who waits for others to play with, and the transaction that seats them at a new table.

Both stores run the same steps: a generator yields statements and appends, and receives rows. They run under
one lock for all pools, so that no person is paired twice, whatever tabs and servers the requests come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.server.clock import DAY_MS, SECOND_MS
from facedown.server.store.steps import Steps, places
from facedown.server.store.values import Append, Fault, Rows

_NEAREST: Final = 100
"""Tickets that are considered, nearest rating first."""
LIVE: Final = ("open", "opening")
LASTS_MS: Final = 10 * SECOND_MS
"""How long a ticket lasts unless it is put again: clients do that every few seconds."""
LASTS_BY_DAYS_MS: Final = 7 * DAY_MS
"""The same if the clock counts days, and the person need not be there."""

OWN: Final = """select pool, since, expires, table_id, tickets.seat, by_days, state, tables.created_at,
        exists (select 1 from seats where seats.table_id = tickets.table_id and seats.person = $1), shown
    from tickets left join tables on tables.id = tickets.table_id and tickets.seat > 0
    where tickets.person = $1"""
_WAITING: Final = """with waiting as (
        select person, name, pool, least, most, rating, error, since, table_id, by_days, slow,
            count(*) over () as people from tickets join people on people.id = person
        where pool = $1 and seat = 0 and expires > $2 and person <> $3
        order by abs(rating - $4), since limit $5),
    able as (select person from waiting union all select cast($3 as text))
    select 1 as is_person, waiting.*, '' as other from waiting
    union all select 0, relations.person, '', '', 0, 0, 0, 0, 0, '', 0, 0, 0, relations.other from relations
        join able a on a.person = relations.person join able b on b.person = relations.other
        where relations.kind = 'block'
    order by is_person desc"""
"""The nearest of the people who wait, and who of them has blocked whom."""
_PUT: Final = """insert into tickets
        (person, pool, least, most, rating, error, since, expires, table_id, seat, by_days, slow)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11)
    on conflict (person) do update set pool = excluded.pool, least = excluded.least, most = excluded.most,
        rating = excluded.rating, error = excluded.error, since = excluded.since,
        expires = excluded.expires, seat = 0, by_days = excluded.by_days,
        slow = excluded.slow"""
_SEAT: Final = """update tickets set table_id = $1, shown = 0, seat = case person {seats} end
    where person in ({people}) and pool = $2 and seat = 0 returning person"""
SHOW: Final = "update tickets set shown = 1 where person = $1 and table_id = $2 and shown = 0"
"""A person has been answered with the table that was found."""
PAIRED: Final = """select person, seat, name, rating, error from tickets join people on people.id = person
    where table_id = $1 and seat > 0 order by seat"""
_WITHDRAW: Final = "update tickets set pool = '', seat = 0 where person = $1"
_BACK: Final = """update tickets set seat = 0, expires = $2
    where table_id = $1 and seat > 0 and person <> $3 returning person"""
WAITING_IN: Final = "select count(*) from tickets where pool = $1 and seat = 0 and expires > $2"
POOLS: Final = """select pool, count(*) from tickets where seat = 0 and pool <> '' and expires > $1
    group by pool order by count(*) desc, pool"""
_DECLINED: Final = """insert into faults (person, at, table_id, kind) values ($1, $2, $3, 'declined')
    on conflict do nothing"""
_FAULTS: Final = "select person, at, table_id, kind from faults where person = $1 and at > $2 order by at"
_ABOUT: Final = """select 'rating' as kind, latest.at, '' as table_id, mean, deviation from
        (select at, mean, deviation from ratings where person = $1 and game = $2
            order by games desc limit 1) latest
    union all select 'finished', at, '', 0, 0 from ratings
        where person = $1 and at > $3 and game not like '%/machines'
    union all select kind, at, table_id, 0, 0 from faults where person = $1 and at > $3"""
"""What pairing has to know about a person: the latest rating in a game, when rated games of any game ended
since a time, and the faults since then."""
FORGET_FAULTS: Final = "delete from faults where at <= $1"
FORGET: Final = "delete from tickets where expires <= $1"


class Ticket(NamedTuple):
    """A person who waits in a pool, with their wishes."""

    person: str
    name: str
    pool: str
    """Game, rules and clock, as text; only people of one pool meet."""
    least: int
    """The fewest seats of a table that the person wants."""
    most: int
    rating: int
    error: int
    since: int = 0
    """When the person began to wait; the store sets it."""
    met: str = ""
    """The last table that a ticket of this person led to: two who have the same one met last."""
    by_days: bool = False
    """Whether the clock counts days: then the person need not be there."""
    slow: bool = False
    """Whether others come first: the person has made people wait."""
    again: bool = False
    """Whether it counts only if the person waits in this pool already: it may have been withdrawn since."""


class PersonalFacts(NamedTuple):
    """What pairing has to know about a person."""

    rating: tuple[int, float, float] | None
    """When the latest rated game of this kind ended, and the mean and deviation after it."""
    finished: tuple[int, ...]
    """When rated games of any kind ended."""
    faults: tuple[Fault, ...]
    """Oldest first."""


class PairedPerson(NamedTuple):
    """A person for whom a seat of a paired table is reserved."""

    person: str
    seat: int
    name: str
    rating: int
    error: int


class TicketState(NamedTuple):
    """What became of a ticket: the people who wait in its pool, or the table that it led to."""

    since: int
    waiting: int
    """The number of people in the pool, this one included; 0 if a table was found."""
    table: str = ""
    made_at: int = 0
    people: tuple[PairedPerson, ...] = ()
    by_days: bool = False
    playing: bool = False
    """Whether the game at the table has begun."""
    is_new: bool = False
    """Whether this request made the table."""


class WithdrawnTicket(NamedTuple):
    """The table that a withdrawn ticket had led to, if its game has not begun, and the people sent back."""

    table: str = ""
    people: tuple[str, ...] = ()


Blocks: TypeAlias = frozenset[tuple[str, str]]
"""Who has blocked whom."""
ChooseGroup: TypeAlias = Callable[[Ticket, Sequence[Ticket], Blocks, int], Sequence[Ticket]]
"""The people for a table with this ticket, itself included, from those who wait; none if it goes on waiting.
The last argument is the time."""
SetTable: TypeAlias = Callable[[Sequence[Ticket]], Append]
"""The append of a new table with one reserved seat for each of these people, in this order."""


class TicketGone(Exception):
    """A person of the group was erased during the transaction: it is rolled back."""


def put(wanted: Ticket, at: int, choose: ChooseGroup, make: SetTable) -> Steps[TicketState]:
    """Save a ticket, and make a table if there are people for one."""
    since, met, waits = at, "", False
    for pool, waited_since, expires, met, seat, by_days, state, made_at, is_seated, shown in (
        yield OWN, (wanted.person,)
    ):
        if state in LIVE or (state == "playing" and not by_days):
            if not shown:
                yield SHOW, (wanted.person, met)
            people = tuple(PairedPerson(*fields) for fields in (yield PAIRED, (met,)))
            return TicketState(
                waited_since, 0, met, made_at, people, bool(by_days), playing=state == "playing"
            )
        waits = pool == wanted.pool
        other_is_missing = state == "closed" and is_seated
        if pool == wanted.pool and (other_is_missing or (not seat and expires > at)):
            since = waited_since
    if wanted.again and not waits:
        return TicketState(0, 0)
    ticket = wanted._replace(since=since, met=met)
    yield (
        _PUT,
        (*ticket[:1], *ticket[2:8], _end(at, ticket.by_days), met, int(ticket.by_days), int(ticket.slow)),
    )
    waiting, blocks, count = _split(
        (yield _WAITING, (ticket.pool, at, ticket.person, ticket.rating, _NEAREST))
    )
    group = choose(ticket, waiting, blocks, at) if waiting else ()
    if not group:
        return TicketState(since, 1 + count)
    batch = make(group)
    if len((yield _seat(batch.table, group))) < len(group):
        raise TicketGone
    yield batch
    yield SHOW, (ticket.person, batch.table)
    people = tuple(
        PairedPerson(each.person, seat, each.name, each.rating, each.error)
        for seat, each in enumerate(group, 1)
    )
    return TicketState(since, 0, batch.table, batch.rows[0].at, people, ticket.by_days, is_new=True)


def _split(rows: Sequence[Any]) -> tuple[list[Ticket], Blocks, int]:
    """Who waits, who has blocked whom, and how many wait in all."""
    waiting = [Ticket(*fields) for is_person, *fields, _, _ in rows if is_person]
    blocks = frozenset((person, other) for is_person, person, *_, other in rows if not is_person)
    return waiting, blocks, rows[0][-2] if rows else 0


def _seat(table: str, people: Sequence[Ticket]) -> tuple[str, Sequence[object]]:
    """The statement that gives each of these people the seat of their place in the group."""
    listed = places(people, 3)
    seats = " ".join(f"when {person} then {seat}" for seat, person in enumerate(listed.split(", "), 1))
    statement = _SEAT.format(seats=seats, people=listed)
    return statement, (table, people[0].pool, *(each.person for each in people))


def withdraw(person: str, at: int) -> Steps[WithdrawnTicket]:
    """Give a ticket back. If it had led to a table whose game has not begun, the others wait on as before;
    the person has declined it if they knew of it."""
    for _, _, _, table, _, by_days, state, _, _, shown in (yield OWN, (person,)):
        yield _WITHDRAW, (person,)
        if state in LIVE:
            if shown and not by_days:
                yield _DECLINED, (person, at, table)
            others = yield _BACK, (table, _end(at, by_days), person)
            return WithdrawnTicket(table, tuple(other for (other,) in others))
    return WithdrawnTicket()


def _end(at: int, by_days: bool) -> int:
    return at + (LASTS_BY_DAYS_MS if by_days else LASTS_MS)


class ConductRows(Rows):
    """What is known of people who ask for others to play with, in one store."""

    async def facts(self, person: str, game: str, since: int) -> PersonalFacts:
        """A person's rating in a game, and their finished games and faults since then."""
        rows = await self._select(_ABOUT, person, game, since)
        ratings = [(at, mean, deviation) for kind, at, _, mean, deviation in rows if kind == "rating"]
        faults = [Fault(person, at, table, kind) for kind, at, table, *_ in rows if table]
        return PersonalFacts(
            rating=ratings[0] if ratings else None,
            finished=tuple(at for kind, at, *_ in rows if kind == "finished"),
            faults=tuple(sorted(faults, key=lambda fault: fault.at)),
        )

    async def faults(self, person: str) -> list[Fault]:
        """A person's faults that are not forgotten, oldest first."""
        return [Fault(*found) for found in await self._select(_FAULTS, person, 0)]
