"""The files of a page without a server: Pyodide, our Python, the worker that runs it, and known answers.

Everything is addressed by what it is, so that a browser may keep it forever; the list of files is not.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

import facedown
from facedown.core.text.translation import languages
from facedown.server.in_page import PageServer
from facedown.web.offline import archive_imports
from facedown.web.offline.plugin_games import page_games, plugin_files
from facedown.web.offline.pyodide import FILES

FOLDER: Final = "run"
LIST: Final = "files.json"
_WORKER: Final = "worker.js"
_CODE: Final = "code.zip"
_UNESCAPED: Final = "!'()*~"
"""What a browser's `encodeURIComponent` leaves as it is, besides letters, digits and `-._`."""


@dataclass(frozen=True, slots=True)
class RunFiles:
    """All files by their path below `run/`: as bytes, or where they lie."""

    ours: Mapping[str, bytes]
    pyodide: Mapping[str, Path]
    listing: bytes
    """The list of them, as the page reads it."""


def run_files(pyodide: Path, machine_pause: int) -> RunFiles:
    """The files around a folder with Pyodide."""
    answers, worker = asyncio.run(_answers()), resources.files("facedown.web.offline") / _WORKER
    made = {_CODE: page_code(), _WORKER: worker.read_bytes()} | {
        f"answers.{language}.json": json.dumps(found, ensure_ascii=False).encode()
        for language, found in answers.items()
    }
    whole = hashlib.sha256(b"".join(hashlib.sha256(body).digest() for _, body in sorted(made.items())))
    edition = whole.hexdigest()[:16]
    ours = {f"{edition}/{name}": body for name, body in made.items()}
    theirs = {f"{pyodide.name}/{name}": pyodide / name for name in FILES}
    listing = {
        "worker": f"{FOLDER}/{edition}/{_WORKER}",
        "code": f"{FOLDER}/{edition}/{_CODE}",
        "pyodide": f"{FOLDER}/{pyodide.name}/",
        "answers": {each: f"{FOLDER}/{edition}/answers.{each}.json" for each in answers},
        "files": [f"{FOLDER}/{path}" for path in (*ours, *theirs)],
        "bytes": sum(map(len, ours.values())) + sum(_travels(path) for path in theirs.values()),
        "unpacked": sum(map(len, ours.values())) + sum(path.stat().st_size for path in theirs.values()),
        "pause": machine_pause,
    }
    return RunFiles(ours, theirs, json.dumps(listing).encode())


def _travels(path: Path) -> int:
    """How many bytes travel to a browser."""
    compressed = path.with_name(f"{path.name}.gz")
    return (compressed if compressed.exists() else path).stat().st_size


# --- answers that are the same for every client ----------------------------------------------------------


async def _answers() -> dict[str, dict[str, Any]]:
    """By language and path: the games, and their rules in every preset."""
    with TemporaryDirectory(prefix="facedown-answers-") as folder:
        server = await PageServer.open(folder, _nothing_to_keep)
        try:
            return {language: await _answers_in(server, language) for language in languages()}
        finally:
            await server.close()


async def _answers_in(server: PageServer, language: str) -> dict[str, Any]:
    games = [each for each in await _get(server, "/games", language) if each["name"] in page_games()]
    rules = [
        f"/games/{game['name']}/rules?rules={quote(preset['rules'], _UNESCAPED)}"
        for game in games
        for preset in game["presets"]
    ]
    return {"/games": games} | {path: await _get(server, path, language) for path in rules}


async def _get(server: PageServer, path: str, language: str) -> Any:
    asked = {"method": "GET", "path": f"/api/v1{path}", "headers": {"Accept-Language": language}}
    answer = json.loads(await server.request(json.dumps(asked)))
    assert answer["status"] == 200, answer
    return json.loads(answer["body"])


async def _nothing_to_keep() -> None:
    pass


# --- our own Python --------------------------------------------------------------------------------------


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
_KINDS: Final = (".py", ".pyi", ".po", ".md", ".css")
_UNNEEDED: Final = frozenset({"__pycache__", "golden", "vendor", "web"})
"""Folders at any depth that stay here."""
_STAMP: Final = (1980, 1, 1, 0, 0, 0)


def page_code() -> bytes:
    """The archive for a server inside a page; the same installation gives the same bytes.

    It holds Facedown without its terminal, its commands and its pages, libraries that are pure Python, and
    games of other packages.
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        first = {"sitecustomize.py": Path(archive_imports.__file__)}  # imported when Python starts
        files = {**dict(_ours()), **dict(_libraries()), **first}
        bodies = dict(plugin_files()) | {name: path.read_bytes() for name, path in files.items()}
        for name, body in sorted(bodies.items()):
            archive.writestr(zipfile.ZipInfo(name, _STAMP), body, zipfile.ZIP_DEFLATED)
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
