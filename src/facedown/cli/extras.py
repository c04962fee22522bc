"""Extras of the package: whether one is installed, and the command that installs it here.

The command names what this installation was made from, a folder or a wheel, and no package index.
"""

from __future__ import annotations

import json
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from facedown.core.errors import missing_extra


def check_extra(needing: str, name: str, *libraries: str) -> None:
    """Raise `Unsupported` if a library of the extra is not installed; imports none of them."""
    if not all(map(is_installed, libraries)):
        raise missing_extra(needing, name)


def is_installed(library: str) -> bool:
    """Whether a library can be imported; imports nothing."""
    return find_spec(library) is not None


def install_command(name: str) -> str:
    """The command that adds an extra to this installation, as a person types it."""
    source = _source()
    if source is None:
        return f'pip install ".[{name}]" in Facedown\'s folder'
    return f'{_installer(source)} "{source}[{name}]"'


def install_folder(folder: Path) -> str:
    """The command that installs another package beside this one from its folder, editable."""
    return f'{_installer(_source() or Path())} -e "{folder}"'.replace(" -e -e ", " -e ")


def _source() -> Path | None:
    """The folder or wheel that this was installed from; None if it is unknown or gone."""
    try:
        noted = json.loads(distribution("facedown").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return None
    parts = urlsplit(str(noted.get("url", "")))
    path = Path(url2pathname(parts.path))
    return path if parts.scheme == "file" and path.exists() else None


def _installer(source: Path) -> str:
    """Pip if this environment has it, else uv: the launcher's environment has no pip."""
    editable = "-e " if source.is_dir() and Path(__file__).is_relative_to(source) else ""
    if find_spec("pip") is not None:
        return f'"{sys.executable}" -m pip install {editable}'.rstrip()
    own = source / ".uv" / "bin" / "uv"
    uv = "uv" if shutil.which("uv") or not own.exists() else f'"{own}"'
    return f'{uv} pip install --python "{sys.executable}" {editable}'.rstrip()
