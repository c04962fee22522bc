"""Packed games in both stores: the same events, records and verdicts as before, one row instead of many."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import sqlite3
from pathlib import Path

import pytest

import facedown
from facedown.core.record import Record
from facedown.protocol.messages import Cmd
from facedown.server.bus import LocalBus
from facedown.server.clock import DAY_MS, now
from facedown.server.forgetting import Forgetting
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.packed import DamagedGame
from facedown.server.store.postgresql.check import check_postgresql
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Append, EventRow, ForgetBefore
from facedown.server.table.record import finished_record
from facedown.server.table.state import fold_rows
from facedown.server.table.tables import Tables
from tests import postgresql
from tests.server.playing import Bench, order
from tests.server.store.steps import OVER, creation, end_game, step

pytestmark = pytest.mark.anyio

LATE = 10**15
"""After the end of every game."""


async def pack(store: Store, before: int, limit: int) -> int:
    """Pack games in each cluster; how many they were."""
    return sum([await each.packed.pack(before, limit) for each in store.clusters])


async def play(store: Store, game: str, seats: int, rules: str = "") -> Bench:
    """A whole game between people, each with a name and a word, as servers save it."""
    bench = Bench(order(game, seats, rules))
    bench.begin()
    bench.act(1, Cmd("hello", "say", text="hello"))
    bench.play_out(random.Random(seats))
    for tx in bench.transactions:
        await store.append(tx.to_append())
    bench.transactions.clear()
    return bench


async def say(store: Store, bench: Bench, text: str) -> None:
    bench.act(2, Cmd(text, "say", text=text))
    await store.append(bench.transactions.pop().to_append())


async def problems(store: Store) -> list[str]:
    return check(store.folder) if isinstance(store, SqliteStore) else await check_postgresql(store.url)


async def unpacked(store: Store, table: str) -> list[int]:
    """The events of a table that have a row of their own."""
    query = "select v from events where table_no = (select no from tables where id = $1) order by v"
    return [v for (v,) in await store._select(query, table)]


def record_of(table: str, rows: list[EventRow]) -> Record:
    return finished_record(fold_rows(table, rows))


@pytest.mark.parametrize(("game", "seats"), [("ecard", 2), ("davenport", 4)])
async def test_a_packed_game_is_the_same_game(any_store: Store, game: str, seats: int) -> None:
    bench = await play(any_store, game, seats)
    table, people = bench.table, [f"person {seat}" for seat in range(1, seats + 1)]
    before = await any_store.rows(table)
    texts = [await any_store.texts_of(person) for person in people]
    head = bench.state.head

    assert await pack(any_store, LATE, 8) == 1
    assert await pack(any_store, LATE, 8) == 0

    assert await unpacked(any_store, table) == []
    assert await any_store.rows(table) == before
    for after in (0, 1, head // 2, head - 1, head):
        assert await any_store.rows(table, after) == before[after:]
    assert [await any_store.texts_of(person) for person in people] == texts
    assert all(any(each.text == "hello" for each in found) == (n == 0) for n, found in enumerate(texts))
    record = record_of(table, await any_store.rows(table))
    assert record == record_of(table, before)
    found = facedown.verify(record)
    assert ("links", True) in [(each.check, each.holds) for each in found]
    assert not any(each.holds is False for each in found)
    assert await problems(any_store) == []


async def test_what_is_said_after_packing_comes_after_the_packed_events(one_store: Store) -> None:
    bench = await play(one_store, "ecard", 2, "decisive")
    await one_store.packed.pack(LATE, 8)
    head = bench.state.head
    before = await one_store.rows(bench.table)

    await say(one_store, bench, "good game")

    assert await unpacked(one_store, bench.table) == [head + 1]
    rows = await one_store.rows(bench.table)
    assert (rows[:-1], rows[-1].kind, rows[-1].texts[-1].text) == (before, "said", "good game")
    assert await one_store.rows(bench.table, head) == rows[-1:]
    assert await one_store.rows(bench.table, head - 1) == rows[-2:]
    table = await Tables(one_store, LocalBus()).get(bench.table)
    assert (table.phase, table.inbox.table_state.head) == ("over", bench.state.head)
    assert await problems(one_store) == []


async def test_erasing_a_person_erases_their_texts_of_packed_games(any_store: Store) -> None:
    bench = await play(any_store, "ecard", 2, "decisive")
    for person in ("person 1", "person 2"):
        await any_store.add_person(person, person, 5)
    await pack(any_store, LATE, 8)

    assert await any_store.erase_person("person 1", "gone") == [bench.table]

    texts = [each for row in await any_store.rows(bench.table) for each in row.texts]
    assert {each.text for each in texts if each.person == "person 1"} == {"gone", "…"}
    assert "Name 2" in {each.text for each in texts}
    assert record_of(bench.table, await any_store.rows(bench.table)).seats == ("gone", "Name 2")


async def test_only_games_that_ended_before_are_packed_oldest_first(one_store: Store) -> None:
    for at, table in enumerate("ABC", 51):
        await end_game(one_store, table, at=at)
    await one_store.append(creation("open", rows=3))

    assert [await one_store.packed.pack(52, 1) for _ in range(3)] == [1, 1, 0]

    left = {table: await unpacked(one_store, table) for table in ("A", "B", "C", "open")}
    assert left == {"A": [], "B": [], "C": [1, 2], "open": [1, 2, 3]}


async def test_events_are_deleted_only_when_they_are_packed(one_store: Store) -> None:
    for table in "AB":
        await end_game(one_store, table)
    await one_store.packed.pack(LATE, 1)
    await one_store.append(step("A", 2))

    for table, of in (("events", "A"), ("events", "B"), ("packed_games", "A")):
        where = "where table_no = (select no from tables where id = $1)"
        with pytest.raises(StoreFailed, match="never deleted"):
            await one_store._execute(f"delete from {table} {where}", of)
    with pytest.raises(StoreFailed, match="never changed"):
        await one_store._execute("update packed_games set head = 9")
    assert len(await one_store.rows("A")) == 3
    assert len(await one_store.rows("B")) == 2


async def test_damaged_events_are_left_as_they_are(one_store: Store) -> None:
    await end_game(one_store, "gap")
    await one_store._execute(
        """insert into events (table_no, v, kind, at, seat, command, spent, public, secret, digest)
        select no, 9, 'said', 1, 0, '', 0, $1, $1, $1 from tables where id = 'gap'""",
        b"",
    )

    assert [await one_store.packed.pack(LATE, 8) for _ in range(2)] == [1, 0]

    assert await unpacked(one_store, "gap") == [1, 2, 9]
    assert len(await problems(one_store)) == 1


async def test_a_packed_game_that_is_damaged_is_reported_and_not_closed(folder: Path) -> None:
    store = open_store(f"sqlite:{folder}")
    bench = await play(store, "ecard", 2, "decisive")
    await store.packed.pack(LATE, 8)
    await store.close()
    with sqlite3.connect(folder / DATABASE) as database:
        database.execute("drop trigger packed_games_are_never_changed")
        database.execute("update packed_games set body = substr(body, 1, 100)")
    database.close()

    store = open_store(f"sqlite:{folder}")
    with pytest.raises(DamagedGame):
        await Tables(store, LocalBus()).get(bench.table)
    assert await problems(store) == [f"the packed events of table {bench.table} cannot be read"]
    found = await store.listed(bench.table)
    assert found is not None
    assert found.summary.state == "over"
    await store.close()


async def test_a_closed_table_with_a_packed_game_is_not_forgotten(any_store: Store) -> None:
    await end_game(any_store, "A")
    await pack(any_store, LATE, 8)
    await any_store.append(Append("A", 2, (), None, dataclasses.replace(OVER, state="closed")))

    await any_store.forget(ForgetBefore(0, 0, 0, 0, LATE))

    assert len(await any_store.rows("A")) == 2


async def test_two_servers_pack_each_game_once_while_people_go_on_talking() -> None:
    url = postgresql.clean_database()
    one, other = open_store(url), open_store(url)
    tables = [f"T{number}" for number in range(30)]
    for table in tables:
        await end_game(one, table)

    async def pack_all(store: Store) -> int:
        games = 0
        while count := await store.packed.pack(LATE, 2):
            games += count
        return games

    async def talk() -> None:
        for table in tables:
            await one.append(step(table, 2))

    first, second, _ = await asyncio.gather(pack_all(one), pack_all(other), talk())

    assert first + second == len(tables)
    for table in tables:
        assert [row.v for row in await other.rows(table)] == [1, 2, 3]
    assert await problems(one) == []
    await asyncio.gather(one.close(), other.close())


async def test_the_daily_sweep_packs_after_the_days_that_the_operator_sets(one_store: Store) -> None:
    await end_game(one_store, "old", at=now() - 31 * DAY_MS)
    await end_game(one_store, "new", at=now() - 29 * DAY_MS)
    tables = Tables(one_store, LocalBus())

    await Forgetting(one_store, tables).sweep()
    assert await unpacked(one_store, "old") == [1, 2]
    await Forgetting(one_store, tables, pack_days=30).sweep()

    assert (await unpacked(one_store, "old"), await unpacked(one_store, "new")) == ([], [1, 2])
