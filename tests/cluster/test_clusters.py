"""Two servers on two PostgreSQL clusters, for which two databases stand, one of which is away for a while."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from facedown.server.store.sharded.check import check_clusters
from facedown.server.store.sharded.layout import place_of
from facedown.server.store.values import EventRow
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


async def test_a_group_that_is_gone_leaves_its_tables_to_the_others(
    tmp_path: Path, cluster: postgresql.Cluster
) -> None:
    names = [f"two_groups_{number}" for number in (1, 2)]
    for name in names:
        cluster.sql(f"create database {name}")
    url = " ".join(map(cluster.url, names))
    nodes = ServerNodes(tmp_path / "first", url, 1, FACEDOWN_SERVES="1")
    nodes.all += ServerNodes(tmp_path / "second", url, 1, FACEDOWN_SERVES="2").all
    nodes.start()
    try:
        clock = {"kind": "decision", "seconds": 12, "bank": 0}
        players = Players(nodes, 6, seed="two groups", think=0.02, clock=clock)
        await players.come()
        while not all(_at(players, place) for place in (0, 1)):
            await players.play_on(20)

        nodes.kill(nodes.all[1])
        await players.everybody_goes_on()  # at the other one, which serves another cluster
        await asyncio.sleep(12)  # no clock of the second cluster runs: that is an outage
        nodes.rise(nodes.all[1])
        await players.go()
        rows = await rows_of(url, players.tables)
        assert anomalies(rows, players.logs) == []
        assert not _flags(rows), "flags of players who played"
    finally:
        nodes.close()
    assert await check_clusters(url.split()) == []


def _flags(rows: dict[str, list[EventRow]]) -> int:
    sealed = [row for found in rows.values() for row in found if row.kind == "sealed"]
    return sum(bool(json.loads(row.public).get("flag")) for row in sealed)


def _at(players: Players, place: int) -> list[RovingPlayer]:
    return [each for each in players.all if not each.over and place_of(each.chair.table, 2) == place]
