"""The composition root of a server: opens the services, builds app and transports, listens on a port, and
runs until a signal asks for a clean shutdown.

The only module that tunes the process: garbage collector, file limit, event loop.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import random
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from types import FrameType
from typing import Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from facedown.core.errors import FacedownError
from facedown.server.app import make_app
from facedown.server.http.guard import ConnectionGuard, HttpLimits
from facedown.server.http.services import RestServices
from facedown.server.ops.home_network import HomeListener
from facedown.server.ops.logs import Log, make_log
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.runfile import RunFile, remove_runfile, write_runfile
from facedown.server.ops.tls import Certificate
from facedown.server.services import Services, open_services
from facedown.server.settings import BadSetting, Settings
from facedown.server.sockets.connections import WebSocketConnections
from facedown.server.sockets.contract import SocketLimits
from facedown.server.sockets.session import SocketSessions
from facedown.server.store.failures import StoreFailed, StoreRefused

_DRAIN_S: Final = 3
_GIVE_UP_S: Final = 1.0
"""How long a server that never served may take to close; an unavailable database would take longer."""
_RETRY_S: Final = 1.0
_BACKLOG: Final = 2048
HANDSHAKE_S: Final = 10.0
"""How long a client may take to begin TLS; until then no limit of its address counts it."""
_RENEWED_S: Final = 30
"""How often the server checks for a renewed certificate."""
_FILES: Final = 65_536

SWITCH_INTERVAL_S: Final = 0.0005
"""How long a busy thread may keep the interpreter. With Python's default of 5 ms a busy event loop
starves the writer thread of the store, which needs the interpreter after each of its statements."""


class PortTaken(FacedownError):
    """The port cannot be listened on."""

    code = "port_taken"


def serve_until_stopped(
    settings: Settings,
    pages: Sequence[BaseRoute],
    ready: Callable[[str, str], None],
    *,
    any_port: bool = False,
    home: bool = False,
) -> None:
    """Run a server until a signal stops it. Once clients can connect, `ready` gets its address, and the
    one in the home network if the server listens there.

    With `any_port`, takes a free port if that of the settings is in use; else raises `PortTaken`.
    With `home`, a browser on this computer may let devices in the home network connect.
    """
    _raise_file_limit()
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(_serve(settings, pages, ready, any_port, home))


async def _serve(
    settings: Settings,
    pages: Sequence[BaseRoute],
    ready: Callable[[str, str], None],
    any_port: bool,
    offer_home: bool,
) -> None:
    log = make_log(settings.log)
    certificate = Certificate(*settings.tls) if settings.tls else None
    services = open_services(settings)
    operator = secrets.token_urlsafe(32)
    async with AsyncExitStack() as closing:  # in the opposite order
        closing.callback(remove_runfile, settings.data, operator)
        closing.push_async_callback(services.close)
        offered = offer_home and not settings.public_url and not settings.proxies
        home = HomeListener(settings.host, offered=offered, scheme=scheme_of(settings))
        closing.push_async_callback(home.close)
        rest = RestServices(services, operator=operator, home=home)
        closing.push_async_callback(rest.close)
        app = make_app(rest, pages)
        http, sockets = _transports(services, rest)
        log.info("settings", **settings.printable())
        _tune_interpreter()
        listening = closing.enter_context(listen(settings.host, settings.port, any_port=any_port))
        address = address_of(settings, listening)

        def announce() -> None:
            write_runfile(settings.data, RunFile(address, operator, os.getpid(), *settings.tls[:1]))
            ready(address, home.address)

        if not await _start(services, log):
            with suppress(TimeoutError):
                async with asyncio.timeout(_GIVE_UP_S):
                    await closing.aclose()
            return
        rest.start()
        await rest.passkeys.report_other_hosts(settings.public_url, log)
        server = _Server(settings, app, rest, http, sockets, announce, certificate)
        home.start(listening.getsockname()[1], server.listen_also)
        await server.serve([listening])


# --- starting --------------------------------------------------------------------------------------------


async def _start(services: Services, log: Log) -> bool:
    """Start the services, however long their database is unavailable; False if a signal came first."""
    loop = asyncio.get_running_loop()
    starting = loop.create_task(_start_when_possible(services, log))
    stopped = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        loop.call_soon_threadsafe(starting.cancel)

    with _handle_signals(stop):
        await asyncio.gather(starting, return_exceptions=True)
    if not stopped:
        starting.result()
    return not stopped


async def _start_when_possible(services: Services, log: Log) -> None:
    """Retry while the database is unavailable; raises what waiting does not change."""
    began, waiting = time.monotonic(), False
    while True:
        try:
            await services.start()
        except StoreFailed as error:
            if isinstance(error, StoreRefused) or not services.store.shared:
                raise
            if not waiting:
                waiting = True
                log.warning("waiting for the store", error=str(error))
            await asyncio.sleep(_RETRY_S * random.uniform(0.8, 1.2))
        else:
            if waiting:
                log.warning("the store can be used", waited_s=round(time.monotonic() - began, 1))
            return


# --- putting together ------------------------------------------------------------------------------------


def _transports(services: Services, rest: RestServices) -> tuple[ConnectionGuard, WebSocketConnections]:
    """The protocols that uvicorn makes for connections."""
    settings, limits, bounds = services.settings, services.limits, SocketLimits()
    proxies = TrustedProxies(settings.proxies)
    sessions = SocketSessions(
        services.tables, services.store, services.people, limits, services.metrics, bus=services.bus
    )
    services.node.on_repeat += [sessions.republish, rest.room.publish]

    def sign_out(person: str) -> None:
        sessions.sign_out(person)  # on other servers too
        rest.streams.end_all(person)

    rest.forgetting.on_sign_out = sign_out
    rest.here.is_connected = sessions.has_person
    sessions.on_person = rest.here.note
    sockets = WebSocketConnections(
        sessions.open,
        limits,
        bounds,
        public_url=settings.public_url,
        secure=settings.is_secure,
        proxies=proxies,
        hosts=rest.hosts,
    )
    services.metrics.sockets.set_function(lambda: len(sockets))
    http = ConnectionGuard(limits, HttpLimits(body=settings.body_seconds + 1.0), proxies=proxies)
    services.metrics.watch_connections(http.counts, sockets.counts)
    return http, sockets


# --- the process -----------------------------------------------------------------------------------------


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:  # not available on every system
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _tune_interpreter() -> None:
    """Collect garbage less often, as tables hold many long-lived objects; switch threads quickly."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def _raise_file_limit() -> None:
    """Every connection is an open file, and the usual limit of 1024 is low."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# --- uvicorn ---------------------------------------------------------------------------------------------


class _Server(uvicorn.Server):
    def __init__(
        self,
        settings: Settings,
        app: Starlette,
        rest: RestServices,
        http: ConnectionGuard,
        sockets: WebSocketConnections,
        announce: Callable[[], None],
        certificate: Certificate | None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=cast("type[asyncio.Protocol]", http.protocol),
                ws=cast("type[asyncio.Protocol]", sockets.protocol),
                lifespan="off",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.proxies),
                forwarded_allow_ips=list(settings.proxies),
                backlog=_BACKLOG,
                timeout_keep_alive=10,
                timeout_graceful_shutdown=_DRAIN_S,
                callback_notify=certificate.reload if certificate else None,
                timeout_notify=_RENEWED_S,
            )
        )
        self._certificate = certificate
        self._rest = rest
        self._notice_s = settings.drain_seconds if settings.is_shared else 0
        self._sockets = sockets
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        for each in sockets or []:
            await self._listen(each)
        self._announce()

    def _protocol(self) -> asyncio.Protocol:
        make = cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class)
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def listen_also(self, host: str, port: int) -> asyncio.AbstractServer:
        return await self._listen(_bind(host, port))

    async def _listen(self, listening: socket.socket) -> asyncio.AbstractServer:
        """As uvicorn does, but without its patience of a minute with a client that begins no TLS."""
        tls = self._certificate.context if self._certificate else None
        server = await asyncio.get_running_loop().create_server(
            self._protocol,
            sock=listening,
            backlog=_BACKLOG,
            ssl=tls,
            ssl_handshake_timeout=HANDSHAKE_S if tls else None,
        )
        self.servers.append(server)
        return server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._rest.draining = True  # /readyz reports it: a proxy sends new clients elsewhere
        if self._notice_s:
            await asyncio.sleep(self._notice_s)
        self._rest.drain()
        self._sockets.draining = True
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """The first signal shuts the server down cleanly, with exit status 0; the second one at once."""
        with _handle_signals(self.handle_exit):
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)  # everything acknowledged is on disk
        self.should_exit = True


@contextmanager
def _handle_signals(handle: Callable[[int, FrameType | None], None]) -> Generator[None, None, None]:
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- the port --------------------------------------------------------------------------------------------


def listen(host: str, port: int, *, any_port: bool = False) -> socket.socket:
    """A listening socket, at the first address of the host; raises `PortTaken`."""
    try:
        return _bind(host, port)
    except (socket.gaierror, UnicodeError):
        raise BadSetting(f"host {host[:80]!r}: no address that this machine can listen on") from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadSetting(f"host {host[:80]!r}: not an address of this machine") from None
        if any_port and port and error.errno == errno.EADDRINUSE:
            return listen(host, 0)
        why = (error.strerror or str(error)).lower()
        raise PortTaken(
            f"cannot listen on {host} port {port}: {why}; --port 0 takes one that is free"
        ) from None


def _bind(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def address_of(settings: Settings, listening: socket.socket) -> str:
    """The address to open in a browser on this computer.

    >>> with listen("127.0.0.1", 0) as listening:
    ...     address_of(Settings.read({}, {}), listening).startswith("http://127.0.0.1:")
    True
    """
    scheme, port = scheme_of(settings), listening.getsockname()[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def scheme_of(settings: Settings) -> str:
    """How clients speak to the server's own port."""
    return "https" if settings.tls else "http"
