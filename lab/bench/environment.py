"""The environment in which rivals are measured: a throw-away one, as they are no part of this project's own.

`--here` is for a machine on which they are installed already: it measures with the Python that runs the
program, and installs nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which environment is used."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--env", metavar="DIR", help="keep the environment there, and use it again if it exists"
    )
    where.add_argument("--here", action="store_true", help="use this Python, and install nothing")


def measured(
    module: str,
    arguments: list[str],
    libraries: tuple[str, ...],
    where: argparse.Namespace,
) -> Any:
    """What a module of this folder prints as JSON in the environment asked for; None if it failed."""
    if where.here:
        return _printed(Path(sys.executable), module, arguments, _of_this_tree())
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        python = _made(Path(where.env or Path(folder) / "env"), libraries)
        return _printed(python, module, arguments, os.environ)


def _printed(python: Path, module: str, arguments: list[str], environment: Mapping[str, str]) -> Any:
    command = [str(python), "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return None if done.returncode else json.loads(done.stdout)


def _of_this_tree() -> dict[str, str]:
    """An environment in which `import facedown` finds the sources beside this folder."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    paths = [str(ROOT / "src"), str(ROOT / "lab/src"), str(ROOT), *map(os.path.abspath, others)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _made(folder: Path, libraries: tuple[str, ...]) -> Path:
    """An environment with the libraries and this project as it is now; its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", *_without_pip(), str(folder)])
        _install(python, *libraries)
    again = "--reinstall" if shutil.which("uv") else "--force-reinstall"
    _install(python, again, "--no-deps", str(ROOT), str(ROOT / "lab"))
    return python


def _without_pip() -> list[str]:
    return ["--without-pip"] if shutil.which("uv") else []


def _install(python: Path, *what: str) -> None:
    print(f"installing {' '.join(what)}", file=sys.stderr)
    uv = shutil.which("uv")
    if uv:
        _run([uv, "pip", "install", "--quiet", "--python", str(python), *what])
    else:
        _run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what],
        )


def _run(command: list[str]) -> None:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    subprocess.run(command, check=True, env=clean, stdout=sys.stderr)
