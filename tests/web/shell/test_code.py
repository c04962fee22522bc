"""The JavaScript's own checks: its unit tests in Node, and its types."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import facedown
from tests.needs import without

HERE: Final = Path(__file__).parent
VENDOR: Final = Path(facedown.__file__).parent / "web/vendor"
PATH: Final = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
NODE: Final = shutil.which("node", path=PATH)
NPM: Final = shutil.which("npm", path=PATH)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=HERE, capture_output=True, text=True, check=False, env={**os.environ, "PATH": PATH}
    )


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("unit/*.test.mjs")))
def test_units(name: str) -> None:
    if NODE is None:
        without("there is no Node on this machine")
    done = run(str(NODE), "--test", f"unit/{name}")

    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def compiler() -> Path:
    """The compiler that the lock names; fetched once."""
    found = HERE / "node_modules/typescript/bin/tsc"
    if not found.is_file():
        if NPM is None:
            without("there is no npm on this machine")
        fetched = run(NPM, "ci", "--silent")
        if fetched.returncode != 0:
            without(f"npm could not fetch the compiler: {fetched.stderr[-200:]}")
    return found


def test_types(compiler: Path) -> None:
    done = run(str(NODE), str(compiler), "--project", "tsconfig.json")

    assert done.stdout == ""


def test_types_are_those_of_the_vendored_versions() -> None:
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    vendored = {
        each["name"]: each["version"]
        for each in json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
        if not each["name"].startswith("@fontsource")
    }

    assert {name: wanted.get(name) for name in vendored} == vendored


def test_the_lock_names_no_host() -> None:
    assert "resolved" not in (HERE / "package-lock.json").read_text(encoding="utf-8")
