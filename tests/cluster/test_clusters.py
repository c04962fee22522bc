"""Two servers on two PostgreSQL clusters, for which two databases stand, one of which is away for a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.server.store.sharded.check import check_clusters
from facedown.server.store.sharded.layout import place_of
from tests import postgresql
from tests.cluster.history import anomalies, rows_of
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players, RovingPlayer

pytestmark = pytest.mark.anyio


async def test_a_cluster_that_is_away_stops_its_own_games_only(
    tmp_path: Path, cluster: postgresql.Cluster
) -> None:
    names = [f"two_clusters_{number}" for number in (1, 2)]
    for name in names:
        cluster.sql(f"create database {name}")
    url = " ".join(map(cluster.url, names))
    nodes = ServerNodes(tmp_path, url, 2).start()
    try:
        players = Players(nodes, 6, seed="two clusters", think=0.02)
        await players.come()
        while not all(_at(players, place) for place in (0, 1)):
            await players.play_on(20)

        cluster.sql(f"alter database {names[1]} allow_connections false")
        cluster.sql(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{names[1]}'")
        others = _at(players, 0)
        lost = [len(each.back) for each in others]
        await players.go_on(others)
        assert [len(each.back) for each in others] == lost
        assert all(nodes.is_ready(node) for node in nodes.up)

        cluster.sql(f"alter database {names[1]} allow_connections true")
        await players.everybody_goes_on()
        await players.go()
        assert anomalies(await rows_of(url, players.tables), players.logs) == []
        assert players.refusals <= {"store_failed"}
    finally:
        nodes.close()
    assert await check_clusters(url.split()) == []


def _at(players: Players, place: int) -> list[RovingPlayer]:
    return [each for each in players.all if not each.over and place_of(each.chair.table, 2) == place]
