"""Personal tokens: making, listing and revoking them. No token may do this."""

from __future__ import annotations

from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.accounts import MadeToken, NewToken, TokenList
from facedown.protocol.errors import NotFound, SessionTooNew, TooMany
from facedown.server.accounts.tokens import MOST
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.store.base import StoreFailed

ENDPOINTS: Final = Endpoints("people", needs="session")
_TOKENS: Final = "/api/v1/account/tokens"


@ENDPOINTS.get(_TOKENS)
async def list_tokens(call: Call[None, None]) -> TokenList:
    """The caller's personal tokens, without their secrets."""
    return TokenList(await call.services.tokens.of(call.require_session().id), MOST)


@ENDPOINTS.post(_TOKENS, status=201, refuses=(SessionTooNew, NotNow, TooMany, StoreFailed))
async def make_token(call: Call[NewToken, None]) -> MadeToken:
    """Make a personal token for a program: it may do what its scopes say, and the answer alone holds it."""
    person = call.require_session().id
    call.services.limits.new_token(person)
    await call.services.accounts.require_trusted(call.token)
    return await call.services.tokens.make(person, call.body.name, call.body.scopes)


@ENDPOINTS.delete(f"{_TOKENS}/{{id}}", refuses=(NotFound, StoreFailed))
async def revoke_token(call: Call[None, None]) -> None:
    """Revoke a personal token: it ends at once, with the streams and connections of the caller's programs."""
    person = call.require_session().id
    await call.services.tokens.revoke(person, call.part("id"))
    call.services.forgetting.on_sign_out(person)
