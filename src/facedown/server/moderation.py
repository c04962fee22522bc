"""Moderation: who may do what in a case, and what follows from it.

A case is a fold of its events. A moderator takes it for half an hour, so that no one is left waiting for a
moderator who went away. No one judges their own case, one that they reported, or an appeal against their own
decision; cases about people with a role are for operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from facedown.core.errors import FacedownError, NotNow
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadMessage, NoJudge, NotFound
from facedown.protocol.moderation import (
    CaseDetails,
    CaseEventInfo,
    CaseEvidence,
    CaseInfo,
    CaseStep,
    OwnCase,
    OwnCases,
)
from facedown.server.clock import DAY_MS
from facedown.server.store.base import Store
from facedown.server.store.cases import CaseEvent, CaseEventKind, CaseState, StoredCase
from facedown.server.table.tables import Tables

LEASE_MS: Final = 30 * 60 * 1000
"""How long a case is a moderator's after they took it."""
_KINDS: Final[dict[str, CaseEventKind]] = {
    "take": "taken",
    "note": "noted",
    "decide": "decided",
    "lift": "lifted",
}


class Judge(NamedTuple):
    """Who acts in a case: a person with a role, or the operator at the command line (no person)."""

    person: str
    role: str


@dataclass(slots=True)
class _Case:
    """A case as its events leave it."""

    person: str
    state: CaseState = "open"
    sanction: str = ""
    until: int = 0
    taken_by: str = ""
    taken_until: int = 0
    decided_by: str | None = None
    answered: bool = False

    def add(self, event: CaseEvent) -> None:
        if event.kind == "taken":
            self.taken_by, self.taken_until = event.other, event.until
        elif event.kind == "decided":
            self.state = "closed" if self.answered or event.sanction == "none" else "decided"
            self.sanction = "" if event.sanction == "none" else event.sanction
            self.until, self.decided_by, self.taken_until = event.until, event.other, 0
        elif event.kind == "appealed":
            self.state, self.answered = "appealed", True
        elif event.kind == "lifted":
            self.state, self.sanction, self.until, self.taken_until = "closed", "", 0, 0


def _fold(events: Sequence[CaseEvent]) -> _Case:
    case = _Case(events[0].person)
    for event in events:
        case.add(event)
    return case


def may_judge(events: Sequence[CaseEvent], judge: Judge, role_of_person: str) -> bool:
    """Whether this judge may see and judge a case with these events about a person with this role."""
    if not judge.person:
        return True
    if judge.person == events[0].person or (role_of_person and judge.role != "operator"):
        return False
    return not any(each.kind == "reported" and each.other == judge.person for each in events)


def next_event(
    events: Sequence[CaseEvent], judge: Judge, step: CaseStep, at: int
) -> tuple[CaseEvent, CaseState, str, int] | FacedownError:
    """The event of a moderator's step, and what it leaves; or why it is refused."""
    case = _fold(events)
    if case.taken_until > at and case.taken_by != judge.person and judge.person:
        return NotNow("another moderator has taken this case; it is free again half an hour after that")
    if step.do == "decide" and case.state not in ("open", "appealed"):
        return NotNow("this case is decided; an answer of the person opens it once more")
    if step.do == "lift" and not case.sanction:
        return NotNow("there is nothing to lift in this case")
    reviews = case.state == "appealed" and step.do in ("decide", "lift")
    if reviews and judge.person and judge.person == case.decided_by:
        return NoJudge("another moderator reads the answer to your decision")
    if step.do == "decide" and step.sanction != "none" and not step.why.strip():
        return BadMessage("a decision needs its reason, which the person reads")
    until = 0
    if step.do == "take":
        until = at + LEASE_MS
    elif step.do == "decide" and step.days and step.sanction not in ("none", "warning"):
        until = at + step.days * DAY_MS
    event = CaseEvent(
        *(0, events[0].case, case.person, judge.person, at, _KINDS[step.do]),
        why=one_line(step.why),
        sanction=step.sanction if step.do == "decide" else "",
        until=until,
    )
    case.add(event)
    return event, case.state, case.sanction, case.until


def _answer_of(
    events: Sequence[CaseEvent], person: str, text: str, at: int
) -> tuple[CaseEvent, CaseState, str, int] | FacedownError:
    case = _fold(events)
    if case.person != person:
        return NotFound("there is no case of this number")
    if case.state != "decided" or case.answered:
        return NotNow("a decision can be answered once, while it stands")
    event = CaseEvent(0, events[0].case, person, person, at, "appealed", why=one_line(text))
    case.add(event)
    return event, case.state, case.sanction, case.until


class Moderation:
    """The cases of one store."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    async def visible_cases(self, state: CaseState, judge: Judge) -> tuple[CaseInfo, ...]:
        """The cases in a state that this judge may see."""
        found: list[CaseInfo] = []
        for each in await self._store.cases.listed(state):
            if await self._may_see(await self._store.cases.events(each.id), judge):
                found.append(await self._info(each))
        return tuple(found)

    async def details(self, number: int, judge: Judge) -> CaseDetails:
        """A case with its events; raises `NotFound` and `NoJudge`."""
        events = await self._store.cases.events(number)
        await self._check_sees(events, judge)
        stored = next(
            each for each in await self._store.cases.cases_of(events[0].person) if each.id == number
        )
        people = [await self._store.person(each) for each in {each.other for each in events} - {""}]
        names = {each.id: each.name for each in people if each is not None}
        shown = tuple(
            CaseEventInfo(
                *(each.at, each.kind, each.other, each.table, each.v, each.name),
                *each[9:],
                by_name=names.get(each.other, ""),
            )
            for each in events
        )
        return CaseDetails(await self._info(stored), shown)

    async def step(self, number: int, judge: Judge, step: CaseStep) -> CaseEvent:
        """What a moderator does in a case; raises why not."""
        await self._check_sees(await self._store.cases.events(number), judge)
        done = await self._store.add_to_case(number, lambda events, at: next_event(events, judge, step, at))
        if done.kind in ("decided", "lifted"):
            await self._tables.relations.reload()
        return done

    async def answer(self, number: int, person: str, text: str) -> None:
        """The answer of a person to a decision about them; raises `NotFound` and `NotNow`."""
        await self._store.add_to_case(number, lambda events, at: _answer_of(events, person, text, at))

    async def own(self, person: str) -> OwnCases:
        """The decisions about a person, newest first; who reported and who decided is not in it."""
        events: dict[int, list[CaseEvent]] = {}
        for each in await self._store.cases.events_of(person):
            events.setdefault(each.case, []).append(each)
        shown = [_own_case(each) for each in events.values()]
        return OwnCases(tuple(each for each in reversed(shown) if each is not None))

    async def _check_sees(self, events: Sequence[CaseEvent], judge: Judge) -> None:
        if not events:
            raise NotFound("there is no case of this number")
        if not await self._may_see(events, judge):
            raise NoJudge("no one judges their own case, one that they reported, or one of an operator")

    async def _may_see(self, events: Sequence[CaseEvent], judge: Judge) -> bool:
        return may_judge(events, judge, await self._store.cases.role(events[0].person))

    async def _info(self, case: StoredCase) -> CaseInfo:
        person = await self._store.person(case.person)
        return CaseInfo(case.id, case.person, "" if person is None else person.name, *case[2:])


def _own_case(events: Sequence[CaseEvent]) -> OwnCase | None:
    """A case as its person sees it; None before a decision, and if nothing followed from it."""
    case, decisions = _fold(events), [each for each in events if each.kind in ("decided", "lifted")]
    if all(each.sanction in ("", "none") for each in decisions):
        return None
    last = decisions[-1]
    return OwnCase(
        id=events[0].case,
        at=last.at,
        state=case.state,
        sanction=case.sanction or "none",
        until=case.until,
        why=last.why,
        words=tuple(
            CaseEvidence(each.about, each.table, each.v, each.text or each.name)
            for each in events
            if each.kind == "reported"
        ),
        answer=next((each.why for each in events if each.kind == "appealed"), ""),
        may_answer=case.state == "decided" and not case.answered,
    )
