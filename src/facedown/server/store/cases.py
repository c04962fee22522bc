"""Cases of moderation, moderators, and the list of what operators and moderators did.

Reports about a person gather in one open case, which a decision closes. The statements are the same for
SQLite and PostgreSQL.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from facedown.core.errors import FacedownError
from facedown.server.store.steps import Steps
from facedown.server.store.values import FoundPerson, Rows

CaseState: TypeAlias = Literal["open", "decided", "answered", "closed", "lifted"]
"""`answered` waits for another moderator; `closed` is dismissed, or decided for good."""

_FIND_PEOPLE: Final = """select id, name, created_at,
    (select count(*) from seats where seats.person = people.id),
    (select count(*) from reports where reports.person = people.id),
    coalesce(handle, ''), (select count(*) from moderators where moderators.person = people.id),
    coalesce((select max(used) from keys where keys.person = people.id), 0)
    from people left join accounts on accounts.person = people.id
    where (id = $1 or lower(name) like lower($2) escape '!' or folded like $3 escape '!')
    and (not $4 or exists (select 1 from moderators where moderators.person = people.id))
    order by created_at desc, id limit $5"""
_REPORT: Final = "case_id, person, other, at, about, table_id, v, name, text, why"
_REPORTS_IN: Final = f"select id, {_REPORT} from reports where case_id = $1 order by id"
_REPORTS_ABOUT: Final = f"select id, {_REPORT} from reports where person = $1 order by id"
_REPORTS_BY: Final = f"select id, {_REPORT} from reports where other = $1 order by id"
_ADD_REPORT: Final = f"insert into reports ({_REPORT}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
_OPEN: Final = "select id from cases where person = $1 and state = 'open' order by id limit 1"
_ADD: Final = """insert into cases (person, state, at, sanction, until, why, decided_by, answer)
    values ($1, 'open', $2, '', 0, '', '', '') returning id"""
_TOUCH: Final = "update cases set at = $2 where id = $1"
_CHANGE: Final = """update cases set state = $2, at = $3, sanction = $4, until = $5, why = $6,
    decided_by = $7, answer = $8 where id = $1"""
_CASE: Final = "id, person, state, at, sanction, until, why, decided_by, answer"
_FIND: Final = f"select {_CASE} from cases where id = $1"
_LISTED: Final = f"select {_CASE} from cases where state = $1 order by at desc, id desc limit $2"
_CASES_OF: Final = f"select {_CASE} from cases where person = $1 order by id"
_SANCTIONS: Final = "select person, sanction, until, id from cases where sanction <> ''"
_APPOINT: Final = """insert into moderators (person, at) select cast($1 as text), cast($2 as bigint)
    where exists (select 1 from people where id = $1) on conflict (person) do nothing"""
_NOTE: Final = """insert into audit (at, person, other, action, detail, outcome)
    values ($1, $2, $3, $4, $5, $6) returning id"""
_NOTE_OUTCOME: Final = "update audit set outcome = $2 where id = $1"
_AUDIT: Final = """select audit.id, at, person, other, action, detail, outcome,
        coalesce(a.name, ''), coalesce(b.name, '')
    from audit left join people a on a.id = person left join people b on b.id = other
    where audit.id < $1 order by audit.id desc limit $2"""


class Report(NamedTuple):
    """A report of a person by another."""

    id: int
    case: int
    person: str
    """The person whom the report is about."""
    other: str
    """The person who reported; empty once they are erased."""
    at: int
    about: str
    """Its kind: words, a name, stalling or cheating."""
    table: str
    v: int
    """The event of the table at which the reported words are; 0 for anything else."""
    name: str
    text: str
    """The reported words."""
    why: str


class StoredCase(NamedTuple):
    """A case: the reports about a person up to a decision, the decision, and the answer to it."""

    id: int
    person: str
    state: CaseState
    at: int
    """When it was decided, or reported last."""
    sanction: str = ""
    until: int = 0
    """When the sanction ends; 0 for never."""
    why: str = ""
    """The reason of the decision."""
    decided_by: str = ""
    """The moderator; empty for the operator, and for erased people."""
    answer: str = ""


class Sanction(NamedTuple):
    """What a person may not do, until when (0: for good), and by which case."""

    person: str
    kind: str
    until: int
    case: int


class AuditEntry(NamedTuple):
    """One act of an operator or a moderator."""

    id: int
    at: int
    person: str
    """The moderator; empty for the operator."""
    other: str
    """The person concerned; empty if there is none."""
    action: str
    detail: str
    outcome: str = ""
    """`done`, or the code of the error by which it was refused; empty if no one knows, as after a crash."""


class NamedAuditEntry(NamedTuple):
    """An entry of the audit list, and what the two people are called now."""

    entry: AuditEntry
    by_name: str
    name: str


CaseChange: TypeAlias = Callable[[StoredCase, int], "StoredCase | FacedownError"]
"""The case that follows from one at a time, or why it is refused."""


def add_report(report: Report) -> Steps[None]:
    """Save a report in the open case of its person, which it may begin; once for each reporter, kind and
    text."""
    found = yield _OPEN, (report.person,)
    if not found:
        found = yield _ADD, (report.person, report.at)
    ((case,),) = found
    for same in [Report(*fields) for fields in (yield _REPORTS_IN, (case,))]:
        if same._replace(id=0, case=0, at=0, v=0, why="") == report._replace(id=0, case=0, at=0, v=0, why=""):
            return
    yield _ADD_REPORT, (case, *report[2:])
    yield _TOUCH, (case, report.at)


def change_case(case: int, at: int, change: CaseChange) -> Steps[StoredCase | FacedownError | None]:
    """Change a case; the new one, or why not; None if there is no case."""
    found = yield _FIND, (case,)
    if not found:
        return None
    changed = change(StoredCase(*found[0]), at)
    if not isinstance(changed, FacedownError):
        yield _CHANGE, (changed.id, *changed[2:])
    return changed


def erase_in_cases(person: str) -> Steps[None]:
    """Steps that erase a person from all of this: their cases go, and what they said in other cases.

    The audit list keeps its entries, under a hash of the person's random id: erasing an account hides no act.
    """
    ghost = f"erased-{hashlib.sha256(person.encode()).hexdigest()[:8]}"
    yield "delete from cases where person = $1", (person,)
    yield "delete from reports where person = $1", (person,)
    yield "update reports set other = '', why = '' where other = $1", (person,)
    yield "update cases set decided_by = '' where decided_by = $1", (person,)
    yield "update audit set person = $2 where person = $1", (person, ghost)
    yield "update audit set other = $2 where other = $1", (person, ghost)


class CaseRows(Rows):
    """Cases, moderators and the audit list of one store."""

    async def case(self, number: int) -> StoredCase | None:
        found = await self._select(_FIND, number)
        return StoredCase(*found[0]) if found else None

    async def listed(self, state: CaseState, limit: int = 100) -> list[StoredCase]:
        """Cases in a state, last changed first."""
        return [StoredCase(*found) for found in await self._select(_LISTED, state, limit)]

    async def cases_of(self, person: str) -> list[StoredCase]:
        return [StoredCase(*found) for found in await self._select(_CASES_OF, person)]

    async def reports_in(self, case: int) -> list[Report]:
        return [Report(*found) for found in await self._select(_REPORTS_IN, case)]

    async def reports_about(self, person: str) -> list[Report]:
        return [Report(*found) for found in await self._select(_REPORTS_ABOUT, person)]

    async def reports_by(self, person: str) -> list[Report]:
        return [Report(*found) for found in await self._select(_REPORTS_BY, person)]

    async def sanctions(self) -> list[Sanction]:
        """All sanctions, those whose term is over included."""
        return [Sanction(*found) for found in await self._select(_SANCTIONS)]

    # --- moderators and audit --------------------------------------------------------------------------

    async def is_moderator(self, person: str) -> bool:
        return bool(await self._select("select 1 from moderators where person = $1", person))

    async def appoint(self, person: str, at: int) -> None:
        await self._execute(_APPOINT, person, at)

    async def dismiss(self, person: str) -> None:
        await self._execute("delete from moderators where person = $1", person)

    async def note(self, entry: AuditEntry) -> int:
        """Append to the audit list; the id that the store gives the entry."""
        return int((await self._execute(_NOTE, *entry[1:]))[0][0])

    async def note_outcome(self, entry: int, outcome: str) -> None:
        """Add to an entry how the act came out."""
        await self._execute(_NOTE_OUTCOME, entry, outcome)

    async def audit(self, before: int, limit: int = 100) -> list[NamedAuditEntry]:
        """The entries before an id, newest first."""
        found = await self._select(_AUDIT, before, limit)
        return [NamedAuditEntry(AuditEntry(*entry), by, name) for *entry, by, name in found]

    async def find_people(
        self, text: str, folded: str = "", limit: int = 100, *, moderators: bool = False
    ) -> list[FoundPerson]:
        """People by their id, or by a part of their name or of their handle in its folded form, newest
        first."""
        values = (text, _containing(text), _containing(folded or text), moderators, limit)
        found = await self._select(_FIND_PEOPLE, *values)
        return [FoundPerson(*[*each[:6], bool(each[6]), each[7]]) for each in found]


def _containing(text: str) -> str:
    """The pattern for texts that contain this one."""
    part = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{part}%"
