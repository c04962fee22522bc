"""Moderation: a mailbox of cases, which moderators decide and people answer once.

No one judges their own case, one that they reported, the answer to their own decision, or a moderator; the
operator at the command line judges all.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.errors import FacedownError, NotNow
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadMessage, NoJudge, NotFound
from facedown.protocol.moderation import (
    CaseDecision,
    CaseDetails,
    CaseEvidence,
    CaseInfo,
    OwnCase,
    OwnCases,
    ReportInfo,
)
from facedown.server.clock import DAY_MS
from facedown.server.store.base import Store
from facedown.server.store.cases import CaseState, Report, StoredCase
from facedown.server.table.tables import Tables


def decided(case: StoredCase, judge: str, decision: CaseDecision, at: int) -> StoredCase | FacedownError:
    """The case after a decision, or why it is refused. `judge` is empty for the operator."""
    lifts = decision.sanction == "none"
    if case.state not in ("open", "answered") and not (lifts and case.sanction):
        return NotNow("this case is decided: that can be lifted, and an answer opens it once more")
    if case.state == "answered" and judge and judge == case.decided_by:
        return NoJudge("another moderator reads the answer to your decision")
    if not lifts and not decision.why.strip():
        return BadMessage("a decision needs its reason, which the person reads")
    has_term = decision.days and decision.sanction not in ("none", "warning")
    ends: CaseState = "closed" if case.answer else "decided"
    if lifts:
        ends = "lifted" if case.sanction else "closed"
    return case._replace(
        state=ends,
        at=at,
        sanction="" if lifts else decision.sanction,
        until=at + decision.days * DAY_MS if has_term else 0,
        why=one_line(decision.why),
        decided_by=judge,
    )


def answered(case: StoredCase, person: str, text: str) -> StoredCase | FacedownError:
    """The case after the answer of its person, or why it is refused."""
    if case.person != person:
        return NotFound("there is no case of this number")
    if case.state != "decided":
        return NotNow("a decision can be answered once, while it stands")
    return case._replace(state="answered", answer=one_line(text))


class Moderation:
    """The cases of one store."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    async def visible_cases(self, state: CaseState, judge: str) -> tuple[CaseDetails, ...]:
        """The cases in a state that this judge may see."""
        found = [each for each in await self._store.cases.listed(state) if await self._may_judge(each, judge)]
        return tuple([await self._details(each) for each in found])

    async def details(self, number: int, judge: str) -> CaseDetails:
        """A case with its reports; raises `NotFound` and `NoJudge`."""
        return await self._details(await self._case(number, judge))

    async def _details(self, case: StoredCase) -> CaseDetails:
        reports = await self._store.cases.reports_in(case.id)
        people = [
            await self._store.person(each) for each in {case.decided_by, *(each.other for each in reports)}
        ]
        names = {each.id: each.name for each in people if each is not None}
        return CaseDetails(
            await self._info(case),
            why=case.why,
            decided_by=names.get(case.decided_by, ""),
            answer=case.answer,
            reports=tuple(
                ReportInfo(
                    *(each.at, each.about, each.other, names.get(each.other, "")),
                    *(each.table, each.v, each.text or each.name, each.why),
                )
                for each in reports
            ),
        )

    async def decide(self, number: int, judge: str, decision: CaseDecision) -> StoredCase:
        """Decide a case, or lift what was decided; raises why not."""
        await self._case(number, judge)
        done = await self._store.change_case(number, lambda case, at: decided(case, judge, decision, at))
        await self._tables.relations.reload()
        return done

    async def answer(self, number: int, person: str, text: str) -> None:
        """The answer of a person to a decision about them; raises `NotFound` and `NotNow`."""
        await self._store.change_case(number, lambda case, _: answered(case, person, text))

    async def own(self, person: str) -> OwnCases:
        """The decisions about a person, newest first; who reported and who decided is not in it."""
        cases = await self._store.cases.cases_of(person)
        shown = [each for each in cases if each.state == "lifted" or each.sanction]
        reports = await self._store.cases.reports_about(person) if shown else []
        return OwnCases(tuple(_own_case(each, reports) for each in reversed(shown)))

    async def _case(self, number: int, judge: str) -> StoredCase:
        case = await self._store.cases.case(number)
        if case is None:
            raise NotFound("there is no case of this number")
        if not await self._may_judge(case, judge):
            raise NoJudge("no one judges their own case, one that they reported, or one of a moderator")
        return case

    async def _may_judge(self, case: StoredCase, judge: str) -> bool:
        if not judge:
            return True
        rows = self._store.cases
        if judge == case.person or await rows.is_moderator(case.person):
            return False
        return not any(each.other == judge for each in await rows.reports_in(case.id))

    async def _info(self, case: StoredCase) -> CaseInfo:
        person = await self._store.person(case.person)
        name = "" if person is None else person.name
        return CaseInfo(case.id, case.person, name, case.state, case.at, case.sanction, case.until)


def _own_case(case: StoredCase, reports: Sequence[Report]) -> OwnCase:
    """A decided case as its person sees it."""
    return OwnCase(
        id=case.id,
        at=case.at,
        state=case.state,
        sanction=case.sanction or "none",
        until=case.until,
        why=case.why,
        words=tuple(
            CaseEvidence(each.about, each.table, each.v, each.text or each.name)
            for each in reports
            if each.case == case.id
        ),
        answer=case.answer,
        may_answer=case.state == "decided",
    )
