"""Sessions of guests: start, rename, end, and handover to another device."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from facedown.protocol.accounts import Handover, NewHandover, NewName, NewSession, RedeemHandover, Session
from facedown.protocol.errors import BadToken, BrokenTable, ReservedName, TableFull, TooMany, WrongOrigin
from facedown.server.accounts.people import Kind
from facedown.server.http.endpoint import (
    Call,
    Endpoints,
    Reply,
    json_response,
    set_session_cookie,
    without_cookie,
)
from facedown.server.http.images import qr_svg
from facedown.server.names import clean_name
from facedown.server.store.base import StoreFailed
from facedown.server.store.values import Person

ENDPOINTS: Final = Endpoints("people", needs="session")
_SESSION: Final = "/api/v1/session"
_NOT_OVER: Final = ("open", "opening", "playing")


@ENDPOINTS.post(
    _SESSION,
    needs="anyone",
    status=201,
    refuses=(ReservedName, TooMany, WrongOrigin),
    also={200: "this browser has a session already"},
)
async def start_session(call: Call[NewSession, None]) -> Reply[Session]:
    """Start a session as a guest: a browser gets a cookie, a program a bearer token."""
    _check_site(call, call.body.kind)
    if call.person is not None and call.body.kind == "browser":
        return json_response(Session(call.person.id, call.person.name))  # a second tab keeps the session
    call.services.limits.new_guest(call.address)
    person, token = await call.services.people.guest(call.body.name, call.body.kind, call.language)
    return _session_reply(call, person, token, call.body.kind)


@ENDPOINTS.get(_SESSION)
async def own_session(call: Call[None, None]) -> Session:
    """The caller's session."""
    return Session(call.require_session().id, call.require_session().name)


@ENDPOINTS.patch(_SESSION, refuses=(ReservedName, TooMany))
async def rename(call: Call[NewName, None]) -> Session:
    """Change the caller's name."""
    before = call.require_session()
    if clean_name(call.body.name) == before.name:
        return Session(before.id, before.name)
    call.services.limits.rename(before.id)
    person = await call.services.people.rename(before, call.body.name)
    for listed in await call.services.store.tables(person=person.id):
        if listed.summary.state in _NOT_OVER:
            with suppress(TableFull, BrokenTable):  # the old name stays there
                await (await call.services.tables.get(listed.id)).rename(person.id, person.name)
    return Session(person.id, person.name)


@ENDPOINTS.delete(_SESSION)
async def end_session(call: Call[None, None]) -> Reply[None]:
    """End this session."""
    await call.services.people.forget(call.token)
    return without_cookie()


@ENDPOINTS.delete("/api/v1/people/me/sessions", refuses=(StoreFailed,))
async def sign_out_everywhere(call: Call[None, None]) -> Reply[Session]:
    """Sign out everywhere: all tokens of the caller end, seat tokens too; the caller gets a new session."""
    person, kind = call.require_session(), call.kind
    await call.services.forgetting.sign_out(person.id)
    return _session_reply(call, person, await call.services.people.token(person, kind), kind, 200)


@ENDPOINTS.post(f"{_SESSION}/handover", status=201, optional_body=True, refuses=(TooMany,))
async def hand_over(call: Call[NewHandover, None]) -> Handover:
    """A code with which the caller continues on another device; it works once, for ten minutes."""
    call.services.limits.new_guest(call.address)
    code, expires_at = await call.services.people.handover(call.require_session())
    then = "" if call.body.table is None else f"?to=/t/{call.body.table}"
    link = call.link(f"/h/{code}{then}")
    return Handover(code, expires_at, link, qr_svg(link))


@ENDPOINTS.post(
    "/api/v1/handovers/{code}",
    needs="anyone",
    status=201,
    optional_body=True,
    refuses=(BadToken, TooMany, WrongOrigin),
)
async def redeem_handover(call: Call[RedeemHandover, None]) -> Reply[Session]:
    """Continue as the person who made the code."""
    _check_site(call, call.body.kind)
    call.services.limits.wrong_token(call.address)
    person, token = await call.services.people.redeem(call.part("code"), call.body.kind)
    return _session_reply(call, person, token, call.body.kind)


def _check_site(call: Call[Any, Any], kind: Kind) -> None:
    """No page of another site may start a browser's session here."""
    if kind == "browser" and "origin" in call.request.headers:
        call.check_origin()


def _session_reply(
    call: Call[Any, Any], person: Person, token: str, kind: Kind, status: int = 201
) -> Reply[Session]:
    if kind == "program":
        return json_response(Session(person.id, person.name, token), status)
    response = json_response(Session(person.id, person.name), status)
    set_session_cookie(response, token, secure=call.services.settings.is_secure)
    return response
