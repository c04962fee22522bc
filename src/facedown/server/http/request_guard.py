"""The guard of HTTP requests: checks the host name, the budget and the pace of the address, reads the body,
and limits how many requests of an address compute at once. A refusal costs next to nothing and leaves no line
in the log.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facedown.core.errors import FacedownError
from facedown.protocol.errors import TooMany, WrongHost
from facedown.server.http.problems import TooSlow, problem
from facedown.server.http.services import RestServices
from facedown.server.ops.home_network import FORWARDED
from facedown.server.ops.logs import get_log
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.rate_limits import address_key
from facedown.server.ops.slots import BodiesUnderWay, RequestSlots

_FORWARDED: Final = frozenset(name.encode() for name in FORWARDED)
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
    "/friends": 10,
    "/notices": 8,
    "/ticket": 2,
}
"""Costs of the calls that need more work than others, by the end of their path; and of a ticket, which people
who wait for an opponent put again every few seconds."""
_READ, _WRITE, _PAGE, _FILE = 2, 5, 1, 0.25


def cost_of(method: str, path: str) -> float:
    """The cost of a request, taken from the budget of its address: about a millisecond of work.

    >>> cost_of("GET", "/app/main.js"), cost_of("GET", "/"), cost_of("GET", "/api/v1/session")
    (0.25, 1, 2)
    """
    if not path.startswith(("/api/", "/metrics", "/readyz", "/i/", "/review/")):
        return _FILE if "." in path else _PAGE
    expensive = _EXPENSIVE.get(path[path.rfind("/") :], 0)
    if method in ("GET", "HEAD"):
        return expensive if expensive and not path.endswith(("/session", "/tables")) else _READ
    return expensive or _WRITE


_BEFORE_REFUSAL_S: Final = 0.2
"""An address that asks again at once would keep the event loop busy with refusals."""


class RequestGuard:
    """The outermost middleware."""

    def __init__(self, app: ASGIApp, services: RestServices) -> None:
        self._app = app
        self._limits = services.limits
        self._hosts = services.hosts
        self._metrics = services.metrics
        self._slots = RequestSlots()
        self._bodies = BodiesUnderWay()
        self._body_bytes = services.settings.body_bytes
        self._body_seconds = services.settings.body_seconds
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
        key = address_key(address)
        try:
            if address not in self._proxies and (wait := self._limits.pace(address, cost)):
                await asyncio.sleep(wait)
            whole = await self._body(key, scope, receive)
        except (TooMany, TooSlow) as refused:
            await self._refuse(refused, scope, receive, send)
            return
        async with self._slots.request(key) as slot:

            async def answer(message: Message) -> None:
                slot.end()  # the rest is the client's reading
                await send(message)

            await self._app(scope, whole, answer)

    async def _body(self, key: str, scope: Scope, receive: Receive) -> Receive:
        """The body, read before the request holds anything that others wait for; raises `TooSlow`.

        One that is too large is read no further: the endpoint refuses it."""
        headers = dict(scope["headers"])
        length = int(headers.get(b"content-length", b"0"))
        if b"transfer-encoding" not in headers and not 0 < length <= self._body_bytes:
            return receive
        come: list[Message] = []
        size = 0
        try:
            async with asyncio.timeout(self._body_seconds) as deadline:
                with self._bodies.count(key, deadline):
                    while size <= self._body_bytes and (not come or come[-1].get("more_body", False)):
                        come.append(await receive())
                        size += len(come[-1].get("body", b""))
        except TimeoutError:
            raise TooSlow("the body did not arrive in time") from None
        come.reverse()

        async def rest() -> Message:
            return come.pop() if come else await receive()

        return rest

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
