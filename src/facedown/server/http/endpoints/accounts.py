"""Kept accounts: a handle and a recovery code, sign-in, and devices."""

from __future__ import annotations

from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.accounts import (
    AccountInfo,
    ConfirmCode,
    DeviceInfo,
    KeepAccount,
    NewCode,
    Session,
    SignIn,
)
from facedown.protocol.errors import (
    BadHandle,
    HandleTaken,
    NotFound,
    ReservedName,
    SignUpClosed,
    TooMany,
    WrongCode,
    WrongOrigin,
)
from facedown.server.accounts.devices import facts_of
from facedown.server.accounts.passkeys import passkey_info
from facedown.server.http.endpoint import Call, Endpoints, Reply
from facedown.server.http.endpoints.sessions import (
    check_site,
    enter,
    rename_seats,
    session_info,
    session_reply,
)
from facedown.server.store.accounts import StoredSession
from facedown.server.store.callers import acting_for
from facedown.server.store.failures import StoreFailed
from facedown.server.store.values import Person

ENDPOINTS: Final = Endpoints("people", needs="session")
_ACCOUNT: Final = "/api/v1/account"


@ENDPOINTS.get(_ACCOUNT)
async def own_account(call: Call[None, None]) -> AccountInfo:
    """The caller's account: devices that are signed in, passkeys, personal tokens, bots."""
    accounts, tokens, person = call.services.accounts, call.services.tokens, call.require_session().id
    account, own = await call.services.store.accounts.account(person), await accounts.session(call.token)
    return AccountInfo(
        handle=None if account is None else account.handle,
        kept_at=None if account is None else account.kept_at,
        may_keep=account is None and accounts.sign_up,
        devices=tuple(_device_info(each, own) for each in await accounts.sessions(person)),
        passkeys=tuple(map(passkey_info, await call.services.passkeys.of(person))),
        tokens=await tokens.of(person),
        bots=await tokens.bots(person),
    )


def _device_info(session: StoredSession, own: StoredSession) -> DeviceInfo:
    return DeviceInfo(**facts_of(session), id=session.id, current=session.id == own.id)


# --- keeping an account ----------------------------------------------------------------------------------


@ENDPOINTS.post(
    f"{_ACCOUNT}/code",
    status=201,
    optional_body=True,
    refuses=(BadHandle, ReservedName, HandleTaken, SignUpClosed, NotNow, TooMany, StoreFailed),
)
async def ask_for_code(call: Call[KeepAccount, None]) -> NewCode:
    """Ask for a recovery code: a guest chooses the handle of the account that is kept by it, a kept account
    gets another one. It counts once it is confirmed; until then an earlier one is valid."""
    person, accounts, handle = call.require_session().id, call.services.accounts, call.body.handle
    call.services.limits.rename(person)
    shown = await (accounts.new_code(person) if handle is None else accounts.begin(person, handle))
    return NewCode(shown.code, shown.asked, shown.expires_at)


@ENDPOINTS.post(
    f"{_ACCOUNT}/code/confirm",
    refuses=(WrongCode, HandleTaken, SignUpClosed, NotNow, TooMany, StoreFailed),
)
async def confirm_code(call: Call[ConfirmCode, None]) -> Reply[Session]:
    """Send back two groups of the new code: from now on it counts. The session gets a new token. When a guest
    becomes an account, all other sessions and all seat tokens end: they may be in other hands."""
    person, accounts = call.require_session(), call.services.accounts
    call.services.limits.rename(person.id)
    is_guest = await call.services.store.accounts.account(person.id) is None
    if is_guest:
        call.services.limits.keep_account(call.address)
    account, call.token = await accounts.confirm(person.id, call.body.groups, call.token)
    if is_guest:
        person = Person(person.id, account.handle, person.created_at)
        with acting_for(call.caller):  # by the new token
            await rename_seats(call, person)
        call.services.forgetting.on_sign_out(person.id)
    return session_reply(call, await session_info(call, person), call.token, call.kind, 200)


# --- signing in ------------------------------------------------------------------------------------------


@ENDPOINTS.post(
    f"{_ACCOUNT}/sign-in",
    needs="anyone",
    status=201,
    refuses=(WrongCode, TooMany, WrongOrigin, StoreFailed),
    also={200: "the caller is signed in to this account already"},
)
async def sign_in(call: Call[SignIn, None]) -> Reply[Session]:
    """Sign in with a handle and its recovery code. All other devices of the account learn of it."""
    accounts, body = call.services.accounts, call.body
    check_site(call, body.kind)
    try:
        person = await accounts.check_code(body.handle, body.code)
    except WrongCode:  # the right code is never refused: wrong ones of others cannot keep its owner out
        call.services.limits.wrong_token(call.address)
        raise
    return await enter(call, person, body.kind, accounts.sign_in)


# --- devices ---------------------------------------------------------------------------------------------


@ENDPOINTS.delete(f"{_ACCOUNT}/keys/{{key}}", refuses=(NotFound, StoreFailed))
async def end_key(call: Call[None, None]) -> None:
    """Sign out one device of the caller, or revoke a personal token: its seat tokens, its notifications and
    its connections end with it."""
    person, accounts = call.require_session().id, call.services.accounts
    await accounts.end_key(person, call.part("key"))
    call.services.forgetting.on_sign_out(person)
