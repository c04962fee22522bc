"""Minds of the day in a store: one seal for each person and day, counted, settled once, and forgotten."""

from __future__ import annotations

import pytest

from facedown.server.store.base import Store
from facedown.server.store.minds import StoredMind, settled_name

pytestmark = pytest.mark.anyio

DAY, NEXT = "2026-11-18", "2026-11-19"


async def people(store: Store, *names: str) -> None:
    for each in names:
        await store.add_person(each, each, 5)


async def test_a_seal_can_be_changed_and_keeps_its_seat(any_store: Store) -> None:
    await people(any_store, "ann")
    minds = any_store.minds
    assert await minds.seal(DAY, "ann", 1, 4)
    assert await minds.seal(DAY, "ann", 2, 7), "changed, but on the seat of the first one"
    assert await minds.seal(NEXT, "ann", 2, 0)
    assert await minds.seals("ann") == [StoredMind(DAY, 1, 7), StoredMind(NEXT, 2, 0)]
    assert await minds.seals("ann", NEXT) == [StoredMind(NEXT, 2, 0)]
    assert [await minds.people(day) for day in (DAY, NEXT, "2026-11-20")] == [1, 1, 0]


async def test_people_are_counted_by_seat_and_chips(any_store: Store) -> None:
    await people(any_store, "ann", "bob", "cem", "dot")
    for person, seat, chips in (("ann", 1, 4), ("bob", 1, 4), ("cem", 1, 10), ("dot", 2, 4)):
        await any_store.minds.seal(DAY, person, seat, chips)
    assert await any_store.minds.counts(DAY) == {(1, 4): 2, (1, 10): 1, (2, 4): 1}
    assert await any_store.minds.counts(NEXT) == {}


async def test_a_settled_day_takes_no_more_chips_and_survives_erasure(any_store: Store) -> None:
    await people(any_store, "ann", "bob")
    minds = any_store.minds
    await minds.seal(DAY, "ann", 1, 4)
    assert await any_store.set_value_once(settled_name(DAY), b"first") == b"first"
    assert await any_store.set_value_once(settled_name(DAY), b"second") == b"first"
    assert not await minds.seal(DAY, "ann", 1, 5)
    assert not await minds.seal(DAY, "bob", 1, 5)
    await any_store.erase_person("ann", "gone")
    assert await minds.seals("ann") == []
    assert await any_store.get_value(settled_name(DAY)) == b"first"
    assert not await minds.seal(NEXT, "ann", 1, 5), "no one is there to seal"
