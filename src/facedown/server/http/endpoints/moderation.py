"""Moderation: people mute, block and report each other; the operator finds people and settles reports."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

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
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint, json_response
from facedown.server.store.base import StoreFailed
from facedown.server.store.values import Relation, Report

_TAG: Final = "people"
_OPERATORS: Final = "operators"


# --- people ----------------------------------------------------------------------------------------------


async def _mine(call: Call[None, None]) -> RelationList:
    found = call.services.tables.relations.of(call.require_session().id)
    return RelationList(tuple(_info(each) for each in found))


def _info(relation: Relation) -> RelationInfo:
    return RelationInfo(relation.id, relation.kind, relation.name, relation.at)


async def _relate(call: Call[NewRelation, None]) -> RelationInfo:
    me, asked = call.require_session(), call.body
    call.services.limits.report(me.id, call.address)
    person, name, _ = await _meant(call, asked)
    return _info(await call.services.tables.relations.add(me.id, person, asked.kind, name))


async def _unrelate(call: Call[None, None]) -> Response:
    await call.services.tables.relations.drop(call.require_session().id, _number(call))
    return json_response(None)


async def _report(call: Call[NewReport, None]) -> Response:
    me, asked = call.require_session(), call.body
    call.services.limits.report(me.id, call.address)
    person, name, text = await _meant(call, asked)
    kind = "name" if asked.message is None else "message"
    evidence = Report(0, clock.now(), me.id, person, asked.table, kind, name, text, one_line(asked.why))
    await call.services.store.report(evidence)
    return json_response(None)


async def _meant(call: Call[Any, Any], asked: NewRelation | NewReport) -> tuple[str, str, str]:
    """The person who is meant, their name, and what they said: the caller must be able to see it."""
    if (asked.seat is None) == (asked.message is None):
        raise BadMessage("either `seat` or `message` says who is meant")
    table = await call.services.tables.get(asked.table)
    await table.settle()
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


async def _reports(call: Call[None, None]) -> ReportList:
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


async def _settle(call: Call[None, None]) -> Response:
    await call.services.store.settle_report(_number(call))
    return json_response(None)


async def _people(call: Call[None, PeopleQuery]) -> FoundPeople:
    found = await call.services.store.find_people(call.query.find)
    return FoundPeople(
        tuple(
            FoundPersonInfo(each.id, each.name, each.created_at, each.seats, each.reports) for each in found
        )
    )


async def _erase(call: Call[None, None]) -> Response:
    person = call.part("person")
    if await call.services.store.person(person) is None:
        raise NotFound("there is no person with this id")
    await call.services.forgetting.erase(person)
    call.services.tables.relations.forget(person)
    return json_response(None)


async def _limits(call: Call[None, None]) -> LimitHits:
    return LimitHits(tuple(LimitHit(*each) for each in await call.services.processes.hits()))


_ME: Final = "/api/v1/people/me/relations"
_ADMIN: Final = "/api/v1/admin"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        _ME,
        "Whom the caller has muted or blocked.",
        _mine,
        RelationList,
        needs="session",
        tag=_TAG,
    ),
    Endpoint(
        "POST",
        _ME,
        "Mute or block the person on a seat, or the sender of a message.",
        _relate,
        RelationInfo,
        201,
        NewRelation,
        needs="session",
        refuses=(UnknownTable, TooMany, StoreFailed),
        tag=_TAG,
    ),
    Endpoint(
        "DELETE",
        f"{_ME}/{{number}}",
        "Hear and meet somebody again.",
        _unrelate,
        None,
        204,
        needs="session",
        refuses=(NotFound, StoreFailed),
        tag=_TAG,
    ),
    Endpoint(
        "POST",
        "/api/v1/reports",
        "Report a message or a name to the operator, who gets it as evidence.",
        _report,
        None,
        204,
        NewReport,
        needs="session",
        refuses=(UnknownTable, TooMany, StoreFailed),
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        f"{_ADMIN}/reports",
        "The reports that are not settled.",
        _reports,
        ReportList,
        needs="operator",
        refuses=(BadToken,),
        tag=_OPERATORS,
    ),
    Endpoint(
        "DELETE",
        f"{_ADMIN}/reports/{{number}}",
        "Settle a report.",
        _settle,
        None,
        204,
        needs="operator",
        refuses=(BadToken, NotFound, StoreFailed),
        tag=_OPERATORS,
    ),
    Endpoint(
        "GET",
        f"{_ADMIN}/people",
        "Find people by a part of their name, or by their id.",
        _people,
        FoundPeople,
        query=PeopleQuery,
        needs="operator",
        refuses=(BadToken,),
        tag=_OPERATORS,
    ),
    Endpoint(
        "DELETE",
        f"{_ADMIN}/people/{{person}}",
        "Erase a person: sessions, names, messages. Games that others played stay, without the name.",
        _erase,
        None,
        204,
        needs="operator",
        refuses=(BadToken, NotFound, StoreFailed),
        tag=_OPERATORS,
    ),
    Endpoint(
        "GET",
        f"{_ADMIN}/limits",
        "The limits that were hit since the server started.",
        _limits,
        LimitHits,
        needs="operator",
        refuses=(BadToken,),
        tag=_OPERATORS,
    ),
)
