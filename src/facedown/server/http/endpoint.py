"""REST endpoints: a decorated handler becomes a route here, and a part of the OpenAPI description there.

Owns reading, checking and refusing requests. What a call does is in `endpoints/`.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from facedown.core.errors import FacedownError
from facedown.core.text.translation import preferred_language
from facedown.protocol.errors import (
    BadMessage,
    BadToken,
    NeedsSession,
    NotFound,
    OperatorsOnly,
    TooLarge,
    UnknownTable,
    WrongOrigin,
    WrongScope,
)
from facedown.protocol.schema import summary_of
from facedown.server.accounts.credentials import (
    Seated,
    is_own_origin,
    read_credential,
    seat_by_token,
    session_cookie,
)
from facedown.server.accounts.devices import Device, device_of
from facedown.server.accounts.people import SESSION_MS, Kind
from facedown.server.analysis import AnalysisQuestion
from facedown.server.clock import now
from facedown.server.http.problems import TooSlow, WrongMedia, WrongMethod, problem
from facedown.server.http.services import RestServices
from facedown.server.http.streams import run_while_connected
from facedown.server.ids import TOKEN_PREFIX, hash_token
from facedown.server.names import fold_handle
from facedown.server.ops.home_network import FORWARDED, is_loopback, is_this_computer
from facedown.server.ops.rate_limits import address_key
from facedown.server.store.callers import Caller, acting_for
from facedown.server.store.cases import AuditEntry
from facedown.server.store.failures import StoreFailed
from facedown.server.store.values import Person
from facedown.server.table.table import Table

A = TypeVar("A")
B = TypeVar("B")
Q = TypeVar("Q")

SEAT: Final = "facedown-seat"
LANGUAGE_HEADER: Final = {
    "Accept-Language": "the language of texts in the answer, such as `ja`; English if it is not available"
}
_PROCESS_KEY: Final = secrets.token_bytes(32)
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_encode = msgspec.json.Encoder().encode


# --- declaring an endpoint -------------------------------------------------------------------------------

Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Needs: TypeAlias = Literal["anyone", "session", "seat", "moderator", "operator", "monitor"]
"""Who may call: anyone, a person, the holder of a seat token (or a person with a seat), a moderator or the
operator, the operator (by the token of the data folder), or a monitor: a caller on the server's own computer,
at an operator's address, or with the operator's token."""
_AUDITED: Final = ("moderator", "operator")
_NOTED: Final = ("sanction", "days")
"""The parts of a body that the audit list keeps: choices, never texts."""


Area: TypeAlias = Literal["", "any", "tables", "people", "contacts"]
"""What a call is about, for the scopes of personal tokens; `any` is open to every token."""

Handler: TypeAlias = Callable[["Call[Any, Any]"], Awaitable[object]]
"""Returns the answer, or a finished response."""
H = TypeVar("H", bound=Handler)


class Reply(Response, Generic[A]):
    """A finished response; its body is JSON of type `A`, or nothing if `A` is None."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One REST call, as its handler declares it."""

    method: Method
    path: str
    """From the root, with {names}."""
    summary: str
    handle: Handler
    tag: str
    answer: Any
    """The type of the answer; None if there is no body, or `media` is not JSON."""
    body: Any
    query: Any
    needs: Needs = "anyone"
    refuses: tuple[type[FacedownError], ...] = ()
    """Errors besides those that every call may answer with."""
    status: int = 200
    optional_body: bool = False
    when_closed: bool = False
    """Whether a person whose account a moderator has closed may call."""
    media: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    """Request headers that this call reads, and their meaning."""
    also: Mapping[int, str] = field(default_factory=dict)
    """Other statuses that are not problems, and when they are sent."""
    area: Area = ""
    """What a personal token needs for this call: a scope of this area. Without one, no token may make it."""

    @property
    def scope(self) -> str:
        """The scope that a personal token needs; empty if every token may call, or none."""
        access = "read" if self.method == "GET" else "write"
        return f"{self.area}:{access}" if self.area not in ("", "any") else ""


class EndpointOptions(TypedDict, total=False):
    """The optional fields of an `Endpoint`."""

    needs: Needs
    refuses: tuple[type[FacedownError], ...]
    status: int
    optional_body: bool
    when_closed: bool
    media: str
    headers: Mapping[str, str]
    also: Mapping[int, str]
    area: Area


class Endpoints:
    """The endpoints of one module, declared by decorators on their handlers.

    The annotation of a handler's `Call` gives the types of body and query, its return annotation that of the
    answer, and the first paragraph of its docstring the summary.
    """

    def __init__(
        self,
        tag: str,
        needs: Needs = "anyone",
        refuses: tuple[type[FacedownError], ...] = (),
        area: Area = "",
    ) -> None:
        self._tag = tag
        self._area = area
        self._needs = needs
        self._refuses = refuses
        self._declared: list[Endpoint] = []

    def __iter__(self) -> Iterator[Endpoint]:
        return iter(self._declared)

    def get(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[H], H]:
        return self._declare("GET", path, options)

    def post(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[H], H]:
        return self._declare("POST", path, options)

    def put(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[H], H]:
        return self._declare("PUT", path, options)

    def patch(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[H], H]:
        return self._declare("PATCH", path, options)

    def delete(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[H], H]:
        return self._declare("DELETE", path, options)

    def _declare(self, method: Method, path: str, options: EndpointOptions) -> Callable[[H], H]:
        def declare(handler: H) -> H:
            hints = get_type_hints(handler)
            body, query = (None if kind is type(None) else kind for kind in get_args(hints["call"]))
            answer, summary = _answer_type(hints["return"]), summary_of(handler)
            completed: EndpointOptions = {
                "needs": self._needs,
                "area": self._area,
                "status": 204 if answer is None and "media" not in options else 200,
                **options,
                "refuses": (*self._refuses, *options.get("refuses", ())),
            }
            self._declared.append(
                Endpoint(method, path, summary, handler, self._tag, answer, body, query, **completed)
            )
            return handler

        return declare


def _answer_type(returned: Any) -> Any:
    if get_origin(returned) is Reply:
        (returned,) = get_args(returned)
    if returned is type(None) or (isinstance(returned, type) and issubclass(returned, Response)):
        return None
    return returned


# --- one request -----------------------------------------------------------------------------------------


class Call(Generic[B, Q]):
    """One request: its path, query and body, read and checked, and its caller."""

    def __init__(self, services: RestServices, endpoint: Endpoint, request: Request) -> None:
        self.services = services
        self.endpoint = endpoint
        self.request = request
        self.body: B
        self.query: Q
        self.token = ""
        """The session's token; empty without a session."""
        self.kind: Kind = "browser"
        """The kind of the caller's session."""
        self.person: Person | None = None
        """The caller; None without a session."""
        self.moderates = False
        """Whether the caller acts as a moderator."""
        self.renewed = False
        """Whether this request has renewed the browser's session, and has to renew its cookie."""

    @property
    def address(self) -> str:
        return self.request.client.host if self.request.client is not None else ""

    @property
    def device(self) -> Device:
        return device_of(self.request.headers.get("user-agent", ""))

    @property
    def device_mark(self) -> bytes:
        """A hash of the caller's address and program, under a key of this process; empty for an address that
        may be a proxy's."""
        key = address_key(self.address)
        if not key or is_loopback(key):
            return b""
        agent = self.request.headers.get("user-agent", "")
        return hmac.digest(_PROCESS_KEY, f"{key} {agent}".encode(), "sha256")

    @property
    def from_this_computer(self) -> bool:
        """Whether the caller is a browser on the server's own computer."""
        return is_this_computer(self.address, self.request.headers)

    @property
    def language(self) -> str:
        return language_of(self.request)

    def part(self, name: str) -> str:
        """A {name} of the path."""
        return str(self.request.path_params[name])

    def number(self) -> int:
        """The {number} of the path; raises `NotFound` for anything else."""
        text = self.part("number")
        if not (text.isascii() and text.isdigit() and len(text) <= 15):
            raise NotFound("there is nothing of this number")
        return int(text)

    # --- the caller -----------------------------------------------------------------------------------

    def require_session(self) -> Person:
        """The caller; raises `NeedsSession` without a session."""
        if self.person is None:
            raise NeedsSession("this needs a session: POST /api/v1/session makes one")
        return self.person

    async def identify(self) -> None:
        """Identify the caller. An invalid token is refused; an invalid cookie is ignored."""
        headers = self.request.headers
        credential = read_credential(
            headers.getlist("authorization"),
            headers.getlist("cookie"),
            secure=self.services.settings.is_secure,
        )
        if credential is None:
            return
        self.token, self.kind = credential.token, credential.kind
        if self.kind == "browser" and self.request.method not in _SAFE:
            self.check_origin()
        if self.endpoint.needs == "monitor" or self._is_operator():
            return
        people, limits = self.services.people, self.services.limits
        self.person = await (self._by_token() if self.kind == "token" else self._by_session())
        if self.person is not None:
            self.renewed = await people.renew(self.token, self.kind) and self.kind == "browser"
            limits.request_of(self.person.id, self.request.scope["state"].get("cost", 1))
        self._check_open()

    @property
    def caller(self) -> Caller | None:
        """On whose behalf this request writes; None if no person calls."""
        if self.person is None:
            return None
        return Caller(self.person.id, hash_token(self.token), moderates=self.moderates)

    async def check_session(self) -> None:
        """Raise `BadToken` if the caller's session has ended while the request was waiting."""
        if self.person is not None and await self.services.store.key_times(hash_token(self.token)) is None:
            raise BadToken("this session has ended")

    async def _by_session(self) -> Person | None:
        person = await self.services.people.by_token(self.token, self.kind)
        if person is None and self.kind == "program":
            self.services.limits.wrong_token(self.address)
            raise BadToken("this token is not valid")
        return person

    async def _by_token(self) -> Person | None:
        """The person of a personal token; None if anyone may make this call, and it is in no scope."""
        held, endpoint = await self.services.tokens.holder(self.token), self.endpoint
        if held is None:
            self.services.limits.wrong_token(self.address)
            raise BadToken("this token is not valid, or was revoked")
        person, scopes = held
        if endpoint.scope and endpoint.scope not in scopes:
            raise WrongScope(f"this token needs the scope {endpoint.scope} for this call")
        if endpoint.area:
            return person
        if endpoint.needs == "anyone":
            return None
        raise WrongScope("no token may make this call: the person signs in for it")

    def _is_operator(self) -> bool:
        return self.endpoint.needs in _AUDITED and self.services.is_operator(self.token)

    def _check_open(self) -> None:
        """Raise `AccountClosed` if the caller's account is closed, and the call is not for such people."""
        endpoint = self.endpoint
        reads = endpoint.needs == "anyone" and self.request.method in _SAFE
        if self.person is not None and not (endpoint.when_closed or reads):
            self.services.tables.relations.check(self.person.id, "closed")

    async def require_moderator(self) -> None:
        """Raise `BadToken` or `OperatorsOnly` unless the caller is the operator, or a moderator if that is
        enough for the call.

        A moderator acts only in a browser's session."""
        if self._is_operator():
            return
        services, needs = self.services, self.endpoint.needs
        if self.person is None or self.kind != "browser":
            services.check_operator(self.token, self.address)
            return
        if needs == "operator" or not await services.store.cases.is_moderator(self.person.id):
            services.limits.wrong_token(self.address)
            raise OperatorsOnly(f"only a {needs} of this server may do this")
        self.moderates = True

    async def note_act(self) -> int:
        """Append what the caller is about to do to the audit list; nothing is done if that fails."""
        parts = dict(self.request.path_params)
        person = await self.find_person() if parts.pop("person", "") else None
        values = {name: getattr(self.body, name) for name in _NOTED if hasattr(self.body, name)}
        chosen = [f"{name} {value or 'none'}" for name, value in values.items() if value != 0]
        return await self.services.store.cases.note(
            AuditEntry(
                *(0, now(), "" if self.person is None else self.person.id, person.id if person else ""),
                action=self.endpoint.handle.__name__,
                detail=", ".join([*map(str, parts.values()), *chosen]),
            )
        )

    async def note_outcome(self, act: int, outcome: str) -> None:
        """Add to the audit list how an act came out; it stays open if the store cannot say so now."""
        with suppress(StoreFailed):
            await self.services.store.cases.note_outcome(act, outcome)

    async def find_person(self) -> Person | None:
        """The person of the path, by id or by handle; None if there is none."""
        store, wanted = self.services.store, self.part("person")
        account = await store.accounts.by_handle(fold_handle(wanted))
        return await store.person(wanted) or (account and await store.person(account.person))

    async def person_of_path(self) -> Person:
        """The person of the path, by id or by handle; raises `NotFound`."""
        person = await self.find_person()
        if person is None:
            raise NotFound("there is no person with this id or handle")
        return person

    def check_origin(self) -> None:
        """Raise `WrongOrigin` unless a page of this server made the request."""
        headers = self.request.headers
        public_url, scheme = self.services.settings.public_url, self.request.url.scheme
        if not is_own_origin(headers.get("origin", ""), headers.get("host", ""), public_url, scheme):
            raise WrongOrigin("this request came from a page of another site, and was not carried out")

    def link(self, path: str) -> str:
        home = self.services.home.address if self.from_this_computer else ""
        return absolute_link(self.request, self.services.settings.public_url or home, path)

    async def analyse(self, question: AnalysisQuestion) -> msgspec.Raw:
        """The answer of an analysis; cancelled on disconnect, refused (`TooMany`) after too many new ones."""
        analysis, address = self.services.analysis, self.address
        if not analysis.knows(question):
            self.services.limits.analysis(address)
        work = analysis.ask(question, address_key(address))
        return await run_while_connected(self.request.receive, work)

    # --- the table ------------------------------------------------------------------------------------

    async def table(self) -> Table:
        """The table of the path, with no write pending; raises `UnknownTable`."""
        return await self.services.table(self.part("table"))

    async def visible_table(self, table_id: str = "") -> tuple[Table, Seated]:
        """A table, usually that of the path, and the caller's seat there. Raises `UnknownTable` if the caller
        may not see it."""
        table = await self.services.table(table_id or self.part("table"))
        seated = await self._seat_at(table)
        if seated.viewer == 0 and not table.may_watch(seated.person):
            raise UnknownTable("there is no table with this id, or you may not see it")
        return table, seated

    async def _seat_at(self, table: Table) -> Seated:
        """The seat whose view the caller gets: by seat token, or as a person with one seat there."""
        token = self.request.headers.get(SEAT)
        if token:
            seated = await seat_by_token(
                self.services.store, self.services.limits, table=table.id, token=token, address=self.address
            )
            table.note_request(seated.viewer)
            await table.finish_writing()  # what is read next is saved
            table.check_holder(seated.person, seated.viewer)
            return seated
        if self.person is None:
            return Seated(0, "")
        seats = table.seats_of(self.person.id)
        if len(seats) != 1:
            return Seated(0, self.person.id)
        table.note_request(seats[0])
        return Seated(seats[0], self.person.id)


# --- reading a request -----------------------------------------------------------------------------------


async def _bytes(request: Request, most: int, seconds: float) -> bytes:
    """The body; raises `TooLarge` and `TooSlow`."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length[:12]) > most:
        raise TooLarge(f"the body may have {most} bytes at most")
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise TooLarge(f"the body may have {most} bytes at most")
    except TimeoutError:
        raise TooSlow(f"the body did not arrive within {seconds:g} s") from None
    return bytes(body)


def _body(endpoint: Endpoint, request: Request, raw: bytes) -> Any:
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


def _query(endpoint: Endpoint, request: Request) -> Any:
    if endpoint.query is None:
        return None
    try:
        return msgspec.convert(dict(request.query_params), endpoint.query, strict=False)
    except msgspec.ValidationError as error:
        raise BadMessage(f"the query does not fit this call: {error}") from None


# --- answering -------------------------------------------------------------------------------------------


async def _answer(services: RestServices, endpoint: Endpoint, request: Request) -> Response:
    settings = services.settings
    call: Call[Any, Any] = Call(services, endpoint, request)
    raw = await _bytes(request, settings.body_bytes, settings.body_seconds)
    await call.identify()  # once the body is there: a session may end while it is on its way
    if endpoint.needs in _AUDITED:
        await call.require_moderator()
    if endpoint.needs == "monitor":
        forwarded = any(name in request.headers for name in FORWARDED)
        services.check_monitor(call.token, call.address, forwarded=forwarded)
    if endpoint.needs == "session":
        call.require_session()
    call.query = _query(endpoint, request)
    call.body = _body(endpoint, request, raw)
    act = 0
    try:
        with acting_for(call.caller):
            if endpoint.needs in _AUDITED and endpoint.method not in _SAFE:
                act = await call.note_act()
            answer = await endpoint.handle(call)
    except FacedownError as refusal:
        if act and not isinstance(refusal, StoreFailed):  # after that, no one knows
            await call.note_outcome(act, refusal.code)
        raise
    if act:
        await call.note_outcome(act, "done")
    response = answer if isinstance(answer, Response) else json_response(answer, endpoint.status)
    if call.renewed and "set-cookie" not in response.headers:
        set_session_cookie(response, call.token, secure=settings.is_secure)
    return response


def language_of(request: Request) -> str:
    """The caller's language."""
    return preferred_language(request.headers.get("accept-language", ""))


def absolute_link(request: Request, public_url: str, path: str) -> str:
    """A path of this server as an absolute address: at the public URL, else at the request's own host."""
    return (public_url or f"{request.url.scheme}://{request.headers.get('host', '')}") + path


def json_response(answer: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply[Any]:
    """An answer as JSON that no cache may keep; None is sent as an empty body."""
    more = {"Cache-Control": "no-store", **(headers or {})}
    if answer is None:
        return Reply(None, 204, more)
    return Reply(_encode(answer), status, more, "application/json")


def without_cookie(*, secure: bool) -> Reply[None]:
    """An empty answer that removes the browser's session cookie."""
    response = json_response(None)
    response.delete_cookie(
        session_cookie(secure=secure), path="/", secure=secure, httponly=True, samesite="lax"
    )
    return response


def set_session_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Give the browser its session cookie, for as long as the session lasts."""
    response.set_cookie(
        session_cookie(secure=secure),
        token,
        max_age=SESSION_MS // 1000,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def routes_of(services: RestServices, endpoints: Sequence[Endpoint]) -> list[Route]:
    """A route for each path, which answers all its methods."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [_route(services, path, methods) for path, methods in by_path.items()]


def _route(services: RestServices, path: str, methods: Mapping[str, Endpoint]) -> Route:
    allowed = ", ".join(sorted({*methods, *(["HEAD"] if "GET" in methods else [])}))

    async def respond(request: Request) -> Response:
        number: str = request.scope["state"].get("request", "")
        method = "GET" if request.method == "HEAD" else request.method
        endpoint = methods.get(method)
        if endpoint is None:
            return problem(WrongMethod(f"this path allows {allowed}"), number, {"Allow": allowed})
        try:
            if TOKEN_PREFIX in request.url.query or TOKEN_PREFIX in request.url.path:
                raise BadMessage("a token in an address is read by others: send it as Authorization: Bearer")
            return await _answer(services, endpoint, request)
        except FacedownError as error:
            return problem(error, number, language=language_of(request))
        except ClientDisconnect:  # no one is left to answer
            return Response(status_code=400)

    every = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
    return Route(path, respond, methods=every)
