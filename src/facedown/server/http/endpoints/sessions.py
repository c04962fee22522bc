"""Sessions of guests: start, rename, end, and handover to another device."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from starlette.responses import Response

from facedown.protocol.accounts import (
    Handover,
    NewHandover,
    NewName,
    NewSession,
    RedeemHandover,
    Session,
)
from facedown.protocol.errors import BadToken, BrokenTable, TableFull, TooMany, WrongOrigin
from facedown.server.accounts.people import Kind, clean_name
from facedown.server.http.endpoint import (
    AnyEndpoint,
    Call,
    Endpoint,
    json_response,
    set_session_cookie,
    without_cookie,
)
from facedown.server.http.links import handover_path, qr_svg
from facedown.server.store.base import StoreFailed
from facedown.server.store.values import Person

_TAG: Final = "people"
_NOT_OVER: Final = ("open", "opening", "playing")


async def _begin(call: Call[NewSession, None]) -> Response:
    _same_site(call, call.body.kind)
    if call.person is not None and call.body.kind == "browser":
        return json_response(Session(call.person.id, call.person.name))  # a second tab keeps the session
    call.services.limits.new_guest(call.address)
    person, token = await call.services.people.guest(call.body.name, call.body.kind, call.language)
    return _welcome(call, person, token, call.body.kind)


async def _who(call: Call[None, None]) -> Session:
    return Session(call.require_session().id, call.require_session().name)


async def _rename(call: Call[NewName, None]) -> Session:
    before = call.require_session()
    if clean_name(call.body.name) == before.name:
        return Session(before.id, before.name)
    call.services.limits.rename(before.id)
    person = await call.services.people.rename(before, call.body.name)
    for listed in await call.services.store.tables(person=person.id):
        if listed.summary.state in _NOT_OVER:
            with suppress(TableFull, BrokenTable):  # there the old name stays
                await (await call.services.tables.get(listed.id)).rename(person.id, person.name)
    return Session(person.id, person.name)


async def _end(call: Call[None, None]) -> Response:
    await call.services.people.forget(call.token)
    return without_cookie(json_response(None))


async def _sign_out_everywhere(call: Call[None, None]) -> Response:
    person, kind = call.require_session(), call.kind
    await call.services.forgetting.sign_out(person.id)
    return _welcome(call, person, await call.services.people.token(person, kind), kind, 200)


async def _hand_over(call: Call[NewHandover, None]) -> Handover:
    call.services.limits.new_guest(call.address)
    code, expires_at = await call.services.people.handover(call.require_session())
    link = call.link(handover_path(code, call.body.table))
    return Handover(code, expires_at, link, qr_svg(link))


async def _redeem(call: Call[RedeemHandover, None]) -> Response:
    _same_site(call, call.body.kind)
    call.services.limits.wrong_token(call.address)
    person, token = await call.services.people.redeem(call.part("code"), call.body.kind)
    return _welcome(call, person, token, call.body.kind)


def _same_site(call: Call[Any, Any], kind: Kind) -> None:
    """No page of another site may start a browser's session here."""
    if kind == "browser" and "origin" in call.request.headers:
        call.check_origin()


def _welcome(call: Call[Any, Any], person: Person, token: str, kind: Kind, status: int = 201) -> Response:
    if kind == "program":
        return json_response(Session(person.id, person.name, token), status)
    response = json_response(Session(person.id, person.name), status)
    set_session_cookie(response, token, secure=call.services.settings.is_secure)
    return response


_SESSION: Final = "/api/v1/session"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "POST",
        _SESSION,
        "Start a session as a guest: a browser gets a cookie, a program a bearer token.",
        _begin,
        Session,
        201,
        NewSession,
        refuses=(TooMany, WrongOrigin),
        also={200: "this browser has a session already"},
        tag=_TAG,
    ),
    Endpoint("GET", _SESSION, "The caller's session.", _who, Session, needs="session", tag=_TAG),
    Endpoint(
        "PATCH",
        _SESSION,
        "Change the caller's name.",
        _rename,
        Session,
        body=NewName,
        needs="session",
        refuses=(TooMany,),
        tag=_TAG,
    ),
    Endpoint("DELETE", _SESSION, "End this session.", _end, None, 204, needs="session", tag=_TAG),
    Endpoint(
        "DELETE",
        "/api/v1/people/me/sessions",
        "Sign out everywhere: all tokens of the caller end, seat tokens too; the caller gets a new session.",
        _sign_out_everywhere,
        Session,
        needs="session",
        refuses=(StoreFailed,),
        tag=_TAG,
    ),
    Endpoint(
        "POST",
        f"{_SESSION}/handover",
        "A code with which the caller continues on another device; it works once, for ten minutes.",
        _hand_over,
        Handover,
        201,
        NewHandover,
        optional_body=True,
        needs="session",
        refuses=(TooMany,),
        tag=_TAG,
    ),
    Endpoint(
        "POST",
        "/api/v1/handovers/{code}",
        "Continue as the person who made the code.",
        _redeem,
        Session,
        201,
        RedeemHandover,
        optional_body=True,
        refuses=(BadToken, TooMany, WrongOrigin),
        tag=_TAG,
    ),
)
