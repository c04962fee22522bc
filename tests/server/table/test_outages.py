"""Outages: given back to each table on its own, once, whenever the plug is pulled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Clock
from facedown.server.bus import Bus
from facedown.server.node import Node
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.values import Person
from facedown.server.table.facts import ServerOutage
from facedown.server.table.tables import Tables
from tests import postgresql
from tests.server.playing import entropy_of, order
from tests.server.store.steps import credit_outage
from tests.server.table.failing_store import FailingStore

pytestmark = pytest.mark.anyio

_TABLES = 6


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = open_store(f"sqlite:{tmp_path}" if request.param == "sqlite" else postgresql.clean_database())
    yield opened
    await opened.close()


async def begin(tables: Tables) -> str:
    """A game of E-Card whose clock runs."""
    table = await tables.create(order("ecard", clock=Clock("correspondence", days=1)), "person 1")
    for seat in (1, 2):
        commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
        await table.join(seat, Person(f"person {seat}", f"Name {seat}", 0), commit)
    return table.id


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("step", [1, 2, 4, 5, 9])
async def test_the_plug_is_pulled_between_tables(store: Store, step: int, saved: bool) -> None:
    failing = FailingStore(store, shared=store.shared)
    here = Tables(failing, Bus("one"))  # type: ignore[arg-type]
    await here.start()
    ids = [await begin(here) for _ in range(_TABLES)]
    deadlines = {each: (await here.get(each))._state.deadline for each in ids}
    ms = await credit_outage(store)
    failing.fail_at(step, lambda: StoreFailed("the plug is pulled"), after=saved, times=1000)
    with suppress(StoreFailed):
        await Node(failing, here.bus, here)._credit_loaded()  # type: ignore[arg-type]
    await here.stop()
    there = Tables(store, Bus("other"))
    await there.start()
    half = [await there.get(each) for each in ids[: _TABLES // 2]]  # the others stay unloaded
    more = await credit_outage(store)
    await Node(store, there.bus, there)._credit_loaded()
    for table in [*half, *[await there.get(each) for each in ids[_TABLES // 2 :]]]:
        await asyncio.gather(*(table.credit_owed() for _ in range(2)))
        given = [entry.fact.ms for entry in table._state.log if isinstance(entry.fact, ServerOutage)]
        assert sum(given) == ms + more
        assert table._state.deadline == (deadlines[table.id] or 0) + ms + more
    assert await store.owed_tables(ids) == []
    await there.stop()
