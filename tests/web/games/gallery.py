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

import facedown
from facedown.web.words import game_words, shell_words

_SOURCE: Final = Path(facedown.__file__).parent
_HERE: Final = Path(__file__).parent
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_MAP: Final = json.dumps(
    {
        "imports": {
            "preact": "/vendor/preact.js",
            "preact/hooks": "/vendor/preact-hooks.js",
            "htm": "/vendor/htm.js",
            "@preact/signals": "/vendor/signals.js",
            "@preact/signals-core": "/vendor/signals-core.js",
            "@noble/hashes/hmac.js": "/vendor/noble-hashes.js",
            "@noble/hashes/sha2.js": "/vendor/noble-hashes.js",
        }
    }
)
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
def _words() -> dict[str, bytes]:
    return shell_words() | game_words("davenport") | game_words("ecard")


def _body(path: str) -> tuple[bytes, str] | None:
    """What is at an address, and its type; None if there is nothing."""
    if path == "/":
        return _PAGE.encode(), "text/html"
    if path.startswith("/words/"):
        words = _words().get(path[1:])
        return None if words is None else (words, _TYPES[".js"])
    found = _file(path)
    return None if found is None else (found.read_bytes(), _TYPES[found.suffix])


def _file(path: str) -> Path | None:
    top, _, rest = path.lstrip("/").partition("/")
    if top == "games":
        game, _, rest = rest.partition("/")
        home = _SOURCE / "games" / game / "web"
    else:
        home = {"app": _SOURCE / "web/app", "vendor": _SOURCE / "web/vendor", "gallery": _HERE}.get(
            top, _HERE
        )
    found = (home / rest).resolve()
    return (
        found if found.is_relative_to(home.resolve()) and found.suffix in _TYPES and found.is_file() else None
    )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one line for all files of a page

    def do_GET(self) -> None:
        found = _body(self.path.partition("?")[0])
        if found is None:
            self.send_error(404)
            return
        body, kind = found
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body)

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
