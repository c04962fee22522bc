"""A store that raises any error at any call: nothing unsaved is published, no table hangs or is closed, and
the next command is answered."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from facedown.protocol.messages import Cmd
from facedown.server.clock import DAY_MS, now
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from tests.patience import PATIENCE
from tests.server.playing import pick_command
from tests.server.table.failing_store import BROWSER, ERRORS, FailingStore, Servers, Witness

pytestmark = pytest.mark.anyio

LONG = 3
"""The number of failing calls in a row: a write, and the reads that follow."""


class Fault(NamedTuple):
    """Store calls that fail: the first one, the error, and whether that one did its work before."""

    number: int
    error: Callable[[], BaseException]
    after: bool
    times: int

    def __str__(self) -> str:
        when = "after" if self.after else "before"
        return f"{self.times} from call {self.number} on, {self.error()!r} {when} the work"


@contextmanager
def saved_heads(folder: Path) -> Iterator[Callable[[str], int]]:
    """Read heads over a separate connection, which sees only what is committed."""
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None)

    def head(table: str) -> int:
        found = connection.execute("select head from tables where id = ?", (table,)).fetchone()
        return int(found[0]) if found else 0

    try:
        yield head
    finally:
        connection.close()


async def walk(folder: Path, *, shared: bool, people: int) -> None:
    """Play the same game again and again, while one call after another fails."""
    real = SqliteStore(folder)
    for seat in (1, 2):
        await real.add_person(f"person {seat}", f"Name {seat}", 0)
    assert real._writer._connection is not None
    real._writer._connection.execute("pragma synchronous = off")  # no power is lost here
    store = FailingStore(real, shared=shared)
    try:
        with saved_heads(folder) as saved:
            for number in range(1, 10_000):
                reached = [await _survives(store, saved, fault, people) for fault in _faults(number)]
                if not any(reached):
                    break
        assert number > 10, "the game uses the store"
    finally:
        await real.close()


def _faults(number: int) -> list[Fault]:
    """The faults from one call on: every error with THOROUGH=1, else one in turn."""
    if os.environ.get("THOROUGH"):
        ways = product(ERRORS, (False, True), (1, LONG))
        return [Fault(number, *way) for way in ways]
    error, long = ERRORS[number % len(ERRORS)], number % 2
    return [Fault(number, error, after, LONG if after == long else 1) for after in (False, True)]


async def _survives(store: FailingStore, saved: Callable[[str], int], fault: Fault, people: int) -> bool:
    """Play with one fault; True if the game reached it."""
    witness = Witness(saved)
    servers = Servers(store, witness)
    for tables in servers.all:
        await tables.start()
    await store.real.subscribe("person 1", BROWSER)
    store.fail_at(fault.number, fault.error, after=fault.after, times=fault.times)
    try:
        async with asyncio.timeout(PATIENCE):
            await servers.play(people)
    except Exception as error:
        raise AssertionError(f"{fault}: {store.calls[fault.number - 1 : fault.number]}") from error
    finally:
        reached = store.has_failed
        failed = store.calls[fault.number - 1 : fault.number]
        store.work()
        await servers.close()
    assert not witness.faults, f"{fault} ({failed}): {witness.faults}"
    return reached


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", ERRORS)
async def test_no_viewer_sees_a_reveal_that_is_not_saved(
    tmp_path: Path, error: Callable[[], BaseException], after: bool, shared: bool
) -> None:
    """The write of a reveal fails, and so does reading the table again."""
    real = SqliteStore(tmp_path / "store")
    store = FailingStore(real, shared=shared)
    try:
        with saved_heads(tmp_path / "store") as saved:
            witness = Witness(saved)
            servers = Servers(store, witness)
            for tables in servers.all:
                await tables.start()
            one, two = await servers.sit_down()
            await one.do(pick_command(await one.state(), 1, 1, "C"))
            await (await two.table()).settle()
            store.fail_at(1, error, after=after, times=2)
            await two.do(pick_command(await two.state(), 1, 2, "C"))
            assert store.calls[:2] == ["append_then", "rows"]
            await one.do(Cmd("leave", "resign", decision=2))
            assert witness.faults == []
            await servers.close()
    finally:
        await real.close()


@pytest.mark.parametrize("people", [2, 1])
async def test_a_store_that_two_servers_share_may_raise_anything_at_any_call(
    tmp_path: Path, people: int
) -> None:
    await walk(tmp_path / "shared", shared=True, people=people)


@pytest.mark.parametrize("people", [2, 1])
async def test_a_store_of_one_server_may_raise_anything_at_any_call(tmp_path: Path, people: int) -> None:
    await walk(tmp_path / "alone", shared=False, people=people)


async def test_a_credit_that_failed_is_given_later(tmp_path: Path) -> None:
    async with one_server(tmp_path) as (store, servers):
        node = servers.nodes[0]
        one, _ = await servers.sit_down()
        table = await one.table()
        before = table._state.deadline
        assert before is not None
        await node._beat()
        store.real._beaten -= 60_000
        store.fail_at(1, RuntimeError, after=False, times=1)
        with pytest.raises(RuntimeError):
            await node._beat()
        assert await store.real.claim_due(now() + DAY_MS, 0, 1, 3000) == []  # not before that
        await node._beat()
        await node._claim()
        assert table._state.deadline is not None
        assert 60_000 <= table._state.deadline - before < 70_000


@pytest.mark.parametrize("times", [1, 2, 3, 4])
async def test_a_table_that_could_not_be_credited_is_credited_next_time(tmp_path: Path, times: int) -> None:
    async with one_server(tmp_path) as (store, servers):
        node = servers.nodes[0]
        one, _ = await servers.sit_down()
        before = (await one.table())._state.deadline
        assert before is not None
        await node._beat()
        store.real._beaten -= 60_000
        await node._beat()
        store.fail_at(2, RuntimeError, after=False, times=times)
        with suppress(RuntimeError):
            await node._claim()
        store.work()
        await node._claim()
        after = (await one.table())._state.deadline
        assert after is not None
        assert 60_000 <= after - before < 70_000


async def test_erased_texts_do_not_stay_in_memory_if_the_store_fails(tmp_path: Path) -> None:
    async with one_server(tmp_path) as (store, servers):
        one, _ = await servers.sit_down()
        table = await one.table()
        store.fail_at(1, RuntimeError, after=False, times=1)
        await table.inbox.reload()
        assert table.is_dropped
        assert servers.all[0].loaded_table(table.id) is not table


async def test_a_failed_hint_loses_no_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved events can be read even if publishing them fails."""
    async with one_server(tmp_path) as (_, servers):
        one, two = await servers.sit_down()
        first = await one.table()
        with monkeypatch.context() as broken:
            broken.setattr(first.inbox._bus, "publish", _raise)
            await one.do(pick_command(await one.state(), 1, 1, "C"))
        assert first.is_dropped
        await two.do(pick_command(await one.state(), 1, 2, "C"))
        await one.do(Cmd("leave", "resign", decision=2))
        one.compare(await one.table())


def _raise(*_: object) -> None:
    raise RuntimeError("anything")


@asynccontextmanager
async def one_server(folder: Path) -> AsyncIterator[tuple[FailingStore, Servers]]:
    """A single server on a store that can be made to fail."""
    real = SqliteStore(folder / "store")
    store = FailingStore(real, shared=False)
    with saved_heads(folder / "store") as saved:
        witness = Witness(saved)
        servers = Servers(store, witness)
        await servers.all[0].start()
        try:
            yield store, servers
        finally:
            store.work()
            await servers.close()
            await real.close()
    assert witness.faults == []
