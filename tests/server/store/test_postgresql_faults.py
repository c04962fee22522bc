"""PostgreSQL at every step: any statement of a game may fail, in every way that a broken connection has."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from facedown.core.chance import entropy_commitment
from facedown.server.bus import Bus
from facedown.server.signing import Signing
from facedown.server.store import open_store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.postgresql import connections
from facedown.server.store.postgresql.appends import PLAIN, WHOLE
from facedown.server.store.postgresql.store import _ROWS, PostgresStore
from facedown.server.store.values import Person
from facedown.server.table import inbox as inbox_module
from facedown.server.table import tables as tables_module
from facedown.server.table.state import TableState, fold_rows
from facedown.server.table.tables import Tables
from tests import postgresql
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order
from tests.server.store.steps import creation
from tests.server.table.failing_store import BROWSER, ERRORS, Servers, Witness

pytestmark = pytest.mark.anyio
STATEMENTS = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "copy_records_to_table")
STEP = 1 if os.environ.get("THOROUGH") else 4
"""Every how many statements one fails."""
APPENDS = (PLAIN, WHOLE)


class SavedHeads:
    """The heads of tables that are safe in PostgreSQL, and what was signed before its link was among them."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._safe: dict[str, int] = {}
        self._unsafe: dict[str, int] = {}
        """Heads whose commits may not have waited for their standby, until a later write did."""
        self._signed: list[tuple[str, int, bytes, int]] = []
        """The table, number and head of each signature, and the head of the table that was safe then."""

    def of(self, table: str) -> int:
        return self._safe.get(table, 0)

    def note(self, statement: str, values: Sequence[Any], saved: Sequence[Any], *, unsafe: bool) -> None:
        """Take over what a statement outside of transactions has saved, or has found."""
        if statement in APPENDS:
            tables, heads = values[1], values[3]
            (self._unsafe if unsafe else self._safe).update({tables[i]: heads[i] for (i,) in saved})
        elif statement == _ROWS and saved and saved[-1][0] > self._unsafe.get(values[0], 0):
            self._safe[values[0]] = max(saved[-1][0], self.of(values[0]))  # before its append was answered
        elif statement == connections._BARRIER:
            self._safe |= self._unsafe
            self._unsafe.clear()

    @contextmanager
    def watching_signatures(self) -> Iterator[None]:
        sign = Signing.sign_head

        def watched(signing: Signing, key: str, table: str, number: int, head: bytes) -> str:
            self._signed.append((table, number, head, self.of(table)))
            return sign(signing, key, table, number, head)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Signing, "sign_head", watched)
            yield

    async def faults(self) -> list[str]:
        """The signatures of links that were not safe, or are not the stored ones."""
        found, states = [], dict[str, TableState]()
        assert self._signed, "the server signs"
        for table, number, head, safe in self._signed:
            if table not in states:
                states[table] = fold_rows(table, await self._store.rows(table))
            state = states[table]
            v = next(v for v, link in state.link_numbers.items() if link == number)
            if state.heads[number] != head or v > safe:
                found.append(f"link {number} of {table}, event {v}, was signed while {safe} was safe")
        return found


class BreakingConnections:
    """Fails statements of all connections: they are sent or not, and the connection is lost or not."""

    def __init__(self, heads: SavedHeads | None = None) -> None:
        self.statements = 0
        self.warns = False
        """Whether each append is committed with the warning that it did not wait for a standby."""
        self._heads = heads
        self._at = range(0)
        self._error: BaseException = RuntimeError()
        self._sent = self._lost = False

    def break_at(
        self, number: int, error: BaseException, *, sent: bool = False, lost: bool = False, times: int = 1
    ) -> None:
        """That many statements raise this, from the one of this number on (the next one is 1)."""
        self.statements = 0
        self._at, self._error, self._sent, self._lost = range(number, number + times), error, sent, lost

    async def run(self, connection: asyncpg.Connection, work: Callable[[], Awaitable[Any]]) -> Any:
        self.statements += 1
        if self.statements not in self._at:
            return await work()
        if self._sent:
            await work()
        if self._lost:
            connection.terminate()
        raise self._error

    @contextmanager
    def installed(self) -> Iterator[BreakingConnections]:
        """In here all statements of asyncpg go through this."""
        with pytest.MonkeyPatch.context() as patch:
            for name in STATEMENTS:
                patch.setattr(asyncpg.Connection, name, self._breaking(getattr(asyncpg.Connection, name)))
            yield self

    def _breaking(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def statement(connection: asyncpg.Connection, *values: Any, **named: Any) -> Any:
            async def work() -> Any:
                result = await method(connection, *values, **named)
                warns = self.warns and values[0] in APPENDS
                for listener in connection._log_listeners if warns else ():
                    listener.cb(connection, SimpleNamespace(severity_en="WARNING"))
                if self._heads is not None and not connection.is_in_transaction():
                    self._heads.note(values[0], values[1:], result, unsafe=warns)
                return result

            return await self.run(connection, work)

        return statement


class Failure(NamedTuple):
    """A statement that fails: the error, whether it was sent, and whether the connection is lost."""

    number: int
    error: BaseException
    sent: bool
    lost: bool


async def test_any_statement_of_a_game_may_fail() -> None:
    store: Any = open_store(postgresql.clean_database())
    heads = SavedHeads(store)
    breaking = BreakingConnections(heads)
    try:
        for seat in (1, 2):
            await store.add_person(f"person {seat}", f"Name {seat}", 0)
        with breaking.installed(), heads.watching_signatures():
            reached, turn, number = True, 0, 1
            while reached:
                breaking.warns = turn % 2 == 1
                for sent in (False, True):
                    failure = Failure(number, ERRORS[turn % len(ERRORS)](), sent=sent, lost=turn % 2 == 0)
                    reached = await _plays_on(store, breaking, heads, failure)
                turn, number = turn + 1, number + STEP
        assert number > 60, "a game takes many statements"
        assert await heads.faults() == []
    finally:
        await store.close()


async def _plays_on(store: Any, breaking: BreakingConnections, heads: SavedHeads, failure: Failure) -> bool:
    """Play a game in which one statement fails; whether it was reached. Clients receive and the server signs
    only what is safe at that moment."""
    witness = Witness(heads.of)
    servers = Servers(store, witness)
    for tables in servers.all:
        await tables.start()
    await store.subscribe("person 1", BROWSER)
    breaking.break_at(*failure[:2], sent=failure.sent, lost=failure.lost)
    try:
        async with asyncio.timeout(PATIENCE):
            await servers.play(2)
    except Exception as failed:
        raise AssertionError(str(failure)) from failed
    finally:
        reached = breaking.statements >= failure.number
        breaking.break_at(0, failure.error)
        await servers.close()
    assert witness.faults == [], str(failure)
    return reached


@pytest.mark.parametrize("error", ERRORS)
async def test_every_error_of_a_connection_becomes_store_failed(
    error: Callable[[], BaseException],
) -> None:
    store: Any = open_store(postgresql.clean_database())
    breaking = BreakingConnections()
    reads: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: store.rows("T"),
        lambda: store.heads(("T",)),
    )
    writes: tuple[Callable[[], Awaitable[Any]], ...] = (
        lambda: store.set_value("name", b"value"),
        lambda: store.erase_person("unknown", "name"),
        lambda: store.beat("node", 0, 3000),
        lambda: store.claim_due(0, 5000, 10, 3000),
    )
    try:
        await store.get_value("name")
        with breaking.installed():
            for call in (*reads, *writes):
                breaking.break_at(1, error(), times=2 if call in reads else 1)
                with pytest.raises(StoreFailed):
                    await call()
                breaking.break_at(0, error())
                await call()
    finally:
        await store.close()


async def test_a_read_whose_connection_breaks_is_sent_again_on_a_new_one() -> None:
    url = postgresql.clean_database()
    store: Any = open_store(url)
    killer = await asyncpg.connect(url)
    try:
        await asyncio.gather(*(store.set_value(str(number), b"value") for number in range(3)))
        await asyncio.gather(*(store.get_value(str(number)) for number in range(3)))  # some connections
        await killer.execute("""select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()""")
        found = await asyncio.gather(*(store.get_value(str(number)) for number in range(3)))
        assert found == [b"value"] * 3
    finally:
        await killer.close()
        await store.close()


async def test_a_silent_host_keeps_no_one_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CONNECT_S", 10 * PATIENCE)
    url = postgresql.clean_database()
    folder = parse_qs(urlsplit(url).query)["host"][0]
    accepted: list[asyncio.StreamWriter] = []
    path = tmp_path / ".s.PGSQL.5432"
    silent = await asyncio.start_unix_server(lambda _, writer: accepted.append(writer), path)
    store = open_store(url.replace(f"host={folder}", f"host={tmp_path},{folder}"))
    async with asyncio.timeout(PATIENCE):
        await store.append(creation("T"))
    assert len(accepted) > 0
    await store.close()
    for writer in accepted:
        writer.close()
    silent.close()


async def test_doubts_leave_no_connections_behind() -> None:
    store: Any = open_store(postgresql.clean_database())
    watching = await asyncpg.connect(store.url)
    for _ in range(20):
        await store.get_value("name")
        store._on_message(None, SimpleNamespace(severity_en="WARNING"))
    query = "select count(*) from pg_stat_activity where datname = current_database()"
    async with asyncio.timeout(PATIENCE):
        while await watching.fetchval(query) >= 5:  # PostgreSQL ends a connection some time after its client
            await asyncio.sleep(0.05)
    await watching.close()
    await store.close()


async def test_a_read_waits_until_what_it_saw_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    store: Any = open_store(postgresql.clean_database())
    await store.get_value("name")
    fetch = store._fetch

    async def seeing_a_doubtful_commit(*values: Any) -> Any:
        found = await fetch(*values)
        store._on_message(None, SimpleNamespace(severity_en="WARNING"))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(store, "_fetch", seeing_a_doubtful_commit)
        await store.get_value("name")
    assert not store.in_doubt
    await store.close()


async def test_a_write_without_an_answer_is_not_refused_and_may_be_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store: Any = open_store(postgresql.clean_database())
    tables = Tables(store, Bus())
    await tables.start()
    table = await tables.create(order("ecard"), "host")
    await store.add_person("ann", "Ann", 0)
    silent = await asyncpg.connect(store.url)
    async with silent.transaction():
        await silent.execute("lock table facedown.tables, facedown.notes in exclusive mode")
        for module in (connections, inbox_module, tables_module):
            monkeypatch.setattr(module, "WRITE_S", 0.1)
        commit = entropy_commitment(table.id, 1, entropy_of(1)).hex()
        writes: tuple[Awaitable[Any], ...] = (
            store.set_value("name", b"value"),
            table.join(1, Person("ann", "Ann", 0), commit),
            tables.create(order("ecard"), "host"),
        )
        async with asyncio.timeout(PATIENCE / 2):
            found = await asyncio.gather(*writes, return_exceptions=True)
    await silent.close()
    assert [type(each) for each in found] == [StoreFailed] * 3
    monkeypatch.undo()
    await table.finish_writing()
    assert table.head == 2
    while await store.get_value("name") is None:
        await asyncio.sleep(0.01)
    assert len(await store.tables()) == 2
    await tables.stop()
    await store.close()
