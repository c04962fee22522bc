"""The descriptions of the API as JSON (OpenAPI, AsyncAPI, JSON Schema), and Swagger UI to show it."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from importlib import resources
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from facedown.protocol.schema import json_schema
from facedown.server.http.asyncapi import socket_document
from facedown.server.http.endpoint import Endpoint
from facedown.server.http.openapi import document

_FILES: Final = {
    "": "text/html; charset=utf-8",
    "start.js": "text/javascript; charset=utf-8",
    "vendor/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "vendor/swagger-ui.css": "text/css; charset=utf-8",
}
"""The files of the viewer, in `docs_viewer`; the first is its page."""
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


def descriptions(endpoints: Sequence[Endpoint]) -> dict[str, Callable[[], dict[str, Any]]]:
    """The files that describe the API to programs, by name, each as the function that builds it."""
    return {
        "openapi.json": partial(document, endpoints),
        "asyncapi.json": socket_document,
        "schema.json": json_schema,
    }


def description_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Routes of the descriptions and their viewer; a file is prepared at its first request."""
    folder = resources.files("facedown.server.http") / "docs_viewer"

    def describe(name: str) -> bytes:
        return msgspec.json.encode(descriptions(endpoints)[name]())

    async def redirect(_: Request) -> Response:
        return RedirectResponse("/api/docs/", 308)

    return [
        *(
            Route(f"/api/{name}", _answer(partial(describe, name), "application/json"))
            for name in descriptions(endpoints)
        ),
        Route("/api/docs", redirect),
        *(
            Route(f"/api/docs/{name}", _answer((folder / (name or "index.html")).read_bytes, media))
            for name, media in _FILES.items()
        ),
    ]


def _answer(read: Callable[[], bytes], media: str) -> Callable[[Request], Awaitable[Response]]:
    @cache
    def file() -> tuple[bytes, bytes, str]:
        body = read()
        return body, gzip.compress(body, 6, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    async def answer(request: Request) -> Response:
        body, zipped, tag = await asyncio.to_thread(file)  # compressing the viewer takes a while
        headers = {**_HEADERS, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(zipped, 200, {**headers, "Content-Encoding": "gzip"}, media)
        return Response(body, 200, headers, media)

    return answer
