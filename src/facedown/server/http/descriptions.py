"""The descriptions of the API as JSON (OpenAPI, AsyncAPI, JSON Schema), and Swagger UI to show it."""

from __future__ import annotations

import asyncio
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

_PAGE: Final = "index.html"
_FILES: Final = {
    _PAGE: "text/html",
    "start.js": "text/javascript",
    "vendor/swagger-ui-bundle.js": "text/javascript",
    "vendor/swagger-ui.css": "text/css",
}
"""The files of the viewer, in `docs_viewer`."""
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
    """The files that describe the API to programs, by name, each as the function that builds it."""
    return {
        "openapi.json": partial(document, endpoints),
        "asyncapi.json": socket_document,
        "schema.json": json_schema,
    }


def description_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Routes of the descriptions and their viewer; a file is prepared at its first request."""

    @cache
    def description(name: str) -> _File:
        return _file(msgspec.json.encode(descriptions(endpoints)[name]()), "application/json")

    @cache
    def viewer(name: str) -> _File:
        folder = resources.files("facedown.server.http") / "docs_viewer"
        return _file((folder / name).read_bytes(), f"{_FILES[name]}; charset=utf-8")

    async def redirect(_: Request) -> Response:
        return RedirectResponse("/api/docs/", 308)

    return [
        *(Route(f"/api/{name}", _answer(partial(description, name))) for name in descriptions(endpoints)),
        Route("/api/docs", redirect),
        Route("/api/docs/", _answer(partial(viewer, _PAGE))),
        *(Route(f"/api/docs/{name}", _answer(partial(viewer, name))) for name in _FILES if name != _PAGE),
    ]


def _file(body: bytes, media: str) -> _File:
    return _File(body, gzip.compress(body, 6, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"', media)


def _answer(file: Callable[[], _File]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body, zipped, tag, media = await asyncio.to_thread(file)  # compressing the viewer takes a while
        headers = {**_HEADERS, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(zipped, 200, {**headers, "Content-Encoding": "gzip"}, media)
        return Response(body, 200, headers, media)

    return answer
