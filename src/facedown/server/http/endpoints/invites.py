"""Invitations, and joining a table: by invitation, a public one, the caller's own, or on a reserved seat."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from facedown.core.errors import NotNow
from facedown.protocol.errors import (
    NotYours,
    ReservedName,
    Restricted,
    SeatTaken,
    TooMany,
    UnknownInvite,
    UnknownTable,
)
from facedown.protocol.rest import InvitedTable, Join, Joined
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.endpoints.tables import TABLE
from facedown.server.http.images import qr_svg
from facedown.server.ids import is_bot
from facedown.server.names import clean_name
from facedown.server.store.failures import StoreFailed
from facedown.server.table.summary import listed_seats
from facedown.server.table.table import Table

ENDPOINTS: Final = Endpoints("tables", needs="session", area="tables")
_INVITE: Final = "/api/v1/invites/{code}"


async def _table_of_invite(call: Call[Any, Any], code: str) -> Table:
    """The table of an invitation; raises `UnknownInvite`."""
    table = await call.services.invited_table(code, call.address)
    if table is None:
        raise UnknownInvite("this invitation does not exist")
    return table


@ENDPOINTS.get(_INVITE, needs="anyone", refuses=(UnknownInvite, TooMany))
async def invited_table(call: Call[None, None]) -> InvitedTable:
    """The table of an invitation."""
    table = await _table_of_invite(call, call.part("code"))
    info = table.info(None if call.person is None else call.person.id)
    host = await call.services.store.person(table.host)
    return InvitedTable(
        table=info.id,
        game=info.game,
        title=info.title,
        rules=info.rules,
        state=info.state,
        seats=listed_seats(info.seats),
        clock=info.clock,
        watch=info.watch,
        hotseat=info.hotseat,
        seal=info.seal,
        seed_commit=info.seed_commit,
        series=info.series,
        yours=info.yours,
        created_at=info.created_at,
        host="" if host is None else host.name,
    )


@ENDPOINTS.get(f"{_INVITE}/qr.svg", needs="anyone", refuses=(UnknownInvite, TooMany), media="image/svg+xml")
async def invite_qr_code(call: Call[None, None]) -> Response:
    """The link of the invitation as a QR code."""
    await _table_of_invite(call, call.part("code"))
    drawn = qr_svg(call.link(f"/i/{call.part('code')}"))
    return Response(drawn, 200, {"Cache-Control": "no-store"}, "image/svg+xml")


@ENDPOINTS.post(
    f"{TABLE}/join",
    status=201,
    refuses=(
        *(UnknownTable, UnknownInvite, SeatTaken, NotYours, NotNow),
        *(ReservedName, Restricted, TooMany, StoreFailed),
    ),
)
async def join(call: Call[Join, None]) -> Joined:
    """Join a table by invitation, or a public one, the caller's own, or on a seat reserved for the caller.
    The answer holds the seat token."""
    return await _sit(call, await _table_to_join(call))


async def _table_to_join(call: Call[Join, Any]) -> Table:
    """The table of the path, if the caller may join it."""
    code, me = call.body.invite, call.require_session().id
    if code is not None:
        table = await _table_of_invite(call, code)
        if table.id != call.part("table"):
            raise UnknownInvite("this invitation is to another table")
        return table
    table = await call.table()
    if not table.may_join_without_invite(me):
        raise UnknownTable("there is no table with this id that you may join without an invitation")
    if not table.expects(me):
        call.services.tables.relations.check(me, "no_pairing")
    return table


async def _sit(call: Call[Join, Any], table: Table) -> Joined:
    person, seat = call.require_session(), call.body.seat
    name = None if call.body.name is None else clean_name(call.body.name)
    call.services.limits.join(person.id, call.address)
    if table.setup.public:
        name = None  # no one brings guests there
    if is_bot(person.id):
        name = None  # a bot's own name says what it is
        call.services.limits.seat_bot(person.id)
    if not table.may_meet(person.id):
        raise SeatTaken("this seat is not free")  # a blocked person must not learn of it
    token = await table.join(seat, person, call.body.commit, name, call.device_mark)
    call.services.streams.add_seat(person.id, table, seat)
    await call.services.friends.note_joined(table.id, person.id)
    return Joined(table.id, seat, token)
