"""What people know of the house, in a store: only more is kept, and it goes and comes with the person."""

from __future__ import annotations

import pytest

from facedown.server.store.acquaintances import StoredAcquaintance
from facedown.server.store.base import Store

pytestmark = pytest.mark.anyio

PIP = StoredAcquaintance("ecard", "pip", 12, 2, 1, 20, "")


async def people(store: Store, *names: str) -> None:
    for each in names:
        await store.add_person(each, each, 5)


async def test_numbers_only_grow_and_a_found_tell_stays_found(any_store: Store) -> None:
    await people(any_store, "ann")
    rows = any_store.acquaintances
    await rows.note("ann", PIP)
    await rows.note("ann", PIP._replace(rounds=6, won=2, found="at_once"))
    await rows.note("ann", PIP._replace(rounds=24, asks=30))
    assert await rows.of("ann") == [StoredAcquaintance("ecard", "pip", 24, 2, 2, 30, "at_once")]
    await rows.note("nobody", PIP)
    assert await rows.of("nobody") == []
