from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from facedown.server.store.sqlite import SqliteStore


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "house"


@pytest.fixture
async def store(folder: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(folder)
    yield opened
    await opened.close()
