"""Handover to another device: it claims the code of the first one, which lets it in."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from facedown.core.errors import NotNow
from facedown.protocol.errors import BadToken, GuestHasGames, TooMany, WrongOrigin
from facedown.protocol.handovers import (
    AnswerHandover,
    ClaimHandover,
    Handover,
    HandoverClaim,
    HandoverResult,
    HandoverState,
    NewHandover,
    TakeHandover,
)
from facedown.server.http.endpoint import Call, Endpoints, Reply, json_response, set_session_cookie
from facedown.server.http.endpoints.sessions import check_site, replace_session, session_of
from facedown.server.http.images import qr_svg
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("people", needs="session")
_OWN: Final = "/api/v1/session/handover"
_HANDOVERS: Final = "/api/v1/handovers"


@ENDPOINTS.post(_OWN, status=201, optional_body=True, refuses=(TooMany, StoreFailed))
async def hand_over(call: Call[NewHandover, None]) -> Handover:
    """A code with which the caller continues on another device; it works once, for two minutes, and lets no
    device in before the caller says so."""
    call.services.limits.new_guest(call.address)
    code, expires_at = await call.services.handovers.make(call.require_session().id, call.token)
    then = "" if call.body.table is None else f"?to=/t/{call.body.table}"
    link = call.link(f"/h{then}#{code}")
    return Handover(code, expires_at, link, qr_svg(link))


@ENDPOINTS.get(_OWN)
async def own_handover(call: Call[None, None]) -> HandoverState:
    """What became of the caller's code: the device that has claimed it, and its two digits."""
    found = await call.services.handovers.of_session(call.require_session().id, call.token)
    if found is None:
        return HandoverState("none")
    return HandoverState(found.state, found.digits, found.app, found.system, found.expires)  # type: ignore[arg-type]  # one of the store's states


@ENDPOINTS.post(f"{_OWN}/answer", refuses=(NotNow, StoreFailed))
async def answer_handover(call: Call[AnswerHandover, None]) -> None:
    """Let the device in that shows these two digits, or refuse it."""
    person, answer = call.require_session().id, call.body
    await call.services.handovers.answer(person, call.token, answer.digits, allow=answer.allow)


@ENDPOINTS.post(_HANDOVERS, needs="anyone", status=201, refuses=(BadToken, TooMany, StoreFailed))
async def claim_handover(call: Call[ClaimHandover, None]) -> HandoverClaim:
    """Claim the code of another device, once. Show whose it is and the digits, and ask for the session with
    the claim."""
    services = call.services
    services.limits.wrong_token(call.address)
    claim, claimed = await services.handovers.claim(call.body.code, call.device)
    person, account = (
        await services.store.person(claimed.person),
        await services.store.accounts.account(claimed.person),
    )
    return HandoverClaim(
        *(claim, claimed.digits, claimed.expires),
        name="" if person is None else person.name,
        games=await _games_of_guest(call),
        handle=UNSET if account is None else account.handle,
    )


async def _games_of_guest(call: Call[Any, Any]) -> int:
    """How many games the guest who calls has; 0 for an account, which is found again by its code."""
    if call.person is None or await call.services.store.accounts.account(call.person.id) is not None:
        return 0
    return len(await call.services.store.tables(person=call.person.id))


@ENDPOINTS.post(
    f"{_HANDOVERS}/session",
    needs="anyone",
    refuses=(BadToken, GuestHasGames, TooMany, WrongOrigin, StoreFailed),
)
async def take_handover(call: Call[TakeHandover, None]) -> Reply[HandoverResult]:
    """The session of a claimed handover, as soon as the other device has let this one in. It takes the place
    of the caller's: a guest who has games says that these stay behind."""
    handovers, kind = call.services.handovers, call.body.kind
    check_site(call, kind)
    try:
        claimed = await handovers.claimed(call.body.claim)
    except BadToken:
        call.services.limits.wrong_token(call.address)
        raise
    replaced = call.person is not None and call.kind == kind and call.person.id != claimed.person
    if replaced and not call.body.leave and await _games_of_guest(call):
        raise GuestHasGames("this device plays as a guest who has games: they stay behind if you go on")
    if claimed.state != "allowed":
        return json_response(HandoverResult("refused" if claimed.state == "refused" else "waiting"))
    person, token = await handovers.take(call.body.claim, kind, call.device)
    await replace_session(call, kind)
    session = await session_of(call, person)
    if kind == "program":
        return json_response(HandoverResult("done", replace(session, token=token)))
    response = json_response(HandoverResult("done", session))
    set_session_cookie(response, token, secure=call.services.settings.is_secure)
    return response
