"""What the tests of the command share: a way to run it in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.command import Ran, run_here

Here = Callable[..., Ran]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """`here("games", "--json")` runs that command in this process."""

    def ran(*arguments: str, stdin: bytes = b"") -> Ran:
        return run_here(arguments, monkeypatch, capsys, stdin)

    return ran
