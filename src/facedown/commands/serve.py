"""`facedown serve`: a server for browsers and programs, on one port; and `facedown` alone, which opens it."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import os
import secrets
import socket
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from facedown.cli import DONE
from facedown.core.errors import FacedownError, Unsupported

if TYPE_CHECKING:
    from facedown.server.settings import Settings

_NOT_SETTINGS: Final = ("command", "open")


class PortTaken(FacedownError):
    """The port cannot be listened on."""

    code = "port_taken"


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal comes."""
    _check_installed()
    from facedown.server.settings import Settings

    flags = {name: value for name, value in vars(arguments).items() if name not in _NOT_SETTINGS}
    settings = Settings.read(flags, os.environ)
    if arguments.open and (address := _already_there(settings)):
        print(f"Facedown is at {address}", flush=True)
        _open_browser(address)
        return DONE
    explicit = flags.get("port") is not None or bool(os.environ.get("FACEDOWN_PORT"))
    return serve_until_stopped(settings, open_it=arguments.open, port=_port(settings, explicit))


def serve_until_stopped(settings: Settings, *, open_it: bool, port: int) -> int:
    """Run the server on the fastest loop there is."""
    from facedown.server.run import new_loop

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(settings, open_it, port))
    return DONE


async def _serve(settings: Settings, open_it: bool, port: int) -> None:
    from facedown.server.app import make_app
    from facedown.server.ops.logs import make_log
    from facedown.server.ops.runfile import Running, leave_note, take_note_away
    from facedown.server.run import serve
    from facedown.server.services import open_house

    log = make_log(settings.log)
    house = open_house(settings)
    operator = secrets.token_urlsafe(32)
    notes: list[Running] = []

    def ready(address: str) -> None:
        notes.append(Running(address, operator, os.getpid()))
        leave_note(settings.data, notes[0])
        print(f"Facedown is at {address}", flush=True)
        if settings.public_url:
            print(f"People reach it at {settings.public_url}", flush=True)
        if open_it:
            _open_browser(address)

    app = make_app(house, _pages(), operator)
    log.info("settings", **settings.told())
    app.state.desk.start()
    try:
        await serve(house, app, host=settings.host, port=port, ready=ready)
    except OSError as error:
        raise _port_taken(settings.host, port, error) from None
    finally:
        await app.state.desk.close()
        for note in notes:
            take_note_away(settings.data, note)


def _pages() -> Sequence[Any]:
    """The browser's pages."""
    from facedown.web.serve import pages

    return pages()


def _check_installed() -> None:
    try:
        for library in ("msgspec", "prometheus_client", "segno", "starlette", "structlog", "uvicorn"):
            importlib.import_module(library)
    except ImportError:
        raise Unsupported("the server needs the extra `server`: pip install 'facedown[server]'") from None


# --- the port --------------------------------------------------------------------------------------------


def _port(settings: Settings, explicit: bool) -> int:
    """The port that was asked for; the usual one gives way to any that is free, if something else has it."""
    if explicit:
        return settings.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            return 0 if error.errno == errno.EADDRINUSE else settings.port
    return settings.port


def _port_taken(host: str, port: int, error: OSError) -> FacedownError:
    why = (error.strerror or str(error)).lower()
    return PortTaken(f"cannot listen on {host} port {port}: {why}; --port 0 takes one that is free")


# --- the browser -----------------------------------------------------------------------------------------


def _already_there(settings: Settings) -> str:
    """The address of a server that runs on the same data; empty where there is none."""
    from facedown.server.ops.runfile import NotRunning, read_note

    try:
        address = read_note(settings.data).address
        with urllib.request.urlopen(f"{address}/healthz", timeout=2):
            return address
    except (NotRunning, OSError, ValueError):
        return ""


def _open_browser(address: str) -> None:
    """Open it, where there is a screen; the address is printed anyway."""
    seen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not (seen or sys.platform == "darwin"):
        return
    reachable = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    threading.Thread(target=webbrowser.open, args=(reachable,), daemon=True).start()
