from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.sqlite.store import SqliteStore
from tests import postgresql
from tests.server.store.sqlite_faults import FaultyConnection, FaultyWriter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "house"


@pytest.fixture
async def store(folder: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(folder)
    yield opened
    await opened.close()


@pytest.fixture
def faulty_writer(monkeypatch: pytest.MonkeyPatch) -> FaultyWriter:
    """The faults of all SQLite stores that are opened after this."""
    writer = FaultyWriter()
    connect = partial(sqlite3.connect, factory=partial(FaultyConnection, writer))
    monkeypatch.setattr(sqlite3, "connect", connect)
    return writer


@pytest.fixture(params=["sqlite", "postgresql"])
async def any_store(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Store]:
    """A store in one database, of each kind in turn."""
    opened = open_store(f"sqlite:{folder}" if request.param == "sqlite" else postgresql.clean_database())
    yield opened
    await opened.close()
