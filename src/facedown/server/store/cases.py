"""Cases of moderation, the roles of people, and the audit list of what operators and moderators did.

A case has one row that changes (`cases`) and events that are only appended; who may append what is decided
by the caller, inside the transaction. The statements are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from facedown.core.errors import FacedownError
from facedown.server.store.tickets import Steps
from facedown.server.store.values import FoundPerson, Run

CaseEventKind: TypeAlias = Literal["reported", "taken", "noted", "decided", "appealed", "lifted"]
CaseState: TypeAlias = Literal["open", "decided", "appealed", "closed"]

_FIND_PEOPLE: Final = """select id, name, created_at,
    (select count(*) from seats where seats.person = people.id),
    (select count(*) from case_events e where e.person = people.id and e.kind = 'reported'),
    coalesce(handle, ''), coalesce(role, ''),
    coalesce((select max(used) from keys where keys.person = people.id), 0)
    from people left join accounts on accounts.person = people.id left join roles on roles.person = people.id
    where id = $1 or lower(name) like lower($2) escape '!' or folded like $3 escape '!'
    order by created_at desc, id limit $4"""
_EVENT: Final = "case_id, person, other, at, kind, table_id, v, name, text, why, sanction, until, about"
_EVENTS: Final = f"select id, {_EVENT} from case_events where case_id = $1 order by id"
_OF: Final = f"select id, {_EVENT} from case_events where person = $1 order by id"
_BY: Final = f"select id, {_EVENT} from case_events where other = $1 order by id"
_APPEND: Final = f"""insert into case_events ({_EVENT})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"""
_OPEN: Final = "select id from cases where person = $1 and state = 'open' order by id limit 1"
_ADD: Final = """insert into cases (person, state, at, sanction, until) values ($1, 'open', $2, '', 0)
    returning id"""
_MOVE: Final = "update cases set state = $2, at = $3, sanction = $4, until = $5 where id = $1"
_CASE: Final = "id, person, state, at, sanction, until"
_LISTED: Final = f"select {_CASE} from cases where state = $1 order by at desc, id desc limit $2"
_CASES_OF: Final = f"select {_CASE} from cases where person = $1 order by id"
_SANCTIONS: Final = "select person, sanction, until, id from cases where sanction <> ''"
_SET_ROLE: Final = """insert into roles (person, role, at)
    select cast($1 as text), cast($2 as text), cast($3 as bigint)
    where exists (select 1 from people where id = $1)
    on conflict (person) do update set role = excluded.role, at = excluded.at"""
_ROLES: Final = """select roles.person, people.name, roles.role, roles.at from roles
    join people on people.id = roles.person order by roles.role desc, people.name, roles.person"""
_NOTE: Final = """insert into audit (at, person, other, action, detail, outcome)
    values ($1, $2, $3, $4, $5, $6) returning id"""
_NOTE_OUTCOME: Final = "update audit set outcome = $2 where id = $1"
_AUDIT: Final = """select audit.id, at, person, other, action, detail, outcome,
        coalesce(a.name, ''), coalesce(b.name, '')
    from audit left join people a on a.id = person left join people b on b.id = other
    where audit.id < $1 order by audit.id desc limit $2"""


class CaseEvent(NamedTuple):
    """One event of a case, which never changes."""

    id: int
    case: int
    person: str
    """Whom the case is about."""
    other: str
    """Who did it; empty for the operator at the command line, and for erased people."""
    at: int
    kind: CaseEventKind
    table: str = ""
    v: int = 0
    """The event of the table at which the reported words are; 0 for a name."""
    name: str = ""
    text: str = ""
    """The reported words."""
    why: str = ""
    """The reason of a report or decision, a note, or the answer of the person."""
    sanction: str = ""
    until: int = 0
    """When a sanction or the lease of a moderator ends; 0 for never."""
    about: str = ""
    """The kind of a report: words, a name, stalling or cheating."""


class StoredCase(NamedTuple):
    """A case as its events leave it."""

    id: int
    person: str
    state: CaseState
    at: int
    sanction: str
    until: int


class Sanction(NamedTuple):
    """What a person may not do, until when (0: for good), and by which case."""

    person: str
    kind: str
    until: int
    case: int


class RoleHolder(NamedTuple):
    """A person with a role."""

    person: str
    name: str
    role: str
    at: int


class AuditEntry(NamedTuple):
    """One act of an operator or a moderator."""

    id: int
    at: int
    person: str
    """Who did it; empty for the operator at the command line."""
    other: str
    """To whom; empty if it concerns no person."""
    action: str
    detail: str
    outcome: str = ""
    """`done`, or the code of the error by which it was refused; empty if no one knows, as after a crash."""


class NamedAuditEntry(NamedTuple):
    """An entry of the audit list, and what the two people are called now."""

    entry: AuditEntry
    by_name: str
    name: str


NextCase: TypeAlias = Callable[
    [Sequence[CaseEvent], int], "tuple[CaseEvent, CaseState, str, int] | FacedownError"
]
"""From the events so far and the time: the event to append, and the state, sanction and its end that follow;
or why it is refused."""


def append_report(report: CaseEvent) -> Steps[None]:
    """Save a report in the open case of its person, which it may begin; once for each reporter, kind and
    text."""
    found = yield _OPEN, (report.person,)
    if not found:
        found = yield _ADD, (report.person, report.at)
    ((case,),) = found
    events = [CaseEvent(*fields) for fields in (yield _EVENTS, (case,))]
    same = [each for each in events if each.other == report.other and each.table == report.table]
    if any((each.about, each.name, each.text) == (report.about, report.name, report.text) for each in same):
        return
    yield _APPEND, (case, *report[2:])
    yield _MOVE, (case, "open", report.at, "", 0)


def append_event(case: int, at: int, decide: NextCase) -> Steps[CaseEvent | FacedownError | None]:
    """Append what follows from the events of a case; the event, or why not; None if there is no case."""
    events = [CaseEvent(*fields) for fields in (yield _EVENTS, (case,))]
    if not events:
        return None
    decided = decide(events, at)
    if isinstance(decided, FacedownError):
        return decided
    event, state, sanction, until = decided
    yield _APPEND, event[1:]
    yield _MOVE, (case, state, at, sanction, until)
    return event


def erase_in_cases(person: str) -> list[tuple[str, tuple[object, ...]]]:
    """Statements that erase a person from all of this: their cases go, and what they said in other cases.

    The audit list keeps its entries, under a hash of the person's random id: erasing an account hides no act.
    """
    ghost = f"erased-{hashlib.sha256(person.encode()).hexdigest()[:8]}"
    return [
        ("delete from cases where person = $1", (person,)),
        ("delete from case_events where person = $1", (person,)),
        ("update case_events set other = '', why = '' where other = $1", (person,)),
        ("update audit set person = $2 where person = $1", (person, ghost)),
        ("update audit set other = $2 where other = $1", (person, ghost)),
    ]


class CaseRows:
    """Cases, roles and the audit list of one store."""

    def __init__(self, select: Run, execute: Run) -> None:
        self._select = select
        self._execute = execute

    async def listed(self, state: CaseState, limit: int = 100) -> list[StoredCase]:
        """Cases in a state, last changed first."""
        return [StoredCase(*found) for found in await self._select(_LISTED, state, limit)]

    async def cases_of(self, person: str) -> list[StoredCase]:
        return [StoredCase(*found) for found in await self._select(_CASES_OF, person)]

    async def events(self, case: int) -> list[CaseEvent]:
        return await self._events(_EVENTS, case)

    async def events_of(self, person: str) -> list[CaseEvent]:
        """The events of all cases about a person."""
        return await self._events(_OF, person)

    async def events_by(self, person: str) -> list[CaseEvent]:
        """What a person reported, or did as a moderator."""
        return await self._events(_BY, person)

    async def _events(self, statement: str, value: Any) -> list[CaseEvent]:
        return [CaseEvent(*found) for found in await self._select(statement, value)]

    async def sanctions(self) -> list[Sanction]:
        """All sanctions, those whose term is over included."""
        return [Sanction(*found) for found in await self._select(_SANCTIONS)]

    # --- roles and audit -------------------------------------------------------------------------------

    async def role(self, person: str) -> str:
        """The role of a person; empty for most."""
        found = await self._select("select role from roles where person = $1", person)
        return found[0][0] if found else ""

    async def roles(self) -> list[RoleHolder]:
        return [RoleHolder(*found) for found in await self._select(_ROLES)]

    async def set_role(self, person: str, role: str, at: int) -> None:
        """Give a person a role; the empty one takes it away."""
        if role:
            await self._execute(_SET_ROLE, person, role, at)
        else:
            await self._execute("delete from roles where person = $1", person)

    async def note(self, entry: AuditEntry) -> int:
        """Append to the audit list; the id that the store gives the entry."""
        return int((await self._execute(_NOTE, *entry[1:]))[0][0])

    async def note_outcome(self, entry: int, outcome: str) -> None:
        """Add to an entry how the act came out, once."""
        await self._execute(_NOTE_OUTCOME, entry, outcome)

    async def audit(self, before: int, limit: int = 100) -> list[NamedAuditEntry]:
        """The entries before an id, newest first."""
        found = await self._select(_AUDIT, before, limit)
        return [NamedAuditEntry(AuditEntry(*entry), by, name) for *entry, by, name in found]

    async def find_people(self, text: str, folded: str = "", limit: int = 100) -> list[FoundPerson]:
        """People by their id, or by a part of their name or of their handle in its folded form, newest
        first."""
        values = (text, _containing(text), _containing(folded or text), limit)
        return [FoundPerson(*found) for found in await self._select(_FIND_PEOPLE, *values)]


def _containing(text: str) -> str:
    """The pattern for texts that contain this one."""
    part = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{part}%"
