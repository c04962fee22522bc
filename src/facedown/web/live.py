"""The client while it is being written (`--client sources`): every file as it is on disk now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from facedown.core import registry
from facedown.web.assets import TYPES, assets
from facedown.web.serve import client_routes, page_marks

_WEB: Final = Path(__file__).parent
_WATCHED: Final = frozenset({*TYPES, ".po"})
_UNCACHED: Final = {"Cache-Control": "no-cache"}

_Snapshot: TypeAlias = dict[Path, tuple[int, int]]
"""When each source was changed, and its size."""


def live_pages(also: Sequence[BaseRoute] = (), off: Sequence[str] = ()) -> list[BaseRoute]:
    """All routes of the client; their answers are made again after each change of a source."""
    client = _LiveClient(off)
    *routes, elsewhere = (
        type(each)(each.path, client.answer(number)) for number, each in enumerate(client.current_routes())
    )
    return [*routes, *also, elsewhere]


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
