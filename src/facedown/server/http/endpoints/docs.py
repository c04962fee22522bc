"""The OpenAPI description as JSON, and its viewer, which runs under a strict content security policy."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib import resources
from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from facedown.server.http.endpoint import AnyEndpoint
from facedown.server.http.openapi import document

_FOLDER: Final = "docs_viewer"
_FILES: Final = {
    "index.html": "text/html; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}
_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}


class _File(NamedTuple):
    body: bytes
    zipped: bytes
    tag: str
    media: str


def routes(endpoints: Sequence[AnyEndpoint]) -> list[Route]:
    """Routes of the description and its viewer, whose files are read at their first request."""
    described = _file(msgspec.json.encode(document(endpoints)), "application/json")
    read: dict[str, _File] = {}

    def viewer(name: str) -> _File:
        if name not in read:
            folder = resources.files("facedown.server.http") / _FOLDER
            read[name] = _file((folder / name).read_bytes(), _FILES[name])
        return read[name]

    async def redirect(_: Request) -> Response:
        return RedirectResponse("/api/docs/", 308)

    return [
        Route("/api/openapi.json", _answer(lambda: described)),
        Route("/api/docs", redirect),
        Route("/api/docs/", _answer(lambda: viewer("index.html"))),
        *(Route(f"/api/docs/{name}", _answer(partial(viewer, name))) for name in _FILES),
    ]


def _file(body: bytes, media: str) -> _File:
    return _File(body, gzip.compress(body, 6, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"', media)


def _answer(file: Callable[[], _File]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body, zipped, tag, media = file()
        headers = {**_HEADERS, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(zipped, 200, {**headers, "Content-Encoding": "gzip"}, media)
        return Response(body, 200, headers, media)

    return answer
