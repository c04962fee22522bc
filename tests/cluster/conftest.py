"""A database for each test of several servers."""

from __future__ import annotations

import pytest

from tests import postgresql


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def cluster() -> postgresql.Cluster:
    return postgresql.of_this_run()


@pytest.fixture
def store_url(cluster: postgresql.Cluster, request: pytest.FixtureRequest) -> str:
    name = request.node.name[:40].rstrip("_").lower()
    cluster.sql(f"create database {name}")
    return cluster.url(name)
