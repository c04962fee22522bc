"""A database for each test of several servers."""

from __future__ import annotations

import re

import pytest

from tests import postgresql


@pytest.fixture(scope="module")
def cluster() -> postgresql.Cluster:
    return postgresql.of_this_run()


def database_name(request: pytest.FixtureRequest) -> str:
    """A name for the database of a test."""
    return re.sub(r"\W", "_", request.node.name)[:40].rstrip("_").lower()


@pytest.fixture
def store_url(cluster: postgresql.Cluster, request: pytest.FixtureRequest) -> str:
    return cluster.new_url(database_name(request))
