"""What an online table tells its screen while another thread takes in the server's events."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from facedown.client.mirror import TableMirror
from facedown.protocol.messages import TableInfo
from tests.client.infos import seat_info, table_info
from tests.server.running import Server
from tests.terminal.remote_table import GAME, OnlinePair


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_nobody_is_asked_again_for_a_pick_that_is_revealed_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Server(tmp_path / "data").start()
    try:
        pair = OnlinePair(running)
        mine, other = pair.table.connection, pair.bos
        mine.wait_for(lambda: mine.mirror.may_pick)
        decision = mine.mirror.decision
        mine.seal(mine.mirror.legal[0], decision)
        original = TableMirror.info

        def info(mirror: TableMirror) -> TableInfo:
            """The table as it was when the read began; the reveal comes before the read ends."""
            monkeypatch.setattr(TableMirror, "info", original)
            turn = mirror.info.turn
            assert turn is not None
            before = replace(mirror.info, turn=replace(turn, may_seal=(mine.seat, other.seat)))
            other.seal(other.mirror.legal[0], decision)
            mine.wait_for(lambda: mirror.decision != decision)
            return before

        monkeypatch.setattr(TableMirror, "info", property(info))
        assert mine.seat not in pair.table.may_seal
        pair.close()
    finally:
        running.close()


def test_machines_that_are_alike_have_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = Server(tmp_path / "data").start()
    try:
        pair = OnlinePair(running)
        seats = [
            seat_info(1),
            *(replace(seat_info(seat), name="uniform", machine="uniform") for seat in (2, 3)),
        ]
        monkeypatch.setattr(
            TableMirror, "info", property(lambda _: table_info(game=GAME, seats=tuple(seats)))
        )
        assert pair.table.names[1:] == ("Uniform 1", "Uniform 2")
        pair.close()
    finally:
        running.close()
