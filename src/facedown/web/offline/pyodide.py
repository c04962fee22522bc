"""Pyodide, the Python that runs in browsers: fetched once as pinned packages, checked, and kept in a folder.

Neither in the repository nor in our package. Knows nothing of our own code and of HTTP servers.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import tarfile
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from facedown.core.errors import FacedownError

VERSION: Final = "314.0.7"
ABOUT_MB: Final = 7
"""What a browser fetches for times without a network, all in all."""
_PATIENCE_S: Final = 60


@dataclass(frozen=True, slots=True)
class Package:
    """A package of a registry: its address, its digest, and the files that are taken from it."""

    address: str
    sha256: str
    files: Mapping[str, str]
    """Our names of files by those in the package; `""` is the package itself."""


PACKAGES: Final = (
    Package(
        f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz",
        "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
        {
            f"package/{name}": name
            for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
        },
    ),
    Package(
        "https://files.pythonhosted.org/packages/75/5d/c0e6bdb81a87f6bd56a663a330c271af7670490c80d8d635d9fa21ad1adf"
        "/msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
        {"": "msgspec.whl"},
    ),
)
"""What has to be compiled for browsers; libraries of pure Python are taken from this installation."""
FILES: Final = tuple(name for package in PACKAGES for name in package.files.values())
_COMPRESSED: Final = (".zip", ".whl")


class NoPyodide(FacedownError):
    """Python for browsers is not there, and could not be fetched."""

    code = "no_pyodide"


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where what can be fetched again is kept: FACEDOWN_CACHE, else the system's folder for it.

    >>> cache_folder({"FACEDOWN_CACHE": "/tmp/kept"}).as_posix()
    '/tmp/kept'
    """
    if own := environ.get("FACEDOWN_CACHE"):
        return Path(own).expanduser()
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or Path.home()) / "facedown" / "cache"
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "facedown"


def find_pyodide(folder: Path) -> Path | None:
    """The folder that holds Pyodide, whole and checked; None if it has not been fetched."""
    found = folder / _name()
    return found if found.is_dir() else None


def require_pyodide(folder: Path) -> Path:
    """The same, fetched if it is missing; raises `NoPyodide`."""
    found = find_pyodide(folder)
    if found is not None:
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=".pyodide-", dir=folder))
        for package in PACKAGES:
            for name, body in _files(package, _fetch(package)).items():
                _write(part / name, body)
        part.chmod(0o755)
        part.replace(folder / _name())
    except OSError as error:
        if (other := find_pyodide(folder)) is not None:  # another process was first
            return other
        why = getattr(error, "reason", None) or error.strerror or error
        raise NoPyodide(f"Python for browsers could not be fetched: {why}") from None
    return folder / _name()


def _name() -> str:
    """One name for exactly these packages."""
    whole = hashlib.sha256("".join(each.sha256 for each in PACKAGES).encode()).hexdigest()
    return f"pyodide-{VERSION}-{whole[:8]}"


def _fetch(package: Package) -> bytes:
    with urllib.request.urlopen(package.address, timeout=_PATIENCE_S) as answer:
        body: bytes = answer.read()
    if hashlib.sha256(body).hexdigest() != package.sha256:
        raise NoPyodide(f"{package.address} is not what it should be: its SHA-256 differs")
    return body


def _files(package: Package, body: bytes) -> dict[str, bytes]:
    if "" in package.files:
        return {package.files[""]: body}
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(body)) as archive:
        for inside, name in package.files.items():
            file = archive.extractfile(inside)
            assert file is not None, inside  # the digest says what is in it
            found[name] = file.read()
    return found


def _write(path: Path, body: bytes) -> None:
    """A file, and where that makes it smaller the same compressed beside it."""
    path.write_bytes(body)
    if path.suffix not in _COMPRESSED:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(body, 9, mtime=0))
