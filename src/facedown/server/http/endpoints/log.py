"""The public log: checkpoints, proofs and entries. None of them needs a session."""

from __future__ import annotations

from facedown.core.errors import Unsupported
from facedown.protocol.rest import (
    LogCheckpoint,
    LogConsistency,
    LogEntries,
    LogEntriesQuery,
    LogInclusion,
    LogProofQuery,
    LogRangeQuery,
    WitnessedLogs,
)
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.public_log import UnknownEntry
from facedown.server.store.failures import StoreFailed

ENDPOINTS = Endpoints("log", refuses=(StoreFailed,))


@ENDPOINTS.get("/api/v1/log/checkpoint", refuses=(Unsupported,))
async def checkpoint(call: Call[None, None]) -> LogCheckpoint:
    """The newest checkpoint of the public log."""
    return LogCheckpoint(await call.services.log.checkpoint(), call.services.tables.signing.key)


@ENDPOINTS.get("/api/v1/log/proof", refuses=(Unsupported,))
async def proof(call: Call[None, LogProofQuery]) -> LogInclusion:
    """The proof that an entry is in the public log."""
    try:
        return LogInclusion(str(await call.services.log.proof(bytes.fromhex(call.query.leaf))))
    except UnknownEntry:  # no error: clients ask until it is there
        return LogInclusion("")


@ENDPOINTS.get("/api/v1/log/consistency", refuses=(UnknownEntry,))
async def consistency(call: Call[None, LogRangeQuery]) -> LogConsistency:
    """The proof that the public log of one size begins with that of a smaller one."""
    path = await call.services.log.consistency(call.query.old, call.query.new)
    return LogConsistency(tuple(each.hex() for each in path))


@ENDPOINTS.get("/api/v1/log/entries")
async def entries(call: Call[None, LogEntriesQuery]) -> LogEntries:
    """A part of the public log, in order. An entry names its table by a hash only."""
    return LogEntries(tuple(each.hex() for each in await call.services.log.entries(call.query.start)))


@ENDPOINTS.get("/api/v1/log/witnessed")
async def witnessed(call: Call[None, None]) -> WitnessedLogs:
    """The newest checkpoints of the servers that this one is a witness of, with its signatures."""
    return await call.services.peers.witnessed_logs()
