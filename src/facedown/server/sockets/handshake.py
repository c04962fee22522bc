"""The WebSocket handshake: checks path, host, origin and subprotocol."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Container
from http import HTTPStatus
from typing import Final

from websockets.datastructures import Headers, MultipleValuesError
from websockets.exceptions import InvalidOrigin
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from facedown.server.accounts.credentials import is_own_origin

PATH: Final = "/ws/v1"
"""May be followed by a table's id, by which a proxy can send the seats of a table to one server."""
_TABLE: Final = re.compile(r"[0-9A-Za-z]{1,40}")

# The library logs every broken connection; only its own defects are of interest.
_logger = logging.getLogger(__name__)
_logger.setLevel(logging.ERROR)


class Handshake(ServerProtocol):
    """The sans-I/O protocol of one WebSocket: no compression, one subprotocol, own origin only."""

    def __init__(self, public_url: str, longest: int, hosts: Container[str] | None = None) -> None:
        super().__init__(subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=longest, logger=_logger)
        self._public_url = public_url
        self._hosts = hosts
        self.scheme = "http"
        """How the peer reached the server: `https` if a trusted proxy reports it."""
        self.table = ""
        """The table that the address names; empty if it names none."""

    def process_origin(self, headers: Headers) -> Origin | None:
        origin = super().process_origin(headers)
        if origin is None:  # programs send none
            return None
        try:
            host = headers.get("Host", "")
        except MultipleValuesError:
            host = ""
        if not is_own_origin(origin, host, self._public_url, self.scheme):
            raise InvalidOrigin(origin)
        return origin

    def answer(self, request: Request, *, draining: bool) -> Response:
        path, slash, self.table = request.path.partition("?")[0].removeprefix(PATH).partition("/")
        if not request.path.startswith(PATH) or path or (slash and not _TABLE.fullmatch(self.table)):
            return self.reject(HTTPStatus.NOT_FOUND, "there is no WebSocket at this path\n")
        host = ",".join(request.headers.get_all("Host"))
        if self._hosts is not None and host and host not in self._hosts:
            say = "this server is not known by that host name: --public-url or --hosts makes it known\n"
            return self.reject(HTTPStatus.MISDIRECTED_REQUEST, say)
        if draining:
            return self.reject(
                HTTPStatus.SERVICE_UNAVAILABLE, "the server is shutting down; try again soon\n"
            )
        return self.accept(request)

    def too_many(self, seconds: float = 10.0) -> Response:
        """The rejection of one WebSocket too many from an address."""
        response = self.reject(HTTPStatus.TOO_MANY_REQUESTS, "too many WebSockets from this address\n")
        response.headers["Retry-After"] = str(math.ceil(seconds))
        return response
