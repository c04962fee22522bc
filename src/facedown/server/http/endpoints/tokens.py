"""Personal tokens and bots: making and erasing them. No token may do this."""

from __future__ import annotations

from typing import Final

from facedown.core.errors import NotNow
from facedown.protocol.accounts import MadeBot, MadeToken, NewBot, NewToken
from facedown.protocol.errors import BadHandle, HandleTaken, NotFound, ReservedName, TooMany
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("people", needs="session")
_TOKENS: Final = "/api/v1/account/tokens"
_BOTS: Final = "/api/v1/account/bots"


@ENDPOINTS.post(_TOKENS, status=201, refuses=(NotNow, TooMany, StoreFailed))
async def make_token(call: Call[NewToken, None]) -> MadeToken:
    """Make a personal token for a program: it may do what its scopes say, and the answer alone holds it."""
    person = call.require_session().id
    call.services.limits.new_token(person)
    return await call.services.tokens.make(person, call.body.name, call.body.scopes)


# --- bots ------------------------------------------------------------------------------------------------


@ENDPOINTS.post(
    _BOTS,
    status=201,
    refuses=(BadHandle, ReservedName, HandleTaken, NotNow, TooMany, StoreFailed),
)
async def make_bot(call: Call[NewBot, None]) -> MadeBot:
    """Make a bot: an account for a program, which plays by its token where it is invited or challenged. Its
    name says whose it is, and its games count on the ladder of machines."""
    person = call.require_session().id
    call.services.limits.new_token(person)
    return await call.services.tokens.make_bot(person, call.body.handle)


@ENDPOINTS.post(f"{_BOTS}/{{handle}}/token", status=201, refuses=(NotFound, TooMany, StoreFailed))
async def renew_bot(call: Call[None, None]) -> MadeBot:
    """A new token for a bot; the old one is void, with the seat tokens that it has fetched."""
    person = call.require_session().id
    call.services.limits.new_token(person)
    made = await call.services.tokens.renew_bot(person, call.part("handle"))
    call.services.forgetting.on_sign_out((await call.services.tokens.bot(person, made.bot.handle)).person)
    return made


@ENDPOINTS.delete(f"{_BOTS}/{{handle}}", refuses=(NotFound, StoreFailed))
async def erase_bot(call: Call[None, None]) -> None:
    """Erase a bot of the caller, as a person is erased; no one gets its handle again."""
    person = call.require_session().id
    bot = await call.services.tokens.bot(person, call.part("handle"))
    await call.services.forgetting.erase(bot.person, call.language)
