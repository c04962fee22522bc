"""After the game: what a seat's picks gave away."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from facedown.core.errors import IllegalSeats, NotNow, Unsupported
from facedown.server.api import AnyEndpoint, Call, Endpoint, written
from facedown.server.api_types import ReviewQuery
from facedown.server.endpoints.tables import SEAT_HEADER, TAG
from facedown.server.errors import BadToken, TooMany, UnknownTable
from facedown.server.study import Question, StudyFailed


async def _review(call: Call[None, ReviewQuery]) -> Response:
    table = await call.table()
    seated = await call.watching(table)
    if table.phase != "over":
        raise NotNow("there is a review once the game is over")
    if call.query.seat > len(table.situation.places):
        raise IllegalSeats(f"there is no seat {call.query.seat} at this table")
    made = table.situation.made
    question = Question("review", made.game, record=table.record(seated.viewer), seat=call.query.seat)
    return written(await call.desk.found(question, call.address))


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/tables/{table}/review",
        "What a seat's picks gave away, in a game that is over; it may take a while to find out.",
        _review,
        dict[str, Any],
        query=ReviewQuery,
        refuses=(UnknownTable, BadToken, NotNow, IllegalSeats, Unsupported, TooMany, StudyFailed),
        headers=SEAT_HEADER,
        tag=TAG,
    ),
)
