"""The checkers that npm brings: compiler, formatter, published schemas; as the lock names them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from facedown.core import registry
from facedown.core.text.translation import texts_in
from facedown.web import words
from tests.needs import without

SHELL: Final = Path(__file__).parent / "shell"
PATH: Final = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
NODE: Final = shutil.which("node", path=PATH)
NPM: Final = shutil.which("npm", path=PATH)
_WANTED: Final = ("typescript", "@biomejs/biome", "@asyncapi/specs")


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in the folder of the tools."""
    return subprocess.run(
        command,
        cwd=SHELL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": PATH, **environment},
    )


def write_words(folder: Path) -> Path:
    """The browser's words as files, for checks without a server."""
    ours = filter(registry.is_ours, registry.names())
    games = [each for game in ours for each in words.game_words(game).items()]
    generic = ("words/generic/en.js", words._module(texts_in(words._GENERIC, "en")))
    for address, body in (*words.shell_words().items(), *games, generic):
        path = folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def node_tools() -> Path:
    """The folder of the tools; one test fetches them, while all others wait."""
    import fcntl

    folder = SHELL / "node_modules"
    with (SHELL / "package-lock.json").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not all((folder / each).is_dir() for each in _WANTED):
            if NPM is None:
                without("there is no npm on this machine")
            fetched = run(NPM, "ci", "--silent")
            if fetched.returncode != 0:
                without(f"npm could not fetch the tools: {fetched.stderr[-200:]}")
    return folder
