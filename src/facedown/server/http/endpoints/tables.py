"""Tables: create, list and read them; after the game, review it and continue from a position."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

from facedown.bots.find import BotNeedsExtra, UnknownBot
from facedown.core.errors import IllegalSeats, NotNow, UnknownGame, UnreadableRules, Unsupported
from facedown.core.seats import Seat
from facedown.protocol.errors import (
    BadMessage,
    BadToken,
    BrokenTable,
    ReusedId,
    SwitchedOff,
    TooMany,
    UnknownTable,
)
from facedown.protocol.messages import Snap, encode
from facedown.protocol.rest import (
    CreatedTable,
    ListedTable,
    ListedTables,
    ListQuery,
    NewContinuation,
    ReviewQuery,
    TableOrder,
)
from facedown.server import clock
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion
from facedown.server.http.endpoint import LANGUAGE_HEADER, SEAT, Call, Endpoints, Reply, json_response
from facedown.server.store.failures import CommandKnown, StoreFailed
from facedown.server.store.values import ListedRow
from facedown.server.table.summary import hosts_in_turn, listed_seats, listed_table, without_losers
from facedown.server.table.table import Table

ENDPOINTS: Final = Endpoints("tables", area="tables")
ONCE_HEADER: Final = {"Idempotency-Key": "repeating the request with the same key creates no second table"}
SEAT_HEADER: Final = {SEAT.title(): "a seat token; a person with one seat at the table may leave it out"}
_TABLES: Final = "/api/v1/tables"
TABLE: Final = f"{_TABLES}/{{table}}"
_LISTED: Final = 50
_NEWEST: Final = 300
"""Public tables among which each host has a turn."""
_KEY: Final = re.compile(r"[\x21-\x7e]{1,64}")


# --- creating --------------------------------------------------------------------------------------------


@ENDPOINTS.post(
    _TABLES,
    needs="session",
    status=201,
    refuses=(
        *(UnknownGame, UnknownBot, BotNeedsExtra, UnreadableRules),
        *(IllegalSeats, ReusedId, TooMany, StoreFailed),
    ),
    headers=ONCE_HEADER,
)
async def create_table(call: Call[TableOrder, None]) -> CreatedTable:
    """Create a table. The host is not seated by this, and joins like everyone."""
    person, order, tables = call.require_session().id, call.body, call.services.tables
    return await create_once(call, lambda key: tables.create(order, person, key))


async def create_once(call: Call[Any, None], make: Callable[[str], Awaitable[Table]]) -> CreatedTable:
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


@ENDPOINTS.get(_TABLES, refuses=(SwitchedOff,))
async def list_tables(call: Call[None, ListQuery]) -> ListedTables:
    """Public tables (open ones by default), the newest of each host first; or the caller's own."""
    query, store = call.query, call.services.store
    if not query.mine:
        call.services.check_switches("public_lists")
        state = query.state or "open"
        newest = await store.tables(state=state, game=query.game, public=True, limit=_NEWEST)
        found = hosts_in_turn(newest)[:_LISTED]
        return ListedTables(tuple(without_losers(listed_table(each)) for each in found))
    mine = await store.tables(state=query.state or "", game=query.game, person=call.require_session().id)
    return ListedTables(tuple([await _own_table(call, each) for each in mine]))


async def _own_table(call: Call[Any, Any], listed: ListedRow) -> ListedTable:
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


@ENDPOINTS.get(
    TABLE,
    refuses=(UnknownTable, BadToken),
    headers={**SEAT_HEADER, "If-None-Match": "the ETag of an earlier answer"},
    also={304: "unchanged"},
)
async def snapshot(call: Call[None, None]) -> Reply[Snap]:
    """A snapshot of the table as the caller may see it; without a seat, as a spectator."""
    table, seated = await call.visible_table()
    tag = f'"{table.head}"'
    headers = {"ETag": tag, "Cache-Control": "no-store"}
    if tag in _tags(call.request.headers.get("if-none-match", "")):
        return Reply(None, 304, headers)
    snap = table.snapshot(seated.viewer, seated.person or None, clock.now())
    return Reply(encode(snap), 200, headers, "application/json")


def _tags(header: str) -> list[str]:
    """The tags of an If-None-Match, weak ones included."""
    return [each.strip().removeprefix("W/") for each in header.split(",")]


@ENDPOINTS.get(f"{TABLE}/record", refuses=(UnknownTable, BadToken), headers=SEAT_HEADER)
async def record(call: Call[None, None]) -> Reply[dict[str, Any]]:
    """The record of the game: complete once it is over, before that what the caller may know."""
    table, seated = await call.visible_table()
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'inline; filename="facedown-{table.id}.json"',
    }
    if table.phase != "over":
        return Reply(table.record(seated.viewer), 200, headers, "application/json")
    unnamed = table.unnamed_seats(seated.viewer, seated.person or None)
    return Reply(await call.services.log.record(table, unnamed), 200, headers, "application/json")


# --- after the game --------------------------------------------------------------------------------------


@ENDPOINTS.get(
    f"{TABLE}/review",
    refuses=(UnknownTable, BadToken, NotNow, IllegalSeats, Unsupported, TooMany, AnalysisFailed),
    headers={**SEAT_HEADER, **LANGUAGE_HEADER},
)
async def review(call: Call[None, ReviewQuery]) -> Reply[dict[str, Any]]:
    """The review of a seat in a game that is over: what its picks gave away. It may take a while."""
    table, seated = await call.visible_table()
    if table.phase != "over":
        raise NotNow("reviews are available once the game is over")
    if call.query.seat > len(table.setup.chairs):
        raise IllegalSeats(f"there is no seat {call.query.seat} at this table")
    record, seat = table.record(seated.viewer, seated.person or None), call.query.seat
    question = AnalysisQuestion("review", table.setup.game, record=record, seat=seat, language=call.language)
    return json_response(await call.analyse(question))


@ENDPOINTS.post(
    f"{TABLE}/continue",
    needs="session",
    status=201,
    refuses=(
        *(UnknownTable, BadToken, NotNow, IllegalSeats, UnknownBot, BotNeedsExtra),
        *(ReusedId, TooMany, StoreFailed),
    ),
    headers={**SEAT_HEADER, **ONCE_HEADER},
)
async def continue_game(call: Call[NewContinuation, None]) -> CreatedTable:
    """Create a table that continues from a position of a finished game, against machines."""
    table, _ = await call.visible_table()
    person, wanted, tables = call.require_session().id, call.body, call.services.tables
    seat = _seat_of(table, person) if wanted.seat is None else wanted.seat
    return await create_once(
        call, lambda key: tables.continue_game(table, wanted.keep, seat, wanted.machine, person, key)
    )


def _seat_of(table: Table, person: str) -> Seat:
    """The only seat that this person had."""
    seats = table.seats_of(person)
    if len(seats) != 1:
        raise BadMessage("you had several seats, or none, here: `seat` must say which to continue on")
    return seats[0]
