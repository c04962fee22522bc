"""The example program plays a whole game, alone and against another of its kind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.server.programs import ask
from tests.server.running import Server

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data").start()
    yield running
    running.close()


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", str(BOT), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_example_plays_against_a_machine(server: Server) -> None:
    out, errors = start(server.base).communicate(timeout=PATIENCE)

    assert errors == ""
    assert "'winner': " in out


def test_two_of_them_play_by_invitation(server: Server) -> None:
    host = ask(server.base, "POST", "/session", {"kind": "program"})["token"]
    order = {"game": "davenport", "seats": [{"kind": "person"}] * 2}
    made = ask(server.base, "POST", "/tables", order, host)

    first = start(server.base, made["invite"])
    while not ask(server.base, "GET", f"/invites/{made['invite']}")["seats"][0]["name"]:
        assert first.poll() is None, first.communicate()
    second = start(server.base, made["invite"])
    outputs = [each.communicate(timeout=PATIENCE) for each in (first, second)]

    assert [errors for _, errors in outputs] == ["", ""]
    assert outputs[0][0] == outputs[1][0]
    assert "'termination': " in outputs[0][0]
