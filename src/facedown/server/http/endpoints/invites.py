"""Invitations, and joining a table: by invitation, a public one, the caller's own, or on a reserved seat."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from facedown.core.errors import NotNow
from facedown.protocol.errors import NotYours, SeatTaken, TooMany, UnknownInvite, UnknownTable
from facedown.protocol.rest import InviteCode, InvitedTable, Join, Joined
from facedown.server.accounts.people import clean_name
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint, json_response
from facedown.server.http.endpoints.tables import TAG
from facedown.server.http.links import invite_path, qr_svg
from facedown.server.http.listings import listed_seats
from facedown.server.ids import new_code
from facedown.server.store.base import StoreFailed
from facedown.server.table.table import Table

_MOST_CODE: Final = 64


async def _invited(call: Call[Any, Any]) -> Table:
    """The table of the invitation in the path; wrong codes are rate limited."""
    code = call.part("code")
    found = await call.services.store.table_of_invite(code) if len(code) <= _MOST_CODE else None
    if found is None:
        call.services.limits.wrong_token(call.address)
        raise UnknownInvite("this invitation does not exist, or was withdrawn")
    table = await call.services.tables.get(found)
    await table.settled()
    return table


async def _look(call: Call[None, None]) -> InvitedTable:
    table = await _invited(call)
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


async def _accept(call: Call[Join, None]) -> Joined:
    return await _sit(call, await _invited(call))


async def _join(call: Call[Join, None]) -> Joined:
    table = await call.table()
    if not table.may_join_without_invite(call.require_session().id):
        raise UnknownTable("there is no table with this id that you may join without an invitation")
    return await _sit(call, table)


async def _sit(call: Call[Join, Any], table: Table) -> Joined:
    person, seat = call.require_session(), call.body.seat
    name = None if call.body.name is None else clean_name(call.body.name)
    call.services.limits.join(person.id, call.address)
    if not table.may_meet(person.id):
        raise SeatTaken("this seat is not free")  # nobody is told that they are blocked
    token = await table.join(seat, person, call.body.commit, name)
    call.services.streams.joined(person.id, table, seat)
    return Joined(table.id, seat, token)


async def _qr(call: Call[None, None]) -> Response:
    await _invited(call)
    drawn = qr_svg(call.link(invite_path(call.part("code"))))
    return Response(drawn, 200, {"Cache-Control": "no-store"}, "image/svg+xml")


async def _renew(call: Call[None, None]) -> InviteCode:
    table = await _own(call)
    call.services.limits.new_invite(call.require_session().id)
    code = new_code()
    await call.services.store.set_invite(table.id, code)
    table.set_invite(code)
    table.hints.publish_invite_change()
    return InviteCode(code)


async def _withdraw(call: Call[None, None]) -> Response:
    table = await _own(call)
    await call.services.store.set_invite(table.id, None)
    table.set_invite(None)
    table.hints.publish_invite_change()
    return json_response(None)


async def _own(call: Call[Any, Any]) -> Table:
    """The table of the path, if the caller is its host."""
    table = await call.table()
    if table.host_is(call.require_session().id):
        return table
    if table.may_watch(call.require_session().id):
        raise NotYours("only the host of the table may do this")
    raise UnknownTable("there is no table with this id, or you may not see it")


_INVITE: Final = "/api/v1/invites/{code}"
_TABLE: Final = "/api/v1/tables/{table}"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        _INVITE,
        "The table of an invitation.",
        _look,
        InvitedTable,
        refuses=(UnknownInvite, TooMany),
        tag=TAG,
    ),
    Endpoint(
        "POST",
        f"{_INVITE}/join",
        "Join a table by invitation; the answer holds the seat token.",
        _accept,
        Joined,
        201,
        Join,
        needs="session",
        refuses=(UnknownInvite, SeatTaken, NotYours, NotNow, TooMany, StoreFailed),
        tag=TAG,
    ),
    Endpoint(
        "GET",
        f"{_INVITE}/qr.svg",
        "The link of the invitation as a QR code.",
        _qr,
        refuses=(UnknownInvite, TooMany),
        media="image/svg+xml",
        tag=TAG,
    ),
    Endpoint(
        "POST",
        f"{_TABLE}/join",
        "Join a public table, the caller's own, or on a seat reserved for the caller.",
        _join,
        Joined,
        201,
        Join,
        needs="session",
        refuses=(UnknownTable, SeatTaken, NotYours, NotNow, TooMany, StoreFailed),
        tag=TAG,
    ),
    Endpoint(
        "POST",
        f"{_TABLE}/invite",
        "Create a new invitation and withdraw the earlier one. For the host.",
        _renew,
        InviteCode,
        201,
        needs="session",
        refuses=(UnknownTable, NotYours, TooMany, StoreFailed),
        tag=TAG,
    ),
    Endpoint(
        "DELETE",
        f"{_TABLE}/invite",
        "Withdraw the invitation. For the host.",
        _withdraw,
        None,
        204,
        needs="session",
        refuses=(UnknownTable, NotYours, StoreFailed),
        tag=TAG,
    ),
)
