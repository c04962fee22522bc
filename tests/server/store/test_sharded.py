"""A store over two clusters, for which two databases of one PostgreSQL stand: what crosses from one to the
other, with the plug pulled in between, and a cluster that is away."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import count as count_from
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest

from facedown.core.chance import entropy_commitment
from facedown.core.errors import Unsupported
from facedown.core.merkle import leaf_hash
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import NewTicket
from facedown.server.accounts.crowds import CountedGames
from facedown.server.bus import LocalBus, open_bus
from facedown.server.node import Node
from facedown.server.pairing import Pairing
from facedown.server.settings import Settings
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.crowds import UncountedGame
from facedown.server.store.failures import CommandKnown, HeadMoved, StoreFailed
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.sharded import divide as divide_module
from facedown.server.store.sharded import home
from facedown.server.store.sharded.check import check_clusters
from facedown.server.store.sharded.cluster import LogEnd, TableCluster
from facedown.server.store.sharded.divide import divide, unite
from facedown.server.store.sharded.layout import Layout, WrongLayout, place_of
from facedown.server.store.sharded.store import ShardedStore, settle_clusters
from facedown.server.store.tickets import Ticket
from facedown.server.store.values import (
    REMATCH,
    Append,
    Notice,
    Person,
    PersonalText,
    SeatHolder,
    StoredResponse,
)
from facedown.server.table.inbox import TableInbox
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from tests import postgresql
from tests.cli.command import failed_in_one_sentence, run, run_here
from tests.patience import PATIENCE
from tests.server.playing import order
from tests.server.store.steps import OVER, creation, row, step
from tests.server.store.test_postgresql_faults import STEP, BreakingConnections
from tests.server.table.test_two_servers import ReceivingListener
from tests.server.tournaments.test_service import Place

pytestmark = pytest.mark.anyio

HOME, AWAY = "T7", "T8"
"""Tables of the first and of the second cluster."""


def urls() -> list[str]:
    return [postgresql.clean_database(), postgresql.clean_database("second")]


@pytest.fixture
async def store() -> AsyncIterator[ShardedStore]:
    opened = ShardedStore(urls())
    yield opened
    await opened.close()


@pytest.fixture
def second() -> Iterator[SecondDatabase]:
    found = SecondDatabase()
    yield found
    found.come_back()


class SecondDatabase:
    """The database that stands for the second cluster, which can be away."""

    def __init__(self) -> None:
        self._name = postgresql.clean_database("second").partition("///")[2].partition("?")[0]
        self._cluster = postgresql.of_this_run()

    def go_away(self) -> None:
        self._cluster.sql(f"alter database {self._name} allow_connections false")
        ends = f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{self._name}'"
        self._cluster.sql(ends)

    def come_back(self) -> None:
        self._cluster.sql(f"alter database {self._name} allow_connections true")


async def settle(store: ShardedStore) -> None:
    for each in store.clusters[1:]:
        await store.settle(each)


async def time_of(cluster: Store) -> None:
    await cluster._select("select 1")


async def count(store: Any, table: str) -> int:
    ((found,),) = await store._select(f"select count(*) from {table}")
    return int(found)


def test_the_places_of_tables_never_change() -> None:
    assert [place_of(table, 2) for table in (HOME, AWAY)] == [0, 1]
    assert [place_of(f"T{number}", 3) for number in range(8)] == [1, 2, 0, 2, 0, 2, 0, 2]


# --- the setting -----------------------------------------------------------------------------------------


def test_clusters_are_named_one_after_the_other() -> None:
    both = "postgresql://a/cards postgresql://b,c/cards"
    assert Settings.read({"store": ["postgresql://a/cards", "postgresql://b,c/cards"]}, {}).store_url == both
    settings = Settings.read({}, {"FACEDOWN_STORE": both})
    assert settings.store_url == both
    assert settings.is_shared
    secret = Settings.read({"store": "postgresql://me:one@a/x postgresql://me:two@b/x"}, {}).printable()
    assert secret["store"] == "postgresql://…@a/x postgresql://…@b/x"


@pytest.mark.parametrize("wrong", ["postgresql://a/x sqlite:games", "postgresql://a/x postgresql://a/x"])
def test_clusters_are_different_and_all_of_postgresql(wrong: str) -> None:
    with pytest.raises(Unsupported):
        open_store(wrong)


async def test_another_layout_is_refused() -> None:
    first, second = urls()
    store = ShardedStore([first, second])
    await store.append(creation(AWAY))
    await store.time()
    await store.close()

    for wrong in ([second, first], [first], [second], [first, postgresql.clean_database("third")]):
        other = open_store(" ".join(wrong))
        found = await asyncio.gather(*map(time_of, other.clusters), return_exceptions=True)
        assert "wrong_layout" in {getattr(each, "code", "") for each in found}
        await other.close()
    again = open_store(f"{first} {second}")
    assert len(await again.rows(AWAY)) == 1
    await again.close()


async def test_a_first_start_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    both, write = urls(), Layout._write

    async def pulled(layout: Layout, connection: asyncpg.Connection, number: int) -> bytes:
        written = await write(layout, connection, number)
        if number:
            raise StoreFailed("the plug is pulled")
        return written

    store = ShardedStore(both)
    with monkeypatch.context() as patch:
        patch.setattr(Layout, "_write", pulled)
        with pytest.raises(StoreFailed):
            await store.rows(AWAY)
    await store.close()
    store = ShardedStore(both)
    assert await store.rows(AWAY) == []
    await store.close()


async def test_a_store_of_one_database_does_not_become_one_of_two() -> None:
    first, second = urls()
    one = open_store(first)
    await one.append(creation(AWAY))
    await one.close()

    store = ShardedStore([first, second])
    with pytest.raises(WrongLayout, match="store move"):
        await store.rows(AWAY)
    await store.close()
    one = open_store(first)
    assert len(await one.rows(AWAY)) == 1
    await one.close()


# --- where things are ------------------------------------------------------------------------------------


async def test_tables_are_divided_and_picks_write_to_one_cluster_only(store: ShardedStore) -> None:
    for table in (HOME, AWAY):
        await store.append(creation(table))
    await settle(store)
    commits = store.stats.commits
    await store.append(step(AWAY, 1, deadline=9))
    assert store.stats.commits == commits + 1
    assert [await count(each, "events") for each in store.clusters] == [1, 2]
    assert await store.heads([HOME, AWAY]) == {HOME: 1, AWAY: 2}
    assert {each.id for each in await store.tables(state="open")} == {HOME, AWAY}


async def test_a_persons_own_tables_are_shown_as_they_are_now(store: ShardedStore) -> None:
    await store.append(creation(AWAY)._replace(seats=(SeatHolder(2, "ann", b"token"),)))
    await settle(store)
    await store.append(step(AWAY, 1, deadline=77))
    (own,) = await store.tables(person="ann")
    assert (own.head, own.deadline, own.seats) == (2, 77, (2,))
    assert await store.seat_of(AWAY, b"token") == (2, "ann")
    assert await count(store, "seats where token <> ''") == 0  # tokens stay where the table is


async def test_a_repeated_request_meets_its_first_answer(store: ShardedStore) -> None:
    names = [f"T{number}" for number in range(50)]
    table = next(name for name in names if store.is_beside(name, "ann", "key"))
    answer = StoredResponse("ann", "key", table.encode())
    await store.append(creation(table)._replace(response=answer))
    assert await store.stored_response("ann", "key") == answer
    assert all(store.is_beside(name, name, REMATCH) for name in names)  # a rematch stays where it was
    other = next(name for name in reversed(names) if store.is_beside(name, "ann", "key"))
    with pytest.raises(CommandKnown):
        await store.append(creation(other)._replace(response=answer))


async def test_each_cluster_carries_the_hints_about_its_tables(store: ShardedStore) -> None:
    one, two = (open_bus("store:", store.url) for _ in range(2))
    heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()

    def hear(topic: str, number: int, _node: str) -> None:
        heard.put_nowait((topic, number))

    topics = (f"table/{HOME}", f"table/{AWAY}", "relations")
    for topic in topics:
        two.subscribe(topic, partial(hear, topic))
    ready = asyncio.Semaphore(0)
    for each in (one, two):
        await each.start(b"secret", ready.release)
    for _ in range(4):
        await ready.acquire()
    assert one.connected
    for number, topic in enumerate(topics):
        one.publish(topic, number)
    assert {await heard.get() for _ in topics} == {(topic, number) for number, topic in enumerate(topics)}
    for each in (one, two):
        await each.close()


# --- what crosses, with the plug pulled ------------------------------------------------------------------


def waits(person: str) -> Ticket:
    return Ticket(person, person, "pool", 2, 2, 1500, 100)


def table_for(name: str) -> Append:
    return creation(name)._replace(log_entries=(name.encode(),))


async def pair(store: Store, table: str) -> str:
    """Pair two people at a table of this name; the table that the second one receives."""
    for person in ("ann", "bob"):
        await store.add_person(person, person, 5)
    for person in ("ann", "bob"):
        state = await store.put_ticket(
            waits(person), lambda own, others, *_: [own, *others], lambda _: table_for(table)
        )
    return state.table


async def test_a_paired_table_is_made_though_the_plug_is_pulled(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def pulled(*_: object) -> None:
        raise StoreFailed("the plug is pulled")

    with monkeypatch.context() as patch:
        patch.setattr(TableCluster, "run_errand", pulled)
        assert await pair(store, AWAY) == AWAY
        assert await count(store.clusters[1], "events") == 0
    other = ShardedStore(store.url.split())
    assert len(await other.rows(AWAY)) == 1  # another server gets a request for it before anyone settles
    await settle(other)
    assert await count(store, "errands") == 0
    await store.append(step(AWAY, 1))
    assert len(await other.rows(AWAY)) == 2
    await other.close()


async def test_a_table_that_was_made_late_is_owed_the_time(
    store: ShardedStore, second: SecondDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ShardedStore, "takes", lambda *_: True)  # it goes away at this moment
    made_at = await store.time() - 60_000
    made = creation(AWAY)._replace(rows=(row(1)._replace(at=made_at),), deadline=made_at + 20_000)
    await settle(store)
    second.go_away()
    for person in ("ann", "bob"):
        await store.add_person(person, person, 5)
    for person in ("ann", "bob"):
        await store.put_ticket(waits(person), lambda own, others, *_: [own, *others], lambda _: made)
    second.come_back()
    for _ in range(2):
        await settle(store)
        assert await store.outage_of(AWAY) >= 60_000
        assert await store.clusters[1].owed_tables([AWAY]) == [AWAY]


async def test_a_paired_table_is_made_by_any_server_in_a_moment(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    errands, run = [], TableCluster.run_errand

    async def twice(cluster: TableCluster, kind: str, body: bytes) -> None:
        errands.append(kind)
        await run(cluster, kind, body)
        await run(cluster, kind, body)

    monkeypatch.setattr(TableCluster, "run_errand", twice)
    await pair(store, AWAY)
    assert errands == ["make"]
    assert [await count(each, "events") for each in store.clusters] == [0, 1]
    await settle(store)
    assert await store.number_log_entries(10) == 1
    assert await store.log_index(leaf_hash(AWAY.encode())) == 0


async def test_a_game_is_rated_once_though_the_plug_is_pulled_after_its_copy(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = (SeatHolder(1, "ann", b"a"), SeatHolder(2, "bob", b"b"))
    await store.append(creation(AWAY)._replace(seats=seats))
    over = row(2)._replace(kind="over", at=50)
    await store.append(Append(AWAY, 1, (over,), None, dataclasses.replace(OVER, game="ecard")))

    async def pulled(*_: object) -> None:
        raise StoreFailed("the plug is pulled")

    with monkeypatch.context() as patch:
        patch.setattr(TableCluster, "note_copied", pulled)
        with pytest.raises(StoreFailed):
            await settle(store)
    folded: list[tuple[str, tuple[tuple[int, str], ...]]] = []

    def fold(games: Any, _known: object) -> list[Any]:
        folded.extend((game.table, game.people) for game in games)
        return []

    assert await store.rate(fold, 10) == 1
    await settle(store)  # copied again
    assert await store.rate(fold, 10) == 0
    assert folded == [(AWAY, ((1, "ann"), (2, "bob")))]
    assert await store.clusters[1].rate(fold, 10) == 0  # those of its own are all in the home cluster


async def test_a_copy_that_a_failover_could_lose_is_made_again(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(store)
    await store.append(creation(AWAY))
    copy = home.copy_tables

    async def unconfirmed(*values: Any, **named: Any) -> Any:
        found = await copy(*values, **named)
        store._on_message(None, SimpleNamespace(severity_en="WARNING"))  # its commit waits for no standby
        return found

    async def no_standby(_: object) -> None:
        raise StoreFailed("the home cluster does not confirm its last writes")

    with monkeypatch.context() as patch:
        patch.setattr(home, "copy_tables", unconfirmed)
        patch.setattr(ShardedStore, "_settle", no_standby)
        with pytest.raises(StoreFailed):
            await settle(store)
        assert await count(store.clusters[1], "uncopied") == 1
    await settle(store)
    assert await count(store.clusters[1], "uncopied") == 0


async def test_the_public_log_has_every_entry_once_in_the_order_of_its_cluster(store: ShardedStore) -> None:
    other = ShardedStore(store.url.split())
    names = [f"T{number}" for number in range(40)]
    await asyncio.gather(*(store.append(table_for(name)) for name in names))
    await asyncio.gather(settle(store), settle(other))
    await settle(store)
    while await store.number_log_entries(7):
        pass
    entries = await store.log_entries(0, 100)
    assert sorted(entries) == sorted(name.encode() for name in names)
    of_second = await store.clusters[1].log_entries(0, 100)
    assert [entry for entry in entries if entry in of_second] == of_second
    await other.close()


async def test_a_cluster_with_an_older_log_still_adds_to_the_public_one(store: ShardedStore) -> None:
    of_second = [name for name in (f"T{number}" for number in range(60)) if place_of(name, 2)]
    for name in of_second[:5]:
        await store.append(table_for(name))
    await settle(store)
    await store.clusters[1]._execute_all(  # a standby that lacks the last moments takes over
        ("set local session_replication_role = replica", ()),
        *((f"delete from {each}", ()) for each in ("log_entries", "log_nodes")),
    )
    for name in of_second[5:15]:
        await store.append(table_for(name))
    await settle(store)
    while await store.number_log_entries(100):
        pass
    assert sorted(await store.log_entries(0, 100)) == sorted(name.encode() for name in of_second[:15])
    assert await check_clusters(store.url.split()) == []


async def test_ended_sessions_and_merges_reach_tables_elsewhere(store: ShardedStore) -> None:
    await store.add_person("ann", "Ann", 5)
    await store.add_person("guest", "Guest", 5)
    await store.append(creation(AWAY)._replace(seats=(SeatHolder(1, "guest", b"token"),)))
    await store.accounts.merge("guest", "ann", 9)
    assert await store.seat_of(AWAY, b"token") is None
    assert await count(store.clusters[1], "seats where person = 'ann'") == 1
    await store.rotate_seat_token(AWAY, 1, b"new")
    await store.accounts.end_session("ann", "session")
    assert await store.seat_of(AWAY, b"new") is None
    await settle(store)
    assert [each.id for each in await store.tables(person="ann")] == [AWAY]


async def test_an_erasure_is_finished_though_the_plug_is_pulled(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.add_person("ann", "Ann", 5)
    said = row(1)._replace(texts=(PersonalText("name", "ann", "Ann"),))
    await store.append(creation(AWAY)._replace(rows=(said,)))

    async def pulled(*_: object) -> None:
        raise StoreFailed("the plug is pulled")

    with monkeypatch.context() as patch:
        patch.setattr(TableCluster, "erase_person", pulled)
        with pytest.raises(StoreFailed):
            await store.erase_person("ann", "gone")
    assert [text.text for text in await store.texts_of("ann")] == ["Ann"]
    await settle(store)
    assert [text.text for text in await store.texts_of("ann")] == ["gone"]


# --- a cluster that is away ------------------------------------------------------------------------------


async def test_a_cluster_that_is_away_takes_its_own_tables_with_it(
    store: ShardedStore, second: SecondDatabase
) -> None:
    for table in (HOME, AWAY):
        await store.append(creation(table)._replace(seats=(SeatHolder(1, "ann", b"token"),)))
    await settle(store)
    second.go_away()

    await store.append(step(HOME, 1))
    await store.ready()
    assert await store.heads([HOME, AWAY]) == {HOME: 2}
    assert {each.id for each in await store.tables(person="ann")} == {HOME, AWAY}
    assert {each.id for each in await store.tables(state="open")} == {HOME, AWAY}
    with pytest.raises(StoreFailed):
        await store.append(step(AWAY, 1))
    with pytest.raises(StoreFailed):
        await store.rows(AWAY)
    with pytest.raises(StoreFailed):  # it would not be complete
        await store.erase_person("ann", "gone")
    await store.accounts.end_session("ann", "session")  # is done there later
    assert await store.seat_of(HOME, b"token") is None

    assert [store.takes(table) for table in (HOME, AWAY)] == [True, False]

    second.come_back()
    await settle(store)
    assert await store.seat_of(AWAY, b"token") is None
    await store.append(step(AWAY, 1))
    assert await store.heads([HOME, AWAY]) == {HOME: 2, AWAY: 2}


async def test_new_tables_are_made_where_a_cluster_is_there(
    store: ShardedStore, second: SecondDatabase
) -> None:
    place, people = Place(store), [Person(f"P{number}", f"Person {number}", 1) for number in range(1, 17)]
    await place.tables.start()
    tournament = await place.enter(len(people))
    await settle(store)
    second.go_away()
    with pytest.raises(StoreFailed):
        await store.rows(AWAY)

    await place.tournaments.go_on(tournament)
    made = list((await place.tournaments.load(tournament)).tables)
    pairing, wanted = Pairing(store, place.tables), NewTicket("ecard", Clock("decision", 60))
    made += [info.table for person in people if (info := await pairing.put(person, wanted)).table]
    assert len(made) == 16
    assert {store.cluster_of(table) for table in made} == {store.clusters[0]}


async def test_no_one_declines_a_table_of_a_cluster_that_is_away(
    store: ShardedStore, second: SecondDatabase
) -> None:
    assert await pair(store, AWAY) == AWAY
    tables, woken = Tables(store, LocalBus()), asyncio.Event()
    tables.bus.subscribe("ticket/bob", lambda *_: woken.set())
    second.go_away()
    with pytest.raises(StoreFailed):
        await store.rows(AWAY)

    await Pairing(store, tables).withdraw("ann")
    assert await store.conduct.faults("ann") == []
    assert woken.is_set()
    waiting = await store.look_at_ticket("bob")
    assert waiting is not None
    assert waiting.table == ""


async def test_picks_are_counted_though_the_cluster_of_others_is_away(
    store: ShardedStore, second: SecondDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in (AWAY, HOME):
        await store.append(creation(table))
        await store.append(Append(table, 1, (row(2)._replace(kind="over"),), None, OVER))
        await settle(store)
    second.go_away()

    async def read(_: CountedGames, ended: UncountedGame) -> list[Any]:
        assert await store.rows(ended.table)
        return []

    monkeypatch.setattr(CountedGames, "_picks", read)
    games = CountedGames(store)
    assert [await games.fold_some(9) for _ in range(2)] == [1, 0]
    second.come_back()
    assert [await games.fold_some(9) for _ in range(2)] == [1, 0]


async def test_what_a_cluster_that_is_away_raises_is_freed_without_the_garbage_collector(
    store: ShardedStore, second: SecondDatabase
) -> None:
    """A server looks for garbage rarely: each failure would keep a connection, a caller and a table."""
    tables = Tables(store, LocalBus())
    await store.append(creation(AWAY))
    second.go_away()
    with pytest.raises(StoreFailed):  # this connection was there
        await store.append(step(AWAY, 1))
    requests: list[Callable[[], Awaitable[object]]] = [
        lambda: store.append(step(AWAY, 1)),
        lambda: store.rows(AWAY),
        lambda: store.heads([AWAY]),
        lambda: store.seat_of(AWAY, b"token"),
        lambda: store.rotate_seat_token(AWAY, 1, b"token"),
        lambda: tables.get(AWAY),
    ]
    gone: list[weakref.ref[BaseException]] = []
    gc.collect()
    gc.disable()
    try:
        for request in requests:
            gone += await _failure(request)
        second.come_back()
        await store.rows(AWAY)  # the store forgets the last failure with the next success
        assert [each() for each in gone if each() is not None] == []
    finally:
        gc.enable()


async def _failure(request: Callable[[], Awaitable[object]]) -> list[weakref.ref[BaseException]]:
    """The failure of a request and its causes."""
    found: list[weakref.ref[BaseException]] = []
    try:
        await request()
    except StoreFailed as failed:
        cause: BaseException | None = failed
        while cause is not None:
            found.append(weakref.ref(cause))
            cause = cause.__cause__
    assert len(found) > 1
    return found


async def test_no_request_waits_for_a_cluster_that_is_silent(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_WORK_S", PATIENCE)
    for person in ("ann", "bob"):
        await store.add_person(person, person, 5)
    for table in (HOME, AWAY):
        seats = (SeatHolder(1, "ann", b"token"),)
        made = creation(table)._replace(seats=seats, invite=f"to {table}")
        await store.append(made._replace(notices=(Notice("ann", table, 1, "found"),)))
    await store.append(Append(AWAY, 1, (row(2)._replace(kind="over"),), None, OVER))
    await settle(store)

    notices = dict(await store.claim_notices("node", 0, 5000, 10))
    assert {notice.table for notice in notices.values()} == {HOME, AWAY}
    silent = await connect_to(store.url.split()[1])
    async with silent.transaction():
        await silent.execute("lock table tables, seats, invites, notices in access exclusive mode")
        async with asyncio.timeout(PATIENCE / 10):
            assert await store.table_of_invite(f"to {HOME}") == HOME
            with pytest.raises(StoreFailed):  # this one is silent about it
                await store.table_of_invite(f"to {AWAY}")
            done = await store.done_tables([HOME, AWAY])
            assert [(table, state) for table, state, *_ in done] == [(AWAY, "over")]
            await store.accounts.end_session("ann", "session")
            assert await store.seat_of(HOME, b"token") is None
            for person in ("ann", "bob"):
                ticket = await store.put_ticket(
                    waits(person), lambda own, others, *_: [own, *others], lambda _: table_for("T9")
                )
            assert ticket.table == "T9"
            await store.delete_notices(list(notices))
            assert await count(store, "notices") == 0
    await silent.close()
    await settle(store)
    assert await store.seat_of(AWAY, b"token") is None
    assert await count(store.clusters[1], "notices") == 0


async def test_a_failover_reloads_the_tables_of_its_cluster_only(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(store, LocalBus())
    await tables.start()
    while len({store.cluster_of(table.id) for table in tables.all_loaded}) < 2:
        await tables.create(order("ecard"), "ann")
    node, reloaded = Node(store, tables.bus, tables), list[str]()

    async def reload(inbox: TableInbox) -> None:
        reloaded.append(inbox.table_state.id)

    monkeypatch.setattr(TableInbox, "reload", reload)
    for number in range(3):
        assert number or reloaded == []
        for each in store.clusters:
            await node._sweep(each)
        store.clusters[1].epoch += number == 0
    assert reloaded == [
        table.id for table in tables.all_loaded if store.cluster_of(table.id) is store.clusters[1]
    ]
    await tables.stop()


async def test_a_cluster_that_is_silent_stops_no_sweep_of_others(store: ShardedStore) -> None:
    here, there = (Tables(store, LocalBus(name)) for name in ("here", "there"))
    made: dict[Store, Table] = {}
    for tables in (here, there):
        await tables.start()
    while len(made) < 2:
        table = await here.create(order("ecard"), "ann")
        made[store.cluster_of(table.id)] = table
    near, far = (made[each] for each in store.clusters)
    near.attach(ReceivingListener(0))
    node = Node(store, here.bus, here)
    await node.start()

    def sit(table: Table) -> Awaitable[object]:
        return table.join(1, Person("ann", "Ann", 1), entropy_commitment(table.id, 1, bytes(32)).hex())

    silent = await connect_to(store.url.split()[1])
    async with silent.transaction():
        await silent.execute("lock table tables in access exclusive mode")
        sits_far = asyncio.ensure_future(sit(far))
        store.clusters[1].epoch += 1
        await sit(await there.get(near.id))  # no hint of it reaches the first server
        async with asyncio.timeout(PATIENCE / 3):
            while near.head < 2:
                await asyncio.sleep(0.05)
    await silent.close()
    await sits_far
    await node.stop()
    for tables in (here, there):
        await tables.stop()


# --- between layouts -------------------------------------------------------------------------------------


async def everything(store: Store) -> dict[str, Any]:
    """What a store says about its tables and people."""
    found: dict[str, Any] = {f"T{number}": await store.rows(f"T{number}") for number in range(12)}
    found["listed"] = [await store.listed(table) for table in found]
    found["own"] = await store.tables(person="ann")
    found["seat"] = [await store.seat_of(f"T{number}", b"token") for number in range(12)]
    found["invite"] = [await store.table_of_invite(f"to T{number}") for number in range(12)]
    found["answers"] = [await store.stored_response("ann", f"key {number}") for number in range(4)]
    found["log"] = sorted(await store.log_entries(0, 100))
    found["ends"] = await store.ends_since(0, 100)
    return found


async def test_tables_are_divided_and_united_again() -> None:
    one = open_store(postgresql.clean_database())
    further = [postgresql.clean_database(name) for name in ("second", "third")]
    for number in range(12):
        seats = (SeatHolder(1, "ann", b"token"), SeatHolder(2, "bob", b"other"))
        answer = StoredResponse("ann", f"key {number}", f"T{number}".encode()) if number < 4 else None
        made = table_for(f"T{number}")._replace(seats=seats, invite=f"to T{number}", response=answer)
        await one.append(made)
        if number % 3 == 0:
            over = row(2)._replace(kind="over", at=50 + number)
            await one.append(Append(f"T{number}", 1, (over,), None, OVER))
        else:
            await one.append(step(f"T{number}", 1, deadline=5000 + number))
    await one.number_log_entries(100)
    assert await one.rate(lambda *_: [], 100) == 4
    await one.packed.pack(54, 1)
    before = await everything(one)
    await one.close()

    assert await divide([one.url, *further]) == sum(place_of(f"T{number}", 3) > 0 for number in range(12))
    assert await check_clusters([one.url, *further]) == []
    three = ShardedStore([one.url, *further])
    await settle(three)
    assert await everything(three) == before
    assert await three.rate(lambda *_: [], 100) == 0
    await three.append(creation("T99"))
    await three.append(step("T1", 2, deadline=5001))
    await three.close()
    with pytest.raises(Unsupported):
        await divide([one.url, *further])

    await settle_clusters([one.url, *further])
    await unite([one.url, *further])
    again = open_store(one.url)
    assert await check_clusters([one.url]) == []
    assert len(await again.rows("T99")) == 1
    after = await everything(again)
    assert [len(after[f"T{number}"]) for number in range(12)] == [3 if n == 1 else 2 for n in range(12)]
    assert {**after, "T1": [], "listed": [], "own": []} == {**before, "T1": [], "listed": [], "own": []}
    await again.close()
    old = open_store(further[0])
    with pytest.raises(Unsupported):
        await old.time()
    await old.close()


async def interrupted(move: Callable[[Sequence[str]], Awaitable[int]], urls: Sequence[str]) -> int:
    """Run a move that fails at one statement after the other; how often it was run again."""
    with BreakingConnections().installed() as breaking:
        for number in count_from(2, STEP):
            breaking.break_at(number, asyncpg.ConnectionDoesNotExistError("the plug is pulled"))
            try:
                await move(urls)
            except StoreFailed:
                continue
            return number // STEP
    raise AssertionError("it is never over")


async def test_a_move_between_layouts_goes_on_wherever_it_was_interrupted() -> None:
    one = open_store(postgresql.clean_database())
    urls = [one.url, postgresql.clean_database("second")]
    names = [f"T{number}" for number in range(5)]
    for name in names:
        answer = StoredResponse("ann", f"key {name}", name.encode())
        await one.append(table_for(name)._replace(invite=f"to {name}", response=answer))
    before = await everything(one)
    await one.close()

    assert await interrupted(divide, urls) > 3
    assert await check_clusters(urls) == []
    two = ShardedStore(urls)
    await settle(two)
    assert await everything(two) == before
    await two._execute("insert into faults (person, at, table_id, kind) values ('bob', 5, 'T1', 'declined')")
    await two.append(creation("T20"))  # has no copy yet
    await two.close()

    assert await interrupted(unite, urls) > 3
    again = open_store(one.url)
    assert await everything(again) == before
    assert len(await again.rows("T20")) == 1
    assert [each.table for each in await again.conduct.faults("bob")] == ["T1"]
    await again.close()


async def test_clusters_are_not_united_while_they_owe_each_other_something(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pair(store, HOME)
    await settle(store)
    await store.clusters[1].append(table_for(AWAY))

    async def nothing(*_: object) -> None:
        return

    with monkeypatch.context() as patch:
        patch.setattr(ShardedStore, "_settle_log", nothing)  # the server was killed at this moment
        await settle(store)
    with monkeypatch.context() as patch:
        patch.setattr(divide_module, "settle_clusters", nothing)
        with pytest.raises(StoreFailed, match="run it again"):
            await unite(store.url.split())
        await settle(store)
        await store._execute("insert into errands (cluster, kind, about, body) values (1, 'erase', '', '')")
        with pytest.raises(StoreFailed, match="run it again"):
            await unite(store.url.split())
    await store._execute("delete from errands")
    await unite(store.url.split())
    one = open_store(store.url.split()[0])
    await one.number_log_entries(9)
    assert sorted(await one.log_entries(0, 9)) == sorted(name.encode() for name in (HOME, AWAY))
    await one.close()


async def test_no_move_begins_while_a_server_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divide_module, "_BEATS_S", 0.3)
    one = open_store(postgresql.clean_database())
    urls = [one.url, postgresql.clean_database("second")]
    for table in (HOME, AWAY):
        await one.append(creation(table))
    await one.beat("node", 0, 3000)

    async def run_on() -> None:
        while True:
            await asyncio.sleep(0.05)
            await one.beat("node", 0, 3000)

    running = asyncio.create_task(run_on())
    with pytest.raises(Unsupported, match="a server is running"):
        await divide(urls)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await one.append(step(AWAY, 1))

    await divide(urls)
    with pytest.raises(HeadMoved):  # it is a server's that stood still all the time
        await one.append(step(AWAY, 2))
    with pytest.raises(HeadMoved):
        await one.append(step(AWAY, 2)._replace(summary=OVER))
    await one.close()


async def test_a_check_finds_what_is_at_the_wrong_place(store: ShardedStore) -> None:
    for table in (HOME, AWAY):
        await store.append(table_for(table))
    await settle(store)
    assert await check_clusters(store.url.split()) == []
    await store._execute("update tables set copied = not copied")
    await store.set_value(home.copied_entries(1), LogEnd(5, b"last").to_bytes())
    problems = await check_clusters(store.url.split())
    assert [problem for problem in problems if "does not belong" in problem]
    assert "the log of cluster 2 has fewer entries than the public one had of it" in problems


async def test_an_interrupted_move_goes_on_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, clusters = tmp_path / "house", urls()
    old = open_store(f"sqlite:{folder}")
    for table in (HOME, AWAY):
        await old.append(creation(table))
    await old.close()
    named = [part for url in clusters for part in ("--store", url)]
    into = ("store", "move", *clusters, "--data", str(folder))
    back = ("store", "move", clusters[0], *named)

    for command in (into, back):
        for statement in ("_HEADS", "_FORGET"):  # while tables are moved; while marks are taken away
            with monkeypatch.context() as patch:
                patch.setattr(divide_module, statement, "select the_plug_is_pulled($1)")
                pulled = await asyncio.to_thread(run_here, command, patch, capsys)
            assert failed_in_one_sentence(pulled, "store_failed")
        again = await asyncio.to_thread(run_here, command, monkeypatch, capsys)
        assert (again.status, "were written to" in again.out) == (0, True)
    store = open_store(clusters[0])
    assert [len(await store.rows(table)) for table in (HOME, AWAY)] == [1, 1]
    await store.close()


async def test_a_folder_moves_into_clusters_by_command(tmp_path: Path) -> None:
    folder, clusters = tmp_path / "house", urls()
    old = open_store(f"sqlite:{folder}")
    for table in (HOME, AWAY):
        await old.append(creation(table))
    await old.close()

    moved = await asyncio.to_thread(run, "store", "move", *clusters, "--data", str(folder))
    named = [part for url in clusters for part in ("--store", url)]
    checked = await asyncio.to_thread(run, "store", "check", *named)
    one = await asyncio.to_thread(run, "store", "check", "--store", clusters[0])
    back = await asyncio.to_thread(run, "store", "move", clusters[0], *named)
    elsewhere = await asyncio.to_thread(run, "store", "move", clusters[1], "--store", clusters[0])

    assert (moved.status, "1 tables were written to further clusters" in moved.out) == (0, True)
    assert (checked.status, checked.out) == (0, "It is whole.\n")
    assert (one.status, "cluster 1 of 1 says that it is number 1 of 2" in one.out) == (2, True)
    assert (back.status, "1 tables were written to the first database" in back.out) == (0, True)
    assert failed_in_one_sentence(elsewhere, "usage")
    store = open_store(clusters[0])
    assert [len(await store.rows(table)) for table in (HOME, AWAY)] == [1, 1]
    await store.close()
