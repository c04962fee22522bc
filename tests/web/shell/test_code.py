"""The JavaScript's own checks: its unit tests in Node, its types, its format and its lint rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

import facedown
from tests.needs import without
from tests.web.tools import NODE, node_tools, run, write_words

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


def test_units(tmp_path: Path) -> None:
    """All files in one process: starting Node takes longer than most of them."""
    if NODE is None:
        without("there is no Node on this machine")
    names = sorted(f"unit/{path.name}" for path in HERE.glob("unit/*.test.mjs"))
    done = run(str(NODE), "--test", "--test-isolation=none", *names, WORDS=write_words(tmp_path).as_uri())

    assert names
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def tools() -> Path:
    return node_tools()


def test_types(tools: Path) -> None:
    done = run(str(NODE), str(tools / "typescript/bin/tsc"), "--project", str(ROOT / "jsconfig.json"))

    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


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


def test_a_game_registers_only_properties_of_its_own() -> None:
    """`@property` holds for the whole page, also for screens of the shell that use the same name."""
    sheets = list((ROOT / "src/facedown/games").glob("*/web/*.css"))
    names = [name for sheet in sheets for name in re.findall(r"@property (--\S+)", sheet.read_text("utf-8"))]

    assert names
    assert [name for name in names if not re.match(r"--[a-z]{2}-", name)] == []


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
