"""A PostgreSQL of the fault suite's own: it may be crashed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgresql


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def cluster() -> Iterator[postgresql.Cluster]:
    postgresql.programs()
    with tempfile.TemporaryDirectory(prefix="facedown-cluster-") as folder:
        os.chmod(folder, 0o755)
        made = postgresql.Cluster(Path(folder) / "postgresql").make().start()
        postgresql.end_with(os.getpid(), made)
        yield made
        made.stop()


@pytest.fixture
def store_url(cluster: postgresql.Cluster, request: pytest.FixtureRequest) -> str:
    name = request.node.name[:40].rstrip("_").lower()
    cluster.sql(f"create database {name}")
    return cluster.url(name)
