"""Playing over REST: events with long polling, streams of turns, commands, and new seat tokens."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import msgspec

from facedown.core.errors import IllegalPick, NotNow
from facedown.protocol.errors import (
    BadMessage,
    BadSeal,
    BadToken,
    NeedsSession,
    NotSeated,
    NotYours,
    TooMany,
    UnknownTable,
    WrongDecision,
)
from facedown.protocol.messages import Ack, Cmd, Nak
from facedown.protocol.rest import Command, CommandDone, Events, EventsQuery, EventsSince, Resume, Resumed
from facedown.server.accounts.credentials import Seated
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.endpoints.tables import SEAT_HEADER, TABLE
from facedown.server.http.problems import CommandRefused
from facedown.server.http.streams import STREAM_MEDIA, StreamResponse
from facedown.server.store.callers import Caller, acting_for, current_caller
from facedown.server.store.failures import StoreFailed
from facedown.server.table.table import Table

ENDPOINTS: Final = Endpoints("tables", area="tables")
_MOST_EVENTS: Final = 500


# --- events ----------------------------------------------------------------------------------------------


@ENDPOINTS.get(f"{TABLE}/events", refuses=(UnknownTable, BadToken, TooMany), headers=SEAT_HEADER)
async def events(call: Call[None, EventsQuery]) -> Events:
    """The events after a given one; with `wait`, waits for the next (long poll)."""
    table, seated = await call.visible_table()
    after, wait = call.query.after, call.query.wait
    if wait and after >= table.head:
        await call.services.streams.wait_for_event(table, seated, after, wait, call.address)
        await call.check_session()
        table, seated = await call.visible_table()  # another person may have the seat by now
    page = table.events(seated.viewer, seated.person or None, after, _MOST_EVENTS)
    more = after + len(page) < table.head
    v = after + len(page) if more else table.head
    return Events(v, tuple(msgspec.Raw(each) for each in page), more)


@ENDPOINTS.get("/api/v1/stream", needs="session", media=STREAM_MEDIA, refuses=(TooMany,))
async def stream_events(call: Call[None, EventsSince]) -> StreamResponse:
    """A line for every seat, turn, challenge and end of the caller: the whole state first, `v` on each line,
    an empty line when nothing happens. A second stream with the same token ends the first."""
    person, streams = call.require_session().id, call.services.streams
    streams.check(person)
    return StreamResponse(streams, person, call.token, call.query.since)


# --- commands --------------------------------------------------------------------------------------------


@ENDPOINTS.post(
    f"{TABLE}/commands",
    needs="seat",
    refuses=(
        *(UnknownTable, BadToken, BadSeal, NotSeated, NotYours),
        *(NotNow, IllegalPick, WrongDecision, TooMany, StoreFailed),
    ),
    headers=SEAT_HEADER,
)
async def send_command(call: Call[Command, None]) -> CommandDone:
    """Send a command, as over the WebSocket; repeat it with the same id until it is answered."""
    table, seated = await call.visible_table()
    cmd = Cmd(**{name: getattr(call.body, name) for name in call.body.__struct_fields__})
    try:
        ack = await _submit(call, table, seated, cmd)
    except CommandRefused as refusal:
        call.services.metrics.command(cmd.do, refusal.nak.code)
        raise
    call.services.metrics.command(cmd.do)
    return CommandDone(ack.id, ack.v, msgspec.UNSET if ack.next is None else ack.next)


async def _submit(call: Call[Any, Any], table: Table, seated: Seated, cmd: Cmd) -> Ack:
    if not seated.person:
        raise NeedsSession("commands need a session or a seat token")
    if seated.viewer == 0 and len(table.seats_of(seated.person)) > 1:
        raise BadMessage("you have several seats here: the header Facedown-Seat must say which")
    limits = call.services.limits
    limits.command(table.id, seated.viewer, seated.person)
    if cmd.do == "rematch":
        limits.new_table(seated.person, call.address)
    if cmd.do == "say":
        limits.chat(table.id, seated.viewer, seated.person, preset=cmd.preset is not None)
    name = call.person.name if call.person is not None else ""  # a seat's person talks under that of the seat
    answering: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()

    def set_answer(answer: Ack | Nak) -> None:
        if not answering.done():  # the caller may be gone
            answering.set_result(answer)

    by_token = Caller(seated.person, table=table.id, seat=seated.token)
    with acting_for(by_token if seated.token else current_caller()):
        table.submit(seated.viewer, cmd, set_answer, person=seated.person, name=name)
    answer = await answering
    if isinstance(answer, Nak):
        raise CommandRefused(answer)
    return answer


@ENDPOINTS.post(
    f"{TABLE}/resume",
    needs="session",
    optional_body=True,
    refuses=(UnknownTable, NotSeated, NotYours, StoreFailed),
)
async def resume(call: Call[Resume, None]) -> Resumed:
    """A new token for the caller's seat, to continue on another device."""
    table = await call.table()
    person = call.require_session()
    seats = table.seats_of(person.id)
    seat = call.body.seat
    if not seats:
        raise NotSeated("you have no seat at this table")
    if seat is None and len(seats) > 1:
        raise BadMessage(f"you have several seats here: `seat` must be one of {', '.join(map(str, seats))}")
    if seat is not None and seat not in seats:
        raise NotYours("this is not your seat")
    chosen = seats[0] if seat is None else seat
    return Resumed(chosen, await table.resume(chosen, person.id))
