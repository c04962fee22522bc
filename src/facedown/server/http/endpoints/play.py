"""Playing over REST: events with long polling, commands, and new seat tokens."""

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
from facedown.protocol.rest import Command, CommandDone, Events, EventsQuery, Resume, Resumed
from facedown.server.accounts.credentials import Seated
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint
from facedown.server.http.endpoints.tables import SEAT_HEADER, TAG
from facedown.server.http.problems import CommandRefused
from facedown.server.store.base import StoreFailed
from facedown.server.table.table import Table

_MOST_EVENTS: Final = 500


# --- events ----------------------------------------------------------------------------------------------


async def _events(call: Call[None, EventsQuery]) -> Events:
    table = await call.table()
    seated = await call.watching(table)
    after, wait = call.query.after, call.query.wait
    if wait and after >= table.head:
        await call.services.streams.wait_for_event(table, seated, after, wait, call.address)
        await table.settle()
    page = table.events(seated.viewer, seated.person or None, after, _MOST_EVENTS)
    more = after + len(page) < table.head
    v = after + len(page) if more else table.head
    return Events(v, tuple(msgspec.Raw(each) for each in page), more)


# --- commands --------------------------------------------------------------------------------------------


async def _command(call: Call[Command, None]) -> CommandDone:
    table = await call.table()
    seated = await call.watching(table)
    cmd = Cmd(**{name: getattr(call.body, name) for name in call.body.__struct_fields__})
    try:
        ack = await _submitted(call, table, seated, cmd)
    except CommandRefused as refusal:
        call.services.metrics.command(cmd.do, refusal.nak.code)
        raise
    call.services.metrics.command(cmd.do)
    return CommandDone(ack.id, ack.v, msgspec.UNSET if ack.next is None else ack.next)


async def _submitted(call: Call[Any, Any], table: Table, seated: Seated, cmd: Cmd) -> Ack:
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
    person = await call.services.store.person(seated.person)
    name = person.name if person is not None else ""
    answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()

    def done(answer: Ack | Nak) -> None:
        if not answered.done():  # the caller may be gone
            answered.set_result(answer)

    table.submit(seated.viewer, cmd, done, person=seated.person, name=name)
    answer = await answered
    if isinstance(answer, Nak):
        raise CommandRefused(answer)
    return answer


async def _resume(call: Call[Resume, None]) -> Resumed:
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


_TABLE: Final = "/api/v1/tables/{table}"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        f"{_TABLE}/events",
        "The events after a given one; with `wait`, waits for the next (long poll).",
        _events,
        Events,
        query=EventsQuery,
        refuses=(UnknownTable, BadToken, TooMany),
        headers=SEAT_HEADER,
        tag=TAG,
    ),
    Endpoint(
        "POST",
        f"{_TABLE}/commands",
        "Send a command, as over the WebSocket; repeat it with the same id until it is answered.",
        _command,
        CommandDone,
        body=Command,
        needs="seat",
        refuses=(
            *(UnknownTable, BadToken, BadSeal, NotSeated, NotYours),
            *(NotNow, IllegalPick, WrongDecision, TooMany, StoreFailed),
        ),
        headers=SEAT_HEADER,
        tag=TAG,
    ),
    Endpoint(
        "POST",
        f"{_TABLE}/resume",
        "A new token for the caller's seat, to continue on another device.",
        _resume,
        Resumed,
        body=Resume,
        optional_body=True,
        needs="session",
        refuses=(UnknownTable, NotSeated, NotYours, StoreFailed),
        tag=TAG,
    ),
)
