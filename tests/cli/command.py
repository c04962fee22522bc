"""The `facedown` command for tests: in a process of its own, or in this one for breadth."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from facedown.cli.main import main

SOURCE = Path(__file__).parents[2] / "src"


_TOGETHER = """
import contextlib, io, json, sys
from facedown.cli.main import main
ran = []
for arguments, text in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    ran.append([status, out.getvalue(), err.getvalue()])
json.dump(ran, sys.__stdout__)
"""


class Ran(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


def environment() -> dict[str, str]:
    """This process's environment, in which the project is found wherever the tests run from."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "facedown", *arguments]


def run(*arguments: str, stdin: bytes = b"") -> Ran:
    """The real command, in a process of its own."""
    done = subprocess.run(
        command(*arguments), input=stdin, capture_output=True, env=environment(), check=False
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_together(
    commands: Sequence[tuple[Sequence[str], str]],
    folder: Path,
    environ: Mapping[str, str],
    python: str | Path = sys.executable,
) -> list[Ran]:
    """The commands one after the other, each with its standard input, in one process in that folder."""
    done = subprocess.run(
        [python, "-c", _TOGETHER],
        input=json.dumps(commands),
        capture_output=True,
        text=True,
        env=environ,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Ran(*each) for each in json.loads(done.stdout)]


def run_here(
    arguments: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stdin: bytes = b"",
) -> Ran:
    """The same, in this process: fast enough for many."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
    status = main(arguments)
    out, err = capsys.readouterr()
    return Ran(status, out, err)


def failed_in_one_sentence(ran: Ran, code: str, status: int = 2) -> bool:
    """Whether it failed as every command has to: with this status, and one line with the code."""
    lines = ran.err.splitlines()
    return ran.status == status and len(lines) == 1 and lines[0].startswith(f"facedown: {code}: ")
