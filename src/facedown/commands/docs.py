"""`facedown docs`: the documentation as a site in the browser, or as static files in a folder."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from facedown.cli.browser import open_browser
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.files import UnwritableFile, reason

_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self' 'unsafe-inline'",
    )
)
"""Furo chooses light or dark by a script in the page; nothing comes from another host."""
_MARK: Final = "searchindex.js"
"""A file that every site has: a folder with it may be overwritten."""


def run(arguments: argparse.Namespace) -> None:
    """Build the site; without `--build`, serve it until interrupted."""
    libraries = ("furo", "msgspec", "myst_parser", "sphinx", "starlette")
    check_extra("the documentation is built by", "docs", *libraries)
    if arguments.build is not None:
        _write(Path(arguments.build))
        print(f"The documentation is in {arguments.build}: open index.html, or let any web server send it.")
        return
    with TemporaryDirectory(prefix="facedown-") as folder, _server(folder, arguments.port) as server:
        print("Building the documentation …", file=sys.stderr, flush=True)
        _build(Path(folder))
        _serve(server, arguments.open)


def _write(folder: Path) -> None:
    if not folder.name:
        raise Usage("a folder is needed to write the documentation to, such as `--build site`")
    try:
        used = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        if used and not (folder / _MARK).is_file():
            raise Usage(f"{folder} is not empty, and holds no documentation: name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UnwritableFile(
            f"cannot write to {folder}: {reason(error) if isinstance(error, OSError) else error}",
            text=str(folder),
        ) from None
    _build(folder)


def _build(folder: Path) -> None:
    from facedown.documentation.build import build
    from facedown.documentation.pages import find_sources

    build(find_sources(), folder)


class _Handler(SimpleHTTPRequestHandler):
    """Files of one folder, without a line in the terminal for each."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


def _server(folder: str, port: int) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=folder))
    except (OSError, OverflowError) as error:
        raise Usage(f"port {port} cannot be used: {error}") from None


def _serve(server: ThreadingHTTPServer, opens: bool) -> None:
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"The documentation is at {address}; Ctrl-C ends it.", flush=True)
    if opens:
        open_browser(address)
    server.serve_forever()
