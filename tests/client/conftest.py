"""A real server for the client's tests, in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.running import Server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a module."""
    data: Path = tmp_path_factory.mktemp("client") / "data"
    server = Server(data).start()
    yield server
    server.close()
