"""The descriptions as JSON (OpenAPI, AsyncAPI, JSON Schema), and the page that shows them under a strict
content security policy.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from importlib import resources
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from facedown.protocol.schema import json_schema
from facedown.server.http.asyncapi import socket_document
from facedown.server.http.endpoint import Endpoint
from facedown.server.http.openapi import document

_FOLDER: Final = "docs_viewer"
_FILES: Final = {
    "index.html": "text/html; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "describe.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
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


def descriptions(endpoints: Sequence[Endpoint]) -> dict[str, Callable[[], dict[str, Any]]]:
    """The files that describe the API to programs: their names, and what makes each."""
    return {
        "openapi.json": partial(document, endpoints),
        "asyncapi.json": socket_document,
        "schema.json": json_schema,
    }


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Routes of the descriptions and their viewer; each is made at its first request."""

    @cache
    def described(name: str) -> _File:
        return _file(msgspec.json.encode(descriptions(endpoints)[name]()), "application/json")

    @cache
    def viewer(name: str) -> _File:
        folder = resources.files("facedown.server.http") / _FOLDER
        return _file((folder / name).read_bytes(), _FILES[name])

    async def redirect(_: Request) -> Response:
        return RedirectResponse("/api/docs/", 308)

    return [
        *(Route(f"/api/{name}", _answer(partial(described, name))) for name in descriptions(endpoints)),
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
