"""A database for each test of several servers, and a NATS server for those that need one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests import postgresql
from tests.cluster.nats_server import NatsServer, nats_program
from tests.needs import without


@pytest.fixture(scope="module")
def cluster() -> postgresql.Cluster:
    return postgresql.of_this_run()


def database_name(request: pytest.FixtureRequest) -> str:
    """A name for the database of a test."""
    return re.sub(r"\W", "_", request.node.name)[:40].rstrip("_").lower()


@pytest.fixture
def store_url(cluster: postgresql.Cluster, request: pytest.FixtureRequest) -> str:
    return cluster.new_url(database_name(request))


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    pytest.importorskip("nats")
    program = nats_program()
    if program is None:
        without("there is no nats-server: the bus over NATS is not tested")
    server = NatsServer(program)
    server.start()
    yield server
    server.kill()
