"""Operators' endpoints: health checks, metrics, and administration of tables."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from msgspec import UNSET
from starlette.responses import Response

from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadToken, BrokenTable, Draining, OperatorsOnly, UnknownTable
from facedown.protocol.rest import AdminTables, CloseTable, Health, ListQuery
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.http.listings import listed_table
from facedown.server.ops.metrics import MEDIA
from facedown.server.store.base import StoreFailed

ENDPOINTS: Final = Endpoints("operators")
_LISTED: Final = 200


@ENDPOINTS.get("/healthz")
async def liveness(call: Call[None, None]) -> Health:
    """Whether the server is alive."""
    return Health()


@ENDPOINTS.get("/readyz", needs="monitor", refuses=(Draining, StoreFailed, OperatorsOnly))
async def readiness(call: Call[None, None]) -> Health:
    """Whether the server is ready: its store can write, and it is not shutting down."""
    if call.services.draining:
        raise Draining("the server is shutting down")
    await call.services.readiness.check()
    if call.services.node is not None:
        call.services.node.check()
    return Health(broken_tables=len(call.services.tables.broken) or UNSET)


@ENDPOINTS.get("/metrics", needs="monitor", media="text/plain", refuses=(OperatorsOnly,))
async def metrics(call: Call[None, None]) -> Response:
    """Counters for Prometheus."""
    return Response(await call.services.processes.page(), 200, {"Cache-Control": "no-store"}, MEDIA)


@ENDPOINTS.get("/api/v1/admin/tables", needs="operator", refuses=(BadToken,))
async def all_tables(call: Call[None, ListQuery]) -> AdminTables:
    """All tables, the newest first."""
    services, query = call.services, call.query
    found = await services.store.tables(state=query.state or "", game=query.game, limit=_LISTED)
    return AdminTables(tuple(listed_table(each) for each in found), await services.processes.loaded())


@ENDPOINTS.post(
    "/api/v1/admin/tables/{table}/close",
    needs="operator",
    optional_body=True,
    refuses=(BadToken, UnknownTable, StoreFailed),
)
async def close_table(call: Call[CloseTable, None]) -> None:
    """Close a table; the reason is shown to everyone at it."""
    with suppress(BrokenTable):  # it was closed when it was met
        table = await call.table()
        await table.close(one_line(call.body.say))
