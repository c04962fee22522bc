"""One real server for the tests of the API, and people who call it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.http.client import Caller, Meet, meeting
from tests.server.running import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with wide limits: all tests come from one address."""
    wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_STUDIES": "100000", "FACEDOWN_CHAT": "100000"}
    running = Server(tmp_path_factory.mktemp("api") / "data", **wide).start()
    yield running
    running.close()


@pytest.fixture
def meet(server: Server) -> Iterator[Meet]:
    with meeting(server.base) as meet:
        yield meet


@pytest.fixture
def ann(meet: Meet) -> Caller:
    return meet("Ann")


@pytest.fixture
def bob(meet: Meet) -> Caller:
    return meet("Bob")


@pytest.fixture
def stranger(meet: Meet) -> Caller:
    return meet()
