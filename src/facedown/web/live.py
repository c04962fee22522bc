"""The client while it is being written (`--client sources`): every file as it is on disk now,
and a stream of events that reloads the pages of this computer after a change.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from facedown.core import registry
from facedown.server.http.services import RestServices
from facedown.server.ops.home_network import is_this_computer
from facedown.web.assets import TYPES, assets
from facedown.web.serve import client_routes, page_marks

_WEB: Final = Path(__file__).parent
_SCRIPT: Final = _WEB / "live.js"
_WATCHED: Final = frozenset({*TYPES, ".po"})
_PAUSE_S: Final = 0.2
"""Between two looks at the files, while a page listens."""
_UNCACHED: Final = {"Cache-Control": "no-cache"}

_Snapshot: TypeAlias = dict[Path, tuple[int, int]]
"""When each source was changed, and its size."""


def live_pages(also: Sequence[BaseRoute] = (), off: Sequence[str] = ()) -> list[BaseRoute]:
    """All routes of the client; their answers are made again after each change of a source."""
    client = _LiveClient(off)
    *routes, elsewhere = (
        type(each)(each.path, client.answer(number)) for number, each in enumerate(client.current_routes())
    )
    live = [Route("/live/reload.js", _send_script), Route("/live/events", _send_changes)]
    return [*live, *routes, *also, elsewhere]


class _LiveClient:
    """The routes of the sources as they are now."""

    def __init__(self, off: Sequence[str] = ()) -> None:
        self._off = " ".join(off)
        self._made_from: _Snapshot = {}
        self._routes: list[Route] = []

    def current_routes(self) -> list[Route]:
        now = _snapshot()
        if now != self._made_from:
            found = assets(None)
            marks = page_marks(found, "") | {"OFF": self._off}
            marks["MODULES_AHEAD"] += (
                f'\n<script type="module" src="/live/reload.js?at={_name(now)}"></script>'
            )
            self._routes, self._made_from = client_routes(found, marks, _UNCACHED["Cache-Control"]), now
        return self._routes

    def answer(self, number: int) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            response: Response = await self.current_routes()[number].endpoint(request)
            return response

        return answer


def _snapshot() -> _Snapshot:
    games = (Path(str(resources.files(each))) for each in registry.packages().values())
    folders = (_WEB, *(game / part for game in games for part in ("web", "locale")))
    found: _Snapshot = {}
    for path in (path for folder in folders for path in folder.rglob("*") if path.suffix in _WATCHED):
        try:
            status = path.stat()
        except OSError:  # an editor is just replacing it
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found


def _name(snapshot: _Snapshot) -> str:
    return hashlib.sha256(repr(sorted(snapshot.items())).encode()).hexdigest()[:16]


async def _send_script(request: Request) -> Response:
    return Response(_SCRIPT.read_bytes(), headers=_UNCACHED, media_type=TYPES[".js"])


async def _send_changes(request: Request) -> Response:
    """Events for a page on this computer: `styles` after a change of style sheets alone, else `page`."""
    if not is_this_computer(request.client.host if request.client else "", request.headers):
        return Response("not found", 404, media_type="text/plain")
    shown = request.headers.get("last-event-id") or request.query_params.get("at", "")
    services: RestServices = request.app.state.services
    return StreamingResponse(_changes(services, shown), headers=_UNCACHED, media_type="text/event-stream")


async def _changes(services: RestServices, shown: str) -> AsyncIterator[str]:
    """What has changed since the page with that name was made, and every change until the server stops."""
    known = _snapshot()
    yield "retry: 500\n\n"
    if _name(known) != shown:
        yield _event("page", known)
    while not services.draining:
        await asyncio.sleep(_PAUSE_S)
        now = _snapshot()
        if now != known:
            changed = {path.suffix for path, _ in known.items() ^ now.items()}
            known = now
            yield _event("styles" if changed == {".css"} else "page", now)


def _event(kind: str, snapshot: _Snapshot) -> str:
    return f"id: {_name(snapshot)}\nevent: {kind}\ndata: {kind}\n\n"
