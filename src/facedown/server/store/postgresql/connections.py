"""Connections to PostgreSQL: pools for reads and writes, and doubt after a connection was lost.

A write is never cancelled: cancelling a commit that waits for a standby makes it visible before it is safe.
After a lost connection, reads wait for one synchronous write, which proves that all earlier commits are safe.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

import asyncpg

from facedown.core.errors import FacedownError, Unsupported
from facedown.server.store.base import Statement, Store
from facedown.server.store.callers import Caller, current_caller
from facedown.server.store.failures import (
    UNCONFIRMED,
    WRITE_S,
    StoreFailed,
    StoreRefused,
    error_text,
    fault_of,
    is_cancelled,
    store_failures,
)
from facedown.server.store.postgresql.hosts import connect_primary
from facedown.server.store.postgresql.schema import NAME, check_not_moving, create
from facedown.server.store.values import StoreStats

T = TypeVar("T")

CONNECT_S: Final = 10.0
DOUBT_S: Final = 5.0
"""How long a read waits for certainty before it fails; the caller may retry."""
READ_S: Final = 30.0
_MOST_OPEN: Final = 6
"""Connections for reading, and as many for writing."""
_SETTINGS: Final = {
    "application_name": "facedown",
    "search_path": NAME,
    "jit": "off",
    "max_parallel_workers_per_gather": "0",  # our queries take less time than starting a worker
    "statement_timeout": "0",
    "lock_timeout": "0",
    "idle_in_transaction_session_timeout": "60s",
}
_TIMELINE: Final = "select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
_BARRIER: Final = "update barrier set n = n + 1"
_REPLICATION: Final = """select current_setting('synchronous_commit'), current_setting('fsync'),
    current_setting('synchronous_standby_names'), (select count(*) from pg_stat_replication)"""

_REFUSED: Final = (
    asyncpg.InvalidAuthorizationSpecificationError,  # includes a wrong password
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)
"""Errors about missing users, databases or privileges."""
CLOSED: Final = "the store is closed"
_NOT_WRITTEN: Final = "PostgreSQL could not write"

_log = logging.getLogger("facedown.store")


class CallerFailed(Exception):
    """The caller's own function failed inside a transaction: not an error of the database."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self._error = error
        self.is_refusal = isinstance(error, FacedownError)
        """Whether the caller has decided so, and nothing is wrong."""

    def take_error(self) -> Exception:
        """The error, which this refers to no more: raised in place of this, it refers to this."""
        error, self._error = self._error, Exception()
        self.args, self.__cause__, self.__context__ = (), None, None
        return error


_HARMLESS: Final = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.TransactionRollbackError,
    CallerFailed,
)
"""Errors after which a connection is used again. Any other may leave the driver in a wrong state: after a
failed `begin` it believes that it is in a transaction."""


class PostgresConnections(Store):
    """The part of the PostgreSQL store that runs statements: pools of connections, and doubt."""

    shared = True
    LOCK = " for share"
    """Who deletes such rows waits, and then sees what was saved."""
    url = ""
    epoch = 0

    def __init__(self, url: str) -> None:
        self.url = url
        self.stats = StoreStats()
        self.is_closed = False
        self._reads = ConnectionPool(self.connect)
        self._writes = ConnectionPool(self.connect)
        self._opening: asyncio.Task[None] | None = None
        self._settling: asyncio.Task[None] | None = None
        self._timeline = ""
        self._losses = 0
        self._settled = 0
        self._running: set[asyncio.Task[Any]] = set()
        self._is_away = False

    # --- opening and closing --------------------------------------------------------------------------

    async def ensure_open(self) -> None:
        """Connect, and create the schema if there is none, at the first call, and again after a failure."""
        opening = self._opening
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
            opening = self._opening = _start_task(self._open())
        try:
            if not opening.done():
                await asyncio.shield(opening)
        finally:
            del opening  # what it raises refers to this frame

    async def _open(self) -> None:
        connection = await self.connect()
        try:
            with store_failures("PostgreSQL could not be set up"):
                await self._create(connection)
                await check_not_moving(connection)
                self._timeline = await connection.fetchval(_TIMELINE)
                for warning in replication_warnings(*await connection.fetchrow(_REPLICATION)):
                    _log.warning("%s", warning)
        except BaseException:
            await self.release(connection)
            raise
        self._settled = self._losses
        self._reads.put(connection)

    async def _create(self, connection: asyncpg.Connection) -> None:
        try:
            await create(connection)
        except asyncpg.InsufficientPrivilegeError as error:
            raise StoreRefused(f"PostgreSQL refuses this server: {error}") from error

    async def connect(self) -> asyncpg.Connection:
        if self.is_closed:
            raise StoreFailed(CLOSED)
        try:
            connection = await connect_to(self.url)
        except StoreFailed as error:
            self._log_outage(error)
            raise
        connection.add_termination_listener(self._on_lost)
        connection.add_log_listener(self._on_message)
        if self._is_away:
            self._is_away = False
            _log.warning("PostgreSQL can be reached again")
        return connection

    def _log_outage(self, error: Exception) -> None:
        if not self._is_away:
            self._is_away = True
            _log.error("%s", error)

    async def close_connections(self) -> None:
        self.is_closed = True
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)
        for task in (self._opening, self._settling):
            if task is not None:
                await asyncio.gather(task, return_exceptions=True)
        for connection in (*self._reads.drain(), *self._writes.drain()):
            await self.release(connection)

    async def release(self, connection: asyncpg.Connection) -> None:
        """Close a connection that is not needed any more; this leaves nothing in doubt."""
        connection.remove_termination_listener(self._on_lost)
        with contextlib.suppress(Exception):
            await connection.close(timeout=CONNECT_S)

    # --- doubt ----------------------------------------------------------------------------------------

    def _on_lost(self, _: object) -> None:
        self._losses += 1
        self.stats.doubts += 1

    def _on_message(self, _: object, message: Any) -> None:
        """A warning may mean that a commit did not wait for its standby."""
        if (
            getattr(message, "severity_en", None) == "WARNING"
            or getattr(message, "severity", "") == "WARNING"
        ):
            self._losses += 1

    @property
    def in_doubt(self) -> bool:
        """Whether something may be visible that a failover would lose."""
        return self._losses != self._settled

    async def ensure_certain(self) -> None:
        """Return once everything that can be read is safe; raises `StoreFailed` if that takes too long."""
        while self.in_doubt:
            if self._settling is None or self._settling.done():
                self._settling = _start_task(self._settle())
            try:
                async with asyncio.timeout(DOUBT_S):
                    await asyncio.shield(self._settling)
            except TimeoutError:
                raise StoreFailed("PostgreSQL does not confirm a write: is its standby there?") from None

    async def _settle(self) -> None:
        """Write synchronously on a new connection: the log is ordered, so this proves all earlier commits."""
        losses = self._losses
        connection = await self.connect()
        try:
            with store_failures("PostgreSQL could not confirm its last writes"):
                timeline = await connection.fetchval(_TIMELINE)
                await connection.execute(_BARRIER)
        except BaseException:
            await self.release(connection)
            raise
        if timeline != self._timeline:
            _log.warning("another PostgreSQL took over: timeline %s after %s", timeline, self._timeline)
            self._timeline = timeline
            self.epoch += 1
            for each in (*self._reads.drain(), *self._writes.drain()):
                await self.release(each)
        self._settled = max(self._settled, losses)
        if self._reads.has_idle:
            await self.release(connection)
        else:
            self._reads.put(connection)

    # --- reading and writing --------------------------------------------------------------------------

    async def _select(self, statement: str, *values: object) -> list[Any]:
        """All rows of a query. If the connection breaks, it is sent once more, on a new connection."""
        with store_failures("PostgreSQL could not be read"):
            await self.ensure_open()
            await self.ensure_certain()
            try:
                found = await self._fetch(statement, values)
            except (FacedownError, TimeoutError):
                raise
            except Exception:
                for idle in self._reads.drain():  # what broke this connection may have broken the others
                    idle.remove_termination_listener(self._on_lost)
                    idle.terminate()
                await self.ensure_certain()
                found = await self._fetch(statement, values)
            await self.ensure_certain()  # of what it saw, too: a commit may be in doubt since it was sent
            return found

    async def _fetch(self, statement: str, values: Sequence[object]) -> list[Any]:
        async with self._reads.connection() as connection:
            try:
                found: list[Any] = await connection.fetch(statement, *values, timeout=READ_S)
            except asyncpg.DataError:  # a value that no row can have, such as a text with a zero byte
                return []
        return found

    async def _execute(self, statement: str, *values: object) -> list[Any]:
        async def work(connection: asyncpg.Connection) -> list[Any]:
            found: list[Any] = await connection.fetch(statement, *values)
            return found

        if current_caller() is None:
            return await self._write(work)
        return await self._transaction_for_caller(work)

    async def _execute_all(self, *statements: Statement) -> None:
        async def work(connection: asyncpg.Connection) -> None:
            for statement, values in statements:
                await connection.execute(statement, *values)

        await self._transaction_for_caller(work)

    async def _transaction_for_caller(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Run a function in a transaction, if the caller of this task may act until it is committed."""
        caller = current_caller()
        if caller is None:
            return await self._transaction(work)

        async def checked_work(connection: asyncpg.Connection) -> T:
            if (refusal := await refusal_of(connection, caller)) is not None:
                raise CallerFailed(refusal)
            return await work(connection)

        return await self._transaction(checked_work)

    async def _transaction(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Run a function in a transaction; it runs again after a deadlock."""

        async def whole(connection: asyncpg.Connection) -> T:
            try:
                async with connection.transaction():
                    return await work(connection)
            except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError):
                async with connection.transaction():
                    return await work(connection)

        try:
            return await self._write(whole)
        except CallerFailed as failed:
            raise failed.take_error() from None

    async def _write(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        """Run a function on a connection for writes; it continues if the caller waits no longer."""

        async def run() -> T:
            with store_failures(_NOT_WRITTEN, CallerFailed):
                await self.ensure_open()
                try:
                    async with self._writes.connection() as connection:
                        result = await work(connection)
                except (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError) as error:
                    raise fault_of(_NOT_WRITTEN, error) from error
            self.stats.commits += 1
            self.stats.jobs += 1
            return result

        task = self.start(run())
        try:
            if not (await asyncio.wait({task}, timeout=WRITE_S))[0]:
                raise StoreFailed(UNCONFIRMED)
            return task.result()
        finally:
            del task  # what it raises refers to this frame

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task that is not cancelled with its caller, and that closing waits for."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.stats.failed += not (isinstance(error, CallerFailed) and error.is_refusal)


async def refusal_of(connection: asyncpg.Connection, caller: Caller) -> FacedownError | None:
    """Why a caller may not act any more; None if that holds until the transaction ends."""
    for statement, values in caller.conditions():
        if not await connection.fetch(statement + PostgresConnections.LOCK, *values):
            return caller.refusal(statement)
    return None


class ConnectionPool:
    """A few connections for reuse; a broken one is replaced when the next is needed."""

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]]) -> None:
        self._connect = connect
        self._idle: list[asyncpg.Connection] = []
        """The one that was used last is last, and is the next to be used."""
        self._free = asyncio.Semaphore(_MOST_OPEN)

    @contextlib.asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        async with self._free:
            connection = self._take() or await self._connect()
            try:
                yield connection
            except BaseException as error:
                if not (isinstance(error, _HARMLESS) or is_cancelled(error)):
                    connection.terminate()
                raise
            finally:
                self.put(connection)

    @property
    def has_idle(self) -> bool:
        return bool(self._idle)

    def put(self, connection: asyncpg.Connection) -> None:
        if not connection.is_closed():
            self._idle.append(connection)

    def drain(self) -> list[asyncpg.Connection]:
        """Take all connections that are not in use; the caller closes them."""
        idle, self._idle = self._idle, []
        return idle

    def _take(self) -> asyncpg.Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
        return None


def _start_task(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task whose error is not logged if no caller waits for it."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


async def connect_to(url: str) -> asyncpg.Connection:
    """A connection to the primary of a database, with synchronous commits."""
    try:
        connection = await connect_primary(url, CONNECT_S, _SETTINGS)
    except ValueError as error:  # asyncpg cannot parse the URL
        raise Unsupported(f"the store's URL cannot be used: {error}") from None
    except _REFUSED as error:
        raise StoreRefused(f"PostgreSQL refuses this server: {error}") from error
    except Exception as error:  # a network, a name or a server may raise anything
        raise StoreFailed(f"PostgreSQL cannot be reached: {error_text(error)}") from error
    try:
        with store_failures("PostgreSQL cannot be reached"):
            if await connection.fetchval("show synchronous_commit") == "off":
                await connection.execute("set synchronous_commit = on")
    except BaseException:
        connection.terminate()
        raise
    return connection


def replication_warnings(commit: str, fsync: str, standbys: str, replicas: int) -> list[str]:
    """Settings of a database that may lose acknowledged picks, for the operator.

    >>> replication_warnings("on", "on", "", 1)[0][:66]
    'the standby of PostgreSQL is asynchronous: a failover loses picks '
    >>> replication_warnings("on", "on", "ANY 1 (a, b)", 2)
    []
    """
    found = []
    if fsync == "off":
        found.append(
            "fsync is off in PostgreSQL: a power cut loses acknowledged picks, and perhaps everything"
        )
    if replicas and not standbys:
        found.append(
            "the standby of PostgreSQL is asynchronous: a failover loses picks that were acknowledged; "
            "set synchronous_standby_names"
        )
    if standbys and commit == "local":
        found.append("synchronous_commit is local: a failover loses picks that were acknowledged")
    return found
