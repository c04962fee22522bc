"""The OpenAPI 3.1 description of the REST API and the WebSocket messages, built from their declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from facedown.core.errors import FacedownError
from facedown.protocol import rest
from facedown.protocol.errors import (
    BadMessage,
    BadToken,
    BrokenTable,
    NeedsSession,
    TooLarge,
    TooMany,
    UnknownTable,
    WrongHost,
    WrongOrigin,
    WrongScope,
    status_of,
)
from facedown.protocol.messages import SUBPROTOCOL
from facedown.protocol.rest import Problem
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, components
from facedown.protocol.tournaments import TournamentUpdate
from facedown.server.accounts.credentials import COOKIE
from facedown.server.http.endpoint import SEAT, Endpoint
from facedown.server.http.problems import MEDIA, TooSlow, WrongMedia
from facedown.version import __version__

_REF: Final = "#/components/schemas/{name}"
_ABOUT: Final = """\
Tables for games in which every seat places a pick face down, and all are turned at once.

* **Sessions**: browsers have the cookie `facedown_session`, over TLS `__Host-facedown_session`; programs send
  `Authorization: Bearer …`. A call with the cookie that changes something needs an `Origin` of this server.
* **Tokens**: an account makes personal tokens (`fdn_…`) with scopes, which programs send as bearer tokens.
  No token manages tokens, accounts, devices or erasure, and none is accepted in an address.
* **Seats**: the header `Facedown-Seat` holds a seat token; a person with one seat may leave it out.
* **Fairness**: a seat joins with `H("facedown/2/entropy", table, u32be(seat), R)` of 32 random bytes `R`,
  opens `R` by the command `open` once the table's state is `opening`, and seals a pick as
  `H("facedown/2/pick", table, u32be(decision), u32be(seat), head, pick, nonce)` with the `head` of the open
  `turn`. `H(tag, p…)` is SHA-256 over every part, each behind its length as four bytes, big-endian.
* **Errors** are problem documents (RFC 9457) with a stable `code`.
* **Times** are milliseconds since 1970; 32-byte values are 64 hexadecimal digits.
* **The WebSocket** is described under `x-socket` here.
"""
_SOCKET: Final = """\
Text frames of JSON, at most 4 KiB from clients. The first frame is `hello`, within 5 seconds; the answer is
`welcome`, then missed events (if `v` was given), then one `snap`. A `cmd` is answered by `ack` after the
durable write, or by `nak`; repeat it with the same id until it is answered. A `ping` whose `v` is larger than
the client's own shows a gap: connect again with the client's `v`. `bye` comes before the server closes. A
proxy before several servers may go by the table in the address, so that its seats meet at one of them;
`/ws/v1` without it serves every table as well."""
_STREAMED: Final = (
    *(rest.StreamState, rest.EventGame, rest.EventTurn, rest.EventOver),
    *(rest.EventChallenge, rest.EventChallengeOver, rest.EventEnd),
    TournamentUpdate,
)
"""The lines of streams."""
_TAGS: Final = {
    "people": "Sessions, accounts, names, history, push.",
    "games": "Games, rule sets and verdicts.",
    "tables": "Creating, joining and playing.",
    "pairing": "Finding people to play with.",
    "mind": "The mind of the day: sealing ten chips, and the results of past days.",
    "contacts": "Following people, challenges and notices.",
    "tournaments": "Arenas and rounds: entering, standings, results.",
    "log": "The public log of what the server has promised, with proofs.",
    "operators": "For operators of the server.",
}
_PARTS: Final[dict[str, dict[str, Any]]] = {
    "table": {"type": "string", "pattern": "^[0-9A-Z]{26}$", "description": "a table's id"},
    "code": {"type": "string", "minLength": 1, "maxLength": 64, "description": "an invitation"},
    "key": {"type": "string", "pattern": "^[0-9A-Z]{26}$", "description": "the id of a device or a token"},
    "game": {"type": "string", "minLength": 1, "maxLength": 64, "description": "a game's name"},
    "tournament": {"type": "string", "pattern": "^[0-9A-Z]{26}$", "description": "a tournament's id"},
    "person": {"type": "string", "pattern": "^[0-9A-Z]{26}$", "description": "a person's id"},
    "passkey": {"type": "string", "pattern": "^[0-9A-Z]{26}$", "description": "a passkey's id"},
    "handle": {"type": "string", "pattern": "^[a-z0-9_]{1,32}$", "description": "an account's handle"},
    "resident": {"type": "string", "pattern": "^[a-z0-9_-]{1,32}$", "description": "a character"},
    "number": {"type": "string", "pattern": "^[0-9]{1,15}$", "description": "its number in the list"},
    "day": {"type": "string", "pattern": "^20[0-9]{2}-[01][0-9]-[0-3][0-9]$", "description": "a day"},
    "level": {"type": "string", "pattern": "^(entries|[0-9]{1,2})$", "description": "a level of tiles"},
    "place": {"type": "string", "maxLength": 30, "description": "a tile's number: x001/234, or 234.p/8"},
}


# --- the document ----------------------------------------------------------------------------------------


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document of these endpoints."""
    used = [kind for each in endpoints for kind in (each.body, each.answer) if kind is not None]
    documented = [*CLIENT_MESSAGES, *SERVER_MESSAGES, *_STREAMED, Problem]
    kinds = list({repr(kind): kind for kind in (*used, *documented)}.values())
    schemas, named = components(kinds, _REF)
    by_kind = dict(zip(map(repr, kinds), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path.replace(":path", ""), {})[endpoint.method.lower()] = _operation(
            endpoint, by_kind
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Facedown",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [{"name": name, "description": about} for name, about in _TAGS.items()],
        "paths": paths,
        "components": {"schemas": named, "securitySchemes": _SCHEMES},
        "x-socket": {
            "path": "/ws/v1/{table}",
            "subprotocol": SUBPROTOCOL,
            "description": _SOCKET,
            "incoming": [by_kind[repr(kind)] for kind in CLIENT_MESSAGES],
            "outgoing": [by_kind[repr(kind)] for kind in SERVER_MESSAGES],
        },
    }


_SCHEMES: Final[dict[str, dict[str, str]]] = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    "bearer": {"type": "http", "scheme": "bearer", "description": "the token of a program's session"},
    "token": {"type": "http", "scheme": "bearer", "description": "a personal token, with the scope listed"},
    "seat": {"type": "apiKey", "in": "header", "name": SEAT.title(), "description": "a seat token"},
    "operator": {"type": "http", "scheme": "bearer", "description": "the token in the data folder"},
}
_SECURITY: Final[dict[str, list[dict[str, list[str]]]]] = {
    "anyone": [{}, {"cookie": []}, {"bearer": []}],
    "session": [{"cookie": []}, {"bearer": []}],
    "seat": [{"cookie": []}, {"bearer": []}, {"seat": []}],
    "moderator": [{"operator": []}, {"cookie": []}],
    "operator": [{"operator": []}, {"cookie": []}],
    "monitor": [{}, {"operator": []}],
}


def _by_token(endpoint: Endpoint) -> Iterable[dict[str, list[str]]]:
    """The scope that a personal token needs, if one may make this call."""
    if endpoint.area:
        yield {"token": [endpoint.scope] if endpoint.scope else []}


# --- one operation ---------------------------------------------------------------------------------------


def _operation(endpoint: Endpoint, schemas: Mapping[str, Any]) -> dict[str, Any]:
    words = (
        endpoint.path.removeprefix("/api/v1/")
        .strip("/")
        .replace(":path", "")
        .replace("{", "")
        .replace("}", "")
    )
    operation: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}_{words.replace('/', '_').replace('.', '_')}",
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
        "security": [*_SECURITY[endpoint.needs], *_by_token(endpoint)],
        "parameters": [*_path(endpoint), *_query(endpoint), *_headers(endpoint)],
        "responses": {**_answers(endpoint, schemas), **_refusals(endpoint)},
    }
    if endpoint.body is not None:
        content = {"application/json": {"schema": schemas[repr(endpoint.body)]}}
        operation["requestBody"] = {"required": not endpoint.optional_body, "content": content}
    return operation


def _path(endpoint: Endpoint) -> Iterable[dict[str, Any]]:
    for name, schema in _PARTS.items():
        if re.search(rf"{{{name}(:path)?}}", endpoint.path):
            yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query(endpoint: Endpoint) -> Iterable[dict[str, Any]]:
    if endpoint.query is None:
        return
    whole = components([endpoint.query], _REF)[1][endpoint.query.__name__]
    for name, schema in whole["properties"].items():
        required = name in whole["required"]
        yield {"name": name, "in": "query", "required": required, "schema": _without_null(schema)}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an optional query parameter, which is left out and never null."""
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) == 1:
        return dict(choices[0])
    kept = {name: value for name, value in schema.items() if name != "default" or value is not None}
    if "enum" in kept:
        kept["enum"] = [each for each in kept["enum"] if each is not None]
    return kept


def _headers(endpoint: Endpoint) -> Iterable[dict[str, Any]]:
    for name, meaning in endpoint.headers.items():
        schema = {"type": "string", "maxLength": 128, "pattern": "^[!-~]*$"}
        if name == "Idempotency-Key":
            schema = {"type": "string", "pattern": "^[!-~]{1,64}$"}
        yield {"name": name, "in": "header", "required": False, "description": meaning, "schema": schema}


def _answers(endpoint: Endpoint, schemas: Mapping[str, Any]) -> dict[str, Any]:
    success: dict[str, Any] = {"description": "done"}
    if endpoint.answer is not None:
        success["content"] = {endpoint.media: {"schema": schemas[repr(endpoint.answer)]}}
    elif endpoint.status != HTTPStatus.NO_CONTENT:
        success["content"] = {endpoint.media: {"schema": {"type": "string"}}}
    answers = {str(endpoint.status): success}
    for status, when in endpoint.also.items():
        unchanged = status == HTTPStatus.NOT_MODIFIED
        answers[str(status)] = {"description": when} if unchanged else {**success, "description": when}
    return answers


def _refusals(endpoint: Endpoint) -> dict[str, Any]:
    """Problem documents by status; those that every call may answer are under `default`."""
    by_status: dict[int, dict[str, None]] = {}  # codes in order, each once
    for error in (*endpoint.refuses, *_always(endpoint)):
        by_status.setdefault(status_of(error), {})[error.code] = None
    problem = {MEDIA: {"schema": {"$ref": _REF.format(name="Problem")}}}
    refusals = {
        str(status): {"description": ", ".join(f"`{code}`" for code in codes), "content": problem}
        for status, codes in sorted(by_status.items())
    }
    return {**refusals, "default": {"description": "any other problem", "content": problem}}


def _always(endpoint: Endpoint) -> Iterable[type[FacedownError]]:
    """Errors that follow from the declaration of the call."""
    yield from (TooMany, WrongHost)
    if endpoint.needs not in ("anyone", "monitor"):
        yield NeedsSession
    if endpoint.needs not in ("operator", "monitor"):
        yield BadToken
        yield WrongScope
    if UnknownTable in endpoint.refuses:
        yield BrokenTable
    if endpoint.query is not None or endpoint.body is not None:
        yield BadMessage
    if endpoint.body is not None:
        yield from (TooLarge, TooSlow, WrongMedia)
    if endpoint.method != "GET":
        yield WrongOrigin
