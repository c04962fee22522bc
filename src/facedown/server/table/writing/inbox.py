"""The inbox of a table: runs what waits in one transaction, saves it, and only then answers and sends it;
reads and sends what other servers append. Owns that order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR, Viewer
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ops.logs import get_log
from facedown.server.store.base import HeadMoved, Store, StoreFailed
from facedown.server.table.bots import BotPlayers
from facedown.server.table.facts import ChatSent, LogEntry, from_row
from facedown.server.table.picks.by_bots import RETRY_S, BotSeats
from facedown.server.table.reading import ReadableTable
from facedown.server.table.seating.presence import Listener, Update
from facedown.server.table.seating.relations import Relations
from facedown.server.table.state import TableState, load_state
from facedown.server.table.transaction import JobAnswer, TableJob, Transaction
from facedown.server.table.updates import is_muted, without_words

T = TypeVar("T")
_log = get_log("facedown.table")
_TRIES: Final = 20
"""How often a command is run again because another server appended first."""
MOST_WAITING: Final = 1000
_LOST: Final = "another server has to serve this table: try again in a moment"
_NOT_SAVED: Final = "this could not be saved and had no effect: send it again"


def topic_of(table: str) -> str:
    """The topic of hints about a table's head."""
    return f"table/{table}"


class TableOwner(Protocol):
    """What a table needs from the collection that holds it."""

    relations: Relations

    def schedule_deadline(self, deadline: int | None) -> None:
        """A table's clocks have to be checked then."""

    def give_up(self, table: str) -> None:
        """This server cannot follow the table any more: another one has to serve it."""


class TableInbox(ReadableTable):
    """A table that changes: all of it runs on the event loop, without locks."""

    def __init__(
        self, state: TableState, store: Store, bus: Bus, bots: BotPlayers, owner: TableOwner
    ) -> None:
        super().__init__(state, owner.relations)
        self.last_used = now()
        self._store = store
        self._bus = bus
        self._owner = owner
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._inbox: list[TableJob] = []
        self._scheduled = False
        self._writing = False
        self._heard = self._told = state.head
        """The newest event that another server spoke of, and the last one that listeners were told."""
        self._waiting_for_idle: list[asyncio.Future[None]] = []
        self._bot_seats = BotSeats(bots, lambda: self._state, self._enqueue)
        self.is_lost = False
        """Whether this server cannot follow the table any more: another one has to serve it."""
        self._held: list[TableJob] = []
        """Picks that are not looked at before every machine is bound to its own."""

    # --- whether something is being written ---------------------------------------------------------

    @property
    def idle(self) -> bool:
        """Whether the table may be unloaded: no listener, nothing to save, no bot thinking."""
        busy = self._inbox or self._writing or self._bot_seats.busy
        return not (self.is_followed or busy)

    @property
    def is_followed(self) -> bool:
        """Whether somebody here waits for what happens at the table."""
        return bool(self._presence.has_listeners or self._held)

    async def settled(self) -> None:
        """Return when nothing is being written, and all is read that was saved when this was called.

        Raises `StoreFailed` where servers share the store, and it cannot be asked.
        """
        await self.quiet()
        if self._store.shared:
            head = (await self._store.heads((self.id,))).get(self.id, 0)
            self.hear(head)
            await self.quiet()
            if self.head < head:
                raise StoreFailed("the table could not be read: try again in a moment")

    async def quiet(self) -> None:
        """Return when nothing is being written here: what is read then is on disk."""
        while self._writing or self._inbox:
            waiter = self._loop.create_future()
            self._waiting_for_idle.append(waiter)
            await waiter

    async def transact(self, run: Callable[[Transaction], T]) -> T:
        """Run one change in a transaction; returns, or raises, after the durable write."""
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T, error: FacedownError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self._enqueue(TableJob(run, done))
        return await future

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- run, save, send -----------------------------------------------------------------------------

    def _enqueue(self, job: TableJob) -> None:
        if self.is_lost:
            job.done(None, StoreFailed(_LOST))
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
        if self._writing:  # others' events are being read: whoever does that goes on with the inbox
            return
        jobs, self._inbox = self._inbox, []
        tx = Transaction(self._state, now())
        answers: list[JobAnswer] = []
        for job in jobs:
            try:
                answers.append((job, job.run(tx), None))
            except FacedownError as error:
                answers.append((job, None, error))
            except Exception as error:  # a bug of ours or of a game: nothing of this turn counts
                _log.exception("a change of a table failed", table=self.id)
                self._writing = True
                everybody = [*answers, *((each, None, None) for each in jobs[len(answers) :])]
                self._start_task(self._reload_after_failure(everybody, error))
                return
        if not tx.entries:
            if self._store.shared and any(error for _, _, error in answers):
                self._writing = True
                self._start_task(self._check_refusals(answers))
                return
            self._answer(answers)
            self._next_inbox()
            return
        self._writing = True
        wake = self.bots_wake_at(tx.now) if self._store.shared else None
        self._store.append_then(tx.to_append(wake), partial(self._on_written, tx, answers))

    def _on_written(
        self, tx: Transaction, answers: list[JobAnswer], _: None, failure: BaseException | None
    ) -> None:
        if failure is not None:
            self._start_task(self._reload_after_failure(answers, failure))
            return
        self._writing = False
        self.last_used = tx.now
        self._answer(answers)
        self._send_updates()
        self._bus.publish(topic_of(self.id), self.head)
        self._owner.schedule_deadline(self._state.deadline)
        self.wake_bots()
        self._next_inbox()

    def _answer(self, answers: list[JobAnswer]) -> None:
        for job, result, error in answers:
            job.done(result, error)

    def _send_updates(self) -> None:
        """Send every listener what is saved and was not told yet."""
        presence, entries = self._presence, self._state.log[self._told :]
        self._told = self.head
        if not entries or not presence.has_listeners:
            return
        told = [(listener, self._viewer_of(listener)) for listener in presence.seated]  # seats first
        viewers = {viewer for _, viewer in told}
        if presence.spectators:
            told += [(listener, SPECTATOR) for listener in presence.spectators]
            viewers.add(SPECTATOR)
        updates = self._updates.updates(self._state, entries, presence.attendance, viewers)
        said = [(number, entry) for number, entry in enumerate(entries) if type(entry.fact) is ChatSent]
        for listener, viewer in told:
            update = updates[viewer]
            listener.notify(self._unmuted(update, said, listener.person) if said else update)
        presence.state_changed()

    def _unmuted(self, update: Update, said: list[tuple[int, LogEntry]], person: str) -> Update:
        """An update without the words of those whom this person has muted."""
        muted, frames = self.relations.muted(person), [*update.frames]
        for number, entry in said:
            if is_muted(self._state, entry, muted):
                frames[number] = without_words(frames[number])
        return Update(tuple(frames)) if muted else update

    def _viewer_of(self, listener: Listener) -> Viewer:
        """A listener who stood up is a spectator: another person may hold the seat now."""
        if listener.viewer == SPECTATOR:
            return SPECTATOR
        return listener.viewer if self._state.holds_seat(listener.person, listener.viewer) else SPECTATOR

    def _next_inbox(self) -> None:
        """Nothing is being written: run what came in meanwhile, or wake those who wait for `quiet`."""
        if self._heard > self.head:
            self.hear(self._heard)
            return
        if self._held and not self._state.unpromised:
            self._inbox += self._held
            self._held = []
        if self._inbox:
            self._schedule()
            return
        waiters, self._waiting_for_idle = self._waiting_for_idle, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def reload(self) -> None:
        """Read the state again, as personal texts in it were erased."""
        while True:
            await self.settled()
            fresh = await load_state(self._store, self.id)
            if fresh.head == self.head and not (self._writing or self._inbox):
                self._state = fresh
                return

    def wake_bots(self) -> None:
        """Let every bot choose that has promised nothing yet, and every one place that may."""
        self._bot_seats.wake()

    def bots_wake_at(self, at: int) -> int | None:
        """When another server should look after the bots that have to move here."""
        return self._bot_seats.wake_at(at)

    # --- what other servers append -------------------------------------------------------------------

    def hear(self, v: int, _node: str = "") -> None:
        """The table is at `v`, as somebody says: read what is new, and send it."""
        self._heard = max(self._heard, v)
        if self._heard > self.head and not self._writing:
            self._writing = True
            self._start_task(self._catch_up())

    async def _catch_up(self) -> None:
        try:
            read = await self._read_tail()
        except StoreFailed:
            read = False
        if not read:  # nothing was there, or the store is away: the next sweep finds what is left
            self._heard = self.head
        self._writing = False
        self._owner.schedule_deadline(self._state.deadline)
        self._next_inbox()

    async def _read_tail(self) -> bool:
        """Apply and send what was appended elsewhere; whether there was anything."""
        rows = await self._store.rows(self.id, self.head)
        try:
            for row in rows:
                self._state.apply(from_row(row))
        except Exception:
            self._give_up()
            raise StoreFailed(_LOST) from None
        self._send_updates()
        return bool(rows)

    def _give_up(self) -> None:
        """Events of another server cannot be applied here: a newer version may have written them."""
        _log.exception("events of another server could not be applied", table=self.id)
        self.is_lost = True
        self._owner.give_up(self.id)
        jobs, self._inbox, self._held = [*self._inbox, *self._held], [], []
        self._answer([(job, None, StoreFailed(_LOST)) for job in jobs])

    async def _check_refusals(self, answers: list[JobAnswer]) -> None:
        """Commands were refused: that counts only where nothing new has happened elsewhere."""
        try:
            again = await self._read_tail()
        except StoreFailed as failure:
            answers = [(job, result, error and failure) for job, result, error in answers]
            again = False
        if again:
            self._inbox[:0] = [
                job._replace(tries=job.tries + 1) for job, _, error in answers if error and job.tries < _TRIES
            ]
            answers = [each for each in answers if not each[2] or each[0].tries >= _TRIES]
        self._writing = False
        self._answer(answers)
        self._next_inbox()

    async def _reload_after_failure(self, answers: list[JobAnswer], failure: BaseException) -> None:
        """The write failed: memory is ahead of the store, so the state is read again before all else."""
        known = self._state.log[: self._told] if isinstance(failure, HeadMoved) else []  # these are saved
        while True:
            try:
                self._state = await load_state(self._store, self.id, known)
                break
            except StoreFailed:
                await asyncio.sleep(RETRY_S)
            except Exception:
                if not self._store.shared:
                    raise
                self._give_up()
                failure = FacedownError(_LOST)
                break
        self._told = min(self._told, self.head)
        self._send_updates()
        self._bot_seats.forget()
        self._writing = False
        in_doubt = self._store.shared and isinstance(failure, StoreFailed)  # it may be saved: the state says
        if isinstance(failure, HeadMoved) or in_doubt:
            again = [job._replace(tries=job.tries + 1) for job, _, _ in answers if job.tries < _TRIES]
            self._inbox[:0] = again
            answers = [each for each in answers if each[0].tries >= _TRIES]
        error = failure if isinstance(failure, FacedownError) else StoreFailed(_NOT_SAVED)
        self._answer([(job, None, error) for job, _, _ in answers])
        if not (self._store.shared and isinstance(failure, HeadMoved)):  # else who appended has woken them
            self.wake_bots()
        self._next_inbox()
