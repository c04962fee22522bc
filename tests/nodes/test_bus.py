"""The bus over a real PostgreSQL: hints arrive, and it comes back after its connection was cut."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from facedown.server.bus import Bus, open_bus
from tests import postgresql
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio
_CUT = """select count(pg_terminate_backend(pid)) from pg_stat_activity
    where application_name = 'facedown bus' and datname = current_database()"""


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def started(store_url: str, connected: list[None]) -> Bus:
    bus = open_bus(store_url)
    await bus.start(b"the secret of this store", lambda: connected.append(None))
    await until(lambda: bus.connected)
    return bus


async def test_hints_of_a_topic_arrive_while_it_is_followed(store_url: str) -> None:
    one, other = await started(store_url, []), await started(store_url, [])
    heard: list[tuple[str, int]] = []

    def note(topic: str) -> Callable[[int, str], None]:
        return lambda v, _: heard.append((topic, v))

    on_t = note("table/T")
    try:
        other.subscribe("table/T", on_t)
        one.publish("table/T", 1)
        await until(lambda: heard == [("table/T", 1)])
        other.subscribe("table/U", note("table/U"))
        other.unsubscribe("table/T", on_t)
        one.publish("table/T", 2)
        one.publish("table/U", 2)
        await until(lambda: heard[1:] == [("table/U", 2)])
    finally:
        await one.close()
        await other.close()


async def test_a_bus_comes_back_after_its_connection_was_cut(
    cluster: postgresql.Cluster, store_url: str
) -> None:
    ones: list[None] = []
    others: list[None] = []
    one, other = await started(store_url, ones), await started(store_url, others)
    heard: list[int] = []
    other.subscribe("table/T", lambda v, _: heard.append(v))
    try:
        await asyncio.to_thread(cluster.sql, _CUT, store_url.partition("///")[2].partition("?")[0])
        await until(lambda: (len(ones), len(others)) == (2, 2))  # then everything is swept at once
        one.publish("table/T", 10)
        await until(lambda: heard == [10])
    finally:
        await one.close()
        await other.close()
