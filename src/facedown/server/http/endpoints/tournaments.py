"""Tournaments: lists, standings and their changes, entering, and what an organiser may do."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from facedown.core.errors import IllegalSeats, UnknownGame, UnreadableRules
from facedown.protocol.errors import (
    EntryClosed,
    KeepFirst,
    NotFound,
    NotYours,
    Restricted,
    SwitchedOff,
    TooMany,
    UnknownTournament,
)
from facedown.protocol.tournaments import (
    NewTournament,
    TournamentEntry,
    TournamentInfo,
    TournamentList,
    TournamentOrder,
    TournamentQuery,
    TournamentSince,
)
from facedown.server.http.endpoint import Call, Endpoints, Reply, json_response
from facedown.server.http.streams import STREAM_MEDIA, Streams, run_while_connected
from facedown.server.names import machine_name
from facedown.server.store.failures import StoreFailed
from facedown.server.tournaments.service import Tournaments

ENDPOINTS: Final = Endpoints("tournaments", needs="session", refuses=(SwitchedOff, TooMany, StoreFailed))
_ALL: Final = "/api/v1/tournaments"
_ONE: Final = f"{_ALL}/{{tournament}}"
_READ_S: Final = 30.0
"""How long a line may stay unread before its reader is disconnected."""


def _tournaments(call: Call[Any, Any]) -> Tournaments:
    call.services.check_switches("tournaments")
    return call.services.tournaments


@ENDPOINTS.get(_ALL, needs="anyone")
async def list_tournaments(call: Call[None, TournamentQuery]) -> TournamentList:
    """Tournaments that run, that will start, and the last ones that are over."""
    return await _tournaments(call).listed(call.query.over)


@ENDPOINTS.post(_ALL, status=201, refuses=(UnknownGame, UnreadableRules, IllegalSeats, NotYours))
async def create_tournament(call: Call[NewTournament, None]) -> Reply[TournamentInfo]:
    """Set up a tournament, with a kept account; from then on it runs automatically."""
    tournaments, person = _tournaments(call), call.require_session()
    call.services.limits.new_table(person.id, call.address)
    state = await tournaments.create(person, call.body)
    return json_response(await _info(call, state.id), 201)


@ENDPOINTS.get(_ONE, needs="anyone", refuses=(UnknownTournament,))
async def show_tournament(call: Call[None, None]) -> TournamentInfo:
    """A tournament with its standings. To follow it, read its events."""
    return await _info(call, call.part("tournament"))


async def _info(call: Call[Any, Any], tournament: str) -> TournamentInfo:
    tournaments = _tournaments(call)
    state = await tournaments.load(tournament)
    person = call.person.id if call.person else ""
    return TournamentInfo(
        head=await tournaments.head(state),
        rows=await tournaments.standings(state),
        own=await tournaments.own(tournament, person),
        organises=await tournaments.organises(tournament, person),
    )


@ENDPOINTS.get(f"{_ONE}/events", needs="anyone", media=STREAM_MEDIA, refuses=(UnknownTournament,))
async def follow_tournament(call: Call[None, TournamentSince]) -> Response:
    """Changes of the standings as lines of JSON (`TournamentUpdate`), the same for everyone.

    `since` is the version that the caller has. If the changes since then are not kept, the first line is the
    whole (`after` is 0). Blank lines say that nothing happens."""
    tournaments, caller = _tournaments(call), call.person.id if call.person else call.address
    await tournaments.load(call.part("tournament"))
    streams = call.services.streams
    streams.check(caller)
    lines = call.services.standings.lines(call.part("tournament"), call.query.since)
    return _LinesResponse(streams, caller, lines)


class _LinesResponse(Response):
    """Lines that are sent until their reader disconnects, or stops reading."""

    media_type = STREAM_MEDIA

    def __init__(self, streams: Streams, caller: str, lines: AsyncIterator[bytes]) -> None:
        super().__init__(None, 200, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams = streams
        self._caller = caller
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.count(self._caller), contextlib.suppress(ClientDisconnect):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await run_while_connected(receive, self._write(send))

    async def _write(self, send: Send) -> None:
        async with contextlib.aclosing(self._lines) as lines:  # type: ignore[type-var]  # a generator
            with contextlib.suppress(TimeoutError, OSError, StoreFailed):  # the reader reconnects
                async for line in lines:
                    async with asyncio.timeout(_READ_S):
                        await send({"type": "http.response.body", "body": line, "more_body": True})
                    if self._streams.draining:
                        break
        with contextlib.suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


@ENDPOINTS.put(f"{_ONE}/entry", refuses=(UnknownTournament, EntryClosed, KeepFirst, Restricted))
async def enter_tournament(call: Call[TournamentEntry, None]) -> TournamentInfo:
    """Enter a tournament, before its start or later; pause and return; take the weaker side for a point; or
    withdraw for good: points stay in the standings, and a game that has begun goes on."""
    tournaments, person = _tournaments(call), call.require_session()
    call.services.limits.join(person.id, call.address)
    if call.body.withdrawn:
        await tournaments.withdraw(call.part("tournament"), person.id)
    else:
        if not call.body.paused:
            call.services.tables.relations.check(person.id, "no_pairing")
        await tournaments.enter(call.part("tournament"), person, call.body)
    return await _info(call, call.part("tournament"))


@ENDPOINTS.post(f"{_ONE}/order", refuses=(UnknownTournament, NotYours, NotFound, EntryClosed))
async def order_tournament(call: Call[TournamentOrder, None]) -> None:
    """Pause, resume or cancel a tournament, or put an entrant out for good; only its organiser may. A game
    that has begun continues."""
    person = call.require_session()
    await _tournaments(call).order(call.part("tournament"), person.id, call.body)


@ENDPOINTS.get(f"{_ONE}/results.csv", needs="anyone", media="text/csv", refuses=(UnknownTournament,))
async def tournament_results(call: Call[None, None]) -> Response:
    """The standings as CSV: place, name, points, strength, wins, games; machines by their names in the
    caller's language."""
    tournaments = _tournaments(call)
    state = await tournaments.load(call.part("tournament"))
    rows, text = await tournaments.standings(state), io.StringIO()
    places = state.places()  # with those who have entered in the meantime
    writer = csv.writer(text)
    writer.writerow(("place", "name", "machine", "points", "strength", "wins", "games"))
    for row in rows:
        games = len(state.entrants[row.number].scores)
        name = machine_name(state.setup.game, row.name, call.language) if row.machine else row.name
        name = f"'{name}" if name[:1] in "=+-@\t" else name  # no formula of a spreadsheet
        writer.writerow(
            (places[row.number], name, int(row.machine), row.points, row.strength, row.wins, games)
        )
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="tournament-{state.id}.csv"',
    }
    return Response(text.getvalue(), 200, headers, "text/csv")
