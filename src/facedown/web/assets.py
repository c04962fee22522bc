"""The browser's files, read once, compressed once, each with its digest. Knows files, nothing of HTTP.

All files together have one edition. Their addresses carry it, so that a browser may keep them for ever.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from facedown.core import registry

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_CODE: Final = frozenset({".css", ".js"})
_PACKED: Final = frozenset({".png", ".woff2"})
"""Kinds that are compressed already."""
_COMMENTS: Final = re.compile(
    rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)[ \t]*$"  # a comment on lines of its own
    rb"|/\*\* @\w+ (?:[^*]|\*(?!/))*\*/ ?",  # a type inside a line
    re.MULTILINE,
)
_SHELL: Final = ("app", "vendor", "words")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    zipped: bytes | None
    """The same compressed, where that is worth it."""
    type: str
    digest: str

    @property
    def size(self) -> int:
        """How many bytes travel."""
        return len(self.body if self.zipped is None else self.zipped)


def asset(body: bytes, suffix: str) -> Asset:
    """A file's bytes, made ready."""
    zipped = None if suffix in _PACKED else gzip.compress(body, 9, mtime=0)
    return Asset(body, zipped, TYPES[suffix], hashlib.sha256(body).hexdigest())


def slim(body: bytes) -> bytes:
    """Code without comments, which are for readers of the source; every line keeps its number.

    With them the client, compressed, would be over its budget of 200 kB. Only comments on lines of their own
    and type annotations go; a test has the compiler prove that nothing else does.

    >>> slim(b"// owns one thing\\nlet x = /** @type {any} */ (y); // why\\n")
    b'\\nlet x = (y); // why\\n'
    """
    return _COMMENTS.sub(lambda comment: b"\n" * comment[0].count(b"\n"), body)


def assets() -> dict[str, Asset]:
    """Every file of the shell and of the games' `web` folders by its address, without the leading slash."""
    home = resources.files("facedown.web")
    found = {path: each for folder in _SHELL for path, each in _files(home / folder, folder)}
    for name, package in registry.packages().items():
        found.update(_files(resources.files(package) / "web", f"games/{name}"))
    return found


def edition(found: Mapping[str, Asset]) -> str:
    """A short name for exactly these files."""
    whole = "".join(f"{path} {found[path].digest}\n" for path in sorted(found))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Asset]]:
    if not folder.is_dir():
        return
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.is_dir():
            yield from _files(each, f"{path}/{each.name}")
        elif (suffix := "." + each.name.rpartition(".")[2]) in TYPES:
            body = each.read_bytes()
            yield f"{path}/{each.name}", asset(slim(body) if suffix in _CODE else body, suffix)
