"""A demo: machines play for people to watch, limits are halved, and its folder, and no other, is emptied."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from facedown.cli.errors import Usage
from facedown.commands.serve import _empty, _seconds_until_night
from facedown.server.pairing import Pairing
from facedown.server.room import Room
from facedown.server.run import serve_until_stopped
from facedown.server.settings import Settings, demo_settings
from facedown.server.store.sqlite.data_dir import DataDirectory, DataInUse
from facedown.server.tournaments.exhibition import TABLES, Exhibition
from facedown.server.tournaments.service import Tournaments
from facedown.web.serve import pages
from tests.server.table.test_table import running_tables


@pytest.mark.anyio
async def test_machines_play_one_game_after_the_other_for_people_to_watch(where: str) -> None:
    async with running_tables(where) as (store, tables):
        arenas = Tournaments(store, tables)
        exhibition = Exhibition(tables, arenas)
        await exhibition.fill()
        await exhibition.fill()
        begun = [await tables.get(table) for table in exhibition._playing]
        assert len(begun) == TABLES
        (arena,) = (await arenas.listed(0)).open
        assert len(await arenas.standings(await arenas.load(arena.tournament))) > TABLES
        await arenas.go_on(arena.tournament)
        (running,) = (await arenas.listed(0)).running
        assert running.tournament == arena.tournament
        assert len({each.summary.game for each in await store.tables()}) > 1
        while any(table.phase != "over" for table in begun):
            for table in begun:
                await table.settle()
            await store.time()
        await exhibition.fill()
        assert not {table.id for table in begun} & {*exhibition._playing}

        broken = exhibition._playing[0]
        tables._remove(broken)
        tables.broken[broken] = "another version dealt it"
        await exhibition.fill()
        assert len({*exhibition._playing} - {broken}) == TABLES, "the others go on"

        pairing = Pairing(store, tables)
        demo = await Room(store, tables, pairing, pairs=True, machines=True).info()
        usual = await Room(store, tables, pairing, pairs=True).info()
        assert (demo.watch or demo.replay) is not None
        assert (usual.watch, usual.replay) == (None, None)


def test_limits_of_people_and_addresses_are_halved() -> None:
    asked = Settings(data=Path("here"), chat=9, people=1, study_seconds=40, sign_up="closed")
    demo = demo_settings(asked)

    assert (demo.chat, demo.people, demo.requests) == (4, 1, asked.requests // 2)
    assert (demo.study_seconds, demo.body_bytes) == (40, asked.body_bytes)
    assert demo.sign_up == "open"
    assert (demo.switched_off, asked.switched_off) == (("webhooks", "lasting"), ("webhooks", "sign_up"))


def test_only_the_folder_of_a_demo_is_emptied(tmp_path: Path) -> None:
    real, demo = tmp_path / "real", tmp_path / "demo"
    real.mkdir()
    (real / "facedown.sqlite").write_text("everything")
    with pytest.raises(Usage, match="not the folder of a demo"):
        _empty(real)
    assert (real / "facedown.sqlite").read_text() == "everything"

    _empty(demo)
    (demo / "facedown.sqlite").write_text("of yesterday")
    _empty(demo)
    assert {each.name for each in demo.iterdir()} == {"demo", "lock"}
    used = DataDirectory(demo)
    try:
        with pytest.raises(DataInUse):
            _empty(demo)
    finally:
        used.close()


def test_it_ends_in_the_night_without_a_signal(tmp_path: Path) -> None:
    said: list[str] = []

    def ready(address: str, _: str) -> None:
        said.append(address)

    settings = demo_settings(Settings(data=tmp_path / "data", port=0, log="json"))
    assert serve_until_stopped(settings, pages(None, (), settings.switched_off), ready, seconds=0.05)
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(said[0])
    assert _seconds_until_night(3.5 * 3600) == 1800
