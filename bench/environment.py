"""The throw-away environment in which rivals are measured: they are no part of this project's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent


def measured(
    module: str, arguments: list[str], libraries: tuple[str, ...], kept: str | None, *, compiled: bool = False
) -> Any:
    """What a module of this folder prints as JSON where the libraries are installed; None where it failed.

    The environment is kept in the folder `kept`, and used where it exists; else it is gone afterwards.
    `compiled` asks for this project's compiled engine.
    """
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        python = _made(Path(kept) if kept else Path(folder) / "env", libraries, compiled)
        command = [str(python), "-m", module, *arguments]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return None if done.returncode else json.loads(done.stdout)


def _made(folder: Path, libraries: tuple[str, ...], compiled: bool) -> Path:
    """An environment with the libraries and this project as it is now; its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", *_without_pip(), str(folder)])
        _install(python, *libraries)
    again = "--reinstall" if shutil.which("uv") else "--force-reinstall"
    _install(python, again, "--no-deps", str(ROOT), FACEDOWN_COMPILED="1" if compiled else "")
    return python


def _without_pip() -> list[str]:
    return ["--without-pip"] if shutil.which("uv") else []


def _install(python: Path, *what: str, **variables: str) -> None:
    print(f"installing {' '.join(what)}", file=sys.stderr)
    uv = shutil.which("uv")
    if uv:
        _run([uv, "pip", "install", "--quiet", "--python", str(python), *what], **variables)
    else:
        _run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what],
            **variables,
        )


def _run(command: list[str], **variables: str) -> None:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    subprocess.run(command, check=True, env=clean | variables, stdout=sys.stderr)
