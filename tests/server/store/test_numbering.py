"""The migration that gives tables numbers: a store holds the same before and after, whatever happens."""

from __future__ import annotations

import dataclasses
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from facedown.server.store.base import Append, PersonalText, SeatHolder, StoreFailed
from facedown.server.store.sqlite.backup import backup, check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.schema import NUMBERED, VERSION
from facedown.server.store.sqlite.store import SqliteStore
from tests.server.store.steps import OPEN, downgrade, made, row, step

pytestmark = pytest.mark.anyio

BEFORE = NUMBERED - 1
"""The last version of the schema whose events lie under the id of their table."""
TABLES = [f"T{number}" for number in range(60)]
OVER = dataclasses.replace(OPEN, state="over")
KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from facedown.server.store.sqlite import schema
opened = schema.connect
def connect(path):
    connection = opened(path)
    connection.set_progress_handler(lambda: os.kill(os.getpid(), signal.SIGKILL), int(sys.argv[2]))
    return connection
schema.connect = connect
schema.open_for_writing(Path(sys.argv[1]))
"""
"""Opens a database and is killed after so many steps of SQLite."""


async def an_older_store(folder: Path) -> list[object]:
    """A database of the version before; what was in it."""
    store = SqliteStore(folder)
    for number, table in enumerate(TABLES):
        await store.append(made(table, 1 + number % 4))
        await store.append(step(table, 1 + number % 4, command=f"ann:{number}", deadline=number))
    texts = (PersonalText("name", "ann", "Ann"),)
    await store.append(
        Append("U", 0, (row(1)._replace(texts=texts),), None, OPEN, (), (SeatHolder(1, "ann", b"t"),))
    )
    for table in ("T7", "T3"):  # the order of ends is kept as well
        head = (await store.heads([table]))[table]
        end = row(head + 1)._replace(kind="over")
        await store.append(Append(table, head, (end,), None, OVER))
    held = await contents(store)
    await store.close()
    downgrade(folder / DATABASE, BEFORE)
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        assert connection.execute("select count(distinct table_id) from events").fetchone()[0] == 61
    return held


async def contents(store: SqliteStore) -> list[object]:
    """Everything that is read of tables and their events."""
    found: list[object] = [await store.rows(table) for table in (*TABLES, "U")]
    query = "select number, table_id, at, rated from ended order by number"
    ends = await store.read(lambda connection: connection.execute(query).fetchall())
    return [*found, await store.tables(limit=99), ends, await store.texts_of("ann")]


def version_of(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        found: int = connection.execute("pragma user_version").fetchone()[0]
    return found


async def test_an_older_store_holds_the_same_afterwards(folder: Path, tmp_path: Path) -> None:
    held = await an_older_store(folder)
    assert check(folder) == []  # also before it is brought up to date
    store = SqliteStore(folder)
    assert await contents(store) == held
    await store.append(step("T0", 2))
    await store.append(made("V"))
    assert (await store.heads(["T0", "V"])) == {"T0": 3, "V": 1}
    await store.close()
    assert version_of(folder / DATABASE) == VERSION
    assert check(folder) == []
    backup(folder, tmp_path / "copy.sqlite")
    assert check(tmp_path / "copy.sqlite") == []


@pytest.mark.parametrize("steps", [40, 1500, 6000])
async def test_killed_in_the_middle_nothing_is_lost_and_the_next_start_does_it(
    folder: Path, steps: int
) -> None:
    held = await an_older_store(folder)
    command = [sys.executable, "-c", KILLED, str(folder / DATABASE), str(steps)]
    assert subprocess.run(command, check=False).returncode == -9
    assert version_of(folder / DATABASE) == BEFORE
    store = SqliteStore(folder)
    assert await contents(store) == held
    await store.close()
    assert check(folder) == []


async def test_what_cannot_be_copied_whole_is_not_copied(folder: Path) -> None:
    await an_older_store(folder)
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute("delete from tables where id = 'T5'")  # its events belong to nobody now
        connection.commit()
        events = connection.execute("select count(*) from events").fetchone()
    with pytest.raises(StoreFailed, match="as it was"):
        SqliteStore(folder)
    assert version_of(folder / DATABASE) == BEFORE
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        assert connection.execute("select count(*) from events").fetchone() == events


async def test_pages_of_a_new_database_are_small(folder: Path) -> None:
    store = SqliteStore(folder)
    await store.append(made("T"))
    assert await store.read(lambda connection: connection.execute("pragma page_size").fetchone()) == (2048,)
    await store.close()
