"""SQLite with a full disk, an I/O error or a killed thread at every step: no write is lost or half saved."""

from __future__ import annotations

import asyncio
import itertools
import json
import linecache
import sqlite3
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Ack, Cmd, Nak
from facedown.server.bus import Bus
from facedown.server.store.failures import HeadMoved, StoreFailed
from facedown.server.store.sqlite import worker, writer
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Append, Notice, Person, PersonalText, SeatHolder, StoredResponse
from facedown.server.table.presence import Update
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order, pick_command
from tests.server.store.sqlite_faults import (
    FAULTS,
    NOTHING_SAVED,
    UNCERTAIN,
    Fault,
    FaultyWriter,
    Killed,
    full,
    kill_thread,
)
from tests.server.store.steps import OPEN, creation, head_of, row, step

pytestmark = pytest.mark.anyio


# --- every statement of a write --------------------------------------------------------------------------


@dataclass
class Job:
    """A write that was sent, and the rows that it leaves in the database."""

    tag: str
    rows: int
    answer: asyncio.Future[Any]
    answers: int = 0

    def done(self, result: object, error: BaseException | None) -> None:
        self.answers += 1
        if self.answers == 1:
            self.answer.set_exception(error) if error else self.answer.set_result(result)


class Round:
    """One run of the scenario, at tables of its own."""

    def __init__(self, store: SqliteStore, name: str) -> None:
        self.store = store
        names = ("old", "other", "new", "next")
        self.old, self.other, self.new, self.next = (f"{name}/{each}" for each in names)
        self._name = name
        self.jobs: list[Job] = []

    async def prepare(self) -> None:
        await asyncio.gather(self.store.append(creation(self.old)), self.store.append(creation(self.other)))

    async def run_good_batch(self) -> None:
        """Nothing is wrong with these jobs."""
        old, other = await self._heads()
        self._append(self.old, old)
        self._create(self.new)
        self._append(self.other, other)
        self._append(self.old, old + 2)
        self._call()
        await self._settle()

    async def run_bad_batch(self) -> None:
        """One append is refused: all jobs run again, with savepoints."""
        old, other = await self._heads()
        self._append(self.old, old)
        bad = self._append(self.other, 99)
        self._append(self.other, other)
        self._call()
        await self._settle()
        assert isinstance(bad.exception(), HeadMoved | StoreFailed)

    async def go_on(self) -> None:
        """The next write at the head that the store gives works."""
        old, other = await self._heads()
        is_new = await head_of(self.store, self.new) is None
        first = len(self.jobs)
        self._append(self.old, old)
        self._append(self.other, other)
        self._create(self.next)
        self._call()
        await self._settle()
        assert [job.answer.exception() for job in self.jobs[first:]] == [None] * 4
        if is_new:  # its number is another table's now
            refused = self._append(self.new, 2)
            await self._settle()
            assert isinstance(refused.exception(), HeadMoved)
            created = self._create(self.new)
            await self._settle()
            assert created.exception() is None

    async def _heads(self) -> tuple[int, int]:
        old, other = await head_of(self.store, self.old), await head_of(self.store, self.other)
        assert old is not None
        assert other is not None
        return old, other

    async def _settle(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(job.answer for job in self.jobs), return_exceptions=True)

    def _tag(self) -> str:
        return f"{self._name}/{len(self.jobs)}"

    def _append(self, table: str, head: int) -> asyncio.Future[None]:
        tag = self._tag()
        rows = tuple(row(v, public=tag.encode()) for v in (head + 1, head + 2))
        return self._send(Job(tag, 2, self._future()), Append(table, head, rows, None))

    def _future(self) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().create_future()

    def _send(self, job: Job, append: Append) -> asyncio.Future[Any]:
        self.jobs.append(job)
        self.store.append_then(append, job.done)
        return job.answer

    def _create(self, table: str) -> asyncio.Future[None]:
        """An append that writes to every table that an append may write to."""
        tag = self._tag()
        texts = (PersonalText("name", tag, "Ann"), PersonalText("said", tag, "Hello"))
        append = Append(
            table,
            0,
            (row(1, public=tag.encode())._replace(texts=texts), row(2, public=tag.encode())),
            None,
            OPEN,
            notices=(Notice(tag, table, 1, "turn"),),
            seats=(SeatHolder(1, tag, b"token"), SeatHolder(2, tag, b"")),
            invite=tag,
            response=StoredResponse(tag, "key", b"{}"),
            log_entries=(tag.encode(),),
        )
        return self._send(Job(tag, 2 + 2 + 1 + 1 + 1 + 1 + 1, self._future()), append)

    def _call(self) -> None:
        tag = self._tag()

        def write(connection: sqlite3.Connection) -> None:
            for number in range(2):
                connection.execute("insert into notes values (?, ?)", (f"{tag}/{number}", tag.encode()))

        self.jobs.append(Job(tag, 2, self.store.write(write), answers=1))


_ROWS_OF: Final = """select (select count(*) from events where public = :bytes)
    + (select count(*) from texts where person = :tag) + (select count(*) from notices where person = :tag)
    + (select count(*) from seats where person = :tag) + (select count(*) from invites where code = :tag)
    + (select count(*) from answers where person = :tag)
    + (select count(*) from log_entries where entry = :bytes)
    + (select count(*) from notes where value = :bytes)"""


def check_answers(database: Path, jobs: list[Job]) -> None:
    """What was answered as saved is there, what was answered as not saved is not, nothing is half there."""
    with closing(sqlite3.connect(database)) as connection:
        tags = [{"tag": job.tag, "bytes": job.tag.encode()} for job in jobs]
        counts = [connection.execute(_ROWS_OF, each).fetchone()[0] for each in tags]
    for job, found in zip(jobs, counts, strict=True):
        error = job.answer.exception()
        assert job.answers == 1
        if error is None:
            assert found == job.rows, job.tag
        elif isinstance(error, HeadMoved) or NOTHING_SAVED in str(error):
            assert found == 0, (job.tag, error)
        else:
            assert isinstance(error, StoreFailed)
            assert UNCERTAIN in str(error)
            assert found in (0, job.rows), job.tag


@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_a_fault_at_any_statement_loses_nothing_that_was_answered(
    faulty_writer: FaultyWriter, store: SqliteStore, folder: Path, fault: Fault
) -> None:
    failed: list[str] = []
    for number in itertools.count(1):
        played = Round(store, f"{number}")
        await played.prepare()
        faulty_writer.fail_at(number, fault)
        await played.run_good_batch()
        await played.run_bad_batch()
        faulty_writer.mend()
        await played.go_on()
        check_answers(folder / DATABASE, played.jobs)
        if not faulty_writer.failed:
            break
        failed += faulty_writer.failed
    assert check(folder) == []
    words = ("begin", "insert into events", "savepoint", "release", "rollback", "rollback to", "commit")
    assert [word for word in words if not any(each.startswith(word) for each in failed)] == []


UNTRACED: Final = pytest.mark.skipif(sys.gettrace() is not None, reason="coverage traces threads")
"""For tests that kill threads wherever they are."""


class LineKiller:
    """Raises `Killed` at a line of the worker or the writer, in the thread that follows it."""

    def __init__(self) -> None:
        self.left = 0

    def follow(self, _: sqlite3.Connection) -> None:
        sys.settrace(self._trace)
        frame = sys._getframe().f_back
        while frame is not None:
            frame.f_trace = self._trace
            frame = frame.f_back

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in (worker.__file__, writer.__file__):
            return None
        if event == "line" and self.left and not self._takes_lock(frame):
            self.left -= 1
            if not self.left:
                raise Killed
        return self._trace

    def _takes_lock(self, frame: FrameType) -> bool:
        """A lock is taken and released by calls that nothing interrupts: only a tracer gets in between."""
        return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() == "with self._lock:"


@UNTRACED
@pytest.mark.parametrize("recovers", [False, True])
async def test_a_thread_that_is_killed_at_any_line_loses_nothing_that_was_answered(
    faulty_writer: FaultyWriter, store: SqliteStore, folder: Path, recovers: bool
) -> None:
    """Also while it recovers from a failure."""
    killer = LineKiller()
    for number in itertools.count(1):
        played = Round(store, f"{number}")
        await played.prepare()
        await store.write(killer.follow)
        if recovers:
            faulty_writer.fail_at(4, Fault(full, "before"))
        killer.left = number
        await played.run_bad_batch()
        unreached, killer.left = killer.left, 0
        faulty_writer.mend()
        await played.go_on()
        check_answers(folder / DATABASE, played.jobs)
        if unreached:
            break
    assert number > 50
    assert check(folder) == []


@UNTRACED
async def test_a_killed_reader_answers_and_continues(store: SqliteStore) -> None:
    await store.append(creation("T"))

    def query(connection: sqlite3.Connection) -> None:
        connection.execute("begin")
        connection.execute("select * from tables")
        raise Killed

    async with asyncio.timeout(PATIENCE):
        with pytest.raises(StoreFailed):
            await store.read(query)
        await store.append(step("T", 1))
        assert await head_of(store, "T") == 2  # not what the killed query saw


# --- threads that are killed from outside ----------------------------------------------------------------


def ident_of(_: sqlite3.Connection) -> int:
    return threading.get_ident()


@UNTRACED
async def test_threads_that_are_killed_while_they_wait_continue(store: SqliteStore) -> None:
    await store.append(creation("T"))
    async with asyncio.timeout(PATIENCE):
        for _ in range(3):
            head = await head_of(store, "T")
            assert head is not None
            kill_thread(await store.write(ident_of))
            kill_thread(await store.read(ident_of))
            with suppress(StoreFailed):
                await store.append(step("T", head))
                head += 1
            with suppress(StoreFailed):
                assert await head_of(store, "T") == head
            await store.append(step("T", head))
            assert await head_of(store, "T") == head + 1


@UNTRACED
async def test_a_writer_that_is_killed_while_it_is_busy_saves_nothing_of_its_batch(
    store: SqliteStore,
) -> None:
    await store.append(creation("T"))
    busy = threading.Event()

    used: list[sqlite3.Connection] = []

    def work(connection: sqlite3.Connection) -> None:
        used.append(connection)
        connection.execute("insert into notes values ('half', 'done')")
        busy.set()
        for _ in range(int(PATIENCE * 100)):
            time.sleep(0.01)

    async with asyncio.timeout(PATIENCE):
        ident = await store.write(ident_of)
        batch = [store.append(step("T", 1)), store.write(work), store.append(creation("U"))]
        await asyncio.to_thread(busy.wait, PATIENCE)
        later = store.append(step("T", 1))
        kill_thread(ident)
        for outcome in await asyncio.gather(*batch, return_exceptions=True):
            assert isinstance(outcome, StoreFailed)
            assert NOTHING_SAVED in str(outcome)
        await later
        assert (await head_of(store, "T"), await head_of(store, "U")) == (2, None)
        assert await store.get_value("half") is None
        assert await store.write(lambda connection: connection not in used)  # it may hold a cursor


@UNTRACED
async def test_a_reader_that_is_killed_while_it_is_busy_answers_all_its_queries(store: SqliteStore) -> None:
    await store.append(creation("T"))
    busy = threading.Event()

    def query(_connection: sqlite3.Connection) -> None:
        busy.set()
        for _ in range(int(PATIENCE * 100)):
            time.sleep(0.01)

    async with asyncio.timeout(PATIENCE):
        ident = await store.read(ident_of)
        waiting = store.read(query), store.read(ident_of)
        await asyncio.to_thread(busy.wait, PATIENCE)
        kill_thread(ident)
        first, second = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(first, StoreFailed)
        assert second == ident or isinstance(second, StoreFailed)
        assert await head_of(store, "T") == 1


# --- a table on top --------------------------------------------------------------------------------------


class Recorder:
    """A listener that keeps the events it was sent."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.person = f"person {viewer}"
        self.events: list[dict[str, Any]] = []
        self.connected = True

    def notify(self, update: Update) -> None:
        self.events += [each for each in map(json.loads, update.frames) if each["t"] == "ev"]

    def disconnect(self, error: StoreFailed) -> None:
        self.connected = False


async def send(table: Table, seat: int, cmd: Cmd) -> Ack | Nak:
    answer: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
    table.submit(seat, cmd, answer.set_result, person=f"person {seat}", name=f"Name {seat}")
    return await answer


async def dealt_table(tables: Tables) -> str:
    table = await tables.create(order("ecard"), "person 1")
    for seat in (1, 2):
        commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
        await table.join(seat, Person(f"person {seat}", f"Name {seat}", 0), commit)
    for seat in (1, 2):
        opened = await send(table, seat, Cmd("open", "open", entropy=entropy_of(seat).hex()))
        assert isinstance(opened, Ack)
    return table.id


PICKS: Final = {1: ("C", "E"), 2: ("C", "S")}


async def pick_until_saved(tables: Tables, table: str, seat: int, faulty: FaultyWriter) -> None:
    """Place a pick; after a failure another one, as a player may."""
    for number in range(10):
        here = await tables.get(table)
        answer = await send(
            here, seat, pick_command(here._state, 1, seat, PICKS[seat][number % 2], f"try-{number}")
        )
        if isinstance(answer, Ack):
            return
        if answer.code != "store_failed":  # a try that failed was saved
            assert number > 0, answer
            return
        if number == 2:
            faulty.mend()
    raise AssertionError("nothing can be saved, though the fault is over")


async def check_events(store: SqliteStore, table: str, recorder: Recorder, dealt: int) -> None:
    """Every event that a listener has is in the store, as the listener has it, and it has each once."""
    rows = {row.v: row for row in await store.rows(table)}
    picks = [json.loads(row.secret)["pick"] for row in rows.values() if row.kind == "sealed"]
    for event in recorder.events:
        row = rows[event["v"]]
        assert event["k"] == row.kind
        if row.kind == "sealed":
            assert event["commit"] == json.loads(row.public)["commit"]
        else:
            assert [each["pick"] for each in event["opens"]] == picks
    numbers = [event["v"] for event in recorder.events]
    assert numbers == list(range(dealt + 1, dealt + 1 + len(numbers)))
    if recorder.connected:
        assert numbers[-1] == max(rows)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_listeners_get_nothing_that_is_not_in_the_store(
    faulty_writer: FaultyWriter, store: SqliteStore, folder: Path, fault: Fault
) -> None:
    tables = Tables(store, Bus())
    for number in itertools.count(1):
        table = await dealt_table(tables)
        here = await tables.get(table)
        dealt, recorders = here.head, [Recorder(viewer) for viewer in (1, 2, 0)]
        for recorder in recorders:
            here.attach(recorder)
        faulty_writer.fail_at(number, fault)
        async with asyncio.timeout(PATIENCE):
            await pick_until_saved(tables, table, 1, faulty_writer)
            await pick_until_saved(tables, table, 2, faulty_writer)
            faulty_writer.mend()
            await here.settle()
        kinds = [row.kind for row in await store.rows(table)]
        assert kinds[dealt:] == ["sealed", "sealed", "revealed"]
        for recorder in recorders:
            await check_events(store, table, recorder, dealt)
        if not faulty_writer.failed:
            break
    assert number > 6
    assert check(folder) == []
