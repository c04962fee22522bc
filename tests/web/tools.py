"""The checkers that npm brings: compiler, formatter; as the lock names them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from facedown.core import registry
from facedown.web import words
from tests.needs import without

SHELL: Final = Path(__file__).parent / "shell"
PATH: Final = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
NODE: Final = shutil.which("node", path=PATH)
NPM: Final = shutil.which("npm", path=PATH)
_WANTED: Final = ("typescript", "@biomejs/biome")
_FETCH: Final = ("ci", "--loglevel=error", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder of the tools.

    Node trusts the system's certificates, which may include those of a company's proxy.
    """
    everything = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": PATH, **environment}
    return subprocess.run(command, cwd=SHELL, capture_output=True, text=True, check=False, env=everything)


def write_words(folder: Path) -> Path:
    """The browser's words as files, for checks without a server."""
    ours = filter(registry.is_ours, registry.names())
    games = [each for game in ours for each in words.game_words(game).items()]
    generic = ("words/generic/en.js", words._module(words.part_texts(words._GENERIC, "en")))
    for address, body in (*words.shell_words().items(), *games, generic):
        path = folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def told(folder: Path, asked: Sequence[Sequence[Any]]) -> list[Any]:
    """The answers of the games' modules in Node to questions of the form `what, game, …given`."""
    if NODE is None:
        without("there is no Node on this machine")
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    words = write_words(folder).as_uri()
    done = run(str(NODE), "unit/told.mjs", str(folder / "asked.json"), WORDS=words)
    assert done.returncode == 0, done.stderr
    answered = json.loads(done.stdout)
    assert answered["missing"] == []
    answers: list[Any] = answered["answers"]
    return answers


def node_tools() -> Path:
    """The folder of the tools; one test fetches them while the others wait."""
    import fcntl

    folder = SHELL / "node_modules"
    with (SHELL / "package-lock.json").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not all((folder / each).is_dir() for each in _WANTED):
            if NPM is None:
                without("there is no npm on this machine")
            fetched = run(NPM, *_FETCH)
            if fetched.returncode != 0:
                without(f"npm could not fetch the tools:\n{fetched.stderr or fetched.stdout}")
    return folder
