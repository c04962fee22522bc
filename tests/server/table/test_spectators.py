"""A table with many spectators: their updates are encoded once for all of them."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from facedown.core import registry
from facedown.core.seats import SPECTATOR
from facedown.server.store.failures import StoreFailed
from facedown.server.table.presence import Update
from tests.server.table.test_table import begun, pick, running_tables

pytestmark = pytest.mark.anyio


class Watcher:
    """A listener that keeps the bytes as they are."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.person = f"person {viewer}"
        self.frames: list[bytes] = []

    def notify(self, update: Update) -> None:
        self.frames += update.frames

    def disconnect(self, error: StoreFailed) -> None:
        raise error


@pytest.mark.parametrize("game", ["ecard", "davenport"])
async def test_all_spectators_receive_the_same_bytes(
    where: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_tables(where) as (_, tables):
        table = await begun(tables, game)
        crowd = [Watcher(SPECTATOR) for _ in range(40)]
        for watcher in (Watcher(1), *crowd, Watcher(2)):
            table.attach(watcher)
        kind = type(registry.get(game))
        looks = Mock(side_effect=kind.view)
        monkeypatch.setattr(kind, "view", lambda *seen: looks(*seen))
        for seat in (1, 2):
            await pick(table, seat)
        frames = crowd[0].frames
        assert any(b'"revealed"' in frame for frame in frames)
        for watcher in crowd:
            assert all(one is other for one, other in zip(watcher.frames, frames, strict=True))
        assert sorted(call.args[2] for call in looks.call_args_list) == [SPECTATOR, 1, 2]


async def test_spectators_count_as_a_viewer_until_the_last_one_leaves(where: str) -> None:
    async with running_tables(where) as (_, tables):
        table = await begun(tables, "ecard")
        first, second, seated = Watcher(SPECTATOR), Watcher(SPECTATOR), Watcher(1)
        for watcher in (first, second, second, seated):
            table.attach(watcher)
        assert table._presence.viewers == {SPECTATOR, 1}
        for watcher in (first, first, seated):
            table.detach(watcher)
        assert table._presence.viewers == {SPECTATOR}
        table.detach(second)
        assert table._presence.viewers == frozenset()
