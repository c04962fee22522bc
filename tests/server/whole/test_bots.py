"""Programs that serve a bot, `facedown bot serve` and the example for Node, play who challenges them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.server.http.client import Caller, meeting
from tests.server.http.keeping import keep
from tests.server.http.test_bots import BOTS, challenged
from tests.server.running import Server, until

EXAMPLE = Path(__file__).parents[3] / "examples" / "bot.mjs"
SERVE = [sys.executable, "-m", "facedown", "bot", "serve"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(tmp_path_factory.mktemp("bots") / "data").start()
    yield server.base
    server.close()


def start(command: list[str], token: str, folder: Path) -> subprocess.Popen[str]:
    variables = {**os.environ, "FACEDOWN_TOKEN": token, "XDG_STATE_HOME": str(folder)}
    return subprocess.Popen(
        command, env=variables, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def plays(person: Caller, handle: str) -> str:
    """A game against a bot that accepts automatically; the table's id."""
    made = challenged(person, handle, "classic(rounds=2,group=1)")
    table, seat = made["table"], made["seat"]
    person.join(table, seat)
    until(lambda: person.see(table)["table"]["state"] == "opening", PATIENCE)
    person.open(table)
    until(lambda: person.see(table)["table"]["state"] == "playing", PATIENCE)
    while (snap := person.see(table))["table"]["state"] == "playing":
        if seat in snap["table"]["turn"]["may_seal"]:
            person.pick(table, seat, snap["table"]["turn"]["decision"], snap["legal"][0])
        else:
            person.ok("GET", f"/tables/{table}/events?after={snap['v']}&wait=1")
    return str(table)


@pytest.mark.parametrize("program", ["facedown", "module", "node"])
def test_a_program_serves_a_bot(base: str, program: str, tmp_path: Path) -> None:
    if program == "node" and shutil.which("node") is None:
        pytest.skip("there is no Node")
    (tmp_path / "mine.py").write_text("def first(view, legal, stream):\n    return legal[0]\n")
    command = {
        "facedown": [*SERVE, base, "uniform", "--games", "1"],
        "module": [*SERVE, base, "mine:first", "--games", "1"],
        "node": ["node", str(EXAMPLE), base, "1"],
    }[program]
    with meeting(base) as meet:
        owner, person = meet("Owner"), meet("Person")
        keep(owner)
        made = owner.ok("POST", BOTS, {"handle": f"bot-{program[:4]}"}, 201)
        serving = start(command, made["token"], tmp_path)
        try:
            table = plays(person, made["bot"]["handle"])
            out, errors = serving.communicate(timeout=PATIENCE)
        finally:
            serving.kill()

    assert errors == ""
    assert serving.returncode == 0
    assert "accepted Person" in out
    assert table in out


def test_a_bot_without_a_valid_token_ends_with_a_reason(base: str, tmp_path: Path) -> None:
    refused = start([*SERVE, base, "uniform"], f"fdn_{'x' * 32}", tmp_path)
    missing = start([*SERVE, base, "uniform"], "", tmp_path)

    for each, code in ((refused, "not valid"), (missing, "FACEDOWN_TOKEN")):
        _, errors = each.communicate(timeout=PATIENCE)
        assert code in errors
        assert each.returncode != 0
