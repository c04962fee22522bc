"""The WebSocket handshake: path, subprotocol and origin. Accepts or rejects; knows nothing of the messages
that follow.
"""

from __future__ import annotations

import logging
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

# What the library logs about single connections is of no interest, unless its parser breaks.
_logger = logging.getLogger(__name__)
_logger.setLevel(logging.ERROR)


class Handshake(ServerProtocol):
    """The sans-I/O protocol of one WebSocket: no compression, one subprotocol, own origin only."""

    def __init__(self, public_url: str, longest: int) -> None:
        super().__init__(subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=longest, logger=_logger)
        self._public_url = public_url

    def process_origin(self, headers: Headers) -> Origin | None:
        origin = super().process_origin(headers)
        if origin is None:  # programs send none
            return None
        try:
            host = headers.get("Host", "")
        except MultipleValuesError:
            host = ""
        if not is_own_origin(origin, host, self._public_url):
            raise InvalidOrigin(origin)
        return origin

    def answer(self, request: Request, *, draining: bool) -> Response:
        """The response to the upgrade request: 101 where it is accepted."""
        if request.path.partition("?")[0] != PATH:
            return self.reject(HTTPStatus.NOT_FOUND, "there is no WebSocket at this path\n")
        if draining:
            return self.reject(
                HTTPStatus.SERVICE_UNAVAILABLE, "the server is shutting down; try again soon\n"
            )
        return self.accept(request)

    def too_many(self) -> Response:
        """The rejection of one WebSocket too many from an address."""
        response = self.reject(HTTPStatus.TOO_MANY_REQUESTS, "too many WebSockets from this address\n")
        response.headers["Retry-After"] = "10"
        return response
