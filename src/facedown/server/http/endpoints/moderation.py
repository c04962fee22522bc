"""Moderation: people mute, block and report each other; the operator finds people and settles reports."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadMessage, BadToken, NotFound, TooMany, UnknownTable
from facedown.protocol.moderation import (
    FoundPeople,
    FoundPersonInfo,
    LimitHit,
    LimitHits,
    NewRelation,
    NewReport,
    PeopleQuery,
    RelationInfo,
    RelationList,
    ReportInfo,
    ReportList,
)
from facedown.server import clock
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.store.base import StoreFailed
from facedown.server.store.relations import Relation, Report

PEOPLE: Final = Endpoints("people", needs="session")
OPERATORS: Final = Endpoints("operators", needs="operator", refuses=(BadToken,))
_RELATIONS: Final = "/api/v1/people/me/relations"
_ADMIN: Final = "/api/v1/admin"


# --- people ----------------------------------------------------------------------------------------------


@PEOPLE.get(_RELATIONS)
async def list_relations(call: Call[None, None]) -> RelationList:
    """Whom the caller has muted or blocked."""
    found = call.services.tables.relations.of(call.require_session().id)
    return RelationList(tuple(_info(each) for each in found))


def _info(relation: Relation) -> RelationInfo:
    return RelationInfo(relation.id, relation.kind, relation.name, relation.at)


@PEOPLE.post(_RELATIONS, status=201, refuses=(UnknownTable, TooMany, StoreFailed))
async def add_relation(call: Call[NewRelation, None]) -> RelationInfo:
    """Mute or block the person on a seat, or the sender of a message."""
    me, asked = call.require_session(), call.body
    call.services.limits.report(me.id, call.address)
    person, name, _ = await _reported_person(call, asked)
    return _info(await call.services.tables.relations.add(me.id, person, asked.kind, name))


@PEOPLE.delete(f"{_RELATIONS}/{{number}}", refuses=(NotFound, StoreFailed))
async def drop_relation(call: Call[None, None]) -> None:
    """Hear and meet somebody again."""
    await call.services.tables.relations.drop(call.require_session().id, _number(call))


@PEOPLE.post("/api/v1/reports", refuses=(UnknownTable, TooMany, StoreFailed))
async def report(call: Call[NewReport, None]) -> None:
    """Report a message or a name to the operator, who gets it as evidence."""
    me, asked = call.require_session(), call.body
    call.services.limits.report(me.id, call.address)
    person, name, text = await _reported_person(call, asked)
    kind = "name" if asked.message is None else "message"
    evidence = Report(0, clock.now(), me.id, person, asked.table, kind, name, text, one_line(asked.why))
    await call.services.store.report(evidence)


async def _reported_person(call: Call[Any, Any], asked: NewRelation | NewReport) -> tuple[str, str, str]:
    """The person who is meant, their name, and what they said: the caller must be able to see it."""
    if (asked.seat is None) == (asked.message is None):
        raise BadMessage("either `seat` or `message` says who is meant")
    table = await call.services.tables.get(asked.table)
    await table.settled()
    me = call.require_session().id
    seats = table.seats_of(me)
    if not seats and not table.may_watch(me):
        raise UnknownTable("there is no table with this id, or you may not see it")
    if asked.message is not None:
        person, name, text = table.sender_of(asked.message, seats[0] if seats else 0)
    else:
        person, name = table.person_on(asked.seat or 0)
        text = ""
    if not person or person == me:
        raise BadMessage("this is yourself, or a machine")
    return person, name, text


def _number(call: Call[Any, Any]) -> int:
    text = call.part("number")
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NotFound("there is nothing of this number")
    return int(text)


# --- the operator ----------------------------------------------------------------------------------------


@OPERATORS.get(f"{_ADMIN}/reports")
async def list_reports(call: Call[None, None]) -> ReportList:
    """The reports that are not settled."""
    found = await call.services.store.reports()
    return ReportList(
        tuple(
            ReportInfo(
                *(each.id, each.at, each.kind, each.person, each.name),
                *(each.text, each.why, each.table, each.reporter),
            )
            for each in found
        )
    )


@OPERATORS.delete(f"{_ADMIN}/reports/{{number}}", refuses=(NotFound, StoreFailed))
async def settle_report(call: Call[None, None]) -> None:
    """Settle a report."""
    await call.services.store.settle_report(_number(call))


@OPERATORS.get(f"{_ADMIN}/people")
async def find_people(call: Call[None, PeopleQuery]) -> FoundPeople:
    """Find people by a part of their name, or by their id."""
    found = await call.services.store.find_people(call.query.find)
    return FoundPeople(
        tuple(
            FoundPersonInfo(each.id, each.name, each.created_at, each.seats, each.reports) for each in found
        )
    )


@OPERATORS.delete(f"{_ADMIN}/people/{{person}}", refuses=(NotFound, StoreFailed))
async def erase_person(call: Call[None, None]) -> None:
    """Erase a person: sessions, names, messages. Games that others played stay, without the name."""
    person = call.part("person")
    if await call.services.store.person(person) is None:
        raise NotFound("there is no person with this id")
    await call.services.forgetting.erase(person)
    call.services.tables.relations.forget(person)


@OPERATORS.get(f"{_ADMIN}/limits")
async def limit_hits(call: Call[None, None]) -> LimitHits:
    """The limits that were hit since the server started."""
    return LimitHits(tuple(LimitHit(*each) for each in await call.services.processes.hits()))
