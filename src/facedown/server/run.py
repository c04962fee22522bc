"""Runs a house on a port: uvicorn with our own protocols for HTTP and sockets, signals, and a gentle end."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, Final, cast

import uvicorn

from facedown.server.http.guard import Door, Patience
from facedown.server.services import House
from facedown.server.sockets.connection import Pace
from facedown.server.sockets.connections import Lines
from facedown.server.sockets.handshake import Trusted
from facedown.server.sockets.session import Talks

_DRAIN_S: Final = 3
_BACKLOG: Final = 2048
_FILES: Final = 65_536


@dataclass(slots=True)
class Doors:
    """The ways into a house: the HTTP connections and the sockets."""

    http: Door
    sockets: Lines


def open_doors(house: House, pace: Pace | None = None, patience: Patience | None = None) -> Doors:
    """The doors of a house, with its limits."""
    settings = house.settings
    pace = pace or Pace()
    talks = Talks(house.tables, house.store, house.people, house.limits, house.metrics, ping=pace.ping)
    pages = frozenset({settings.public_url} if settings.public_url else ())
    proxies = Trusted(settings.proxies)
    lines = Lines(talks.talk, house.limits, pace, pages=pages, proxies=proxies)
    house.metrics.sockets.set_function(lambda: len(lines))
    patience = patience or replace(Patience(), body=settings.body_seconds + 1.0)
    return Doors(Door(house.limits, patience, proxies=proxies), lines)


def new_loop() -> asyncio.AbstractEventLoop:
    """The fastest loop there is; for `asyncio.Runner(loop_factory=new_loop)`."""
    try:
        import uvloop
    except ImportError:  # not on every system
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def serve(
    house: House,
    app: Any,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    doors: Doors | None = None,
) -> None:
    """Serves until a signal comes, then says goodbye to everybody and closes the house.

    `ready` gets the address once people may come; `OSError` where the port cannot be had.
    """
    _allow_many_files()
    _look_for_garbage_less_often()
    doors = doors or open_doors(house)
    try:
        with _listen(host, port) as listening:
            await house.tables.start()
            await _Server(house, app, doors, _address(host, listening), ready).serve([listening])
    finally:
        await house.close()


def _look_for_garbage_less_often() -> None:
    """Tables make many small values that live long: to look through all of them often is in vain."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


class _Server(uvicorn.Server):
    """Uvicorn's server, but for the signals and the way it ends."""

    def __init__(
        self, house: House, app: Any, doors: Doors, address: str, ready: Callable[[str], None]
    ) -> None:
        settings = house.settings
        super().__init__(
            uvicorn.Config(
                app,
                http=cast("type[asyncio.Protocol]", doors.http.protocol),
                ws=cast("type[asyncio.Protocol]", doors.sockets.protocol),
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
            )
        )
        self._house = house
        self._doors = doors
        self._address = address
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready(self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._house.draining = self._doors.sockets.draining = True
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """The first signal ends the server gently and with success; the second one at once."""
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)  # whatever was acknowledged is on disk
        self.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; of a name with several addresses, at the first."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    return listening


def _address(host: str, listening: socket.socket) -> str:
    """What to type into a browser.

    >>> with _listen("127.0.0.1", 0) as listening:
    ...     _address("127.0.0.1", listening).startswith("http://127.0.0.1:")
    True
    """
    port = listening.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _allow_many_files() -> None:
    """A socket is a file, and the usual limit of 1024 is not many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
