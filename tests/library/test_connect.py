"""`facedown.connect` with a real server: plain and async, created, invited, resumed and watched."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import facedown
from tests.patience import PATIENCE
from tests.server.running import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "server_bot.py"
SHORT = "classic(rounds=2,group=1)"


class First(facedown.Bot):
    """Takes the first of its legal picks."""

    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return legal[0]


class Broken(facedown.Bot):
    def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
        return "joker"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(tmp_path_factory.mktemp("connect") / "data").start()
    yield server.base
    server.close()


def test_a_program_plays_a_machine_turn_by_turn(base: str) -> None:
    with facedown.connect(base, name="Ann", game="ecard", rules=SHORT) as table:
        for view, legal, decision in table.turns():
            assert view.viewer == table.seat == 1
            assert legal == table.legal
            assert decision >= 1
            table.seal(legal[0])
        record = table.record()

        assert table.outcome is not None
        assert table.names[0] == "Ann"
        assert record.id == table.id
    assert all(finding.holds is not False for finding in facedown.verify(record))


def test_two_coroutines_play_each_other_by_invitation(base: str) -> None:
    async def guest(invitation: str) -> tuple[str, facedown.Outcome | None]:
        async with facedown.connect(invitation, name="Bo") as table:
            await table.say("Hello")
            return table.names[1], await table.play(First)

    async def host() -> tuple[Any, Any]:
        connecting = facedown.connect(base, name="Ann", game="ecard", rules=SHORT, opponents=[""])
        async with connecting as table:
            async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as both:
                other = both.create_task(guest(table.invitation))
                async for view, legal, _ in table.turns():
                    assert view.viewer == 1
                    await table.seal(legal[-1])
            return table.outcome, other.result()

    outcome, (name, same) = asyncio.run(host())

    assert outcome is not None
    assert (name, same) == ("Bo", outcome)


def test_a_session_finds_its_seat_again_and_others_watch(base: str) -> None:
    with facedown.connect(base, name="Ann", game="ecard", rules=SHORT) as table:
        turn = next(table.turns())
        table.seal(turn.legal[0])
        address, session, seat = table.address, table.session, table.seat

    with facedown.connect(address, session=session) as again:
        with facedown.connect(address, watch=True) as watched:
            assert (watched.seat, watched.legal, watched.view.hand) == (0, (), ())
        assert again.seat == seat
        assert again.play(First) is not None


def test_faults_of_a_bot_and_refusals_of_a_server_are_raised(base: str) -> None:
    with facedown.connect(base, game="davenport", opponents=["uniform", "uniform"]) as table:
        with pytest.raises(facedown.FacedownError, match="broken picked 'joker'") as fault:
            table.play(Broken)
        with pytest.raises(facedown.FacedownError) as refused:
            table.seal("joker")
        table.resign()

    assert (fault.value.code, refused.value.code) == ("bot_fault", "refused")
    with pytest.raises(facedown.FacedownError, match="name the `game`"), facedown.connect(base):
        pass
    with pytest.raises(facedown.FacedownError), facedown.connect(f"{base}/i/NOSUCH"):
        pass


def test_the_example_plays(base: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLE), base, "davenport"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )

    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "True"
