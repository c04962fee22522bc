"""Backups while a server writes, and the check of a database."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from facedown.files import UnwritableFile
from facedown.server.store import open_store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.backup import FileTaken, backup, check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from tests.server.store.steps import creation, head_of, step

pytestmark = pytest.mark.anyio


async def test_a_backup_while_writing_is_one_moment_and_opens_as_a_store(
    store: SqliteStore, folder: Path, tmp_path: Path
) -> None:
    going = True

    async def play(table: str) -> None:
        await store.append(creation(table))
        head = 1
        while going:
            await store.append(step(table, head, body=bytes(500)))
            head += 1

    playing = [asyncio.create_task(play(f"T{number}")) for number in range(10)]
    while store.stats.rows < 200:
        await asyncio.sleep(0.01)
    copies = [tmp_path / f"copy{number}" / DATABASE for number in range(3)]
    for copy in copies:
        copy.parent.mkdir()
        before = store.stats.rows
        await asyncio.to_thread(backup, folder, copy)
        assert [each.name for each in copy.parent.iterdir()] == [DATABASE]
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert check(copy) == []
        assert _count(copy) >= before
    going = False
    await asyncio.gather(*playing)
    assert _count(copies[0]) < store.stats.rows
    again = open_store(f"sqlite:{copies[0].parent}")
    for number in range(10):
        rows = await again.rows(f"T{number}")
        assert rows == (await store.rows(f"T{number}"))[: len(rows)]
        assert await head_of(again, f"T{number}") == len(rows) > 0
    await again.close()


def _count(copy: Path) -> int:
    connection = sqlite3.connect(copy)
    count: int = connection.execute("select count(*) from events").fetchone()[0]
    connection.close()
    return count


async def test_a_backup_never_overwrites(store: SqliteStore, folder: Path, tmp_path: Path) -> None:
    await store.append(creation("T"))
    target = tmp_path / "copy.sqlite"
    target.write_text("precious")
    with pytest.raises(FileTaken, match="never overwrites"):
        backup(folder, target)
    assert target.read_text() == "precious"


async def test_a_backup_that_cannot_be_written_leaves_nothing(
    store: SqliteStore, folder: Path, tmp_path: Path
) -> None:
    await store.append(creation("T"))
    missing = tmp_path / "no such folder"
    with pytest.raises(UnwritableFile, match=f"there is no directory {missing}$"):
        backup(folder, missing / "copy.sqlite")
    with pytest.raises(StoreFailed, match="no database"):
        backup(tmp_path / "nowhere", tmp_path / "copy.sqlite")
    assert sorted(os.listdir(tmp_path)) == ["house"]


async def test_the_check_names_what_is_wrong(store: SqliteStore, folder: Path) -> None:
    await store.append(creation("T", 3))
    await store.append(creation("U"))
    assert check(folder) == []
    await store.write(lambda connection: connection.execute("update tables set head = 4 where id = 'T'"))
    await store.write(lambda connection: connection.execute("delete from tables where id = 'U'"))
    assert check(folder) == [
        "table T is at 4, but has 3 events, from 1 to 3",
        "events of table 2, which does not exist",
    ]


async def test_the_check_and_the_backup_see_a_damaged_file(
    store: SqliteStore, folder: Path, tmp_path: Path
) -> None:
    for number in range(200):
        await store.append(creation(f"T{number}", rows=5))
    await store.close()
    database = folder / DATABASE
    damaged = bytearray(database.read_bytes())
    middle = len(damaged) // 2
    damaged[middle : middle + 8192] = b"\xff" * 8192
    database.write_bytes(damaged)
    assert check(folder)
    with pytest.raises(StoreFailed):
        backup(folder, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()
