"""Problem documents (RFC 9457): the answers to refused requests and to unhandled errors."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import UNSET
from starlette.responses import Response

from facedown.core.errors import FacedownError, UnknownGame, UnreadableRules
from facedown.core.text.translation import ENGLISH, translate
from facedown.protocol.errors import NotFound, PairingPaused, ServerError, TooMany, status_of
from facedown.protocol.messages import Nak
from facedown.protocol.rest import Problem

MEDIA: Final = "application/problem+json"
_KINDS: Final = "urn:facedown:problem:"
_encode = msgspec.json.Encoder().encode


class TooSlow(ServerError):
    """The body did not arrive in time."""

    code = "too_slow"
    status = 408


class WrongMethod(ServerError):
    """The path does not allow this method."""

    code = "wrong_method"
    status = 405


class WrongMedia(ServerError):
    """The body is not JSON."""

    code = "wrong_media"
    status = 415


class NoGame(NotFound):
    """No game of this name is installed."""

    code = UnknownGame.code


class CommandRefused(ServerError):
    """A command that the table refused; answered with the code and the status of its `Nak`."""

    def __init__(self, nak: Nak) -> None:
        super().__init__(nak.say, rule=nak.rule)
        self.nak = nak


def problem(
    error: FacedownError, request: str, headers: dict[str, str] | None = None, language: str = ENGLISH
) -> Response:
    """The answer to a refused request; only the problems of a rule set are translated."""
    code, status = error.code, status_of(error)
    if isinstance(error, CommandRefused):
        code, status = error.nak.code, error.nak.status
    document = Problem(
        type=_KINDS + code,
        title=_title(error, status),
        status=status,
        detail=str(error),
        code=code,
        request=request,
        problems=(
            tuple(translate(each, language) for each in error.problems)
            if isinstance(error, UnreadableRules)
            else UNSET
        ),
        rule=error.rule or UNSET,
    )
    more = dict(headers or {})
    if isinstance(error, PairingPaused | TooMany):
        more["Retry-After"] = str(max(1, -(-error.again // 1000)))
    if status == HTTPStatus.UNAUTHORIZED:
        more["WWW-Authenticate"] = "Bearer"
    return Response(_encode(document), status, {"Cache-Control": "no-store", **more}, MEDIA)


def internal(request: str) -> Response:
    """The answer to an unhandled error, which is in the log with the id of the request."""
    detail = "internal error; no change was left incomplete"
    document = Problem(_KINDS + "internal", "Internal Server Error", 500, detail, "internal", request)
    return Response(_encode(document), 500, {"Cache-Control": "no-store"}, MEDIA)


def _title(error: FacedownError, status: int) -> str:
    """The same for every problem of a kind: the first line of its class's docstring."""
    if isinstance(error, CommandRefused):
        return HTTPStatus(status).phrase
    return (type(error).__doc__ or "").strip().partition("\n")[0].rstrip(".")
