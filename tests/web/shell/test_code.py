"""The JavaScript's own checks: its unit tests in Node, its types, its format and its lint rules."""

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
ROOT: Final = Path(__file__).parents[3]
SCRIPTS: Final = [
    path
    for pattern in (
        "src/facedown/web/**/*.js",
        "src/facedown/games/*/web/**/*.js",
        "tests/web/games/*.js",
        "tests/web/shell/unit/*.mjs",
    )
    for path in sorted(ROOT.glob(pattern))
    if "vendor" not in path.parts
]
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
def tools() -> Path:
    """The folder of the tools that the lock names; fetched once."""
    folder = HERE / "node_modules"
    if not all((folder / each).is_dir() for each in ("typescript", "@biomejs/biome")):
        if NPM is None:
            without("there is no npm on this machine")
        fetched = run(NPM, "ci", "--silent")
        if fetched.returncode != 0:
            without(f"npm could not fetch the tools: {fetched.stderr[-200:]}")
    return folder


def test_types(tools: Path) -> None:
    done = run(str(NODE), str(tools / "typescript/bin/tsc"), "--project", "tsconfig.json")

    assert done.stdout == ""


def test_format_and_lint(tools: Path) -> None:
    done = run(
        str(NODE),
        str(tools / "@biomejs/biome/bin/biome"),
        "ci",
        "--colors=off",
        "--error-on-warnings",
        str(ROOT),
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_is_longer_than_120() -> None:
    """The formatter leaves markup in templates, strings and comments as they are."""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SCRIPTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]

    assert len(SCRIPTS) > 50
    assert long == []


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
