"""Types, imports and dependencies, checked by their tools beside the other tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NO_CACHE = ["--cache-dir", os.devnull] if os.environ.get("CI") else []
"""mypy in a clone that is tested once: writing a cache for the next run is a seventh of its work."""


@pytest.mark.parametrize(
    "command",
    [
        ["mypy", *NO_CACHE],
        ["pyright", "--project", "tests/library"],  # a user's program, strictly
        ["lint-imports", "--no-logo", "--no-cache"],
        ["deptry", "src"],
    ],
    ids=["types", "types_of_a_users_program", "who_may_import_whom", "dependencies"],
)
def test_the_tool_finds_nothing_wrong(command: list[str]) -> None:
    program = shutil.which(command[0])
    assert program is not None, f"{command[0]} is not installed: run ./test, which sets it up"

    offline = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}  # else it asks for its newest version
    found = subprocess.run(
        [program, *command[1:]], cwd=ROOT, env=offline, capture_output=True, text=True, check=False
    )

    assert found.returncode == 0, found.stdout + found.stderr
