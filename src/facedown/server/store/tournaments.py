"""Tournaments in the store: their facts, who the entrants are, and the transaction that pairs them.

Both stores run the same steps, under the lock of pairing (`store.tickets`): the facts, the tables that they
make and the next moment to look are saved together, if the head is still the one that they follow.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.core.errors import FacedownError
from facedown.protocol.errors import TooMany
from facedown.server.clock import MINUTE_MS
from facedown.server.store.steps import Many, Steps, batches, places
from facedown.server.store.values import Append

_AT_ONCE: Final = 200
"""Rows in one statement."""
_CREATE: Final = """insert into tournaments
        (id, head, state, wake_at, person, title, starts_at, created_at, about)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"""
_MOVE: Final = """update tournaments set head = $3, state = $4, wake_at = $5, about = $6, claimed_until = null
    where id = $1 and head = $2 returning id"""
_KNOWN: Final = "select id from people where id in ({people})"
_EVENTS: Final = "insert into tournament_events (tournament_id, v, at, body) values ($1, $2, $3, $4)"
_ENTER: Final = """insert into entrants (tournament_id, entrant, person, name, machine, place, points)
    values ($1, $2, $3, $4, $5, $6, $7)"""
_PLACE: Final = "update entrants set place = $3, points = $4 where tournament_id = $1 and entrant = $2"
_ROWS: Final = """select v, at, body from tournament_events where tournament_id = $1 and v > $2 order by v"""
_ENTRANTS: Final = """select entrant, coalesce(p.id, ''), coalesce(p.name, e.name), machine
    from entrants e left join people p on p.id = person where tournament_id = $1 order by entrant"""
_LISTED: Final = """select t.id, head, state, t.person, coalesce(p.name, ''), title, starts_at,
        t.created_at, about
    from tournaments t left join people p on p.id = t.person"""
_ONE: Final = f"{_LISTED} where t.id = $1"
_IN_STATE: Final = f"{_LISTED} where state = $1 order by starts_at {{order}}, t.id limit $2"
_ORGANISED: Final = "select count(*) from tournaments where person = $1 and state in ('open', 'running')"
_DUE: Final = """select id from tournaments where wake_at <= $1 and coalesce(claimed_until, 0) <= $1
    order by wake_at limit $2"""
_CLAIM: Final = """update tournaments set claimed_until = $2 where id = $1"""
_REARM: Final = """update tournaments set claimed_until = null, wake_at = $3 where id = $1 and head = $2"""
_DONE: Final = (
    """select id, state, about from tables where state in ('over', 'closed') and id in ({tables})"""
)
_SEATED: Final = "select table_id, seat from seats where table_id in ({tables})"
_ENTERED: Final = """select tournament_id, entrant, name, place, points from entrants where person = $1
    order by tournament_id"""
_TROPHIES: Final = """select t.id, t.title, e.place, t.starts_at, t.about
    from entrants e join tournaments t on t.id = e.tournament_id
    where e.person = $1 and e.place between 1 and 3 and t.state = 'over' and $3 <= (select count(*)
        from entrants o join accounts a on a.person = o.person where o.tournament_id = t.id)
    order by t.starts_at desc, t.id limit $2"""
_ORGANISED_BY: Final = "select id, title, created_at from tournaments where person = $1 order by created_at"
FORGET_ORGANISER: Final = "update tournaments set person = '', title = '' where person = $1"
FORGET_ENTRANT: Final = "update entrants set person = '', name = $2 where person = $1"
"""Of an erased person: the results of the others stay as they are."""

Run: TypeAlias = Callable[..., Awaitable[list[Any]]]


class TournamentMoved(FacedownError):
    """The tournament is not at the head that the facts follow: nothing was saved."""

    code = "head_moved"
    status = 409


class TournamentEvent(NamedTuple):
    """A stored fact of a tournament."""

    v: int
    at: int
    body: bytes


class EntrantRow(NamedTuple):
    """Who an entrant is: a person, a machine, or an erased person with neither."""

    number: int
    person: str
    name: str
    machine: str = ""


class ListedTournament(NamedTuple):
    """A tournament in a list."""

    id: str
    head: int
    state: str
    person: str
    """The organiser; empty if they were erased."""
    organiser: str
    title: str
    starts_at: int
    created_at: int
    about: bytes


class EnteredTournament(NamedTuple):
    """A tournament that a person entered, and their place if it is over."""

    tournament: str
    number: int
    name: str
    place: int
    points: int


class StoredTrophy(NamedTuple):
    """A place among the first three of a tournament."""

    tournament: str
    title: str
    place: int
    at: int
    about: bytes


class DoneTable(NamedTuple):
    """A table of a tournament that is over or closed."""

    table: str
    state: str
    about: bytes
    held: frozenset[int]
    """The seats that people hold."""


class TournamentAppend(NamedTuple):
    """What one transaction of a tournament saves: everything or nothing."""

    id: str
    head: int
    """The head that it must be at; 0 creates it."""
    events: tuple[TournamentEvent, ...]
    state: str
    wake: int | None
    about: bytes
    tables: tuple[Append, ...] = ()
    entrants: tuple[EntrantRow, ...] = ()
    places: tuple[tuple[int, int, int], ...] = ()
    """Number, place and points of everyone, at the end."""
    organiser: str = ""
    title: str = ""
    starts_at: int = 0
    most_organised: int = 0
    """How many tournaments that are not over the organiser of a new one may have; 0: any number."""
    people: tuple[str, ...] = ()
    """Who has to exist still: a person at a new table may be erased while it is made."""


def save(batch: TournamentAppend, _at: int) -> Steps[None]:
    """Save facts with the tables that they make; raises `TournamentMoved`, also if a person is gone."""
    head = batch.head + len(batch.events)
    for some in batches(batch.people, _AT_ONCE):
        if len((yield _KNOWN.format(people=places(some)), some)) < len({*some}):
            raise TournamentMoved("a person of the tournament was erased: read it again")
    if batch.most_organised and (yield _ORGANISED, (batch.organiser,))[0][0] >= batch.most_organised:
        raise TooMany("you have enough tournaments that are not over", again=MINUTE_MS)
    if batch.head == 0:
        fields = (batch.organiser, batch.title, batch.starts_at, batch.events[0].at, batch.about)
        yield _CREATE, (batch.id, head, batch.state, batch.wake, *fields)
    elif not (yield _MOVE, (batch.id, batch.head, head, batch.state, batch.wake, batch.about)):
        raise TournamentMoved("the tournament has gone on: read it again")
    for statement, rows in (
        (_EVENTS, [(batch.id, *each) for each in batch.events]),
        (_ENTER, [(batch.id, *each, 0, 0) for each in batch.entrants]),
    ):
        yield Many(statement, rows)
    for tables in batches(batch.tables, _AT_ONCE):
        yield list(tables)
    yield Many(_PLACE, [(batch.id, *place) for place in batch.places])


def claim(lease_ms: int, limit: int, at: int) -> Steps[list[str]]:
    """Claim tournaments that are due; the claim ends with the lease, or with the next append."""
    due = [tournament for (tournament,) in (yield _DUE, (at, limit))]
    for tournament in due:
        yield _CLAIM, (tournament, at + lease_ms)
    return due


class TournamentRows:
    """The tournaments of one store."""

    def __init__(self, select: Run, execute: Run, run_steps: Callable[..., Awaitable[Any]]) -> None:
        self._select = select
        self._execute = execute
        self._run_steps = run_steps

    async def append(self, batch: TournamentAppend) -> None:
        """Save facts with their tables in one transaction; raises `TournamentMoved`."""
        await self._run_steps(lambda at: save(batch, at))

    async def rows(self, tournament: str, after: int = 0) -> list[TournamentEvent]:
        return [TournamentEvent(*found) for found in await self._select(_ROWS, tournament, after)]

    async def entrants(self, tournament: str) -> list[EntrantRow]:
        return [EntrantRow(*found) for found in await self._select(_ENTRANTS, tournament)]

    async def one(self, tournament: str) -> ListedTournament | None:
        found = await self._select(_ONE, tournament)
        return ListedTournament(*found[0]) if found else None

    async def in_state(self, state: str, limit: int) -> list[ListedTournament]:
        """Tournaments of this state: the next ones first; those that have begun, newest first."""
        query = _IN_STATE.format(order="asc" if state == "open" else "desc")
        return [ListedTournament(*found) for found in await self._select(query, state, limit)]

    async def entered(self, person: str) -> list[EnteredTournament]:
        """The tournaments that a person entered."""
        return [EnteredTournament(*found) for found in await self._select(_ENTERED, person)]

    async def trophies(self, person: str, limit: int, kept: int) -> list[StoredTrophy]:
        """A person's places among the first three, newest first, if at least `kept` accounts entered."""
        return [StoredTrophy(*found) for found in await self._select(_TROPHIES, person, limit, kept)]

    async def organised_by(self, person: str) -> list[tuple[str, str, int]]:
        """Id, title and time of the tournaments that a person organised."""
        return [(each, title, at) for each, title, at in await self._select(_ORGANISED_BY, person)]

    async def claim_due(self, now: int, lease_ms: int, limit: int) -> list[str]:
        """Claim tournaments that are due, soonest first; the store's clock decides."""
        if not await self._select(_DUE, now, 1):
            return []
        claimed: list[str] = await self._run_steps(lambda at: claim(lease_ms, limit, at))
        return claimed

    async def rearm(self, tournament: str, head: int, wake: int | None) -> None:
        """End a claim after which nothing was appended."""
        await self._execute(_REARM, tournament, head, wake)

    async def done_tables(self, tables: Sequence[str]) -> list[DoneTable]:
        """Those of these tables that are over or closed."""
        done: list[DoneTable] = []
        for some in batches(tables, _AT_ONCE):
            found = await self._select(_DONE.format(tables=places(some)), *some)
            closed = [table for table, state, _ in found if state == "closed"]
            seated = await self._select(_SEATED.format(tables=places(closed)), *closed) if closed else []
            for table, state, about in found:
                held = frozenset(seat for at, seat in seated if at == table)
                done.append(DoneTable(table, state, about, held))
        return done
