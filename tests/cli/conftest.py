"""What the tests of the command share: a way to run it in this process."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from facedown.cli.progress import PATIENCE
from tests.cli.command import Ran, run_here

Here = Callable[..., Ran]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """`here("games", "--json")` runs that command in this process."""

    monkeypatch.setitem(PATIENCE, False, math.inf)  # a busy machine is no reason to say anything

    def ran(*arguments: str, stdin: bytes = b"") -> Ran:
        return run_here(arguments, monkeypatch, capsys, stdin)

    return ran
