"""Credentials of a caller: session token, seat token and page origin; the same for REST and WebSockets.

Reads them from header values and looks seat tokens up. Knows no web framework.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from facedown.protocol.errors import BadToken
from facedown.server.accounts.people import Kind
from facedown.server.ids import TOKEN_PREFIX, hash_token
from facedown.server.ops.rate_limits import Limits
from facedown.server.store.base import Store

COOKIE: Final = "facedown_session"
SECURE_COOKIE: Final = f"__Host-{COOKIE}"
"""The cookie over TLS: a browser takes it from this host only, so no sibling host can plant a session."""
_MOST_TOKEN: Final = 128


@dataclass(frozen=True, slots=True)
class Credential:
    """A session token of a browser's cookie or a program's header, or a personal token in such a header."""

    kind: Kind
    token: str


@dataclass(frozen=True, slots=True)
class Seated:
    """Whose view of a table a caller gets: a seat's, or 0 for a spectator's; `person` may be empty."""

    viewer: int
    person: str
    token: bytes = b""
    """The hash of the seat token; empty without one."""


def session_cookie(*, secure: bool) -> str:
    """The name of the session's cookie."""
    return SECURE_COOKIE if secure else COOKIE


def read_credential(
    authorization: Iterable[str], cookies: Iterable[str], *, secure: bool = False
) -> Credential | None:
    """The session token of a request: a bearer token, else the cookie; None if there is neither, or if there
    are several cookies of the name that disagree: one of them was planted.

    >>> read_credential([], ["theme=dark; facedown_session=abc"])
    Credential(kind='browser', token='abc')
    >>> read_credential([], ["facedown_session=abc"], secure=True)
    >>> read_credential([], ["facedown_session=abc; facedown_session=planted"])
    """
    for value in authorization:
        scheme, _, token = value.partition(" ")
        if scheme.lower() == "bearer" and token.strip():
            kind: Kind = "token" if token.strip().startswith(TOKEN_PREFIX) else "program"
            return Credential(kind, token.strip()[:_MOST_TOKEN])
    pairs = (pair.strip().partition("=") for value in cookies for pair in value.split(";"))
    tokens = {token for name, _, token in pairs if name == session_cookie(secure=secure)}
    if len(tokens) != 1 or not 0 < len(held := tokens.pop()) <= _MOST_TOKEN:
        return None
    return Credential("browser", held)


def is_own_origin(origin: str, host: str, public_url: str = "", scheme: str = "http") -> bool:
    """Whether a page of this server made a request: its origin is the public URL, or has the scheme and the
    host of the request.

    >>> is_own_origin("http://127.0.0.1:8765", "127.0.0.1:8765"), is_own_origin("null", "127.0.0.1:8765")
    (True, False)
    >>> is_own_origin("http://cards.example.org", "cards.example.org", scheme="https")
    False
    """
    if public_url and origin == public_url:
        return True
    if not host:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme == scheme and parts.netloc.lower() == host.lower()


async def seat_by_token(store: Store, limits: Limits, *, table: str, token: str, address: str) -> Seated:
    """The seat of a seat token; raises `BadToken`, and counts the wrong guess of this address."""
    key = hash_token(token[:_MOST_TOKEN])
    held = await store.seat_of(table, key)
    if held is None:
        limits.wrong_token(address)
        raise BadToken("this seat token is not valid, or not any more")
    return Seated(*held, key)
