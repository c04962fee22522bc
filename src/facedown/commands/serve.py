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
from facedown.cli.errors import Usage
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


_OWN: Final = ("command", "open", "take_back")
"""What is no setting of the server."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal stops it."""
    check_extra("the server needs", "server", *_LIBRARIES)
    from facedown.server.run import serve_until_stopped
    from facedown.server.settings import Settings

    flags = {name: value for name, value in vars(arguments).items() if name not in _OWN}
    settings = Settings.read(flags, os.environ)
    if arguments.take_back:
        _take_back(settings)

    if arguments.open and (address := running_at(settings)):
        print(f"Facedown is at {address}", flush=True)
        open_browser(address)
        return DONE

    routes, missing = _client(settings)

    def ready(address: str, in_network: str) -> None:
        if missing and not arguments.open:  # on the way from this computer to itself it does not matter
            logging.getLogger("facedown.web").warning(
                "the browser's client is not bundled and loads slowly: %s", missing
            )
        _print_addresses(address, in_network, settings)
        if arguments.open:
            open_browser(address)

    port_given = flags.get("port") is not None or bool(os.environ.get("FACEDOWN_PORT"))
    serve_until_stopped(settings, routes, ready, any_port=not port_given, home=arguments.open)
    return DONE


def open_browser(address: str) -> None:
    """Open the address in the usual browser, if there is a screen."""
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if has_screen or sys.platform in ("darwin", "win32"):
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _take_back(settings: Settings) -> None:
    """Let the server start on a data folder whose tables were moved away."""
    from facedown.server.store import folder_of, is_postgresql
    from facedown.server.store.sqlite.moved import take_back

    if is_postgresql(settings.store_url):
        raise Usage("--take-back is for a data folder, without --store")
    take_back(folder_of(settings.store_url))


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

    offline, off = _offline(settings), settings.switched_off
    if settings.client == "sources":
        return live_pages(offline, off), ""
    try:
        return pages(bundle(), offline, off), ""
    except NoBundle as error:
        return pages(None, offline, off), str(error)


def _offline(settings: Settings) -> list[BaseRoute]:
    """The routes of play without a network; `--offline fetch` fetches its files in the background."""
    from facedown.web.offline.pyodide import cache_folder, find_pyodide, require_pyodide
    from facedown.web.offline.routes import OfflineFiles

    if settings.offline == "no":
        return []
    cache = cache_folder()

    def fetch() -> None:
        try:
            require_pyodide(cache)
        except FacedownError as error:
            logging.getLogger("facedown.web").warning("play without a network is not offered: %s", error)

    if settings.offline == "fetch" and find_pyodide(cache) is None:
        threading.Thread(target=fetch, name="fetch-pyodide", daemon=True).start()
    return OfflineFiles(cache, settings.machine_pause).routes


def running_at(settings: Settings) -> str:
    """The address of a server that runs on the same data folder; empty if there is none."""
    from facedown.server.ops.runfile import NotRunning, read_runfile
    from facedown.server.ops.tls import BadCertificate, client_context

    try:
        running = read_runfile(settings.data)
        context = client_context(running.certificate)
        with urllib.request.urlopen(f"{running.address}/healthz", timeout=2, context=context):
            return running.address
    except (NotRunning, BadCertificate, OSError, ValueError):
        return ""
