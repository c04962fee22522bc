"""After the game: the review of a seat, and continuing from a position against machines."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from facedown.bots.find import BotNeedsExtra, UnknownBot
from facedown.core.errors import IllegalSeats, NotNow, Unsupported
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, BadToken, ReusedId, TooMany, UnknownTable
from facedown.protocol.rest import (
    ChainedSeedPromise,
    CreatedTable,
    NewContinuation,
    Promises,
    PromisesQuery,
    ReviewQuery,
)
from facedown.server.analysis import AnalysisFailed, AnalysisQuestion
from facedown.server.http.endpoint import LANGUAGE_HEADER, AnyEndpoint, Call, Endpoint, json_response
from facedown.server.http.endpoints.tables import ONCE_HEADER, SEAT_HEADER, TAG, made_once
from facedown.server.store.base import StoreFailed
from facedown.server.table.table import Table

_PROMISES: Final = 1000


async def _review(call: Call[None, ReviewQuery]) -> Response:
    table = await call.table()
    seated = await call.watching(table)
    if table.phase != "over":
        raise NotNow("reviews are available once the game is over")
    if call.query.seat > len(table.setup.chairs):
        raise IllegalSeats(f"there is no seat {call.query.seat} at this table")
    record, seat = table.record(seated.viewer), call.query.seat
    question = AnalysisQuestion("review", table.setup.game, record=record, seat=seat, language=call.language)
    return json_response(await call.unless_gone(call.services.analyse(question, call.address)))


async def _promises(call: Call[None, PromisesQuery]) -> Promises:
    found = await call.services.store.promises(call.query.after, _PROMISES)
    return Promises(tuple(ChainedSeedPromise(each.n, each.promise.hex(), each.link.hex()) for each in found))


async def _continue(call: Call[NewContinuation, None]) -> CreatedTable:
    table = await call.table()
    await call.watching(table)
    person, wanted, tables = call.require_session().id, call.body, call.services.tables
    seat = _seat_of(table, person) if wanted.seat is None else wanted.seat
    return await made_once(
        call, lambda key: tables.continue_game(table, wanted.keep, seat, wanted.machine, person, key)
    )


def _seat_of(table: Table, person: str) -> Seat:
    """The only seat that this person had."""
    seats = table.seats_of(person)
    if len(seats) != 1:
        raise BadMessage("you had several seats, or none, here: `seat` must say which to continue on")
    return seats[0]


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/tables/{table}/review",
        "The review of a seat in a game that is over: what its picks gave away. It may take a while.",
        _review,
        dict[str, Any],
        query=ReviewQuery,
        refuses=(UnknownTable, BadToken, NotNow, IllegalSeats, Unsupported, TooMany, AnalysisFailed),
        headers={**SEAT_HEADER, **LANGUAGE_HEADER},
        tag=TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/promises",
        "The chain of the promises of all seeds, the oldest first; each link binds all promises before it.",
        _promises,
        Promises,
        query=PromisesQuery,
        refuses=(StoreFailed,),
        tag=TAG,
    ),
    Endpoint(
        "POST",
        "/api/v1/tables/{table}/continue",
        "Create a table that continues from a position of a finished game, against machines.",
        _continue,
        CreatedTable,
        201,
        NewContinuation,
        needs="session",
        refuses=(
            *(UnknownTable, BadToken, NotNow, IllegalSeats, UnknownBot, BotNeedsExtra),
            *(ReusedId, TooMany, StoreFailed),
        ),
        headers={**SEAT_HEADER, **ONCE_HEADER},
        tag=TAG,
    ),
)
