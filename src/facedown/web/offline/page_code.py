"""Our own Python for a server inside a page: one archive of what it needs of this installation.

Facedown without its terminal, its commands and its pages, and the libraries that are pure Python.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import facedown
from facedown.web.offline import archive_imports

_HOME: Final = Path(facedown.__file__).parent
_LEFT_OUT: Final = ("cli", "client", "commands", "terminal", "testing", "web")
_LIBRARIES: Final = ("anyio", "prometheus-client", "starlette", "structlog", "websockets")
_UNUSED: Final = (
    *("anyio/_backends/_trio.py", "anyio/pytest_plugin.py"),
    *("prometheus_client/aiohttp", "prometheus_client/bridge", "prometheus_client/django"),
    "prometheus_client/twisted",
    *("websockets/asyncio", "websockets/legacy", "websockets/sync"),
)
"""Parts of libraries that nothing here imports."""
_KINDS: Final = (".py", ".pyi", ".mo", ".md", ".css")
_UNNEEDED: Final = frozenset({"__pycache__", "golden", "vendor", "web"})
"""Folders at any depth that stay here."""
_STAMP: Final = (1980, 1, 1, 0, 0, 0)
_AT_START: Final = "sitecustomize.py"
"""What Python imports at its start, before anything else of an archive."""


def page_code() -> bytes:
    """The archive: the same bytes for the same installation."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        first = {_AT_START: Path(archive_imports.__file__)}
        for name, path in sorted({**dict(_ours()), **dict(_libraries()), **first}.items()):
            archive.writestr(zipfile.ZipInfo(name, _STAMP), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _ours() -> Iterator[tuple[str, Path]]:
    for path in _HOME.rglob("*"):
        inside = path.relative_to(_HOME)
        rooms = inside.parts[:-1]
        if path.suffix not in _KINDS or not _UNNEEDED.isdisjoint(rooms):
            continue
        if not rooms or rooms[0] not in _LEFT_OUT:
            yield f"facedown/{inside.as_posix()}", path


def _libraries() -> Iterator[tuple[str, Path]]:
    """The modules of each library and its licence; what is compiled for this machine stays here."""
    for library in _LIBRARIES:
        for file in metadata.distribution(library).files or ():
            name, path = file.as_posix(), Path(str(file.locate()))
            if "licen" in name.lower():
                yield f"licences/{library}/{file.name}", path
            elif file.suffix == ".py" and ".." not in file.parts and not name.startswith(_UNUSED):
                yield name, path
