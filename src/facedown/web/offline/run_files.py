"""The files of a page without a server: Pyodide, our Python, the worker that runs it, and known answers.

Everything is addressed by what it is, so that a browser may keep it forever; the list of files is not.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

from facedown.core import registry
from facedown.core.text.translation import ENGLISH, languages
from facedown.server.in_page import PageServer
from facedown.web.offline.page_code import page_code
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
    answers = asyncio.run(_answers())
    made = {_CODE: page_code(), _WORKER: _worker()} | {
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
        "pause": machine_pause,
    }
    return RunFiles(ours, theirs, json.dumps(listing).encode())


def _worker() -> bytes:
    return (resources.files("facedown.web.offline") / _WORKER).read_bytes()


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
    games = [each for each in await _get(server, "/games", language) if registry.is_ours(each["name"])]
    rules = [
        f"/games/{game['name']}/rules?rules={quote(preset['rules'], _UNESCAPED)}"
        for game in games
        for preset in game["presets"]
    ]
    return {"/games": games} | {path: await _get(server, path, language) for path in rules}


async def _get(server: PageServer, path: str, language: str = ENGLISH) -> Any:
    asked = {"method": "GET", "path": f"/api/v1{path}", "headers": {"Accept-Language": language}}
    answer = json.loads(await server.request(json.dumps(asked)))
    assert answer["status"] == 200, answer
    return json.loads(answer["body"])


async def _nothing_to_keep() -> None:
    """Nothing of this lasts."""
