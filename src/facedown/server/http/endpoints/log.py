"""The public log: checkpoints, proofs, and the tiles of C2SP (tlog-tiles). None of them needs a session."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from facedown.core.errors import Unsupported
from facedown.protocol.rest import LogConsistency, LogInclusion, LogProofQuery, LogRangeQuery
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.public_log import UnknownEntry
from facedown.server.store.failures import StoreFailed

ENDPOINTS = Endpoints("log", refuses=(StoreFailed,))
_LOG: Final = "/api/v1/log"
_TILE_HEADERS: Final = {"Cache-Control": "private, max-age=31536000, immutable"}
"""Private: an answer may renew a session's cookie."""


@ENDPOINTS.get(f"{_LOG}/checkpoint", media="text/plain", refuses=(Unsupported,))
async def checkpoint(call: Call[None, None]) -> Response:
    """The newest checkpoint of the public log, a signed note: with witnesses, the newest cosigned one."""
    note = call.services.witnesses.cosigned or await call.services.log.checkpoint()
    return Response(note, headers={"Cache-Control": "no-store"}, media_type="text/plain")


@ENDPOINTS.get(
    f"{_LOG}/tile/{{level}}/{{place:path}}", media="application/octet-stream", refuses=(UnknownEntry,)
)
async def tile(call: Call[None, None]) -> Response:
    """A tile of the public log's tree, or for the level `entries` a bundle of entries (C2SP tlog-tiles)."""
    found = await call.services.log.tile(call.part("level"), call.part("place"))
    return Response(found, headers=_TILE_HEADERS, media_type="application/octet-stream")


@ENDPOINTS.get(f"{_LOG}/proof", refuses=(Unsupported,))
async def proof(call: Call[None, LogProofQuery]) -> LogInclusion:
    """The proof that an entry is in the public log."""
    try:
        return LogInclusion(str(await call.services.log.proof(bytes.fromhex(call.query.leaf))))
    except UnknownEntry:  # no error: clients ask until it is there
        return LogInclusion("")


@ENDPOINTS.get(f"{_LOG}/consistency", refuses=(UnknownEntry,))
async def consistency(call: Call[None, LogRangeQuery]) -> LogConsistency:
    """The proof that the public log of one size begins with that of a smaller one."""
    path = await call.services.log.consistency(call.query.old, call.query.new)
    return LogConsistency(tuple(each.hex() for each in path))
