"""The version of a schema: a database of another one is refused, and left as it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from facedown.core.errors import Unsupported
from facedown.server.store import open_store
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from tests import postgresql
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio


async def test_a_file_of_another_version_is_refused(folder: Path) -> None:
    await SqliteStore(folder).close()
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute("pragma user_version = 2")
    for _ in range(2):  # the first attempt holds no lock any more
        with pytest.raises(Unsupported, match="another version of Facedown: schema 2, this one has 1"):
            SqliteStore(folder)


async def test_a_database_of_another_version_is_refused() -> None:
    url = postgresql.clean_database("other")
    store = open_store(url)
    await store.append(creation("T"))
    await store._execute("update version set version = 2")
    await store.close()
    other = open_store(url)
    with pytest.raises(Unsupported, match="another version of Facedown: schema 2, this one has 1"):
        await other.tables()
    await other.close()
