"""REST endpoints: a declared `Endpoint` becomes a route here, and a part of the OpenAPI description there.

Owns reading, checking and refusing requests. What a call does is in `endpoints/`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from facedown.core.errors import FacedownError
from facedown.core.text.translation import preferred_language
from facedown.protocol.errors import BadMessage, BadToken, NeedsSession, TooLarge, UnknownTable, WrongOrigin
from facedown.server.accounts.credentials import (
    COOKIE,
    Credential,
    Seated,
    is_own_origin,
    read_credential,
    seat_by_token,
)
from facedown.server.accounts.people import SESSION_MS, Kind
from facedown.server.http.links import absolute_link
from facedown.server.http.problems import TooSlow, WrongMedia, WrongMethod, problem
from facedown.server.http.services import RestServices
from facedown.server.ops.home_network import FORWARDED, is_this_computer
from facedown.server.store.base import Person
from facedown.server.table.table import Table

R = TypeVar("R")
B = TypeVar("B")
Q = TypeVar("Q")

SEAT: Final = "facedown-seat"
LANGUAGE_HEADER: Final = {
    "Accept-Language": "the language of texts in the answer: `en` (the default) or `ja`"
}
_LOOK_S: Final = 1.0
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_encode = msgspec.json.Encoder().encode

Needs: TypeAlias = Literal["anyone", "session", "seat", "operator", "monitor"]
"""Who may call: anybody, a person, the holder of a seat token (or a person with a seat), the operator, or
whoever watches the server: at its own computer, at an operator's address, or with the operator's token."""


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[B, Q]):
    """The declaration of one REST call: its route and its documentation are made from it."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """From the root, with {names}."""
    does: str
    """What it does, in one sentence."""
    handle: Callable[[Call[B, Q]], Awaitable[object]]
    """Returns the answer, or a finished response."""
    answer: Any = None
    """The type of the answer; None where there is no body, or `media` is no JSON."""
    status: int = 200
    body: type[B] | None = None
    optional_body: bool = False
    query: type[Q] | None = None
    needs: Needs = "anyone"
    refuses: tuple[type[FacedownError], ...] = ()
    """Errors besides those that every call may answer with."""
    media: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    """Request headers that this call reads, and their meaning."""
    also: Mapping[int, str] = field(default_factory=dict)
    """Other statuses that are no problem, and when."""
    tag: str = ""


AnyEndpoint: TypeAlias = Endpoint[Any, Any]


class Call(Generic[B, Q]):
    """One request: its path, query and body, read and checked, and its caller."""

    __slots__ = ("_credential", "_person", "body", "endpoint", "query", "renewed", "request", "services")

    def __init__(self, services: RestServices, endpoint: AnyEndpoint, request: Request) -> None:
        self.services = services
        self.endpoint = endpoint
        self.request = request
        self.body: B
        self.query: Q
        self._credential: Credential | None = None
        self._person: Person | None = None
        self.renewed = False
        """Whether this request has renewed the browser's session: its cookie lasts longer, too."""

    @property
    def address(self) -> str:
        """The client's address."""
        return self.request.client.host if self.request.client is not None else ""

    @property
    def from_this_computer(self) -> bool:
        """Whether a browser on the computer that the server runs on is calling."""
        return is_this_computer(self.address, self.request.headers)

    @property
    def is_forwarded(self) -> bool:
        """Whether it came through a proxy that is not among the trusted ones."""
        headers = self.request.headers
        return not self.services.settings.proxies and any(name in headers for name in FORWARDED)

    @property
    def language(self) -> str:
        """The caller's language."""
        return preferred_language(self.request.headers.get("accept-language", ""))

    def part(self, name: str) -> str:
        """A {name} of the path."""
        return str(self.request.path_params[name])

    # --- the caller -----------------------------------------------------------------------------------

    @property
    def person(self) -> Person | None:
        """Who is calling; None without a session."""
        return self._person

    def require_session(self) -> Person:
        """Who is calling; raises `NeedsSession` for a caller without a session."""
        if self._person is None:
            raise NeedsSession("this needs a session: POST /api/v1/session makes one")
        return self._person

    @property
    def token(self) -> str:
        """The session's token; empty where there is none."""
        return "" if self._credential is None else self._credential.token

    @property
    def kind(self) -> Kind:
        """The kind of the caller's session."""
        return "browser" if self._credential is None else self._credential.kind

    async def recognise(self) -> None:
        """Identify the caller. An invalid token is refused; an invalid cookie is ignored."""
        headers = self.request.headers
        credential = read_credential(headers.getlist("authorization"), headers.getlist("cookie"))
        self._credential = credential
        if credential is None:
            return
        if credential.kind == "browser" and self.request.method not in _SAFE:
            self.check_origin()
        if self.endpoint.needs in ("operator", "monitor"):
            return
        people = self.services.people
        self._person = await people.by_token(credential.token, credential.kind)
        if self._person is not None and await people.renew(credential.token, credential.kind):
            self.renewed = credential.kind == "browser"
        if self._person is not None:
            self.services.limits.request_of(self._person.id, self.request.scope["state"].get("cost", 1))
        if self._person is None and credential.kind == "program":
            self.services.limits.wrong_token(self.address)
            raise BadToken("this token is not valid")

    def check_origin(self) -> None:
        """Raise `WrongOrigin` unless a page of this server made the request."""
        headers = self.request.headers
        public_url, scheme = self.services.settings.public_url, self.request.url.scheme
        if not is_own_origin(headers.get("origin", ""), headers.get("host", ""), public_url, scheme):
            raise WrongOrigin("this request came from a page of another site, and was not carried out")

    def link(self, path: str) -> str:
        """A path of this server as an absolute address."""
        door = self.services.home.address if self.from_this_computer else ""
        return absolute_link(self.request, self.services.settings.public_url or door, path)

    async def unless_gone(self, work: Coroutine[Any, Any, R]) -> R:
        """The result of long work, which is cancelled where the caller does not wait for it."""
        working = asyncio.create_task(work)
        leaving = asyncio.create_task(_disconnected(self.request))
        try:
            await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise ClientDisconnect
            return working.result()
        finally:
            for task in (working, leaving):
                task.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)

    # --- the table ------------------------------------------------------------------------------------

    async def table(self) -> Table:
        """The table of the path, with no write pending; raises `UnknownTable`."""
        table = await self.services.tables.get(self.part("table"))
        await table.settled()
        return table

    async def seated(self, table: Table) -> Seated:
        """Whose view of a table the caller gets: by seat token, or as a person with one seat there."""
        token = self.request.headers.get(SEAT)
        if token:
            seated = await seat_by_token(
                self.services.store, self.services.limits, table=table.id, token=token, address=self.address
            )
            table.seen(seated.viewer)
            await table.quiet()  # what is read next is saved
            return seated
        if self._person is None:
            return Seated(0, "")
        seats = table.seats_of(self._person.id)
        if len(seats) != 1:
            return Seated(0, self._person.id)
        table.seen(seats[0])
        return Seated(seats[0], self._person.id)

    async def watching(self, table: Table) -> Seated:
        """The same, for callers who may watch at least; raises `UnknownTable` for others."""
        seated = await self.seated(table)
        if seated.viewer == 0 and not table.may_watch(seated.person):
            raise UnknownTable("there is no table with this id, or you may not see it")
        return seated


async def _disconnected(request: Request) -> None:
    """Return when the caller is gone; the body was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        await asyncio.sleep(_LOOK_S)


# --- reading a request -----------------------------------------------------------------------------------


async def _bytes(request: Request, most: int, seconds: float) -> bytes:
    """The body, if it is not too large and comes in time."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length[:12]) > most:
        raise TooLarge(f"the body may have {most} bytes at most")
    read = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                read += part
                if len(read) > most:
                    raise TooLarge(f"the body may have {most} bytes at most")
    except TimeoutError:
        raise TooSlow(f"the body did not arrive within {seconds:g} s") from None
    return bytes(read)


async def _body(endpoint: AnyEndpoint, request: Request, most: int, seconds: float) -> Any:
    raw = await _bytes(request, most, seconds)
    if endpoint.body is None:
        return None
    if not raw and endpoint.optional_body:
        return endpoint.body()
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise WrongMedia("the content type of the body must be application/json")
    try:
        return msgspec.json.decode(raw, type=endpoint.body)
    except msgspec.MsgspecError as error:  # its text names the field
        raise BadMessage(f"the body does not fit this call: {error}") from None
    except (UnicodeDecodeError, RecursionError):
        raise BadMessage("the body is not valid JSON") from None


def _query(endpoint: AnyEndpoint, request: Request) -> Any:
    if endpoint.query is None:
        return None
    try:
        return msgspec.convert(dict(request.query_params), endpoint.query, strict=False)
    except msgspec.ValidationError as error:
        raise BadMessage(f"the query does not fit this call: {error}") from None


# --- answering -------------------------------------------------------------------------------------------


async def _answer(services: RestServices, endpoint: AnyEndpoint, request: Request) -> Response:
    settings = services.settings
    call: Call[Any, Any] = Call(services, endpoint, request)
    await call.recognise()
    if endpoint.needs == "operator":
        services.check_operator(call.token, call.address)
    if endpoint.needs == "monitor":
        services.check_monitor(call.token, call.address, forwarded=call.is_forwarded)
    if endpoint.needs == "session":
        call.require_session()
    call.query = _query(endpoint, request)
    call.body = await _body(endpoint, request, settings.body_bytes, settings.body_seconds)
    answer = await endpoint.handle(call)
    response = answer if isinstance(answer, Response) else json_response(answer, endpoint.status)
    if call.renewed and "set-cookie" not in response.headers:
        set_session_cookie(response, call.token, secure=settings.is_secure)
    return response


def json_response(answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer as JSON that no cache may keep."""
    more = {"Cache-Control": "no-store", **(headers or {})}
    if answer is None:
        return Response(None, 204, more)
    return Response(_encode(answer), status, more, "application/json")


def without_cookie(response: Response) -> Response:
    """The response, and the browser drops its session cookie."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return response


def set_session_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Give the browser its session cookie, for as long as the session lasts."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=SESSION_MS // 1000,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def routes_of(services: RestServices, endpoints: Sequence[AnyEndpoint]) -> list[Route]:
    """A route for each path, which answers all its methods."""
    by_path: dict[str, dict[str, AnyEndpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [_route(services, path, methods) for path, methods in by_path.items()]


def _route(services: RestServices, path: str, methods: Mapping[str, AnyEndpoint]) -> Route:
    allowed = ", ".join(sorted({*methods, *(["HEAD"] if "GET" in methods else [])}))

    async def respond(request: Request) -> Response:
        number: str = request.scope["state"].get("request", "")
        method = "GET" if request.method == "HEAD" else request.method
        endpoint = methods.get(method)
        if endpoint is None:
            refusal = WrongMethod(f"this path allows {allowed}")
            return problem(refusal, number, {"Allow": allowed})
        try:
            return await _answer(services, endpoint, request)
        except FacedownError as error:
            language = preferred_language(request.headers.get("accept-language", ""))
            return problem(error, number, language=language)
        except ClientDisconnect:  # no one is left to answer
            return Response(status_code=400)

    every = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
    return Route(path, respond, methods=every)
