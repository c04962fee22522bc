"""What holds for one store has to hold on the other."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests import postgresql
from tests.few import few
from tests.server.running import ON_POSTGRESQL

_STORES: Final = ("postgresql",) if ON_POSTGRESQL else ("sqlite", "postgresql")


@pytest.fixture(params=few(_STORES, 1))
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store: on SQLite, and with THOROUGH=1 on PostgreSQL as well."""
    return _empty_store(request.param, tmp_path)


@pytest.fixture(params=_STORES)
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same for what every store has to show in every run."""
    return _empty_store(request.param, tmp_path)


def _empty_store(kind: str, folder: Path) -> str:
    return f"sqlite:{folder}/data" if kind == "sqlite" else postgresql.clean_database("tables")
