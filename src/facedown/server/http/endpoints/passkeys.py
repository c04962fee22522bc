"""Passkeys of kept accounts: making, listing and removing them, and signing in with one."""

from __future__ import annotations

from typing import Any, Final

from msgspec import to_builtins

from facedown.core.errors import NotNow
from facedown.protocol.accounts import MadePasskey, PasskeyInfo, PasskeyOptions, PasskeySignIn, Session
from facedown.protocol.errors import (
    NoPasskeysHere,
    NotFound,
    TooMany,
    WrongOrigin,
    WrongPasskey,
)
from facedown.server.accounts.passkeys import Site, passkey_info, site_of
from facedown.server.http.endpoint import Call, Endpoints, Reply
from facedown.server.http.endpoints.sessions import enter
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("people", needs="session")
_PASSKEYS: Final = "/api/v1/account/passkeys"
_SIGN_IN: Final = "/api/v1/account/sign-in/passkey"


@ENDPOINTS.post(f"{_PASSKEYS}/options", refuses=(NoPasskeysHere, WrongOrigin, NotNow, TooMany, StoreFailed))
async def options_of_new_passkey(call: Call[None, None]) -> PasskeyOptions:
    """Ask for what a browser needs to make a passkey."""
    person, site = call.require_session().id, _site(call)
    call.services.limits.passkey(call.address)
    return PasskeyOptions(await call.services.passkeys.creation_options(site, person))


@ENDPOINTS.post(
    _PASSKEYS,
    status=201,
    refuses=(NoPasskeysHere, WrongOrigin, WrongPasskey, TooMany, StoreFailed),
)
async def add_passkey(call: Call[MadePasskey, None]) -> tuple[PasskeyInfo, ...]:
    """Save the passkey that a browser has made. The answer is the list of all passkeys of the account."""
    person, passkeys = call.require_session().id, call.services.passkeys
    await passkeys.register(_site(call), person, to_builtins(call.body), call.device)
    return tuple(map(passkey_info, await passkeys.of(person)))


@ENDPOINTS.delete(f"{_PASSKEYS}/{{passkey}}", refuses=(NotFound, StoreFailed))
async def remove_passkey(call: Call[None, None]) -> None:
    """Remove a passkey."""
    person = call.require_session().id
    await call.services.passkeys.remove(person, call.part("passkey"))


@ENDPOINTS.post(
    f"{_SIGN_IN}/options", needs="anyone", refuses=(NoPasskeysHere, WrongOrigin, TooMany, StoreFailed)
)
async def options_of_sign_in(call: Call[None, None]) -> PasskeyOptions:
    """Ask for what a browser needs to sign in with a passkey; it works once, for five minutes."""
    site = _site(call)
    call.services.limits.passkey(call.address)
    return PasskeyOptions(await call.services.passkeys.request_options(site))


@ENDPOINTS.post(
    _SIGN_IN,
    needs="anyone",
    status=201,
    refuses=(NoPasskeysHere, WrongOrigin, WrongPasskey, TooMany, StoreFailed),
    also={200: "the caller is signed in to this account already"},
)
async def sign_in_with_passkey(call: Call[PasskeySignIn, None]) -> Reply[Session]:
    """Sign a browser in with a passkey."""
    passkeys, site = call.services.passkeys, _site(call)
    call.services.limits.wrong_token(call.address)
    person = await passkeys.check(site, to_builtins(call.body.passkey))
    return await enter(call, person, "browser", passkeys.sign_in)


def _site(call: Call[Any, Any]) -> Site:
    """The site of the page that calls; only pages of this server have passkeys."""
    call.check_origin()
    return site_of(call.request.headers["origin"])
