"""The descriptions of the API as JSON: OpenAPI, and JSON Schema of every message."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from facedown.protocol.schema import json_schema
from facedown.server.http.endpoint import Endpoint
from facedown.server.http.openapi import document

_MEDIA: Final = "application/json"
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'",
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
}


def description_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """Routes of the files that describe the API to programs; each is prepared at its first request."""
    return [
        Route("/api/openapi.json", _answer(partial(document, endpoints))),
        Route("/api/schema.json", _answer(json_schema)),
    ]


def _answer(describe: Callable[[], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
    @cache
    def file() -> tuple[bytes, bytes, str]:
        body = msgspec.json.encode(describe())
        return body, gzip.compress(body, 6, mtime=0), f'"{hashlib.sha256(body).hexdigest()[:16]}"'

    async def answer(request: Request) -> Response:
        body, zipped, tag = await asyncio.to_thread(file)
        headers = {**_HEADERS, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(None, 304, headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(zipped, 200, {**headers, "Content-Encoding": "gzip"}, _MEDIA)
        return Response(body, 200, headers, _MEDIA)

    return answer
