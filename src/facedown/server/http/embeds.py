"""Embedded games: the page that other sites may show in a frame, with a finished game inside it.

The page gets everything at once, as anyone without a session may read it, and asks the server for nothing: it
runs in an origin of its own, where neither cookies nor storage exist (`web/serve.py` has its policy).
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR
from facedown.protocol.messages import Ev, Snap, decode_server_message
from facedown.protocol.rest import ServerKeys
from facedown.server import clock
from facedown.server.http.services import RestServices
from facedown.server.table.table import Table

EMBED: Final = "/embed/{table}"
_MARK: Final = b"%GAME%"
_PUBLIC: Final = {"cache-control": "public, max-age=300", "access-control-allow-origin": "*"}


class EmbeddedGame(msgspec.Struct, frozen=True):
    """A finished game, as the page in the frame receives it."""

    snap: Snap
    record: Raw
    reveals: tuple[Ev, ...]
    keys: ServerKeys


def with_game(page: Route, services: RestServices) -> BaseRoute:
    """The same page with the game of its address; not found if not everyone may read that game."""
    plain = page.endpoint

    async def answer(request: Request) -> Response:
        try:
            game = await _public_game(await services.table(request.path_params["table"]), services)
        except FacedownError:
            game = None
        if game is None:
            return Response(
                "there is no such game, or not everyone may read it\n", 404, media_type="text/plain"
            )
        unchanged = (b"accept-encoding", b"if-none-match", b"cookie")
        kept = [each for each in request.scope["headers"] if each[0] not in unchanged]
        response: Response = await plain(Request({**request.scope, "headers": kept}, request.receive))
        text = msgspec.json.encode(game).replace(b"<", rb"\u003c")  # nothing in it ends the element
        passed = {k: v for k, v in response.headers.items() if k not in ("content-length", "etag")}
        return Response(bytes(response.body).replace(_MARK, text), 200, passed | _PUBLIC)

    return Route(page.path, answer)


async def _public_game(table: Table, services: RestServices) -> EmbeddedGame | None:
    """The game for a reader without a session; None before its end, or if such a reader may not see it."""
    if table.phase != "over" or not table.may_watch(None):
        return None
    snap = table.snapshot(SPECTATOR, None, clock.now())
    events = [decode_server_message(frame) for frame in table.events(SPECTATOR, None, 0)]
    return EmbeddedGame(
        snap=replace(snap, table=replace(snap.table, said=())),  # what was said is not part of the game
        record=Raw((await services.log.record(table, table.unnamed_seats())).encode()),
        reveals=tuple([each for each in events if isinstance(each, Ev) and each.k == "revealed"]),
        keys=services.tables.signing.published(),
    )
