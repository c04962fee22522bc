"""Tables on a real store: nothing unsaved is answered or sent, and a write that fails loses nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from facedown.core.chance import entropy_commitment
from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.protocol.messages import Ack, Clock, Cmd, Nak
from facedown.server import clock
from facedown.server.clock import DAY_MS, now
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store.base import OnDone, Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Append, Person
from facedown.server.table import presence
from facedown.server.table.presence import Update
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order, pick_command
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio


class RecordingListener:
    """A listener that keeps the messages it receives, and what was saved at that moment."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.person = f"person {viewer}"
        self.received: list[dict[str, Any]] = []

    def notify(self, update: Update) -> None:
        self.received += map(json.loads, update.frames)

    def disconnect(self, error: StoreFailed) -> None:
        raise error

    @property
    def events(self) -> list[int]:
        return [each["v"] for each in self.received if each["t"] == "ev"]

    @property
    def kinds(self) -> list[str]:
        return [each["k"] for each in self.received if each["t"] == "ev"]


@asynccontextmanager
async def running_tables(where: str) -> AsyncIterator[tuple[Store, Tables]]:
    """The tables of a server on the store at this address."""
    services = open_services(Settings(data=Path(), store=where, machine_pause=0))
    await services.start()
    try:
        yield services.store, services.tables
    finally:
        await services.close()


async def sit(table: Table, seat: int) -> str:
    commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
    return await table.join(seat, Person(f"person {seat}", f"Name {seat}", 0), commit)


async def do(table: Table, seat: int, cmd: Cmd) -> Ack | Nak:
    answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
    table.submit(seat, cmd, answered.set_result, person=f"person {seat}", name=f"Name {seat}")
    return await answered


async def begun(tables: Tables, *args: Any, **more: Any) -> Table:
    table = await tables.create(order(*args, **more), "person 1")
    for place in table._state.people:
        await sit(table, place.seat)
    for place in table._state.people:
        await do(table, place.seat, Cmd("open", "open", entropy=entropy_of(place.seat).hex()))
    return table


async def pick(table: Table, seat: int) -> Ack | Nak:
    match = table._state.match
    return await do(table, seat, pick_command(table._state, match.decision, seat, str(match.legal(seat)[0])))


async def test_a_game_is_played_saved_and_loaded_again(anywhere: str) -> None:
    async with running_tables(anywhere) as (_, tables):
        table = await begun(tables, "davenport", 3)
        listeners = [RecordingListener(viewer) for viewer in range(4)]
        for listener in listeners:
            table.attach(listener)
        while table.phase == "playing":
            for seat in table._state.match.may_seal:
                assert isinstance(await pick(table, seat), Ack)
        record = table.record(0)
        assert all(finding.holds for finding in verify(Record.read(record)))
        for listener in listeners:
            assert listener.events == list(range(listener.events[0], table.head + 1))
    async with running_tables(anywhere) as (_, tables):
        found = await tables.get(table.id)
        assert found.record(0) == record
        assert found.head == table.head


def advance_clock(monkeypatch: pytest.MonkeyPatch, ms: int) -> None:
    """As if the process had been stopped for this long."""
    monkeypatch.setattr(clock, "_offset_ns", clock._offset_ns + ms * 1_000_000)


async def test_a_server_that_stands_still_gives_that_time_back_and_flags_no_one(
    anywhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_tables(anywhere) as (store, tables):
        table = await begun(tables, "ecard", clock=Clock("decision", seconds=30))
        before = table._state.deadline
        assert before is not None
        if isinstance(store, SqliteStore):
            advance_clock(monkeypatch, 60_000)
        else:
            await store._execute("update nodes set seen_at = seen_at - 60000")
        async with asyncio.timeout(PATIENCE):
            while not any(row.kind == "outage" for row in await store.rows(table.id)):
                await asyncio.sleep(0.01)
        await table.finish_writing()
        assert table._state.deadline is not None
        assert 60_000 <= table._state.deadline - before < 70_000
        assert "sealed" not in [row.kind for row in await store.rows(table.id)]


async def test_nothing_unsaved_is_sent(anywhere: str) -> None:
    async with running_tables(anywhere) as (store, tables):
        table = await begun(tables, "ecard")
        seat = table._state.match.may_seal[0]
        listener = RecordingListener(0)
        table.attach(listener)
        answers: list[Ack | Nak] = []
        held: list[OnDone] = []
        waiting: list[asyncio.Future[None]] = []

        def hold(batch: Append, done: OnDone) -> None:
            waiting.append(store.append(batch))
            held.append(done)

        store.append_then = hold  # type: ignore[method-assign]  # the real write, but its word comes late
        cmd = pick_command(table._state, 1, seat, "C")
        table.submit(seat, cmd, answers.append, person=f"person {seat}", name="n")
        async with asyncio.timeout(PATIENCE):
            while not waiting:
                await asyncio.sleep(0.005)
        await waiting[0]
        assert (answers, listener.kinds) == ([], [])
        unsaved = len(table._state.log)
        assert table.head == unsaved - 1
        reads = (
            lambda: table.snapshot(seat, f"person {seat}", 0),
            lambda: table.events(seat, f"person {seat}", 0),
            lambda: table.recap(seat, f"person {seat}", 0, 0),
            lambda: table.record(0),
        )
        for read in reads:  # what is not saved cannot be read, even if a caller forgets to wait
            with pytest.raises(StoreFailed):
                read()
        reading = asyncio.ensure_future(table.settle())
        await asyncio.sleep(0.01)
        assert not reading.done()
        held[0](None, None)
        await reading
        assert [type(answer) for answer in answers] == [Ack]
        assert listener.kinds == ["sealed"]


async def test_a_write_that_fails_is_refused_and_the_table_goes_on(anywhere: str) -> None:
    async with running_tables(anywhere) as (store, tables):
        table = await begun(tables, "ecard")
        seat = table._state.match.may_seal[0]
        listener = RecordingListener(0)
        table.attach(listener)
        append_then = store.append_then

        def fail(batch: Append, done: OnDone) -> None:
            asyncio.get_running_loop().call_soon(done, None, StoreFailed("the disk is full"))

        store.append_then = fail  # type: ignore[method-assign]
        cmd = pick_command(table._state, 1, seat, "C")
        answer = await do(table, seat, cmd)
        assert isinstance(answer, Nak)
        assert (answer.code, answer.status) == ("store_failed", 503)
        assert listener.kinds == []
        assert not table._state.seals
        store.append_then = append_then  # type: ignore[method-assign]
        assert isinstance(await do(table, seat, cmd), Ack)
        assert listener.kinds == ["sealed"]


async def test_machines_play_on_their_own_and_after_a_restart(anywhere: str) -> None:
    async with running_tables(anywhere) as (_, tables):
        table = await begun(tables, "ecard", 2, machines=(2,))
        while table.phase == "playing" and table._state.match.decision < 4:
            if 1 in table._state.match.may_seal:
                await pick(table, 1)
            await asyncio.sleep(0.005)
    async with running_tables(anywhere) as (_, tables):
        table = await tables.get(table.id)
        while table.phase == "playing":
            if 1 in table._state.match.may_seal:
                await pick(table, 1)
            await asyncio.sleep(0.005)
        await table.finish_writing()
        assert all(finding.holds for finding in verify(Record.read(table.record(0))))


async def test_a_machine_seals_before_it_could_know(where: str) -> None:
    """If both may seal, the machine has sealed before the person does anything."""
    async with running_tables(where) as (_, tables):
        table = await begun(tables, "davenport", 2, machines=(2,))
        async with asyncio.timeout(PATIENCE):
            while not table._state.seals:
                await asyncio.sleep(0.005)
        assert list(table._state.seals) == [2]


async def test_a_seat_that_is_away_too_long_may_be_replaced_and_all_listeners_learn_it(
    anywhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LIVE_MS", 300)
    async with running_tables(anywhere) as (_, tables):
        table = await begun(tables, "davenport", 3, clock=Clock("decision", seconds=1, bank=3600))
        ann, bo, cy = (RecordingListener(seat) for seat in (1, 2, 3))
        for listener in (ann, bo, cy):
            table.attach(listener)
        table.detach(bo)
        assert ann.received[-1] == {"t": "here", "seats": [1, 3], "replaceable": []}
        assert not any(seat.replaceable for seat in table.snapshot(1, None, 0).table.seats)
        refused = await do(table, 1, Cmd("early", "replace", seat=2))
        assert isinstance(refused, Nak)
        async with asyncio.timeout(PATIENCE):
            while not ann.received[-1]["replaceable"]:
                await asyncio.sleep(0.02)
        assert ann.received[-1] == cy.received[-1] == {"t": "here", "seats": [1, 3], "replaceable": [2]}
        assert [seat.replaceable for seat in table.snapshot(1, None, 0).table.seats] == [False, True, False]
        offered = await do(table, 1, Cmd("late", "replace", seat=2))
        assert isinstance(offered, Ack)
        table.attach(bo)
        assert ann.received[-1] == {"t": "here", "seats": [1, 2, 3], "replaceable": []}


async def test_a_seat_whose_days_ran_out_may_be_replaced_until_it_picks_itself(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_tables(where) as (_, tables):
        table = await begun(tables, "davenport", 3, clock=Clock("correspondence", days=1))
        ann = RecordingListener(1)
        table.attach(ann)
        for seat in (1, 2):
            await pick(table, seat)
        advance_clock(monkeypatch, 2 * DAY_MS)
        await table.check_clocks(now())
        assert ann.received[-1] == {"t": "here", "seats": [1], "replaceable": [3]}
        await pick(table, 3)
        assert ann.received[-1] == {"t": "here", "seats": [1], "replaceable": []}


async def test_a_heartbeat_that_is_not_saved_keeps_no_clock_waiting(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_tables(where) as (store, tables):
        stuck = asyncio.Event()

        async def never(*_: object) -> None:
            await stuck.wait()

        table = await begun(tables, "ecard", clock=Clock("decision", seconds=1))
        monkeypatch.setattr(store, "beat", never)
        async with asyncio.timeout(PATIENCE):
            while table._state.match.decision == 1:
                await asyncio.sleep(0.02)
        stuck.set()


@pytest.mark.parametrize("ms", [50_000, -50_000])
async def test_a_restart_gives_the_outage_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ms: int
) -> None:
    """If the system's clock was set back in the meantime, the server's goes on from the last heartbeat."""
    where = f"sqlite:{tmp_path}/data"
    async with running_tables(where) as (_, tables):
        table = await begun(tables, "ecard", clock=Clock("decision", seconds=600))
        before, began = table._state.deadline, now()
    advance_clock(monkeypatch, ms)
    async with running_tables(where) as (_, tables):
        after = (await tables.get(table.id))._state.deadline
        passed = now() - began
    assert before is not None
    assert after is not None
    assert max(0, ms) <= after - before <= passed


async def test_a_clock_that_began_right_before_a_kill_is_owed_the_outage_and_no_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.beat("one", now() - DAY_MS, 3000)  # no clock runs since then
    await store.append(creation("T")._replace(deadline=now() + DAY_MS))
    began = now()
    await store.close()
    again = SqliteStore(tmp_path)
    at = now() + 5000
    assert 5000 <= await again.beat("two", at, 3000) <= at - began + 1000
    await again.close()


async def test_a_server_without_clocks_writes_no_heartbeats(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.beat("one", 1000, 3000)
    written = store.stats.jobs
    for at in range(2000, 9000, 1000):
        await store.beat("one", at, 3000)
    assert store.stats.jobs == written
    await store.append(creation("T")._replace(deadline=60_000))
    assert store.stats.jobs == written + 2  # the first clock comes with a beat
    assert await store.beat("one", 10_000, 3000) == 0  # it has lived all the time
    assert store.stats.jobs == written + 3
    await store.close()


async def test_setting_up_twice_with_one_key_gives_one_table(anywhere: str) -> None:
    async with running_tables(anywhere) as (_, tables):
        first = await tables.create(order("ecard"), "host", "key")
        again = await tables.create(order("ecard"), "host", "key")
        other = await tables.create(order("ecard"), "another person", "key")
        assert first.id == again.id != other.id


async def test_a_rematch_requested_by_two_is_created_once(where: str) -> None:
    async with running_tables(where) as (_, tables):
        table = await begun(tables, "ecard")
        early = await do(table, 1, Cmd("m", "rematch"))
        assert isinstance(early, Nak)
        await do(table, 2, Cmd("r", "resign", decision=1))
        answers = await asyncio.gather(
            do(table, 1, Cmd("one", "rematch")), do(table, 2, Cmd("two", "rematch"))
        )
        nexts = {answer.next for answer in answers if isinstance(answer, Ack)}
        assert len(nexts) == 1
        following = await tables.get(nexts.pop() or "")
        assert [place.kept_for for place in following._state.places] == ["person 2", "person 1"]
        assert following._state.setup.series.wins == (0, 1)


async def test_joining_can_be_repeated_after_a_lost_answer(where: str) -> None:
    async with running_tables(where) as (_, tables):
        table = await tables.create(order("ecard"), "host")
        first = await sit(table, 1)
        assert await sit(table, 1) != first
        with pytest.raises(FacedownError):
            await table.resume(2, "person 1")
