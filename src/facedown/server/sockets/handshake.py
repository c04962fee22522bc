"""The opening of a WebSocket: which path, which origins, whose address and whose token. Answers yes or no and
knows nothing of what is said afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers, MultipleValuesError
from websockets.exceptions import InvalidOrigin
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from facedown.server.accounts.people import Kind

PATH: Final = "/ws/v1"
COOKIE: Final = "facedown_session"

# What goes on inside a connection is nobody's news; a parser that breaks is.
_logger = logging.getLogger("facedown.server.frames")
_logger.setLevel(logging.ERROR)


class Opening(ServerProtocol):
    """The sans-I/O protocol of one socket: no compression, one subprotocol, our idea of an allowed origin."""

    def __init__(self, pages: frozenset[str], longest: int) -> None:
        super().__init__(subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=longest, logger=_logger)
        self._pages = pages

    def process_origin(self, headers: Headers) -> Origin | None:
        origin = super().process_origin(headers)
        if origin is None or origin in self._pages:  # programs send none
            return origin
        try:
            host = headers["Host"]
            here = urlsplit(origin).netloc.lower() == host.lower()
        except (KeyError, MultipleValuesError, ValueError):
            here = False
        if not here:
            raise InvalidOrigin(origin)
        return origin

    def answer(self, request: Request, *, draining: bool) -> Response:
        """Yes (101) or no."""
        if request.path.partition("?")[0] != PATH:
            return self.reject(HTTPStatus.NOT_FOUND, "there is no socket here\n")
        if draining:
            return self.reject(HTTPStatus.SERVICE_UNAVAILABLE, "going down; come back in a moment\n")
        return self.accept(request)

    def crowded(self) -> Response:
        """The answer to one socket too many."""
        response = self.reject(HTTPStatus.TOO_MANY_REQUESTS, "too many sockets from this address\n")
        response.headers["Retry-After"] = "10"
        return response


def credential(headers: Headers) -> tuple[Kind, str] | None:
    """What a program's header or a browser's cookie says who this is: kind and token, or nothing.

    >>> credential(Headers(Cookie="theme=dark; facedown_session=abc"))
    ('browser', 'abc')
    """
    for value in headers.get_all("Authorization"):
        scheme, _, token = value.partition(" ")
        if scheme.lower() == "bearer":
            return "program", token.strip()
    for value in headers.get_all("Cookie"):
        for crumb in value.split(";"):
            name, _, token = crumb.strip().partition("=")
            if name == COOKIE:
                return "browser", token
    return None


class Trusted:
    """Addresses and networks of proxies of ours, whose word about their clients is believed.

    >>> "10.1.2.3" in Trusted(("10.0.0.0/8",)), "192.0.2.7" in Trusted(("10.0.0.0/8",))
    (True, False)
    """

    __slots__ = ("_networks",)

    def __init__(self, networks: Sequence[str] = ()) -> None:
        self._networks = tuple(ip_network(each, strict=False) for each in networks)

    def __contains__(self, host: str) -> bool:
        if not self._networks:
            return False
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def client(peer: str, headers: Headers, proxies: Trusted) -> str:
    """Whose address counts: the peer's, or where that is a proxy of ours, the last one that is not.

    >>> headers = Headers({"X-Forwarded-For": "forged, 192.0.2.7, 127.0.0.1"})
    >>> client("127.0.0.1", headers, Trusted(("127.0.0.1",))), client("192.0.2.9", headers, Trusted())
    ('192.0.2.7', '192.0.2.9')
    """
    if peer not in proxies:
        return peer
    chain = ",".join(headers.get_all("X-Forwarded-For")).split(",")
    hosts = (each.strip() for each in reversed(chain))
    return next((host for host in hosts if host and host not in proxies), peer)
