"""Makes `.venv` from the hashed lock with Python alone, for `facedown.cmd`; other systems have bootstrap.sh.

A stamp, written last, distinguishes a finished set-up from one that is missing, outdated or interrupted.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements.lock"


class SetUpFailed(Exception):
    """A step that failed; its output was printed already."""


def set_up(root: Path, lock: str = LOCK) -> Path:
    """The environment of a checkout, made or brought up to date; returns its Python. Raises `SetUpFailed`."""
    folder = root / ".venv"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / f"{lock}.set-up", stamp_of(root, lock)
    if python.exists() and _read(stamp) == wanted:
        return python
    if sys.version_info < (3, 11):  # noqa: UP036  # whichever Python `facedown.cmd` has found
        raise SetUpFailed(f"Python 3.11 or newer is needed, and {sys.executable} is older.")
    print(f"facedown: setting up in {folder} (once; later starts are instant)", file=sys.stderr, flush=True)
    stamp.unlink(missing_ok=True)
    venv.EnvBuilder(with_pip=True, clear=True).create(folder)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run(f"could not install what {lock} names", *pip, "--require-hashes", "-r", str(root / lock))
    _run("could not install Facedown itself", *pip, "--no-deps", "--no-build-isolation", "-e", str(root))
    stamp.write_text(wanted, "utf-8")
    return python


def stamp_of(root: Path, lock: str) -> str:
    """What a set-up depends on: the lock, the project's file, this file, and the version of Python."""
    files = (root / lock, root / "pyproject.toml", Path(__file__))
    parts = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return "\n".join([*parts, str(root), sys.version])


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _run(what: str, *command: str) -> None:
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode:
        raise SetUpFailed(f"{what}: see the reason above; behind a proxy, HTTPS_PROXY and PIP_CERT name it.")


if __name__ == "__main__":
    try:
        set_up(ROOT)
    except (SetUpFailed, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"facedown: {error}")
