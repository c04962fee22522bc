"""The inbox of a table: runs the waiting jobs in one transaction, saves it, and only then answers and
publishes. It also reads and publishes what other servers append.

If the store fails, the inbox reads the table again. If that fails too, it drops this copy of the table: it
refuses the jobs and disconnects the listeners, and the next request loads the table from the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar, final

from facedown.core.errors import FacedownError
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.callers import CallerGone, NoModerator, current_caller
from facedown.server.store.failures import (
    UNCONFIRMED,
    WRITE_S,
    HeadMoved,
    StoreFailed,
    forget_frames,
    resolve,
    store_failures,
)
from facedown.server.table.bots import BotPlayers, BotSeats
from facedown.server.table.facts import LogEntry, from_row
from facedown.server.table.state import TableState, fold_rows
from facedown.server.table.transaction import JobAnswer, TableJob, Transaction
from facedown.server.table.updates import Publisher

T = TypeVar("T")
_log = get_log("facedown.table")
_TRIES: Final = 20
"""How often a command is run again because another server appended first."""
MOST_WAITING: Final = 1000
_DROPPED: Final = "this server has lost the table: connect again in a moment"
_NOT_SAVED: Final = "this could not be saved and had no effect: send it again"
_UNREAD: Final = "the table could not be read: try again in a moment"


def topic_of(table: str) -> str:
    """The topic of hints about a table's head."""
    return f"table/{table}"


@final
class TableInbox:
    """The state of one table and the jobs that change it; runs on the event loop, without locks."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        bus: Bus,
        bots: BotPlayers,
        publisher: Publisher,
        on_drop: Callable[[], None],
    ) -> None:
        self.table_state = state
        """Holds secrets, and may be ahead of the store."""
        self.last_used = now()
        self.is_dropped = False
        """Whether this copy of the table cannot be used any more."""
        self._id = state.id
        self._store = store
        self._bus = bus
        self._publisher = publisher
        self._on_drop = on_drop
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._inbox: list[TableJob] = []
        self._held: list[TableJob] = []
        """Picks of people, until every machine is bound to its own."""
        self._scheduled = False
        self._writing = False
        """Whether the state is being saved or read: nothing else may change it."""
        self._hinted = state.head
        """The newest event that another server has announced."""
        self._waiting_for_idle: list[asyncio.Future[None]] = []
        self.bots = BotSeats(bots, lambda: self.table_state, self.enqueue)

    # --- whether something is being written ---------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return bool(self._inbox or self._held or self._writing or self.bots.busy)

    @property
    def is_behind(self) -> bool:
        """Whether another server has announced what is not read here yet."""
        return self._hinted > self._publisher.saved

    @property
    def holds_picks(self) -> bool:
        return bool(self._held)

    async def settle(self) -> None:
        """Wait until nothing is being written, and everything is read that was saved before this call.

        Raises `StoreFailed` if the store cannot be read, or this copy of the table was dropped.
        """
        await self.finish_writing()
        if self._store.shared:
            with store_failures("the table could not be read"):
                head = (await self._store.heads((self._id,))).get(self._id, 0)
            self._hinted = max(self._hinted, head)
            self.catch_up()
            await self.finish_writing()
            if self._publisher.saved < head:
                raise StoreFailed(_UNREAD)

    async def finish_writing(self) -> None:
        """Wait until nothing is being written here: the state is on disk then. Raises `StoreFailed`."""
        while (self._writing or self._inbox) and not self.is_dropped:
            waiter = self._loop.create_future()
            self._waiting_for_idle.append(waiter)
            await waiter
        if self.is_dropped:
            raise StoreFailed(_DROPPED)

    async def transact(self, run: Callable[[Transaction], T]) -> T:
        """Run one change in a transaction; returns, or raises, after the durable write. If the store does not
        answer, it raises `StoreFailed` although the change may still be saved."""
        future: asyncio.Future[T] = self._loop.create_future()
        self.enqueue(TableJob(run, partial(resolve, future), caller=current_caller()))
        try:
            async with asyncio.timeout(WRITE_S):
                return await future
        except TimeoutError:
            raise StoreFailed(UNCONFIRMED) from None
        finally:
            del future  # what it raises refers to this frame

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- run, save, publish --------------------------------------------------------------------------

    def enqueue_pick(self, job: TableJob) -> None:
        """Run a person's pick as soon as every machine is bound to its own."""
        if self.table_state.unpromised and not self.is_dropped and len(self._held) < MOST_WAITING:
            self._held.append(job)
        else:
            self.enqueue(job)

    def enqueue(self, job: TableJob) -> None:
        """Run a job in the next transaction; refuse it if too many are waiting."""
        if self.is_dropped:
            job.done(None, StoreFailed(_DROPPED))
            return
        if len(self._inbox) >= MOST_WAITING:
            job.done(None, StoreFailed("too many commands are waiting at this table: try again in a moment"))
            return
        self._inbox.append(job)
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled and not self._writing:
            self._scheduled = True
            self._loop.call_soon(self._run_inbox)

    def _run_inbox(self) -> None:
        """Run all waiting jobs in one transaction, one after the other; then save it."""
        self._scheduled = False
        if self._writing:  # a read of the table is in progress, and runs the inbox when it is done
            return
        jobs, self._inbox = self._inbox, []
        tx = Transaction(self.table_state, now(), self._publisher.seats_here)
        answers: list[JobAnswer] = []
        try:
            for job in jobs:
                if job.is_pick and self.table_state.unpromised:  # a machine has just taken a seat over
                    self._held.append(job)
                else:
                    answers.append(_run(job, tx))
            if tx.entries:
                self._writing = True
                append = tx.to_append(self.bots.wake_at(tx.now))
                if callers := {job.caller for job, _, error in answers if job.caller and not error}:
                    append = append._replace(callers=tuple(callers))
                self._store.append_then(append, partial(self._on_written, tx, answers))
                return
        except Exception:  # a bug of the table, a game or a store: nothing of this transaction counts
            _log.exception("a change of a table failed", table=self._id)
            unrun = [(each, None, None) for each in jobs[len(answers) :] if each not in self._held]
            self._start_recovery([*answers, *unrun], StoreFailed(_NOT_SAVED), in_doubt=False)
            return
        if self._store.shared and any(error for _, _, error in answers):
            self._writing = True
            self.start_task(self._check_refusals(answers))
            return
        self._answer(answers)
        self._next_inbox()

    def _on_written(
        self, tx: Transaction, answers: list[JobAnswer], _: None, failure: BaseException | None
    ) -> None:
        if failure is not None:
            error = failure if isinstance(failure, FacedownError) else StoreFailed(_NOT_SAVED)
            in_doubt = self._store.shared and not isinstance(error, CallerGone | NoModerator)
            self._start_recovery(answers, error, in_doubt=in_doubt)
            return
        self._publisher.confirm(tx.entries[-1].v)
        self._writing = False
        self.last_used = tx.now
        self._answer(answers)
        self._publish()

    def _publish(self) -> None:
        """Send listeners and other servers what is new. It is saved: if that fails, clients read it again."""
        try:
            self._publisher.publish(self.table_state)
            self._bus.publish(topic_of(self._id), self._publisher.saved)
            self.bots.wake()
        except Exception:
            _log.exception("an update of a table failed", table=self._id)
            self.drop()
            return
        self._next_inbox()

    def _answer(self, answers: Sequence[JobAnswer]) -> None:
        for job, result, error in answers:
            try:
                job.done(result, error)
            except Exception:  # the others are answered all the same
                _log.exception("an answer could not be delivered", table=self._id)

    def _next_inbox(self) -> None:
        """Nothing is being written: run what came in since, or wake the callers of `finish_writing`."""
        if self._hinted > self._publisher.saved:
            self.catch_up()
            return
        if self._held and not self.table_state.unpromised:
            self._inbox += self._held
            self._held = []
        if self._inbox:
            self._schedule()
            return
        self._wake_waiters()

    def _wake_waiters(self) -> None:
        waiters, self._waiting_for_idle = self._waiting_for_idle, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    # --- reading the store ---------------------------------------------------------------------------

    def on_hint(self, v: int, _node: str = "") -> None:
        """By a hint, the table has reached event `v`: read it if anyone waits for it, else with the next use.

        Else a server at which a table was made would read along with the one that plays it."""
        self._hinted = max(self._hinted, v)
        if self._held or self._publisher.has_listeners:
            self.catch_up()

    def catch_up(self) -> None:
        """Read and publish what other servers have announced."""
        if self._hinted > self._publisher.saved and not self._writing and not self.is_dropped:
            self._writing = True
            self.start_task(self._catch_up())

    async def _catch_up(self) -> None:
        """Read what other servers appended. If the store fails, the next hint or sweep tries again."""
        hinted, is_new = self._hinted, False
        with suppress(StoreFailed):
            is_new = await self._read_tail()
        if not is_new and self._hinted == hinted:  # else there was a hint in the meantime
            self._hinted = self._publisher.saved
        self._writing = False
        if not self.is_dropped:
            self._next_inbox()

    async def _check_refusals(self, answers: list[JobAnswer]) -> None:
        """Answer refused commands, or run them again if another server has appended in the meantime."""
        again: list[JobAnswer] = []
        try:
            if await self._read_tail():
                again, answers = _split(answers, lambda each: each[2] is not None)
        except StoreFailed as failure:
            answers = [(job, result, error and failure) for job, result, error in answers]
        self._writing = False
        self._answer(answers)
        self._run_again(again)

    async def _read_tail(self) -> bool:
        """Apply and publish what other servers appended; False if there was nothing. Raises `StoreFailed`."""
        with store_failures("the table could not be read"):
            rows = await self._store.rows(self._id, self._publisher.saved)
        try:
            for row in rows:
                self.table_state.apply(from_row(row))
            self._publisher.confirm(self.table_state.head)
            self._publisher.publish(self.table_state)
        except Exception as error:  # a newer version may have written them
            _log.exception("events of another server could not be applied", table=self._id)
            self.drop()
            raise StoreFailed(_DROPPED) from error
        return bool(rows)

    def _start_recovery(self, answers: list[JobAnswer], failure: FacedownError, *, in_doubt: bool) -> None:
        """Read the state again before anything else: it may be ahead of the store."""
        self._writing = True
        self.start_task(self._recover(answers, failure, in_doubt))

    async def _recover(self, answers: list[JobAnswer], failure: FacedownError, in_doubt: bool) -> None:
        """Read the state again after a failed append; `in_doubt`: the append may be saved all the same."""
        moved, before = isinstance(failure, HeadMoved), self._publisher.saved
        gone = failure.caller if isinstance(failure, CallerGone | NoModerator) else None
        unsaved = moved or gone is not None
        try:
            await self._replace_state(self.table_state.log[: self._publisher.saved] if unsaved else ())
        except StoreFailed:
            self.drop(answers)
            return
        self.bots.forget()
        self._writing = False
        saved = self._publisher.saved > before  # then its commands are repeated ones
        all_again = moved or in_doubt or saved
        again, refused = _split(answers, lambda each: all_again or gone not in (None, each[0].caller))
        self._answer([(job, None, failure) for job, _, _ in refused])
        if not moved:  # else the server that appended wakes them
            self.bots.wake()
        self._run_again(again)

    async def reload(self) -> None:
        """Read the state again: personal texts in it were erased, or another database took over."""
        try:
            await self.finish_writing()
            self._writing = True
            await self._replace_state(())
        except BaseException as error:
            self.drop()
            if isinstance(error, StoreFailed):
                return
            raise
        self._writing = False
        self._next_inbox()

    async def _replace_state(self, known: Sequence[LogEntry]) -> None:
        """Fold the state again from the store, and publish what is new in it; raises `StoreFailed`."""
        with store_failures("the table could not be read"):
            rows = await self._store.rows(self._id, len(known))
        try:
            fresh = fold_rows(self._id, rows, known)
            if fresh.head < self._publisher.saved:
                raise StoreFailed("the store has lost events of this table")
            self.table_state = fresh
            self._publisher.confirm(fresh.head)
            self._publisher.publish(fresh)
        except Exception as error:
            _log.exception("a table could not be read again", table=self._id)
            raise StoreFailed(_DROPPED) from error

    def _run_again(self, answers: Sequence[JobAnswer]) -> None:
        """Run these jobs again on the present state, before all others."""
        self._inbox[:0] = [job._replace(tries=job.tries + 1) for job, _, _ in answers]
        if not self.is_dropped:
            self._next_inbox()
        elif answers:
            self.drop()

    def release(self) -> None:
        """Refer to the table no more."""
        self._on_drop = lambda: None
        self.bots.release()

    def drop(self, answers: Sequence[JobAnswer] = ()) -> None:
        """Give up this copy of the table: refuse the waiting jobs, and disconnect all listeners."""
        jobs = [*(job for job, _, _ in answers), *self._inbox, *self._held]
        self._inbox, self._held = [], []
        self._writing = False
        if not self.is_dropped:
            self.is_dropped = True
            self.bots.stop()
            self._on_drop()
        self._answer([(job, None, StoreFailed(_DROPPED)) for job in jobs])
        self._wake_waiters()
        self._publisher.disconnect_all(StoreFailed(_DROPPED))


def _run(job: TableJob, tx: Transaction) -> JobAnswer:
    try:
        return job, job.run(tx), None
    except FacedownError as error:
        forget_frames(error)  # one of them refers to the answers
        return job, None, error


def _split(
    answers: Sequence[JobAnswer], again: Callable[[JobAnswer], bool]
) -> tuple[list[JobAnswer], list[JobAnswer]]:
    """The answers whose jobs are tried again, and the others."""
    tried: list[JobAnswer] = []
    settled: list[JobAnswer] = []
    for each in answers:
        (tried if each[0].tries < _TRIES and again(each) else settled).append(each)
    return tried, settled
