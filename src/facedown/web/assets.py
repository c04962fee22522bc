"""The browser's files, read once, compressed once, each with its digest. Knows files, nothing of HTTP.

All files together have one edition. Their addresses contain it, so that a browser may keep them forever.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from facedown.core import registry
from facedown.core.text.translation import ENGLISH
from facedown.web.bundle import CODE, Bundle, suffix_of
from facedown.web.words import game_words, shell_words

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
_COMPRESSED: Final = frozenset({".png", ".woff2"})
"""Kinds that are compressed already."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    type: str
    digest: str
    encoded: Mapping[str, bytes] = field(default_factory=dict)
    """The same compressed, by the name of the encoding, the smallest first."""


def asset(body: bytes, suffix: str, brotli: bytes = b"") -> Asset:
    """A file's bytes, made ready."""
    encoded = {"br": brotli} if brotli else {}
    if suffix not in _COMPRESSED:
        encoded["gzip"] = gzip.compress(body, 9, mtime=0)
    return Asset(body, TYPES[suffix], hashlib.sha256(body).hexdigest(), encoded)


def assets(bundle: Bundle | None) -> dict[str, Asset]:
    """Every file of the shell and of the games' `web` folders by its address, without the leading slash.

    A bundle replaces our own modules, words and style sheets; those of other packages stay as they are.
    """
    ours = {path: asset(body, suffix_of(path), brotli) for path, (body, brotli) in (bundle or {}).items()}
    for folder in ("app", "vendor"):
        ours.update(_files(resources.files("facedown.web") / folder, folder, bundled=bool(bundle)))
    words = {} if bundle else shell_words()
    for name, package in registry.packages().items():
        bundled = bundle is not None and registry.is_ours(name)
        ours.update(_files(resources.files(package) / "web", f"games/{name}", bundled=bundled))
        if not bundled:
            words |= game_words(name)
        if f"games/{name}/table.js" not in ours:
            ours.update(_generic_table(name))
    ours.update({address: asset(body, ".js") for address, body in words.items()})
    return dict(sorted(ours.items()))


def _generic_table(name: str) -> Iterator[tuple[str, Asset]]:
    module = (
        'import { genericTable } from "/app/table/generic.js";\n'
        f'import words from "/words/games/{name}/{ENGLISH}.js";\n\n'
        f"export default genericTable({json.dumps(name)}, words);\n"
    )
    yield f"games/{name}/table.js", asset(module.encode(), ".js")
    style = resources.files("facedown.web") / "app/table/generic.css"
    yield f"games/{name}/table.css", asset(style.read_bytes(), ".css")


def edition(found: Mapping[str, Asset]) -> str:
    """A short name for exactly these files."""
    whole = "".join(f"{path} {found[path].digest}\n" for path in sorted(found))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _files(folder: Traversable, path: str, *, bundled: bool) -> Iterator[tuple[str, Asset]]:
    """The files of a folder, without those that the bundle replaces."""
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}/{each.name}", bundled=bundled)
        elif (suffix := suffix_of(each.name)) in TYPES and not (bundled and suffix in CODE):
            yield f"{path}/{each.name}", asset(each.read_bytes(), suffix)
