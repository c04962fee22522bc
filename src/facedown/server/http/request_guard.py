"""The guard of HTTP requests: checks the host name, the budget and the pace of the address, and how many of
its requests run at once. A refusal costs next to nothing and leaves no line in the log.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from facedown.core.errors import FacedownError
from facedown.protocol.errors import TooMany, WrongHost
from facedown.server.http.problems import problem
from facedown.server.http.services import RestServices
from facedown.server.ops.home_network import FORWARDED
from facedown.server.ops.logs import get_log
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import address_key

_AT_ONCE: Final = 4
"""Requests of one address that run at once; further ones wait, so that other addresses get their turn."""
_FORWARDED: Final = frozenset(name.encode() for name in FORWARDED)
_WAITING: Final = ("/stream", "/events", "/verdict", "/review", "/readyz")
"""Ends of paths that mostly wait: they do not count among the requests that run."""
_EXPENSIVE: Final = {
    "/verdict": 20,
    "/review": 20,
    "/data": 40,
    "/record": 20,
    "/me": 15,
    "/qr.svg": 10,
    "/result.png": 20,
    "/session": 6,
    "/handover": 10,
    "/sign-in": 10,
    "/tables": 8,
    "/continue": 20,
    "/metrics": 10,
    "/entries": 5,
    "/friends": 10,
    "/notices": 8,
}
"""Costs of the calls that need more work than others, by the end of their path."""
_READ, _WRITE, _PAGE, _FILE = 2, 5, 1, 0.25


def cost_of(method: str, path: str) -> float:
    """The cost of a request, taken from the budget of its address: about a millisecond of work.

    >>> cost_of("GET", "/app/main.js"), cost_of("GET", "/"), cost_of("GET", "/api/v1/session")
    (0.25, 1, 2)
    >>> cost_of("GET", "/embed/0123456789")
    20
    """
    if not path.startswith(("/api/", "/metrics", "/readyz", "/i/", "/review/", "/embed/")):
        return _FILE if "." in path else _PAGE
    end = "/record" if path.startswith("/embed/") else path[path.rfind("/") :]  # the page holds a record
    expensive = _EXPENSIVE.get(end, 0)
    if method in ("GET", "HEAD"):
        return expensive if expensive and not path.endswith(("/session", "/tables")) else _READ
    return max(expensive, _WRITE)


class ConcurrencyLimit:
    """Limits the requests of each address that run at once; further ones wait in order of arrival."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def enter(self, key: str) -> None:
        """Wait until one more request of this address may run."""
        if self._running[key] < _AT_ONCE:
            self._running[key] += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        try:
            await turn  # set by `leave`, which does not lower the count then
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(key)
            raise

    def leave(self, key: str) -> None:
        """A request has finished: let the next one run."""
        waiting = self._waiting.get(key)
        while waiting:
            turn = waiting.popleft()
            if not waiting:
                del self._waiting[key]
            if not turn.done():
                turn.set_result(None)
                return
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]


_BEFORE_REFUSAL_S: Final = 0.2
"""An address that asks again at once would keep the event loop busy with refusals."""


class RequestGuard:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, services: RestServices) -> None:
        self._app = app
        self._limits = services.limits
        self._hosts = services.hosts
        self._metrics = services.metrics
        self._running = ConcurrencyLimit()
        self._proxies = TrustedProxies(services.settings.proxies)
        self._warned = bool(services.settings.proxies)
        self._log = get_log(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        client = scope.get("client")
        address = client[0] if client else ""
        cost = cost_of(scope["method"], path)
        refusal = self._refusal(scope, address, cost)
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
            return
        scope.setdefault("state", {})["cost"] = cost
        if path.endswith(_WAITING):
            await self._app(scope, receive, send)
            return
        if address not in self._proxies:
            try:
                wait = self._limits.pace(address, cost)
            except TooMany as too_many:
                await self._refuse(too_many, scope, receive, send)
                return
            if wait:
                await asyncio.sleep(wait)
        key = address_key(address)
        await self._running.enter(key)
        try:
            await self._app(scope, receive, send)
        finally:
            self._running.leave(key)

    async def _refuse(self, refusal: FacedownError, scope: Scope, receive: Receive, send: Send) -> None:
        self._metrics.refused.labels(refusal.code).inc()
        if isinstance(refusal, TooMany):
            await asyncio.sleep(_BEFORE_REFUSAL_S)
        await problem(refusal, "", {"Connection": "close"})(scope, receive, send)

    def _refusal(self, scope: Scope, address: str, cost: float) -> FacedownError | None:
        host, forwarded = "", False
        for name, value in scope["headers"]:
            if name == b"host":
                host = value.decode("latin-1")
            elif name in _FORWARDED:
                forwarded = True
        if forwarded and not self._warned:
            self._warned = True
            self._log.warning("a proxy's header arrived, but no proxy is trusted: set FACEDOWN_PROXIES")
        if host and host not in self._hosts:
            return WrongHost(
                "this server is not known by that host name: --public-url or --hosts makes it known"
            )
        if address in self._proxies:  # a proxy that names no client
            return None
        wait = self._limits.request(address, cost)
        if wait:
            return TooMany("too many requests from this address", again=int(wait * 1000) + 1)
        return None
