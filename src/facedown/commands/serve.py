"""`facedown serve`: a server for browsers and programs, on one port; and `facedown` alone, which opens it."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import threading
import urllib.request
import webbrowser
from typing import TYPE_CHECKING, Final

from facedown.cli import DONE
from facedown.cli.extras import check_extra
from facedown.core.errors import FacedownError

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from facedown.server.settings import Settings

_LIBRARIES: Final = (
    "httptools",
    "msgspec",
    "prometheus_client",
    "segno",
    "starlette",
    "structlog",
    "uvicorn",
    "websockets",
)


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal stops it."""
    check_extra("the server needs", "server", *_LIBRARIES)
    from facedown.server.ops.child import CHILD
    from facedown.server.run import serve_until_stopped
    from facedown.server.settings import Settings

    flags = {name: value for name, value in vars(arguments).items() if name not in ("command", "open")}
    settings = Settings.read(flags, os.environ)
    if arguments.open and (address := _running_at(settings)):
        print(f"Facedown is at {address}", flush=True)
        _open_browser(address)
        return DONE

    if settings.processes != 1 and not os.environ.get(CHILD):
        return _serve_by_several(settings)

    routes, missing = _client(settings)

    def ready(address: str, in_network: str) -> None:
        if missing:
            logging.getLogger("facedown.web").warning(
                "the browser's client is not bundled and loads slowly: %s", missing
            )
        _print_addresses(address, in_network, settings)
        if arguments.open:
            _open_browser(address)

    port_given = flags.get("port") is not None or bool(os.environ.get("FACEDOWN_PORT"))
    serve_until_stopped(settings, routes, ready, any_port=not port_given, home=arguments.open)
    return DONE


def _serve_by_several(settings: Settings) -> int:
    """Run a supervisor and its processes, each of which runs this command."""
    from facedown.server.supervisor import command_of_child, supervise

    return supervise(
        settings, command_of_child(sys.argv[1:]), lambda address: _print_addresses(address, "", settings)
    )


def _print_addresses(address: str, in_network: str, settings: Settings) -> None:
    print(f"Facedown is at {address}", flush=True)
    if in_network:
        print(f"In your home network it is at {in_network}", flush=True)
    if settings.public_url:
        print(f"People reach it at {settings.public_url}", flush=True)


def _client(settings: Settings) -> tuple[list[BaseRoute], str]:
    """The routes of the browser's client; if it could not be bundled, the reason."""
    from facedown.web.bundle import NoBundle, bundle
    from facedown.web.live import live_pages
    from facedown.web.serve import pages

    offline = _offline(settings)
    if settings.client == "sources":
        return live_pages(offline), ""
    try:
        return pages(bundle(), offline), ""
    except NoBundle as error:
        return pages(None, offline), str(error)


def _offline(settings: Settings) -> list[BaseRoute]:
    """The routes of play without a network; `--offline fetch` fetches its files in the background."""
    from facedown.web.offline.pyodide import cache_folder, fetched, kept
    from facedown.web.offline.routes import OfflineFiles

    if settings.offline == "no":
        return []
    cache = cache_folder()

    def fetch() -> None:
        try:
            fetched(cache)
        except FacedownError as error:
            logging.getLogger("facedown.web").warning("play without a network is not offered: %s", error)

    if settings.offline == "fetch" and kept(cache) is None:
        threading.Thread(target=fetch, name="fetch-pyodide", daemon=True).start()
    return OfflineFiles(cache, settings.machine_pause).routes


def _running_at(settings: Settings) -> str:
    """The address of a server that runs on the same data folder; empty if there is none."""
    from facedown.server.ops.runfile import NotRunning, read_runfile

    try:
        address = read_runfile(settings.data).address
        with urllib.request.urlopen(f"{address}/healthz", timeout=2):
            return address
    except (NotRunning, OSError, ValueError):
        return ""


def _open_browser(address: str) -> None:
    """Open the address if there is a screen; it is printed anyway."""
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not (has_screen or sys.platform in ("darwin", "win32")):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
