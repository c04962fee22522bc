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
    CaseDecision,
    CaseDetails,
    CaseList,
    CasesQuery,
    NewReport,
    OwnCases,
)
from facedown.server import clock
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.endpoints.people import person_meant
from facedown.server.store.cases import Report
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("operators", needs="moderator", refuses=(BadToken, OperatorsOnly))
OWN_ENDPOINTS: Final = Endpoints("people", needs="session")
_CASES: Final = "/api/v1/admin/cases"
_MODERATORS: Final = "/api/v1/admin/moderators"
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
        Report(
            *(0, 0, person, me.id, clock.now(), wanted.about, wanted.table, wanted.message or 0, name, text),
            why=one_line(wanted.why),
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


def _judge(call: Call[Any, Any]) -> str:
    """The moderator; empty for the operator."""
    return "" if call.person is None else call.person.id


@ENDPOINTS.get(_CASES, refuses=(NotFound, NoJudge))
async def list_cases(call: Call[None, CasesQuery]) -> CaseList:
    """Cases with their reports: one by its number, or those in a state, last changed first; none about the
    caller, and none that the caller reported."""
    moderation, judge, wanted = call.services.moderation, _judge(call), call.query
    if wanted.number:
        return CaseList((await moderation.details(wanted.number, judge),))
    return CaseList(await moderation.visible_cases(wanted.state, judge))


@ENDPOINTS.post(f"{_CASES}/{{number}}", refuses=(NotFound, NoJudge, NotNow, StoreFailed))
async def decide_case(call: Call[CaseDecision, None]) -> CaseDetails:
    """Decide a case, or lift what was decided."""
    services, judge = call.services, _judge(call)
    done = await services.moderation.decide(call.number(), judge, call.body)
    if done.sanction in ("no_pairing", "closed"):
        await services.pairing.withdraw(done.person)
    if done.sanction == "closed":
        services.forgetting.on_sign_out(done.person)
    return await services.moderation.details(call.number(), judge)


# --- for the operator ------------------------------------------------------------------------------------


@ENDPOINTS.put(f"{_MODERATORS}/{{person}}", needs="operator", refuses=(NotFound, NotNow, StoreFailed))
async def appoint(call: Call[None, None]) -> None:
    """Make a person a moderator."""
    person = (await call.person_of_path()).id
    if await call.services.store.accounts.account(person) is None:
        raise NotNow("this person is a guest: a moderator needs a kept account")
    await call.services.store.cases.appoint(person, clock.now())


@ENDPOINTS.delete(f"{_MODERATORS}/{{person}}", needs="operator", refuses=(NotFound, StoreFailed))
async def dismiss(call: Call[None, None]) -> None:
    """Make a person a moderator no longer."""
    await call.services.store.cases.dismiss((await call.person_of_path()).id)


@ENDPOINTS.get("/api/v1/admin/audit", needs="operator")
async def list_audit(call: Call[None, AuditQuery]) -> AuditList:
    """What the operator and moderators did, latest first."""
    found = await call.services.store.cases.audit(call.query.before or _LATEST)
    return AuditList(tuple(AuditInfo(*each.entry, each.by_name, each.name) for each in found))
