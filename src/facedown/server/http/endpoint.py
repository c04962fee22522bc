"""How a REST call is answered: from a declared `Endpoint` to a route; the same declarations make the OpenAPI
page.

Owns reading, checking and refusing of requests. What a call does is in `endpoints/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from facedown.core.errors import FacedownError
from facedown.core.text.phrases import language_of
from facedown.protocol.errors import BadMessage, BadToken, NeedsSession, TooLarge, UnknownTable, WrongOrigin
from facedown.server.accounts.people import Kind
from facedown.server.http.problems import TooSlow, WrongMedia, WrongMethod, problem
from facedown.server.ids import hash_token
from facedown.server.store.base import Person

if TYPE_CHECKING:
    from facedown.server.http.services import Desk
    from facedown.server.services import House
    from facedown.server.table.table import Table

B = TypeVar("B")
Q = TypeVar("Q")

COOKIE: Final = "facedown_session"
SEAT: Final = "facedown-seat"
LANGUAGE_HEADER: Final = {"Accept-Language": "what the words of the answer are in: `en` (the usual) or `ja`"}
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_TOKEN: Final = 128
_encode = msgspec.json.Encoder().encode

Needs: TypeAlias = Literal["nobody", "session", "seat", "operator"]
"""Who may call: anybody, a person, whoever holds a seat (or is a person with one), or the operator."""


@dataclass(frozen=True, slots=True)
class Credential:
    """What somebody came with."""

    kind: Kind
    token: str


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[B, Q]):
    """One call of the API: all that a route and its documentation are made of."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """From the root, with {names}."""
    does: str
    """What it does, in one sentence."""
    handle: Callable[[Call[B, Q]], Awaitable[object]]
    """Hands out the answer, or a response that is ready."""
    answer: Any = None
    """The type of the answer; None where there is no body, or `media` is no JSON."""
    status: int = 200
    body: type[B] | None = None
    optional_body: bool = False
    query: type[Q] | None = None
    needs: Needs = "nobody"
    refuses: tuple[type[FacedownError], ...] = ()
    """What it may refuse besides what every call may."""
    media: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    """Request headers that mean something here, and what."""
    also: Mapping[int, str] = field(default_factory=dict)
    """Other statuses that are no problem, and when."""
    tag: str = ""


AnyEndpoint: TypeAlias = Endpoint[Any, Any]


@dataclass(frozen=True, slots=True)
class Seated:
    """As whom somebody looks at a table: a seat, or 0 for a spectator; the person is empty for strangers."""

    viewer: int
    person: str


class Call(Generic[B, Q]):
    """One request, read and checked."""

    __slots__ = ("_credential", "_person", "body", "desk", "endpoint", "query", "request")

    def __init__(self, desk: Desk, endpoint: AnyEndpoint, request: Request) -> None:
        self.desk = desk
        self.endpoint = endpoint
        self.request = request
        self.body: B
        self.query: Q
        self._credential: Credential | None = None
        self._person: Person | None = None

    @property
    def house(self) -> House:
        """Where everything is."""
        return self.desk.house

    @property
    def address(self) -> str:
        """Where the call comes from."""
        return self.request.client.host if self.request.client is not None else ""

    @property
    def language(self) -> str:
        """What the caller reads."""
        return language_of(self.request.headers.get("accept-language", ""))

    def part(self, name: str) -> str:
        """A {name} of the path."""
        return str(self.request.path_params[name])

    # --- who ------------------------------------------------------------------------------------------

    @property
    def person(self) -> Person | None:
        """Who is calling; None for a stranger."""
        return self._person

    @property
    def someone(self) -> Person:
        """Who is calling; raises `NeedsSession` for a stranger."""
        if self._person is None:
            raise NeedsSession("this needs a session: POST /api/v1/session makes one")
        return self._person

    @property
    def token(self) -> str:
        """The session's token; empty where there is none."""
        return "" if self._credential is None else self._credential.token

    async def recognise(self) -> None:
        """Find out who is calling. A token that opens nothing is refused; a cookie that does is ignored."""
        credential = self._credential = _credential(self.request)
        if credential is None:
            return
        if credential.kind == "browser" and self.request.method not in _SAFE:
            check_origin(self.request, self.house.settings.public_url)
        if self.endpoint.needs == "operator":
            return
        self._person = await self.house.people.by_token(credential.token, credential.kind)
        if self._person is None and credential.kind == "program":
            self.house.limits.guess(self.address)
            raise BadToken("this token opens nothing")

    # --- where ----------------------------------------------------------------------------------------

    async def table(self) -> Table:
        """The table of the path, at rest; raises `UnknownTable`."""
        table = await self.house.tables.get(self.part("table"))
        await table.settled()
        return table

    async def seated(self, table: Table) -> Seated:
        """As whom the caller looks at a table: by seat token, or as a person with one seat there."""
        token = self.request.headers.get(SEAT)
        if token:
            held = await self.house.store.seat_of(table.id, hash_token(token[:_MOST_TOKEN]))
            if held is None:
                self.house.limits.guess(self.address)
                raise BadToken("this seat token opens nothing (any more)")
            table.seen(held[0])
            return Seated(*held)
        if self._person is None:
            return Seated(0, "")
        seats = table.seats_of(self._person.id)
        if len(seats) != 1:
            return Seated(0, self._person.id)
        table.seen(seats[0])
        return Seated(seats[0], self._person.id)

    async def watching(self, table: Table) -> Seated:
        """The same, where strangers may look if the table lets them; raises `UnknownTable`."""
        seated = await self.seated(table)
        if seated.viewer == 0 and not table.may_watch(seated.person):
            raise UnknownTable("there is no table of that id, or it is not for you")
        return seated


# --- reading a request -----------------------------------------------------------------------------------


def _credential(request: Request) -> Credential | None:
    """A bearer token, else the cookie; what is too long to be one is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return Credential("program", token.strip()[:_MOST_TOKEN])
    cookie = request.cookies.get(COOKIE, "")
    return Credential("browser", cookie) if 0 < len(cookie) <= _MOST_TOKEN else None


def check_origin(request: Request, public_url: str) -> None:
    """Raise `WrongOrigin` unless a page of our own made this request."""
    origin = request.headers.get("origin", "")
    ours = urlsplit(public_url).netloc if public_url else ""
    parts = urlsplit(origin) if origin.startswith(("http://", "https://")) else None
    if parts is None or not parts.netloc or parts.netloc not in (request.headers.get("host", ""), ours):
        raise WrongOrigin("this came from a page of another site; nothing was done")


async def _bytes(request: Request, most: int, seconds: float) -> bytes:
    """The body, if it is not too large and comes in time."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length[:12]) > most:
        raise TooLarge(f"a body has at most {most} bytes")
    read = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                read += part
                if len(read) > most:
                    raise TooLarge(f"a body has at most {most} bytes")
    except TimeoutError:
        raise TooSlow(f"the body did not come within {seconds:g} s") from None
    return bytes(read)


async def _body(endpoint: AnyEndpoint, request: Request, most: int, seconds: float) -> Any:
    raw = await _bytes(request, most, seconds)
    if endpoint.body is None:
        return None
    if not raw and endpoint.optional_body:
        return endpoint.body()
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise WrongMedia("the body has to be application/json")
    try:
        return msgspec.json.decode(raw, type=endpoint.body)
    except msgspec.MsgspecError as error:  # its text names the field
        raise BadMessage(f"the body is not what this call takes: {error}") from None
    except (UnicodeDecodeError, RecursionError):
        raise BadMessage("the body is not readable as JSON") from None


def _query(endpoint: AnyEndpoint, request: Request) -> Any:
    if endpoint.query is None:
        return None
    try:
        return msgspec.convert(dict(request.query_params), endpoint.query, strict=False)
    except msgspec.ValidationError as error:
        raise BadMessage(f"the query is not what this call takes: {error}") from None


# --- answering -------------------------------------------------------------------------------------------


async def _answer(desk: Desk, endpoint: AnyEndpoint, request: Request) -> Response:
    settings = desk.house.settings
    call: Call[Any, Any] = Call(desk, endpoint, request)
    await call.recognise()
    if endpoint.needs == "operator":
        desk.check_operator(call.token, call.address)
    if endpoint.needs == "session":
        call.someone  # noqa: B018  # raises where there is none
    call.query = _query(endpoint, request)
    call.body = await _body(endpoint, request, settings.body_bytes, settings.body_seconds)
    answer = await endpoint.handle(call)
    return answer if isinstance(answer, Response) else written(answer, endpoint.status)


def written(answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer as JSON; not to be kept by anybody in between."""
    more = {"Cache-Control": "no-store", **(headers or {})}
    if answer is None:
        return Response(None, 204, more)
    return Response(_encode(answer), status, more, "application/json")


def routes_of(desk: Desk, endpoints: Sequence[AnyEndpoint]) -> list[Route]:
    """A route for each path, which answers to all its methods."""
    by_path: dict[str, dict[str, AnyEndpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [_route(desk, path, methods) for path, methods in by_path.items()]


def _route(desk: Desk, path: str, methods: Mapping[str, AnyEndpoint]) -> Route:
    allowed = ", ".join(sorted({*methods, *(["HEAD"] if "GET" in methods else [])}))

    async def respond(request: Request) -> Response:
        number: str = request.scope["state"].get("request", "")
        method = "GET" if request.method == "HEAD" else request.method
        endpoint = methods.get(method)
        if endpoint is None:
            refusal = WrongMethod(f"this path answers to {allowed}")
            return problem(refusal, number, {"Allow": allowed})
        try:
            return await _answer(desk, endpoint, request)
        except FacedownError as error:
            language = language_of(request.headers.get("accept-language", ""))
            return problem(error, number, language=language)
        except ClientDisconnect:  # nobody is there to be told
            return Response(status_code=400)

    every = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
    return Route(path, respond, methods=every)
