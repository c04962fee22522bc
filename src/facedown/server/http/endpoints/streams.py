"""The stream of the caller's turns at all tables, as lines of JSON, for bots."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from facedown.protocol.errors import TooMany
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.streams import Streams, TurnStream
from facedown.server.store.base import StoreFailed

ENDPOINTS: Final = Endpoints("tables", needs="session")
_MEDIA: Final = "application/x-ndjson"
_READ_S: Final = 30.0
"""How long a line may stay unread before its reader is disconnected."""


class _StreamResponse(Response):
    """A streaming response that ends when its reader disconnects or stops reading."""

    media_type = _MEDIA

    def __init__(self, streams: Streams, person: str) -> None:
        super().__init__(None, 200, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams = streams
        self._person = person

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.stream(self._person) as stream:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            writing = asyncio.create_task(_write(stream, send))
            leaving = asyncio.create_task(_gone(receive))
            try:
                await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writing, leaving):
                    task.cancel()
                await asyncio.gather(writing, leaving, return_exceptions=True)


async def _write(stream: TurnStream, send: Send) -> None:
    with contextlib.suppress(TimeoutError, OSError, StoreFailed):  # then it ends, and the reader comes again
        async for line in stream.lines():
            async with asyncio.timeout(_READ_S):
                await send({"type": "http.response.body", "body": line, "more_body": True})
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@ENDPOINTS.get("/api/v1/stream", media=_MEDIA, refuses=(TooMany,))
async def stream_turns(call: Call[None, None]) -> Response:
    """A line for every turn of the caller's seats and every game that ends, open turns first."""
    person = call.require_session().id
    call.services.streams.check(person)
    return _StreamResponse(call.services.streams, person)
