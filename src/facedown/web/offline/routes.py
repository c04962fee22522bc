"""The routes of play without a network: what a browser may keep, from a server that has it.

Where Pyodide has not been fetched, there is no list (204), and the page offers nothing. To ask for it is no
mistake, so that no browser complains of it.
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from facedown.web.offline.pyodide import find_pyodide
from facedown.web.offline.run_files import FOLDER, LIST, RunFiles, run_files

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
    )
)
"""What the worker may do: run our scripts and Python, and fetch from here."""
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
}
_FOREVER: Final = _HEADERS | {"Cache-Control": "public, max-age=31536000, immutable"}
_ASK: Final = _HEADERS | {"Cache-Control": "no-cache"}
_TYPES: Final = {
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}


class OfflineFiles:
    """Answers for the files of play without a network, once Pyodide is in the cache folder."""

    def __init__(self, cache: Path, machine_pause: int) -> None:
        self._cache = cache
        self._pause = machine_pause
        self._making: asyncio.Task[RunFiles] | None = None

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route(f"/{FOLDER}/{LIST}", self._list), Route(f"/{FOLDER}/{{path:path}}", self._file)]

    async def _run_files(self) -> RunFiles | None:
        """All files, put together at the first request."""
        if self._making is None:
            folder = find_pyodide(self._cache)
            if folder is None:
                return None
            self._making = asyncio.create_task(asyncio.to_thread(run_files, folder, self._pause))
        return await asyncio.shield(self._making)

    async def _list(self, request: Request) -> Response:
        if (found := await self._run_files()) is None:
            return Response(None, 204, _ASK)
        return Response(found.listing, 200, _ASK, "application/json")

    async def _file(self, request: Request) -> Response:
        found, path = await self._run_files(), request.path_params["path"]
        if found is not None and path in found.ours:
            return Response(found.ours[path], 200, _FOREVER, type_of(path))
        if found is not None and path in found.pyodide:
            return _file_response(found.pyodide[path], request.headers)
        return Response("not found", 404, _ASK, "text/plain")


def _file_response(path: Path, headers: Mapping[str, str]) -> Response:
    compressed = path.with_name(f"{path.name}.gz")
    if "gzip" in headers.get("accept-encoding", "") and compressed.exists():
        return FileResponse(compressed, 200, _FOREVER | {"Content-Encoding": "gzip"}, type_of(path.name))
    return FileResponse(path, 200, _FOREVER, type_of(path.name))


def type_of(name: str) -> str:
    """The media type of a file, by its ending.

    >>> type_of("python.wasm"), type_of("code.zip")
    ('application/wasm', 'application/zip')
    """
    return _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
