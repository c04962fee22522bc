"""Sessions: start, rename, end, and signing out everywhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from facedown.protocol.accounts import NewName, NewSession, Session
from facedown.protocol.errors import (
    BrokenTable,
    NameIsHandle,
    ReservedName,
    TableFull,
    TooMany,
    WrongOrigin,
)
from facedown.protocol.moderation import OwnSanction
from facedown.server.accounts.accounts import code_use_info
from facedown.server.accounts.devices import Device
from facedown.server.accounts.people import Kind
from facedown.server.http.endpoint import (
    Call,
    Endpoints,
    Reply,
    json_response,
    set_session_cookie,
    without_cookie,
)
from facedown.server.names import clean_name
from facedown.server.store.failures import StoreFailed
from facedown.server.store.values import Person

ENDPOINTS: Final = Endpoints("people", needs="session")
_SESSION: Final = "/api/v1/session"
_NOT_OVER: Final = ("open", "opening", "playing")


@ENDPOINTS.post(
    _SESSION,
    needs="anyone",
    status=201,
    when_closed=True,
    refuses=(ReservedName, TooMany, WrongOrigin),
    also={200: "this browser has a session already"},
)
async def start_session(call: Call[NewSession, None]) -> Reply[Session]:
    """Start a session as a guest: a browser gets a cookie, a program a bearer token."""
    check_site(call, call.body.kind)
    if call.person is not None and call.body.kind == "browser":
        return json_response(await session_info(call, call.person))  # a second tab keeps the session
    call.services.limits.new_guest(call.address)
    person, token = await call.services.people.guest(
        call.body.name, call.body.kind, call.language, call.device
    )
    return session_reply(call, Session(person.id, person.name), token, call.body.kind)


@ENDPOINTS.get(_SESSION, area="any", when_closed=True)
async def own_session(call: Call[None, None]) -> Session:
    """The caller's session."""
    return await session_info(call, call.require_session())


@ENDPOINTS.patch(_SESSION, refuses=(ReservedName, NameIsHandle, TooMany))
async def rename(call: Call[NewName, None]) -> Session:
    """Change the caller's name; that of a kept account is its handle, and only its capitals change."""
    before = call.require_session()
    if clean_name(call.body.name) == before.name:
        return await session_info(call, before)
    call.services.limits.rename(before.id)
    person = await call.services.people.rename(before, call.body.name)
    await rename_seats(call, person)
    return await session_info(call, person)


async def rename_seats(call: Call[Any, Any], person: Person) -> None:
    """Give a person's seats the person's name, at the tables that are not over."""
    for listed in await call.services.store.tables(person=person.id):
        if listed.summary.state in _NOT_OVER:
            with suppress(TableFull, BrokenTable):  # the old name stays there
                await (await call.services.tables.get(listed.id)).rename(person.id, person.name)


@ENDPOINTS.delete(_SESSION, when_closed=True)
async def end_session(call: Call[None, None]) -> Reply[None]:
    """End this session, and the connections of its person: other devices make new ones."""
    await call.services.people.forget(call.token)
    call.services.forgetting.on_sign_out(call.require_session().id)
    return without_cookie(secure=call.services.settings.is_secure)


@ENDPOINTS.delete("/api/v1/people/me/sessions", refuses=(StoreFailed,))
async def sign_out_everywhere(call: Call[None, None]) -> Reply[Session]:
    """Sign out everywhere else: all other tokens of the caller end, seat tokens too; the caller gets a new
    token."""
    person, accounts = call.require_session(), call.services.accounts
    call.token = await accounts.end_other_sessions(person.id, call.token)
    call.services.forgetting.on_sign_out(person.id)
    return session_reply(call, await session_info(call, person), call.token, call.kind, 200)


def check_site(call: Call[Any, Any], kind: Kind) -> None:
    """No page of another site may start a browser's session here."""
    if kind == "browser" and "origin" in call.request.headers:
        call.check_origin()


async def session_info(call: Call[Any, Any], person: Person) -> Session:
    """The caller's session as it is sent: with the handle of a kept account, and uses of its code."""
    session = await session_of(call, person)
    if session.handle is UNSET or call.kind == "token":
        return session
    uses = await call.services.accounts.code_uses(person.id, call.token)
    return replace(session, code_uses=tuple(map(code_use_info, uses)))


async def replace_session(call: Call[Any, Any], kind: Kind) -> None:
    """End the caller's session, now that another one has taken its place: games of a guest stay behind."""
    if call.person is not None and call.kind == kind:
        await call.services.people.forget(call.token)
        call.services.forgetting.on_sign_out(call.person.id)


async def enter(
    call: Call[Any, Any],
    person: Person,
    kind: Kind,
    make_token: Callable[[Person, Kind, Device], Awaitable[str]],
) -> Reply[Session]:
    """Sign a person in who has shown who they are; a caller who is signed in already gets a new token."""
    if call.person is not None and call.person.id == person.id and call.kind == kind:
        info = await session_info(call, person)
        return session_reply(call, info, await call.services.accounts.rotate(call.token), call.kind, 200)
    token = await make_token(person, kind, call.device)
    await replace_session(call, kind)
    return session_reply(call, await session_of(call, person), token, kind)


async def session_of(call: Call[Any, Any], person: Person) -> Session:
    """A new session of a person as it is sent, without the uses of the code."""
    account = await call.services.store.accounts.account(person.id)
    sanctions = tuple(
        OwnSanction(each.kind, each.until)
        for each in call.services.tables.relations.sanctions_of(person.id)
        if each.kind != "warning"
    )
    return Session(
        person.id, person.name, UNSET, UNSET if account is None else account.handle, sanctions=sanctions
    )


def session_reply(
    call: Call[Any, Any], session: Session, token: str, kind: Kind, status: int = 201
) -> Reply[Session]:
    """The answer that gives a client the token of its session: a program in the body, a browser by cookie."""
    if kind == "program":
        return json_response(replace(session, token=token), status)
    response = json_response(session, status)
    set_session_cookie(response, token, secure=call.services.settings.is_secure)
    return response
