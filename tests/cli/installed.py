"""The built wheel, installed bare or with extras in an environment of its own.

It is built in the folder that the container image is built in. What an extra needs is read from the wheel and
taken from the environment of the tests: no network is used.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.cli.command import Ran, run_together
from tests.needs import without

ROOT = Path(__file__).parents[2]


class Installed(NamedTuple):
    """An environment with the wheel in it, and nothing of this folder."""

    folder: Path
    wheel: Path

    @property
    def command(self) -> Path:
        return self.folder / "bin" / "facedown"

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        (found,) = (self.folder / "lib").glob("python*/site-packages")
        return found

    @property
    def environ(self) -> dict[str, str]:
        """What a new user's shell has, and a home folder of its own; libraries' caches are shared."""
        home, cache = self.folder / "home", Path.home() / ".cache"
        home.mkdir(exist_ok=True)
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_CACHE_HOME": str(cache),
            "PYTHONUTF8": "1",
        }

    def run_all(self, commands: Sequence[tuple[Sequence[str], str]]) -> list[Ran]:
        """The commands one after the other, each with its standard input, in one process."""
        return run_together(commands, self.folder, self.environ, self.python)


@contextmanager
def locked_folder(temporary: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """A folder that all workers of a run share, locked by this process inside the `with` block."""
    own = temporary.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def install_once(temporary: pytest.TempPathFactory) -> Installed:
    """The wheel of this tree, bare; made by the first of the processes that ask for it."""
    with locked_folder(temporary, "wheel") as folder:
        if not list(folder.glob("*.whl")):
            copy_for_container(folder / "sources")
            install(_build_wheel(folder / "sources", folder), folder / "environment", "")
    (wheel,) = folder.glob("*.whl")
    return Installed(folder / "environment", wheel)


def copied_for_container() -> Iterator[tuple[str, str]]:
    """What deploy/Dockerfile copies to build the wheel, and where to: a name that ends in / is a folder."""
    stage = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").split("\nFROM ")[1]
    for words in re.findall(r"^COPY (.+)$", stage, re.M):
        *sources, target = words.split()
        for source in sources:
            yield source, target


def copy_for_container(folder: Path) -> None:
    """The folder of the image's build: everything that its COPY lines name, and nothing else."""
    for source, target in copied_for_container():
        found, to = ROOT / source, folder / target
        if found.is_dir():
            shutil.copytree(found, to, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (to if target.endswith("/") else to.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(found, to)


def _build_wheel(sources: Path, folder: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=sources,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, extra: str) -> Installed:
    """The wheel in a new environment, bare or with the libraries of one extra."""
    made = Installed(folder, wheel)
    _uv("venv", "--python", sys.executable, str(folder))
    _uv("pip", "install", "--offline", "--no-deps", "--python", str(made.python), str(wheel))
    _add_libraries(made, extra)
    return made


def extend(bare: Installed, folder: Path, extra: str) -> Installed:
    """What is installed bare, in another environment with the libraries of one extra: compiled only once."""
    made = Installed(folder, bare.wheel)
    _uv("venv", "--python", sys.executable, str(folder))
    for each in bare.packages.glob("facedown*"):
        (made.packages / each.name).symlink_to(each)
    _add_libraries(made, extra)
    return made


def _uv(*words: str) -> None:
    uv = shutil.which("uv") or shutil.which(str(ROOT / ".uv" / "bin" / "uv"))
    if uv is None:
        without("there is no uv to install the wheel with")
    subprocess.run([uv, *words], capture_output=True, check=True)


def _add_libraries(made: Installed, extra: str) -> None:
    (info,) = made.packages.glob("facedown-*.dist-info")
    for each in {each.name: each for each in _requirements(PathDistribution(info), extra)}.values():
        _link(each, made.packages)


def _requirements(of: Distribution, extra: str) -> Iterator[Distribution]:
    """All distributions that one of them needs, with an extra or without."""
    for text in of.requires or ():
        asked = Requirement(text)
        if asked.marker is not None and not asked.marker.evaluate({"extra": extra}):
            continue
        own = canonicalize_name(asked.name) == canonicalize_name(of.name)
        found = of if own else distribution(asked.name)
        if not own:
            yield found
            yield from _requirements(found, "")
        for more in asked.extras:
            yield from _requirements(found, more)


def _link(found: Distribution, packages: Path) -> None:
    """One distribution of the tests' environment, in another one as well."""
    for name in {file.parts[0] for file in found.files or () if file.parts[0] != ".."}:
        if name != "__pycache__" and not (packages / name).exists():
            (packages / name).symlink_to(str(found.locate_file(name)))
