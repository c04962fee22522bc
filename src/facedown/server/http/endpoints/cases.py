"""Cases of moderation: for moderators, and for the person whom a decision is about; the audit list."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.errors import NotNow
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import (
    BadMessage,
    BadToken,
    NoJudge,
    NotFound,
    OperatorsOnly,
    TooMany,
    UnknownTable,
)
from facedown.protocol.moderation import (
    AuditInfo,
    AuditList,
    AuditQuery,
    CaseAnswer,
    CaseDetails,
    CaseList,
    CasesQuery,
    CaseStep,
    NewReport,
    OwnCases,
    RoleInfo,
    RoleList,
    SetRole,
)
from facedown.server import clock
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.endpoints.people import person_meant
from facedown.server.moderation import Judge
from facedown.server.store.cases import CaseEvent
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("operators", needs="moderator", refuses=(BadToken, OperatorsOnly))
OWN_ENDPOINTS: Final = Endpoints("people", needs="session")
_CASES: Final = "/api/v1/admin/cases"
_OWN: Final = "/api/v1/people/me/cases"
_LATEST: Final = 1 << 62


# --- for everyone ----------------------------------------------------------------------------------------


@OWN_ENDPOINTS.post("/api/v1/reports", refuses=(UnknownTable, TooMany, StoreFailed))
async def report(call: Call[NewReport, None]) -> None:
    """Report a person to the moderators: a message, a name, stalling or cheating at a table."""
    me, wanted = call.require_session(), call.body
    if wanted.about == "words" and wanted.message is None:
        raise BadMessage("words are reported with their `message`")
    call.services.limits.report(me.id, call.address)
    person, name, text = await person_meant(call, wanted)
    await call.services.store.report(
        CaseEvent(
            *(0, 0, person, me.id, clock.now(), "reported", wanted.table, wanted.message or 0, name, text),
            why=one_line(wanted.why),
            about=wanted.about,
        )
    )


@OWN_ENDPOINTS.get(_OWN, when_closed=True)
async def own_cases(call: Call[None, None]) -> OwnCases:
    """What moderators have decided about the caller: what follows, until when, why, and by which words."""
    return await call.services.moderation.own(call.require_session().id)


@OWN_ENDPOINTS.post(
    f"{_OWN}/{{number}}/answer", when_closed=True, refuses=(NotFound, NotNow, TooMany, StoreFailed)
)
async def answer_case(call: Call[CaseAnswer, None]) -> None:
    """Answer a decision about the caller, once; another moderator reads it."""
    me = call.require_session().id
    call.services.limits.report(me, call.address)
    await call.services.moderation.answer(call.number(), me, call.body.text)


# --- for moderators --------------------------------------------------------------------------------------


def _judge(call: Call[Any, Any]) -> Judge:
    return Judge("" if call.person is None else call.person.id, call.role)


@ENDPOINTS.get(_CASES)
async def list_cases(call: Call[None, CasesQuery]) -> CaseList:
    """Cases in a state, last changed first; none about the caller, and none that the caller reported."""
    return CaseList(await call.services.moderation.visible_cases(call.query.state, _judge(call)))


@ENDPOINTS.get(f"{_CASES}/{{number}}", refuses=(NotFound, NoJudge))
async def show_case(call: Call[None, None]) -> CaseDetails:
    """A case with all its events."""
    return await call.services.moderation.details(call.number(), _judge(call))


@ENDPOINTS.post(f"{_CASES}/{{number}}", refuses=(NotFound, NoJudge, NotNow, StoreFailed))
async def step_case(call: Call[CaseStep, None]) -> CaseDetails:
    """Take a case, note something, decide it, or lift what was decided."""
    services, judge = call.services, _judge(call)
    done = await services.moderation.step(call.number(), judge, call.body)
    if done.kind == "decided" and done.sanction in ("no_pairing", "closed"):
        await services.pairing.withdraw(done.person)
    if done.kind == "decided" and done.sanction == "closed":
        services.forgetting.on_sign_out(done.person)
    return await services.moderation.details(call.number(), judge)


@ENDPOINTS.get("/api/v1/admin/roles")
async def list_roles(call: Call[None, None]) -> RoleList:
    """Who has a role here, and which one the caller has."""
    found = await call.services.store.cases.roles()
    return RoleList(call.role, tuple(RoleInfo(*each) for each in found))


@ENDPOINTS.put(
    "/api/v1/admin/people/{person}/role", needs="operator", refuses=(NotFound, NotNow, StoreFailed)
)
async def set_role(call: Call[SetRole, None]) -> None:
    """Give a person a role, or take it away. Only the operator's token may: no session does."""
    if call.person is not None:
        raise OperatorsOnly("roles are set at the command line: facedown admin role HANDLE --role ROLE")
    person = (await call.person_of_path()).id
    if call.body.role and await call.services.store.accounts.account(person) is None:
        raise NotNow("this person is a guest: a role needs a kept account")
    await call.services.store.cases.set_role(person, call.body.role, clock.now())


@ENDPOINTS.get("/api/v1/admin/audit", needs="operator")
async def list_audit(call: Call[None, AuditQuery]) -> AuditList:
    """What operators and moderators did, latest first."""
    found = await call.services.store.cases.audit(call.query.before or _LATEST)
    return AuditList(tuple(AuditInfo(*each.entry, each.by_name, each.name) for each in found))
