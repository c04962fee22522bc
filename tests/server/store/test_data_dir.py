"""The data directory: its lock, its permissions, and what is refused when it is opened."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core.errors import Unsupported
from facedown.server.store import open_store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.data_dir import DATABASE, DataInUse
from facedown.server.store.sqlite.store import SqliteStore
from tests.server.store.steps import creation, head_of

pytestmark = pytest.mark.anyio

OPENING = "import sys; from facedown.server.store import open_store; open_store('sqlite:' + sys.argv[1])"


async def test_a_second_server_is_refused_and_names_the_first(store: SqliteStore, folder: Path) -> None:
    with pytest.raises(DataInUse, match=f"process {os.getpid()}"):
        open_store(f"sqlite:{folder}")
    other = subprocess.run([sys.executable, "-c", OPENING, str(folder)], capture_output=True, text=True)
    assert other.returncode == 1
    assert "DataInUse: another server" in other.stderr
    await store.append(creation("T"))


async def test_deleting_the_lock_file_does_not_unlock_the_directory(store: SqliteStore, folder: Path) -> None:
    (folder / "lock").unlink()
    with pytest.raises(DataInUse):
        open_store(f"sqlite:{folder}")
    other = subprocess.run([sys.executable, "-c", OPENING, str(folder)], capture_output=True, text=True)
    assert "DataInUse: another server" in other.stderr
    await store.append(creation("T"))


async def test_a_damaged_database_is_refused_at_the_start(store: SqliteStore, folder: Path) -> None:
    for number in range(200):
        await store.append(creation(f"T{number}"))
    await store.close()
    data = bytearray((folder / DATABASE).read_bytes())
    for page in range(4, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    (folder / DATABASE).write_bytes(data)
    with pytest.raises(StoreFailed, match=r"damaged .*: restore a backup"):
        open_store(f"sqlite:{folder}")


async def test_the_directory_is_free_again_after_closing(store: SqliteStore, folder: Path) -> None:
    await store.close()
    again = open_store(f"sqlite:{folder}")
    await again.append(creation("T"))
    await again.close()
    await again.close()


async def test_only_the_owner_may_read(store: SqliteStore, folder: Path) -> None:
    await store.append(creation("T"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
    assert modes == dict.fromkeys((DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "lock"), 0o600)


async def test_closing_writes_what_is_waiting(folder: Path) -> None:
    store = open_store(f"sqlite:{folder}")
    waiting = [store.append(creation(f"T{number}")) for number in range(500)]
    await store.close()
    for each in waiting:
        await each
    again = open_store(f"sqlite:{folder}")
    assert await head_of(again, "T499") == 1
    await again.close()


async def test_a_database_of_another_program_is_refused(folder: Path) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("create table tables (id)")
    connection.close()
    with pytest.raises(Unsupported, match="another program"):
        open_store(f"sqlite:{folder}")


async def test_a_file_that_is_no_database_is_refused(folder: Path) -> None:
    folder.mkdir()
    (folder / DATABASE).write_bytes(b"nothing of the kind " * 100)
    with pytest.raises(StoreFailed, match="cannot be read as a database"):
        open_store(f"sqlite:{folder}")


async def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed, match="cannot be used"):
        open_store(f"sqlite:{tmp_path / 'file'}")


@pytest.mark.parametrize("url", ["mysql://somewhere/x", "sqlite:", "", "games"])
async def test_an_unknown_kind_of_store_is_refused(url: str) -> None:
    with pytest.raises(Unsupported, match="only sqlite:DIRECTORY and postgresql://"):
        open_store(url)


@pytest.mark.parametrize(
    "statement",
    [
        "update events set public = 'changed'",
        "delete from events",
        "replace into events select * from events",
        "update or replace events set v = v + 1",
        "insert or replace into events select * from events",
    ],
)
async def test_events_are_never_changed_or_deleted(store: SqliteStore, statement: str) -> None:
    await store.append(creation("T", 3))
    before = await store.rows("T")
    with pytest.raises(StoreFailed, match="events are never"):
        await store.write(lambda connection: connection.execute(statement))
    assert await store.rows("T") == before


async def test_opening_a_store_leaves_the_interpreter_as_it_is(folder: Path) -> None:
    before = sys.getswitchinterval()
    store = open_store(f"sqlite:{folder}")
    await store.close()
    assert sys.getswitchinterval() == before
