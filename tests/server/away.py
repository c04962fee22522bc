"""A database that is away while a server starts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests import postgresql
from tests.server.running import Server, until

WAITS: Final = "waiting for the store"
PASSWORD: Final = "geheim"
_SOCKET: Final = ".s.PGSQL.5432"


class AwayDatabase:
    """A database that cannot be reached until it is brought back: its socket is missing."""

    def __init__(self, folder: Path) -> None:
        real = postgresql.clean_database("away")
        self.socket = folder / _SOCKET
        self._real = postgresql.of_this_run().folder / _SOCKET
        self.url = real.replace(str(self._real.parent), str(folder)) + f"&password={PASSWORD}"

    def bring_back(self) -> None:
        """Let it be reached."""
        self.socket.symlink_to(self._real)

    def go_away(self) -> None:
        """Refuse new connections; existing ones remain."""
        self.socket.unlink()


@pytest.fixture
def away() -> Iterator[AwayDatabase]:
    with tempfile.TemporaryDirectory(prefix="facedown-away-") as folder:  # the path of a socket is short
        Path(folder).chmod(0o755)
        yield AwayDatabase(Path(folder))


@contextmanager
def starting(server: Server) -> Iterator[tuple[Server, Future[Server]]]:
    """A server that is being started, and the future that ends when it serves."""
    with ThreadPoolExecutor(1) as pool:
        ready = pool.submit(server.start)
        try:
            yield server, ready
        finally:
            server.close()


def until_it_waits(server: Server, ready: Future[Server], processes: int = 1) -> None:
    """Return when all its processes wait for the database."""
    until(lambda: ready.done() or count_waits(server) == processes)
    assert not ready.done()


def count_waits(server: Server) -> int:
    """How often it has begun to wait for the database."""
    return server.log().count(WAITS) if server.logs and server.logs[0].exists() else 0
