"""The browser's files, read once, compressed once, each with its digest. Knows files, nothing of HTTP.

All files together have one edition. Their addresses carry it, so that a browser may keep them for ever.
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
from facedown.core.text.translation import languages
from facedown.web.bundle import CODE, Bundle

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
_SHELL: Final = ("app", "vendor", "words")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    body: bytes
    type: str
    digest: str
    encoded: Mapping[str, bytes] = field(default_factory=dict)
    """The same compressed, by the name of the encoding, the smallest first."""

    @property
    def size(self) -> int:
        """How many bytes travel to a browser, which knows every encoding."""
        return len(next(iter(self.encoded.values()), self.body))


def suffix_of(path: str) -> str:
    """The ending of a file's name, with its dot; empty where it has none."""
    name, dot, ending = path.rpartition(".")
    return dot + ending if name else ""


def asset(body: bytes, suffix: str, brotli: bytes = b"") -> Asset:
    """A file's bytes, made ready."""
    encoded = {"br": brotli} if brotli else {}
    if suffix not in _COMPRESSED:
        encoded["gzip"] = gzip.compress(body, 9, mtime=0)
    return Asset(body, TYPES[suffix], hashlib.sha256(body).hexdigest(), encoded)


def assets(bundle: Bundle | None) -> dict[str, Asset]:
    """Every file of the shell and of the games' `web` folders by its address, without the leading slash.

    What a bundle holds stands for our own modules and style sheets; those of other packages stay as they are.
    """
    ours = {path: asset(*file) for path, file in (bundle or {}).items()}
    home = resources.files("facedown.web")
    for folder in _SHELL:
        ours.update(_files(home / folder, folder, leave_out=CODE if bundle else frozenset()))
    for name, package in registry.packages().items():
        own = bundle is not None and registry.is_ours(name)
        ours.update(
            _files(resources.files(package) / "web", f"games/{name}", leave_out=CODE if own else frozenset())
        )
        if f"games/{name}/table.js" not in ours:
            ours.update(_generic_table(name))
    return dict(sorted(ours.items()))


def _generic_table(name: str) -> Iterator[tuple[str, Asset]]:
    """The table of a game that brings none: the generic one, with the texts of the game's own catalogues."""
    texts = {language: _texts(name, language) for language in languages()}
    module = (
        'import { genericTable } from "/app/table/generic.js";\n\n'
        f"export default genericTable({json.dumps(name)}, {json.dumps(texts)});\n"
    )
    yield f"games/{name}/table.js", asset(module.encode(), ".js")
    style = resources.files("facedown.web") / "app/table/generic.css"
    yield f"games/{name}/table.css", asset(style.read_bytes(), ".css")


def _texts(name: str, language: str) -> dict[str, str]:
    """A game's own texts under the names by which the browser looks for them."""
    own = registry.messages(name).texts(language)
    return {key.replace("ending.", "termination.", 1): text for key, text in own.items()}


def edition(found: Mapping[str, Asset]) -> str:
    """A short name for exactly these files."""
    whole = "".join(f"{path} {found[path].digest}\n" for path in sorted(found))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def _files(folder: Traversable, path: str, leave_out: frozenset[str]) -> Iterator[tuple[str, Asset]]:
    if not folder.is_dir():
        return
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}/{each.name}", leave_out)
        elif (suffix := suffix_of(each.name)) in TYPES and suffix not in leave_out:
            yield f"{path}/{each.name}", asset(each.read_bytes(), suffix)
