"""Appends and what is read back: in order, once, at the right head, and many in one commit."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3

import pytest

from facedown.server.store.failures import HeadMoved, StoreFault
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Append, ForgetBefore
from tests.server.store.steps import OPEN, creation, head_of, row, step

pytestmark = pytest.mark.anyio


async def test_what_follows_a_refused_step_is_refused_too(store: SqliteStore) -> None:
    await store.append(creation("T", 2))
    waiting = [store.append(step("T", 1)), store.append(step("T", 3)), store.append(creation("U"))]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [HeadMoved, HeadMoved, type(None)]
    assert await head_of(store, "T") == 2
    assert await head_of(store, "U") == 1


async def test_writes_of_one_round_of_the_loop_share_a_commit(store: SqliteStore) -> None:
    await store.append(creation("T"))
    before = store.stats.commits
    waiting = [store.append(step("T", head)) for head in range(1, 9)]
    waiting += [store.append(creation(f"U{number}")) for number in range(9)]
    await asyncio.gather(*waiting)
    assert store.stats.commits - before == 1


async def test_the_number_of_a_table_that_was_rolled_back_is_not_remembered(store: SqliteStore) -> None:
    for bad in (creation("T"), step("nowhere", 1)):  # T is created, and rolled back with the other
        waiting = [store.append(creation("A")), store.append(creation("T")), store.append(bad)]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(outcomes[-1], HeadMoved)
    await store.append(creation("B"))
    for table in "ATB":
        await store.append(step(table, 1, body=table.encode()))
        assert [each.public for each in await store.rows(table)] == [b"{}", table.encode()]


async def test_a_number_is_never_used_for_another_table(store: SqliteStore) -> None:
    closed = dataclasses.replace(OPEN, state="closed")
    await store.append(creation("GONE")._replace(summary=closed))
    done = await store.forget(ForgetBefore(expired=0, unused=0, guests=0, answers=0, empty=2000))
    assert done.tables == 1
    await store.append(creation("NEW"))
    with pytest.raises(HeadMoved):
        await store.append(step("GONE", 1))
    assert await head_of(store, "NEW") == 1


async def test_a_group_of_any_size_is_saved_whole(store: SqliteStore) -> None:
    for size in (1, 2, 3, 255, 257, 600):
        waiting = [store.append(creation(f"{size}/{number}")) for number in range(size)]
        await asyncio.gather(*waiting)
        waiting = [store.append(step(f"{size}/{number}", 1)) for number in range(size)]
        await asyncio.gather(*waiting)
        for number in range(size):
            assert [each.v for each in await store.rows(f"{size}/{number}")] == [1, 2]


async def test_one_bad_job_does_not_fail_the_others(store: SqliteStore) -> None:
    await store.append(creation("T"))
    bad_type = Append("B", 0, (row(1, public={"not": "bytes"}),), None, OPEN)  # type: ignore[arg-type]
    too_large = Append("L", 0, (row(1)._replace(at=1 << 80),), None, OPEN)

    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("insert into notes values ('half', 'done')")
        connection.execute("insert into no_such_table values (1)")

    waiting = [
        store.append(creation("A")),
        store.append(bad_type),
        store.append(step("T", 7)),
        store.write(broken),
        store.append(too_large),
        store.append(Append("S", 0, (row(1),), None)),  # made without a summary
        store.append(creation("Z")),
    ]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [
        *(type(None), StoreFault, HeadMoved, StoreFault, StoreFault, StoreFault),
        type(None),
    ]
    assert [await head_of(store, table) for table in "ABLSTZ"] == [1, None, None, None, 1, 1]
    assert await store.get_value("half") is None
    assert store.stats.failed == 4, "a head that has moved is no failure"
