"""Servers in groups: each keeps the time of some clusters, makes its new tables there, and is connected to
no other for long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from facedown.server.bus import LocalBus
from facedown.server.node import Node
from facedown.server.settings import BadSetting, Settings
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.postgresql import connections
from facedown.server.store.sharded.layout import place_of
from facedown.server.store.sharded.store import ShardedStore
from facedown.server.table.tables import Tables
from tests import postgresql
from tests.patience import PATIENCE
from tests.server.playing import order
from tests.server.store.steps import creation, step
from tests.server.store.test_sharded import AWAY, HOME, SecondDatabase, settle, urls

pytestmark = pytest.mark.anyio
THREE = "postgresql://a/x postgresql://b/x postgresql://c/x"


@pytest.fixture
async def both() -> AsyncIterator[tuple[ShardedStore, ShardedStore]]:
    """The stores of two servers, one for each cluster."""
    named = urls()
    first, second = ShardedStore(named, [0]), ShardedStore(named, [1])
    await first.time()
    yield first, second
    await second.close()
    await first.close()


def connected(store: Store) -> int:
    """How many connections there are to the database that stands for a cluster."""
    database = store.url.split()[0].partition("///")[2].partition("?")[0]
    theirs = f"datname = '{database}' and backend_type = 'client backend'"
    query = f"select count(*) from pg_stat_activity where {theirs}"
    return int(postgresql.of_this_run().sql(query))


async def until_connected(store: Store, count: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while connected(store) > count:
            await asyncio.sleep(0.05)


# --- the setting -----------------------------------------------------------------------------------------


def test_a_server_names_its_clusters_by_their_numbers() -> None:
    assert Settings.read({"store": THREE}, {}).serves == ()
    assert Settings.read({"store": THREE, "serves": "2,3"}, {}).serves == ("2", "3")
    assert Settings.read({"store": THREE}, {"FACEDOWN_SERVES": "1"}).serves == ("1",)


@pytest.mark.parametrize(("store", "wrong"), [(THREE, "4"), (THREE, "0"), (THREE, "two"), ("", "2")])
def test_a_cluster_that_is_not_there_is_refused(store: str, wrong: str) -> None:
    with pytest.raises(BadSetting, match="clusters of the store by number"):
        Settings.read({"store": store, "serves": wrong}, {})


# --- where what is done ----------------------------------------------------------------------------------


async def test_new_tables_are_made_in_the_clusters_of_the_server(
    both: tuple[ShardedStore, ShardedStore],
) -> None:
    for place, store in enumerate(both):
        tables = Tables(store, LocalBus())
        for _ in range(5):
            made = await tables.create(order("ecard"), "ann")
            assert place_of(made.id, 2) == place


async def test_while_its_clusters_are_away_they_are_made_elsewhere(
    both: tuple[ShardedStore, ShardedStore],
) -> None:
    store = both[1]
    await store.append(creation(AWAY))
    database = SecondDatabase()
    database.go_away()
    try:
        with pytest.raises(StoreFailed):
            await store.rows(AWAY)
        assert [store.takes(table) for table in (HOME, AWAY)] == [True, False]
    finally:
        database.come_back()


async def test_a_table_of_another_group_is_served_as_any_other(
    both: tuple[ShardedStore, ShardedStore],
) -> None:
    first, second = both
    await first.append(creation(AWAY))
    await second.append(step(AWAY, 1))
    assert await first.heads([AWAY]) == {AWAY: 2}
    async with asyncio.timeout(PATIENCE):
        while [each.id for each in await first.tables(state="open")] != [AWAY]:
            await settle(second)  # the other one may be doing it


async def test_the_time_of_a_cluster_is_kept_by_its_group_alone(
    both: tuple[ShardedStore, ShardedStore],
) -> None:
    first, second = both
    await second.append(creation(AWAY))
    nodes = [Node(store, LocalBus(), Tables(store, LocalBus())) for store in both]
    try:
        for node in nodes:
            await node.start()
        beaten = [{node for node, _ in await each.nodes()} for each in second.clusters]
        assert beaten == [{nodes[0].id, nodes[1].id}, {nodes[1].id}]
    finally:
        for node in nodes:
            await node.stop()
    assert first.served == first.clusters[:1]
    assert second.served == second.clusters


# --- connections -----------------------------------------------------------------------------------------


@pytest.fixture
async def unconnected() -> None:
    """Waits until PostgreSQL has ended the connections of earlier tests: they are closed a moment before."""
    store = ShardedStore(urls())
    for cluster in store.clusters:
        await until_connected(cluster, 0)
    await store.close()


def let_a_minute_pass(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the connections that are idle, as every minute, and soon again."""
    monkeypatch.setattr(connections, "IDLE_S", 0.1)
    for pool in (store._reads, store._writes):
        pool._close_unneeded()


@pytest.mark.usefixtures("unconnected")
async def test_a_server_is_not_connected_to_the_clusters_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    store = ShardedStore(urls(), [0])
    node = Node(store, LocalBus(), Tables(store, LocalBus()))
    other = store.clusters[1]
    try:
        await node.start()
        assert connected(other) == 0
        assert await store.rows(AWAY) == []  # a call about a table there
        assert connected(other) > 0
        let_a_minute_pass(other, monkeypatch)
        await until_connected(other, 0)
        assert connected(store) > 0, "its own, which are not counted yet"
    finally:
        await node.stop()
        await store.close()


@pytest.mark.usefixtures("unconnected")
async def test_connections_that_a_crowd_needed_are_closed_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    store = ShardedStore(urls())
    try:
        await asyncio.gather(*(store._select("select pg_sleep(0.1)") for _ in range(5)))
        assert connected(store) >= 5
        let_a_minute_pass(store, monkeypatch)
        async with asyncio.timeout(PATIENCE):
            while connected(store) > 1:  # one is in use again and again
                await store._select("select 1")
                await asyncio.sleep(0.02)
        assert await store.heads([HOME]) == {}
        assert not store.in_doubt, "nothing was lost with them"
    finally:
        await store.close()


@pytest.mark.usefixtures("unconnected")
async def test_a_server_has_no_more_connections_than_it_may() -> None:
    store = ShardedStore(urls(), most_connections=4)
    try:
        await asyncio.gather(
            *(store._select("select pg_sleep(0.02)") for _ in range(12)),
            *(store.set_value(f"value {number}", b"") for number in range(12)),
        )
        assert connected(store) == 4
        assert len(await store.values_of("value")) == 12
    finally:
        await store.close()
