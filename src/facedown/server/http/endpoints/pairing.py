"""Finding people to play with: the caller's ticket, and the room."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.errors import IllegalSeats, UnknownGame, UnreadableRules
from facedown.protocol.errors import PairingPaused, Restricted, SwitchedOff, TooMany
from facedown.protocol.pairing import NewTicket, RoomInfo, TicketInfo, TicketQuery
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.pairing import Pairing
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("pairing", needs="session", refuses=(SwitchedOff, TooMany, StoreFailed))
_TICKET: Final = "/api/v1/pairing/ticket"


def _pairing(call: Call[Any, Any]) -> Pairing:
    call.services.check_switches("pairing")
    return call.services.pairing


@ENDPOINTS.put(_TICKET, refuses=(UnknownGame, UnreadableRules, IllegalSeats, PairingPaused, Restricted))
async def put_ticket(call: Call[NewTicket, TicketQuery]) -> TicketInfo:
    """Wait for people who want the same game; repeat it every few seconds to go on waiting.

    A person has one ticket, on whatever devices. With `wait` the answer comes when a table is found.
    People who made others wait three times in a day are refused for ten minutes (`pairing_paused`)."""
    return await _pairing(call).put(call.require_session(), call.body, call.query.wait)


@ENDPOINTS.get(_TICKET)
async def look_at_ticket(call: Call[None, None]) -> TicketInfo:
    """The caller's ticket as it is, with the times that others had to wait for the caller; looking does not
    make it last longer."""
    return await _pairing(call).look(call.require_session().id)


@ENDPOINTS.delete(_TICKET)
async def withdraw_ticket(call: Call[None, None]) -> None:
    """Wait no longer, or decline the table that was found: it is closed, and the others wait on."""
    await _pairing(call).withdraw(call.require_session().id)


@ENDPOINTS.get("/api/v1/room", needs="anyone")
async def look_into_room(call: Call[None, None]) -> RoomInfo:
    """How many people are here, a game to watch, who waits for an opponent, and when people play."""
    call.services.check_switches("public_lists")
    return await call.services.room.info(call.person.id if call.person else "")
