"""PostgreSQL that fails: a crash under load, a standby that is away, one that takes over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from facedown.server.signing import Signing
from facedown.server.store.failures import CommandKnown, HeadMoved, StoreFailed, StoreFault
from facedown.server.store.outages import ADD_OUTAGE
from facedown.server.store.postgresql import connections, writer
from facedown.server.store.postgresql.store import PostgresStore
from facedown.server.store.values import Append, StoredResponse
from tests import postgresql
from tests.patience import PATIENCE
from tests.postgresql import Cluster
from tests.server.store.steps import OPEN, creation, credit_outage, head_of, row, step

pytestmark = pytest.mark.anyio

_WAITS_FOR_A_ROW = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"


@pytest.fixture(scope="module")
def folder_of_servers() -> Iterator[Path]:
    postgresql.programs()
    with tempfile.TemporaryDirectory(prefix="facedown-postgresql-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def cluster(folder_of_servers: Path) -> Iterator[Cluster]:
    """A cluster that may be broken."""
    own = folder_of_servers / "primary"
    own.parent.chmod(0o777)
    made_here = Cluster(own).make().start()
    postgresql.end_with(os.getpid(), made_here)
    yield made_here
    made_here.stop()


@pytest.fixture
async def store() -> AsyncIterator[PostgresStore]:
    opened = PostgresStore(postgresql.clean_database())
    yield opened
    await opened.close()


async def again(store: PostgresStore, table: str) -> int:
    """The head of a table, once the store can say it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(StoreFailed):
                return await head_of(store, table) or 0
            await asyncio.sleep(0.05)


async def test_a_crash_under_load_loses_nothing(cluster: Cluster) -> None:
    cluster.sql("create database load")
    store = PostgresStore(cluster.url("load"))
    acked: dict[tuple[str, int], bytes] = {}
    unsure: set[tuple[str, int]] = set()
    playing = True

    async def play(table: str) -> None:
        head = number = 0
        while playing:
            number += 1
            body = f"{table} {number}".encode()
            append = creation(table) if head == 0 else step(table, head, body=body)
            try:
                await store.append(append)
            except StoreFailed:
                unsure.add((table, head + 1))
                head = await again(store, table)
            else:
                head += 1
                acked[table, head] = append.rows[0].public

    async def reached(count: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(acked) < count:
                await asyncio.sleep(0.02)

    players = [asyncio.create_task(play(f"T{number}")) for number in range(25)]
    for _ in range(2):
        await reached(len(acked) + 200)
        await asyncio.to_thread(cluster.stop)
        with pytest.raises(StoreFailed):
            await store.tables()
        await asyncio.to_thread(cluster.start)
    await reached(len(acked) + 200)
    playing = False
    await asyncio.gather(*players)
    kept = {
        (table, each.v): each.public
        for table in (f"T{number}" for number in range(25))
        for each in await store.rows(table)
    }
    heads = await store.heads([f"T{number}" for number in range(25)])
    await store.close()
    assert acked.items() <= kept.items()
    assert set(kept) - set(acked) <= unsure  # what was saved though its answer was lost
    assert sum(heads.values()) == len(kept)
    assert store.stats.doubts >= 2


async def test_what_a_standby_does_not_have_is_neither_answered_nor_read(
    cluster: Cluster,
    folder_of_servers: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A commit that stops waiting for its standby is visible before it is safe: a failover would lose it."""
    standby = Cluster(folder_of_servers / "standby").copy_of(cluster, "standby").start()
    postgresql.end_with(os.getpid(), standby)
    cluster.sql("create database pair")
    both = cluster.url("pair").replace(str(cluster.folder), f"{cluster.folder},{standby.folder}")
    store = PostgresStore(both)
    try:
        await store.append(creation("T"))
        assert "asynchronous" in caplog.text
        cluster.sql("alter system set synchronous_standby_names = 'standby'")
        cluster.sql("select pg_reload_conf()")
        await store.append(step("T", 1, command="safe"))
        monkeypatch.setattr(connections, "DOUBT_S", 0.2)
        await asyncio.to_thread(standby.stop, "fast")

        cancelled = store.append(step("T", 2, command="cancelled"))
        await waits_for_standby(cluster, 1)
        cluster.sql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
        with pytest.raises(StoreFailed):  # it was committed, but is not safe
            await cancelled
        assert visible(cluster) == "3"
        with pytest.raises(StoreFailed, match="standby"):
            await store.rows("T")

        await asyncio.to_thread(standby.start)
        assert await again(store, "T") == 3  # the standby has it: now it may be read

        await asyncio.to_thread(standby.stop, "fast")
        lost = store.append(step("T", 3, command="lost"))
        await waits_for_standby(cluster, 1)
        cluster.sql("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
        with pytest.raises(StoreFailed):
            await lost
        assert visible(cluster) == "4"
        with pytest.raises(StoreFailed):
            await store.rows("T")
        assert store.epoch == 0
        await asyncio.to_thread(cluster.stop)
        await asyncio.to_thread(standby.start)
        await asyncio.to_thread(standby.promote)
        standby.sql("alter system set synchronous_standby_names = ''")
        standby.sql("select pg_reload_conf()")

        assert await again(store, "T") == 3  # the lost append was neither answered nor read
        assert [each.command for each in await store.rows("T")] == ["", "safe", "cancelled"]
        assert store.epoch == 1
        await store.append(step("T", 3, command="after"))
    finally:
        await store.close()
        standby.stop()
        cluster.start()


async def waits_for_standby(cluster: Cluster, many: int) -> None:
    count = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"
    async with asyncio.timeout(PATIENCE):
        while int(await asyncio.to_thread(cluster.sql, count)) < many:
            await asyncio.sleep(0.02)


def visible(cluster: Cluster) -> str:
    """The number of events that are visible, safe or not."""
    return cluster.sql("select count(*) from facedown.events", "pair")


async def test_no_append_is_answered_before_its_commit(store: PostgresStore) -> None:
    await asyncio.gather(store.append(creation("T")), store.append(creation("U")))
    frozen = await store.connect()
    try:
        async with frozen.transaction():
            await frozen.execute("update tables set head = head where id = 'T'")
            appends = [store.append(step(table, 1)) for table in ("T", "U")]
            async with asyncio.timeout(PATIENCE):
                while not (await store._select(_WAITS_FOR_A_ROW))[0][0]:
                    await asyncio.sleep(0.01)
            assert not any(each.done() for each in appends)
            assert await store.heads(["T", "U"]) == {"T": 1, "U": 1}
        await asyncio.gather(*appends)
        assert await store.heads(["T", "U"]) == {"T": 2, "U": 2}
    finally:
        await store.release(frozen)


async def test_appends_after_a_commit_wait_for_a_few_others(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [f"T{number}" for number in range(writer.ENOUGH + 1)]
    await asyncio.gather(*(store.append(creation(table)) for table in tables))
    await store.append(step(tables[0], 1))  # after a rest: at once
    monkeypatch.setattr(writer, "PAUSE_S", 1000 * PATIENCE)
    await store.append(step(tables[0], 2))
    commits = store.stats.commits
    appends: list[asyncio.Future[None]] = []
    for table in tables[1:]:
        assert not any(each.done() for each in appends)
        appends.append(store.append(step(table, 1)))
        await asyncio.sleep(0.01)
    await asyncio.gather(*appends)
    assert store.stats.commits == commits + 1
    last = store.append(step(tables[0], 3))
    await asyncio.sleep(0.01)
    assert not last.done()
    await store.close()  # saves what waits, and waits for nothing more
    assert last.done()
    assert last.exception() is None


async def test_one_bad_append_does_not_fail_the_others(store: PostgresStore) -> None:
    answer = StoredResponse("host", "key", b"made")
    await store.append(creation("T")._replace(response=answer))
    bad_type = Append("B", 0, (row(1, public={"not": "bytes"}),), None, OPEN)  # type: ignore[arg-type]
    too_large = Append("L", 0, (row(1)._replace(at=1 << 80),), None, OPEN)
    no_text = creation("Z")._replace(invite="a\x00b")
    outcomes = await asyncio.gather(
        store.append(creation("A")),
        store.append(bad_type),
        store.append(step("T", 7)),
        store.append(too_large),
        store.append(no_text),
        store.append(creation("K")._replace(response=answer)),
        store.append(creation("Y")),
        return_exceptions=True,
    )
    assert [type(each) for each in outcomes] == [
        *(type(None), StoreFault, HeadMoved, StoreFault, StoreFault, CommandKnown),
        type(None),
    ]
    assert await store.heads(list("ABTLZKY")) == {"A": 1, "T": 1, "Y": 1}
    assert await store.table_of_invite("a\x00b") is None


async def test_a_server_that_hangs_in_its_heartbeat_does_not_block_others(store: PostgresStore) -> None:
    for name in ("one", "two"):
        await store.beat(name, 0, 60_000)
    frozen = await store.connect()
    try:
        async with frozen.transaction():
            await frozen.execute("update nodes set seen_at = seen_at where node = 'one'")
            assert await asyncio.wait_for(store.beat("two", 0, 60_000), PATIENCE) == 0
    finally:
        await store.release(frozen)


async def test_an_outage_waits_for_no_append_and_no_append_for_it(store: PostgresStore) -> None:
    for table in ("T", "U"):
        await store.append(creation(table)._replace(deadline=1 << 50))
    frozen = await store.connect()
    try:
        async with frozen.transaction():
            await frozen.execute("update tables set head = head where id = 'T'")
            ms = await asyncio.wait_for(credit_outage(store), PATIENCE)
            assert await store.outage_of("T") == ms > 0
        async with frozen.transaction():  # another server records one, and stands still
            await frozen.execute("lock table nodes in exclusive mode")
            await frozen.execute(ADD_OUTAGE, 5)
            await asyncio.wait_for(store.append(step("U", 1, deadline=1 << 50)), PATIENCE)
        assert await store.outage_of("U") == ms + 5
    finally:
        await store.release(frozen)


async def test_a_clock_that_is_set_back_goes_on_from_the_last_heartbeat(store: PostgresStore) -> None:
    """A step back of the database's clock, as its servers meet it: their heartbeats are in the future."""
    hour, began = 3_600_000, await store.time()
    for name in ("one", "two"):
        await store.beat(name, 0, 3000)
    await store.append(creation("T")._replace(deadline=began + hour))
    await store._execute("update nodes set seen_at = seen_at + $1", hour)
    assert await store.time() >= began + hour  # right away, before any server has beaten
    assert await store.claim_due(0, 0, 9, 3000) == []
    assert await store.beat("two", 0, 3000) == 0
    assert await store.beat("one", 0, 3000) == 0
    assert 0 <= await store.time() - began - hour < hour
    assert await store.outage_of("T") == 0
    assert await store.claim_due(0, 0, 9, 3000) == ["T"]

    await store._execute("update nodes set seen_at = seen_at - $1", hour)  # the clock is set right again
    assert await store.beat("two", 0, 3000) == 0
    assert abs(await store.time() - began) < hour / 2
    await store._execute("update nodes set seen_at = seen_at + $1", 100 * 24 * hour)  # it was ahead by months
    assert await store.beat("one", 0, 3000) == await store.beat("two", 0, 3000) == 0
    assert abs(await store.time() - began) < hour / 2


async def test_a_key_that_one_server_changed_is_known_to_the_others(store: PostgresStore) -> None:
    one, two = Signing(store, "https://play.example"), Signing(store, "https://play.example")
    for each in (one, two):
        await each.load()
    changed = await one.change_key(1)
    assert two.sign_head(changed.key, "T", 0, bytes(32)) == ""
    await two.follow(changed.key)
    assert two.published() == changed
    assert (
        two.sign_head(changed.key, "T", 0, bytes(32)) == one.sign_head(changed.key, "T", 0, bytes(32)) != ""
    )


async def test_servers_that_start_together_make_the_schema_once() -> None:
    url = postgresql.clean_database("together")
    stores = [PostgresStore(url) for _ in range(4)]
    try:
        await asyncio.gather(*(each.append(creation(f"T{n}")) for n, each in enumerate(stores)))
        assert [each.head for each in await stores[0].tables()] == [1, 1, 1, 1]
        with pytest.raises(StoreFailed, match="never changed"):
            await stores[0]._execute("update events set kind = 'x'")
        with pytest.raises(StoreFailed, match="never deleted"):
            await stores[0]._execute("delete from events")
    finally:
        for each in stores:
            await each.close()


async def test_a_missing_database_is_reported_without_the_password() -> None:
    store = PostgresStore("postgresql://player:secret@127.0.0.1:1/none")
    with pytest.raises(StoreFailed, match="cannot be reached") as failed:
        await store.tables()
    assert "secret" not in str(failed.value)
    with pytest.raises(StoreFailed):
        await store.append(creation("T"))
    await store.close()
