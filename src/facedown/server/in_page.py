"""A server inside a browser's page: the same tables, REST calls and protocol sessions, without a network.

The other composition root beside `run`. Requests and messages come as function calls from the page's worker;
the data folder is in memory, and the worker keeps a copy of it before anything is answered.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.responses import Response

from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.text.translation import translate
from facedown.proof import verify
from facedown.protocol.errors import NotFound
from facedown.server.accounts.credentials import COOKIE, Credential, read_credential
from facedown.server.analysis import LoopAnalysis, LoopStudies
from facedown.server.app import ENDPOINTS
from facedown.server.http.endpoint import routes_of
from facedown.server.http.problems import internal, problem
from facedown.server.http.services import RestServices
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.sockets.contract import MessageHandler
from facedown.server.sockets.session import SocketSessions
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.schema import connect
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.sqlite.worker import WRITER, LoopWorker, RunBatch, W, Worker

_HOST: Final = "page"
_SESSION: Final = "page_session"
_NEVER_SILENT: Final = 24 * 3600 * 1000
"""Milliseconds between pings: a page notices at once when it loses its worker."""

Keep = Callable[[], Awaitable[None]]
"""Keeps a copy of the data folder; returns once it is safe."""


class PageServer:
    """The server of one page and one person: made by `open`."""

    def __init__(self, services: Services, cookie: str, checkpoints: sqlite3.Connection) -> None:
        self._services = services
        self._checkpoints = checkpoints
        self._cookie = cookie
        seconds, metrics = services.settings.study_seconds, services.metrics
        self._rest = RestServices(
            services,
            analysis=LoopAnalysis(seconds, metrics),
            studies=LoopStudies(seconds, metrics),
            alone=True,
        )
        self._app = Starlette(routes=routes_of(self._rest, ENDPOINTS))
        self._sessions = SocketSessions(services.tables, services.store, services.people, services.limits)

    @classmethod
    async def open(cls, folder: str, keep: Keep, machine_pause: int = 2000) -> PageServer:
        """Open a server on a data folder in memory."""

        is_kept = True

        async def keep_whole() -> None:
            nonlocal is_kept
            try:
                checkpoints.execute("pragma wal_checkpoint(truncate)")  # the copy is one file
                await keep()
            except BaseException:
                is_kept = False
                raise
            is_kept = True

        async def keep_rest() -> None:
            if not is_kept:  # a read may have found what was written last
                await keep_whole()

        def worker(name: str, run_batch: RunBatch[W]) -> Worker[W]:
            return LoopWorker(run_batch, keep_whole if name == WRITER else keep_rest)

        settings = Settings(data=Path(folder), machine_pause=machine_pause, sign_up="closed", **_UNLIMITED)
        services = open_services(settings, SqliteStore(settings.data, worker))
        checkpoints = connect(settings.data / DATABASE)
        await services.start()
        cookie = await services.store.get_value(_SESSION)
        return cls(services, (cookie or b"").decode(), checkpoints)

    async def close(self) -> None:
        await self._rest.close()
        await self._services.close()
        self._checkpoints.close()

    # --- REST -----------------------------------------------------------------------------------------

    async def request(self, asked: str) -> str:
        """Answer a request: `{method, path, headers, body}` as JSON; its answer is `{status, body}`."""
        request = msgspec.json.decode(asked, type=PageRequest)
        status, headers, body = await self._respond(request)
        await self._keep_session(headers)
        return msgspec.json.encode(PageResponse(status, body.decode())).decode()

    async def _respond(self, request: PageRequest) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        answer: dict[str, Any] = {}
        parts: list[bytes] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": request.body.encode(), "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.update(message)
            else:
                parts.append(message.get("body", b""))

        try:
            await self._app(self._scope(request), receive, send)
        except Exception:  # a defect: answered as everywhere, and printed to the worker's console
            import traceback

            traceback.print_exc()
            return _plain(internal(""))
        if answer["status"] == HTTPStatus.NOT_FOUND and not b"".join(parts).startswith(b"{"):
            return _plain(problem(NotFound("there is no such path"), ""))
        return answer["status"], answer["headers"], b"".join(parts)

    def verify(self, asked: str) -> str:
        """Check a record as `facedown verify` does: `{record, origin, keys, language}` as JSON.

        The answer is a list of `{check, holds, say}`; a check that fails is the last.
        """
        given = msgspec.json.decode(asked, type=PageVerification)
        found: list[Finding] = []
        try:
            origin = None if given.origin is None else Record.read(bytes(given.origin))
            for each in verify(Record.read(bytes(given.record)), origin, given.keys):
                found.append(each)
        except FacedownError as error:
            found.append(Finding(error.code, False, str(error)))
        said = [each._replace(say=translate(each.say, given.language)) for each in found]
        return msgspec.json.encode([each._asdict() for each in said]).decode()

    def _scope(self, request: PageRequest) -> dict[str, Any]:
        target = urlsplit(request.path)
        headers = [(name.lower().encode(), value.encode()) for name, value in request.headers.items()]
        own = {"host": _HOST, "origin": f"http://{_HOST}"}
        if self._cookie:
            own["cookie"] = f"{COOKIE}={self._cookie}"
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": target.path,
            "raw_path": target.path.encode(),
            "query_string": target.query.encode(),
            "root_path": "",
            "headers": [*headers, *((name.encode(), value.encode()) for name, value in own.items())],
            "client": (_HOST, 0),
            "server": (_HOST, 80),
            "state": {},
        }

    async def _keep_session(self, headers: list[tuple[bytes, bytes]]) -> None:
        """What a browser does with a cookie; it lasts as long as the tables do."""
        for name, value in headers:
            if name.lower() == b"set-cookie":
                found = read_credential([], [value.decode().partition(";")[0]])
                self._cookie = "" if found is None else found.token
                await self._services.store.set_value(_SESSION, self._cookie.encode())

    # --- sockets --------------------------------------------------------------------------------------

    def connect(self, deliver: Callable[[str], None], hang_up: Callable[[], None]) -> PageConnection:
        """A connection of the page, which gets messages by `deliver`."""
        credential = Credential("browser", self._cookie) if self._cookie else None
        connection = PageConnection(deliver, hang_up, credential)
        connection.handler = self._sessions.open(connection)
        return connection


class PageConnection:
    """One connection between a page and its own server: a channel of whole messages."""

    def __init__(
        self, deliver: Callable[[str], None], hang_up: Callable[[], None], credential: Credential | None
    ) -> None:
        self.address = _HOST
        self.asked_table = ""
        self.watches = False
        self.credential = credential
        self.handler: MessageHandler
        self._deliver = deliver
        self._hang_up = hang_up
        self._open = True

    def receive(self, text: str) -> None:
        if self._open:
            self.handler.receive(text.encode())

    def disconnect(self) -> None:
        if self._open:
            self._open = False
            self.handler.connection_lost()

    # --- what the session calls -----------------------------------------------------------------------

    def send(self, text: bytes) -> None:
        if self._open:
            self._deliver(text.decode())

    def send_all(self, texts: tuple[bytes, ...]) -> None:
        for text in texts:
            self.send(text)

    def start_pings(self) -> None:
        """There is no deadline for a hello here."""

    def hello_wait(self) -> float:
        return 0.0

    def charge(self, size: int) -> None:
        """A page pays nothing."""

    def set_pace(self, *, live: bool) -> int:
        return _NEVER_SILENT

    def close(self, code: int, reason: str = "") -> None:
        self.disconnect()
        self._hang_up()


class PageRequest(msgspec.Struct, frozen=True):
    """A request as the page's worker hands it over."""

    method: str
    path: str
    headers: dict[str, str] = {}
    body: str = ""


class PageVerification(msgspec.Struct, frozen=True):
    """A record to be verified; `keys` are known by what their values say."""

    record: msgspec.Raw
    origin: msgspec.Raw | None = None
    keys: dict[str, str] = {}
    language: str = "en"


class PageResponse(msgspec.Struct, frozen=True):
    """The answer to a request."""

    status: int
    body: str


_UNLIMITED: Final[dict[str, Any]] = {
    "tables": 10_000,
    "people": 10_000,
    "guesses": 10_000,
    "studies": 10_000,
    "requests": 1_000_000,
    "joins": 10_000,
    "body_bytes": 1_000_000,
}
"""Limits protect a server from strangers, and here there are none."""


def _plain(response: Response) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    return response.status_code, list(response.raw_headers), bytes(response.body)
