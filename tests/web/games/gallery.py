"""A small server for the games' tables alone: their files, the shell's libraries, and its strict policy."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from facedown.web.assets import Asset, asset, assets
from facedown.web.bundle import LIBRARIES

_HERE: Final = Path(__file__).parent
_MAP: Final = json.dumps({"imports": {name: f"/{path}" for name, path in LIBRARIES.items()}})
_PAGE: Final = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tables</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/app/icons/seal.svg">
<link rel="stylesheet" href="/app/styles/base.css"><link rel="stylesheet" href="/gallery/gallery.css">
<script type="importmap">{_MAP}</script><script type="module" src="/gallery/gallery.js"></script></head>
<body><div id="app"><header class="head"><h1 class="display">Tables</h1></header>
<main id="stage"></main></div></body></html>"""
_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' 'sha256-{base64.b64encode(hashlib.sha256(_MAP.encode()).digest()).decode()}'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
    )
)


@cache
def _files() -> dict[str, Asset]:
    """Every file by its address: the client's sources, and those of the gallery."""
    own = {f"gallery/gallery{suffix}": suffix for suffix in (".js", ".css")}
    here = {path: asset((_HERE / Path(path).name).read_bytes(), suffix) for path, suffix in own.items()}
    return {"": Asset(_PAGE.encode(), "text/html", ""), **assets(None), **here}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one line for all files of a page

    def do_GET(self) -> None:
        found = _files().get(self.path.partition("?")[0].lstrip("/"))
        if found is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", found.type)
        self.send_header("Content-Length", str(len(found.body)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(found.body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test says what went wrong itself."""


@contextmanager
def gallery() -> Iterator[str]:
    """The address of a running gallery."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
