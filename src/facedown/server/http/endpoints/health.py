"""Operators' endpoints: health checks, metrics, and administration of tables."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from msgspec import UNSET
from starlette.responses import Response

from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import BadToken, BrokenTable, Draining, OperatorsOnly, UnknownTable
from facedown.protocol.rest import AdminTables, CloseTable, Health, ListQuery
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint, json_response
from facedown.server.http.listings import listed_table
from facedown.server.ops.metrics import MEDIA
from facedown.server.store.base import StoreFailed

_TAG: Final = "operators"
_LISTED: Final = 200


async def _alive(_: Call[None, None]) -> Health:
    return Health()


async def _ready(call: Call[None, None]) -> Health:
    if call.services.draining:
        raise Draining("the server is shutting down")
    await call.services.readiness.check()
    call.services.node.check()
    return Health(broken_tables=len(call.services.tables.broken) or UNSET)


async def _metrics(call: Call[None, None]) -> Response:
    return Response(await call.services.processes.page(), 200, {"Cache-Control": "no-store"}, MEDIA)


async def _tables(call: Call[None, ListQuery]) -> AdminTables:
    services, query = call.services, call.query
    found = await services.store.tables(state=query.state or "", game=query.game, limit=_LISTED)
    return AdminTables(tuple(listed_table(each) for each in found), await services.processes.loaded())


async def _close(call: Call[CloseTable, None]) -> Response:
    with suppress(BrokenTable):  # it was closed when it was met
        table = await call.table()
        await table.close(one_line(call.body.say))
    return json_response(None)


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint("GET", "/healthz", "Whether the server is alive.", _alive, Health, tag=_TAG),
    Endpoint(
        "GET",
        "/readyz",
        "Whether the server is ready: its store can write, and it is not shutting down.",
        _ready,
        Health,
        needs="monitor",
        refuses=(Draining, StoreFailed, OperatorsOnly),
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/metrics",
        "Counters for Prometheus.",
        _metrics,
        needs="monitor",
        media="text/plain",
        refuses=(OperatorsOnly,),
        tag=_TAG,
    ),
    Endpoint(
        "GET",
        "/api/v1/admin/tables",
        "All tables, the newest first.",
        _tables,
        AdminTables,
        query=ListQuery,
        needs="operator",
        refuses=(BadToken,),
        tag=_TAG,
    ),
    Endpoint(
        "POST",
        "/api/v1/admin/tables/{table}/close",
        "Close a table; the reason is shown to everyone at it.",
        _close,
        None,
        204,
        CloseTable,
        optional_body=True,
        needs="operator",
        refuses=(BadToken, UnknownTable, StoreFailed),
        tag=_TAG,
    ),
)
