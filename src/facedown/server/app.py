"""The ASGI app: routes of the REST API, the given pages, and the middleware around them.

Owns request ids, the log line and metrics of every request, and the answer to unhandled errors.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.protocol.errors import NotFound
from facedown.server.http.descriptions import description_routes
from facedown.server.http.endpoint import Endpoint, routes_of
from facedown.server.http.endpoints import (
    accounts,
    cases,
    contacts,
    games,
    handovers,
    invites,
    log,
    mind,
    operators,
    pairing,
    passkeys,
    people,
    play,
    profiles,
    sessions,
    studies,
    tables,
    tokens,
    tournaments,
)
from facedown.server.http.previews import with_previews
from facedown.server.http.problems import WrongMethod, internal, problem
from facedown.server.http.request_guard import RequestGuard
from facedown.server.http.services import RestServices
from facedown.server.ops.logs import get_log
from facedown.server.ops.metrics import Metrics

ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    *sessions.ENDPOINTS,
    *accounts.ENDPOINTS,
    *passkeys.ENDPOINTS,
    *tokens.ENDPOINTS,
    *handovers.ENDPOINTS,
    *games.ENDPOINTS,
    *tables.ENDPOINTS,
    *log.ENDPOINTS,
    *play.ENDPOINTS,
    *invites.ENDPOINTS,
    *pairing.ENDPOINTS,
    *tournaments.ENDPOINTS,
    *studies.ENDPOINTS,
    *mind.ENDPOINTS,
    *people.ENDPOINTS,
    *profiles.ENDPOINTS,
    *contacts.ENDPOINTS,
    *cases.OWN_ENDPOINTS,
    *cases.ENDPOINTS,
    *operators.ENDPOINTS,
    *operators.OPEN_ENDPOINTS,
)

_ID: Final = re.compile(r"[0-9A-Za-z_-]{8,64}")
_UNTIMED: Final = (
    "/api/v1/stream",
    "/api/v1/tables/{table}/events",
    "/api/v1/pairing/ticket",
    "/api/v1/tournaments/{tournament}/events",
)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_QUIET: Final = ("/healthz", "/readyz", "/metrics")
_STRICT: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_ONLY_TLS: Final = {"Strict-Transport-Security": "max-age=31536000"}


def make_app(services: RestServices, pages: Sequence[BaseRoute] = ()) -> Starlette:
    """The ASGI app of a server."""
    app = Starlette(
        routes=[
            *routes_of(services, ENDPOINTS),
            *description_routes(ENDPOINTS),
            *with_previews(pages, services),
        ],
        exception_handlers={HTTPException: _router_refusal},
    )
    app.router.redirect_slashes = False
    app.state.services = services
    app.add_middleware(RequestLog, metrics=services.metrics, tls=bool(services.settings.tls))
    app.add_middleware(RequestGuard, services=services)
    return app


async def _router_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    number: str = request.scope["state"].get("request", "")
    if error.status_code == WrongMethod.status:
        return problem(WrongMethod("this path allows other methods"), number, dict(error.headers or {}))
    return problem(NotFound("there is no such path"), number)


class RequestLog:
    """Middleware: gives every request an id, counts it, and logs its route (its path may hold a secret)."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, tls: bool = False) -> None:
        """`tls`: the server has TLS itself; elsewhere the proxy says that browsers have to use it."""
        self._app = app
        self._metrics = metrics
        self._headers = _STRICT | (_ONLY_TLS if tls else {})
        self._log = get_log(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        number = _request_id(scope)
        scope.setdefault("state", {})["request"] = number
        start, status = time.perf_counter(), 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = number
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/") and not headers.get("content-type", "").startswith(
                    "image/"
                ):
                    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            self._log.exception("unhandled error", request=number, route=_template(scope))
            if status:
                raise  # the answer has begun: the connection is closed
            await internal(number)(scope, receive, send_with_headers)
        finally:
            self._record(scope, number, status or 499, time.perf_counter() - start)

    def _record(self, scope: Scope, number: str, status: int, seconds: float) -> None:
        route = _template(scope)
        method: str = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.requests.labels(method, route, str(status)).inc()
        if route not in _UNTIMED:
            self._metrics.seconds.labels(route).observe(seconds)
        if route not in _QUIET:
            ms = round(seconds * 1000, 1)
            self._log.info("request", request=number, method=method, route=route, status=status, ms=ms)


def _request_id(scope: Scope) -> str:
    """The request id of a proxy, if it is well formed; else a new one."""
    given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return given if _ID.fullmatch(given) else secrets.token_hex(8)


def _template(scope: Scope) -> str:
    """The template of the route: the path itself may hold an invitation."""
    return str(getattr(scope.get("route"), "path", "")) or "none"
