"""Migrations: a store of this version becomes one of a made-up next version, and keeps what it holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from facedown.core.errors import Unsupported
from facedown.server.store import open_store
from facedown.server.store.postgresql import schema as postgresql_schema
from facedown.server.store.postgresql.store import PostgresStore
from facedown.server.store.sqlite import schema as sqlite_schema
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from tests import postgresql
from tests.server.store.steps import creation, head_of, step

pytestmark = pytest.mark.anyio

NEXT = ("alter table tables add column mood text not null default 'calm'", "update tables set mood = 'tense'")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_store_is_migrated_to_the_next_version(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:{folder}" if kind == "sqlite" else postgresql.clean_database("migrated")
    store = open_store(url)
    await store.append(creation("T"))
    await store.close()
    schema = sqlite_schema if kind == "sqlite" else postgresql_schema
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEXT))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)

    for _ in range(2):  # the second start has nothing to migrate
        store = open_store(url)
        assert isinstance(store, SqliteStore | PostgresStore)
        await store.append(step("T", await head_of(store, "T") or 0))
        assert [tuple(row) for row in await store._select("select mood from tables")] == [("tense",)]
        await store.close()


async def test_a_migration_that_fails_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SqliteStore(folder)
    await store.append(creation("T"))
    await store.close()
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, (*NEXT, "no statement")))
        patch.setattr(sqlite_schema, "VERSION", sqlite_schema.VERSION + 1)
        with pytest.raises(sqlite3.OperationalError):
            SqliteStore(folder)
    again = SqliteStore(folder)
    await again.append(step("T", 1))
    assert "mood" not in str(await again._select("select sql from sqlite_master"))
    await again.close()


async def test_a_database_of_a_newer_facedown_is_refused(folder: Path) -> None:
    store = SqliteStore(folder)
    await store.close()
    newer = sqlite_schema.VERSION + 1
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute(f"pragma user_version = {newer}")
    for _ in range(2):  # the first attempt holds no lock any more
        with pytest.raises(Unsupported, match=f"newer Facedown: schema {newer}"):
            SqliteStore(folder)


async def test_a_newer_schema_is_used_as_long_as_it_allows_that() -> None:
    url = postgresql.clean_database("later")
    store = PostgresStore(url)
    await store.append(creation("T"))
    await store._execute("update version set version = 99")
    await store.close()
    older = PostgresStore(url)
    assert await head_of(older, "T") == 1
    await older._execute("update version set oldest = 98")
    await older.close()
    too_old = PostgresStore(url)
    with pytest.raises(Unsupported, match="newer Facedown"):
        await too_old.tables()
    await too_old.close()
