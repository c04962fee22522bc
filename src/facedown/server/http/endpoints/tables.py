"""Tables: create, list, snapshot and record."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from starlette.responses import Response

from facedown.bots.find import BotNeedsExtra, UnknownBot
from facedown.core.errors import IllegalSeats, UnknownGame, UnreadableRules
from facedown.protocol.errors import BadMessage, BadToken, BrokenTable, ReusedId, TooMany, UnknownTable
from facedown.protocol.messages import Snap, encode
from facedown.protocol.rest import CreatedTable, ListedTable, ListedTables, ListQuery, TableOrder
from facedown.server import clock
from facedown.server.http.endpoint import SEAT, AnyEndpoint, Call, Endpoint
from facedown.server.http.listings import listed_seats, listed_table
from facedown.server.store.base import CommandKnown, StoreFailed
from facedown.server.store.values import ListedRow
from facedown.server.table.table import Table

TAG: Final = "tables"
ONCE_HEADER: Final = {"Idempotency-Key": "repeating the request with the same key creates no second table"}
SEAT_HEADER: Final = {SEAT.title(): "a seat token; a person with one seat at the table may leave it out"}
_KEY: Final = re.compile(r"[\x21-\x7e]{1,64}")


# --- creating --------------------------------------------------------------------------------------------


async def _make(call: Call[TableOrder, None]) -> CreatedTable:
    person, order, tables = call.require_session().id, call.body, call.services.tables
    return await made_once(call, lambda key: tables.create(order, person, key))


async def made_once(call: Call[Any, None], make: Callable[[str], Awaitable[Table]]) -> CreatedTable:
    """A new table of the caller; a repeated request with the same idempotency key gets the same table."""
    key = call.request.headers.get("idempotency-key", "")
    if key and not _KEY.fullmatch(key):
        raise BadMessage("an Idempotency-Key has 1 to 64 printable ASCII characters")
    call.services.limits.new_table(call.require_session().id, call.address)
    try:
        table = await make(key)
    except CommandKnown:  # the same request at the same time was first
        table = await make(key)
    await table.settle()
    info = table.info(call.require_session().id)
    return CreatedTable(table.id, table.invite or "", info.seed_commit, listed_seats(info.seats))


# --- listing ---------------------------------------------------------------------------------------------


async def _list(call: Call[None, ListQuery]) -> ListedTables:
    query, store = call.query, call.services.store
    if not query.mine:
        found = await store.tables(state=query.state or "open", game=query.game, public=True)
        return ListedTables(tuple(listed_table(each) for each in found))
    mine = await store.tables(state=query.state or "", game=query.game, person=call.require_session().id)
    return ListedTables(tuple([await _mine(call, each) for each in mine]))


async def _mine(call: Call[Any, Any], listed: ListedRow) -> ListedTable:
    """A table of the caller; only one that is being played has to be loaded."""
    if listed.summary.state != "playing":
        return listed_table(listed)
    try:
        table = await call.services.tables.get(listed.id)
    except BrokenTable:  # closed just now
        return listed_table(replace(listed, summary=replace(listed.summary, state="closed")))
    await table.settle()
    return listed_table(listed, table.progress())


# --- reading ---------------------------------------------------------------------------------------------


async def _see(call: Call[None, None]) -> Response:
    table = await call.table()
    seated = await call.watching(table)
    tag = f'"{table.head}"'
    headers = {"ETag": tag, "Cache-Control": "no-store"}
    if tag in _tags(call.request.headers.get("if-none-match", "")):
        return Response(None, 304, headers)
    snap = table.snapshot(seated.viewer, seated.person or None, clock.now())
    return Response(encode(snap), 200, headers, "application/json")


def _tags(header: str) -> list[str]:
    """The tags of an If-None-Match, weak ones included."""
    return [each.strip().removeprefix("W/") for each in header.split(",")]


async def _record(call: Call[None, None]) -> Response:
    table = await call.table()
    seated = await call.watching(table)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'inline; filename="facedown-{table.id}.json"',
    }
    record = table.record(seated.viewer)
    if table.phase == "over":
        record = await call.services.signing.sign(record)
    return Response(record, 200, headers, "application/json")


_TABLE: Final = "/api/v1/tables/{table}"
ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "POST",
        "/api/v1/tables",
        "Create a table. The host is not seated by this, and joins like everyone.",
        _make,
        CreatedTable,
        201,
        TableOrder,
        needs="session",
        refuses=(
            UnknownGame,
            UnknownBot,
            BotNeedsExtra,
            UnreadableRules,
            IllegalSeats,
            ReusedId,
            TooMany,
            StoreFailed,
        ),
        headers=ONCE_HEADER,
        tag=TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/tables",
        "Public tables (open ones by default), or the caller's own.",
        _list,
        ListedTables,
        query=ListQuery,
        tag=TAG,
    ),
    Endpoint(
        "GET",
        _TABLE,
        "A snapshot of the table as the caller may see it; without a seat, as a spectator.",
        _see,
        Snap,
        refuses=(UnknownTable, BadToken),
        headers={**SEAT_HEADER, "If-None-Match": "the ETag of an earlier answer"},
        also={304: "unchanged"},
        tag=TAG,
    ),
    Endpoint(
        "GET",
        f"{_TABLE}/record",
        "The record of the game: complete once it is over, before that what the caller may know.",
        _record,
        dict[str, Any],
        refuses=(UnknownTable, BadToken),
        headers=SEAT_HEADER,
        tag=TAG,
    ),
)
