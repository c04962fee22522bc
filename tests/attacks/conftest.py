"""One real server for each file of attacks, and people who call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from facedown.client import witness as witness_module
from tests.server.http.client import Caller, Meet, meeting
from tests.server.running import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with wide limits: all attackers and their victims come from one address."""
    wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_CHAT": "100000", "FACEDOWN_MACHINE_PAUSE": "0"}
    running = Server(tmp_path_factory.mktemp("attacks") / "data", **wide).start()
    yield running
    running.close()


@pytest.fixture
def meet(server: Server) -> Iterator[Meet]:
    with meeting(server.base) as meet:
        yield meet


@pytest.fixture
def operator(server: Server) -> Iterator[Caller]:
    """The operator, by the token in the data folder."""
    token = json.loads((server.data / "server.json").read_text())["token"]
    with Caller(server.base) as caller:
        caller.http.headers["Authorization"] = f"Bearer {token}"
        yield caller


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the victim's own clock by seconds."""
    ahead = 0.0
    began = witness_module._own_time

    def move(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds

    monkeypatch.setattr(witness_module, "_own_time", lambda: began() + ahead)
    return move
