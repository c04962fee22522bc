"""One table in memory: runs commands, saves them, and only then answers and sends updates.

Owns that order. The state, which holds secrets, does not leave this package.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import structlog

from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.translation import Text
from facedown.protocol.errors import NotYours, status_of
from facedown.protocol.messages import Ack, Cmd, Nak, Snap, TableInfo, nak
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import hash_token, new_token
from facedown.server.store.base import HeadMoved, Person, Store, StoreFailed
from facedown.server.table import commands, snapshot
from facedown.server.table.bots import BotPlayers, BotTurn
from facedown.server.table.commands import Actor
from facedown.server.table.facts import ServerOutage, TableClosed, TableCreated
from facedown.server.table.presence import Listener, Presence
from facedown.server.table.recap import recap_of
from facedown.server.table.record import record_of
from facedown.server.table.setup import NewTable, continuation_of, rematch_of
from facedown.server.table.state import Phase, TableState, load_state
from facedown.server.table.summary import GameProgress
from facedown.server.table.transaction import Transaction
from facedown.server.table.updates import ViewerUpdates, missed_events

T = TypeVar("T")
_TRIES: Final = 5
"""How often a command is run again because another server appended first."""
_MOST_WAITING: Final = 1000
_RETRY_S: Final = 0.5
_NOT_SAVED: Final = "this could not be saved and had no effect: send it again"


class TableOwner(Protocol):
    """What a table needs from the collection that holds it."""

    def schedule_deadline(self, deadline: int | None) -> None:
        """This table's clocks have to be checked then."""

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Create the next table of the same people."""


class _Job(NamedTuple):
    """A change that waits for its turn, and the callback for its answer."""

    run: Callable[[Transaction], Any]
    done: Callable[[Any, FacedownError | None], None]
    tries: int = 0


_Answer: TypeAlias = tuple[_Job, Any, FacedownError | None]


class Table:
    """One table in memory. All of it runs on the event loop, without locks."""

    def __init__(
        self, state: TableState, store: Store, bus: Bus, bots: BotPlayers, owner: TableOwner
    ) -> None:
        self.id = state.id
        self.invite: str | None = None
        self.last_used = now()
        self._state = state
        self._store = store
        self._bus = bus
        self._bots = bots
        self._owner = owner
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._presence = Presence(lambda: self._state)
        self._updates = ViewerUpdates()
        self._inbox: list[_Job] = []
        self._scheduled = False
        self._writing = False
        self._waiting_for_idle: list[asyncio.Future[None]] = []
        self._thinking: set[tuple[int, Seat]] = set()
        self._log = structlog.get_logger("facedown.table")

    # --- what other packages may read, once it is settled --------------------------------------------

    @property
    def head(self) -> int:
        """The number of the last event."""
        return self._state.head

    @property
    def phase(self) -> Phase:
        """`open`, `opening`, `playing`, `over` or `closed`."""
        return self._state.phase

    @property
    def setup(self) -> TableCreated:
        """How the table was set up: game, rules, seats, clock. Without the seed."""
        return self._state.setup

    @property
    def title(self) -> Text:
        """The title of the game."""
        return self._state.game.meta.title

    @property
    def next_table(self) -> str | None:
        """The id of the rematch, where there is one."""
        return self._state.next

    @property
    def present(self) -> frozenset[Seat]:
        """The seats that are connected."""
        return self._presence.here

    @property
    def idle(self) -> bool:
        """Whether the table may be unloaded: no listener, nothing to save, no bot thinking."""
        return not (self._presence.listeners or self._inbox or self._writing or self._thinking)

    async def settled(self) -> None:
        """Return when nothing is being written: what is read then is on disk."""
        while self._writing or self._inbox:
            waiter = self._loop.create_future()
            self._waiting_for_idle.append(waiter)
            await waiter

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds."""
        return self._state.seats_of(person)

    @property
    def host(self) -> str:
        """The id of the person who set the table up."""
        return self._state.host

    def host_is(self, person: str) -> bool:
        """Whether this person set the table up."""
        return self._state.host == person

    def may_watch(self, person: str | None) -> bool:
        """Whether this person may see what spectators see."""
        if self.setup.watch == "anyone" or self._state.shared:
            return True
        return person is not None and (self.host_is(person) or bool(self.seats_of(person)))

    def may_join_without_invite(self, person: str) -> bool:
        """Whether the table is public, the person's own, or has a seat reserved for them."""
        reserved = any(place.kept_for == person for place in self._state.places)
        return self.setup.public or self.host_is(person) or reserved

    def info(self, person: str | None) -> TableInfo:
        """Everything about the table but the game, as this person may know it without a seat token."""
        return snapshot.table_info(self._state, SPECTATOR, person, self._presence.attendance(), self.invite)

    def snapshot(self, viewer: Viewer, person: str | None, at: int) -> Snap:
        """The whole table, for this viewer."""
        attendance, views = self._presence.attendance(), self._updates.views
        return snapshot.snapshot_of(self._state, viewer, person, attendance, self.invite, at, views)

    def events(self, viewer: Viewer, after: int) -> list[bytes]:
        """The events later than `after`, one encoded frame each."""
        return missed_events(self._state, viewer, max(0, after))

    def recap(self, viewer: Viewer, person: str | None, after: int, at: int) -> list[bytes]:
        """The reveals later than `after`, from the table as it was before them; one encoded frame each."""
        return recap_of(
            self._state, viewer, person, max(0, after), self._presence.attendance(), self.invite, at
        )

    def record(self, viewer: Viewer) -> str:
        """The record of the game, as far as this viewer may know it."""
        return record_of(self._state, viewer)

    def turn_of(self, seat: Seat) -> tuple[int, int | None] | None:
        """The open decision and the deadline, where this seat may seal now."""
        state = self._state
        if not state.playing or seat not in state.match.may_seal:
            return None
        return state.match.decision, state.clocks.deadlines.get(seat)

    def progress(self) -> GameProgress:
        """Whom the open decision waits for, and what everybody may see of the game."""
        return snapshot.progress_of(self._state, self._updates.views)

    def rematch_setup(self, host: str) -> NewTable:
        """The next table of the same people."""
        return rematch_of(self._state, host)

    def continuation_setup(self, keep: int, seat: Seat, machine: str | None, host: str) -> NewTable:
        """A table that continues this finished game after `keep` decisions."""
        return continuation_of(self._state, keep, seat, machine, host)

    # --- presence ------------------------------------------------------------------------------------

    def attach(self, listener: Listener) -> None:
        """Send updates to this listener from now on."""
        self._updates.follow(self._state, listener.viewer)
        self._presence.add(listener)

    def detach(self, listener: Listener) -> None:
        """Send no more updates to this listener."""
        self.last_used = now()
        self._presence.remove(listener)
        if listener.viewer not in self._presence.viewers:
            self._updates.unfollow(listener.viewer)

    def seen(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._presence.note_request(seat)

    # --- commands ------------------------------------------------------------------------------------

    def submit(
        self, seat: Seat, cmd: Cmd, done: Callable[[Ack | Nak], None], *, person: str, name: str
    ) -> None:
        """Run a command; `done` gets the answer, after the durable write."""
        actor = Actor(seat, person, name)
        if cmd.do == "rematch":
            self._start_task(self._rematch(actor, cmd, done))
            return

        def run(tx: Transaction) -> Ack:
            if cmd.do in ("replace", "agree"):
                return commands.execute(tx, actor._replace(away=self._presence.attendance().away), cmd)
            return commands.execute(tx, actor, cmd)

        def answer(ack: Ack, error: FacedownError | None) -> None:
            done(ack if error is None else nak(cmd.id, error, status_of(error)))

        self._enqueue(_Job(run, answer))

    async def _rematch(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        try:
            done(await self._owner.rematch(self, actor, cmd))
        except FacedownError as error:
            done(nak(cmd.id, error, status_of(error)))

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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

        self._enqueue(_Job(run, done))
        return await future

    async def join(self, seat: Seat, person: Person, commit: str, guest: str | None = None) -> str:
        """Take a seat; the token of the seat, which nobody else ever sees.

        `guest`: the name of somebody who plays on this person's device.
        """
        await self.settled()
        places = self._state.places
        if 1 <= seat <= len(places) and (places[seat - 1].person, places[seat - 1].commit) == (
            person.id,
            commit,
        ):
            return await self.resume(seat, person.id)  # asked again: the first answer was lost
        token = new_token()
        name, has_guest = guest or person.name, guest is not None
        await self.transact(
            lambda tx: commands.join(tx, seat, person.id, name, commit, token, guest=has_guest)
        )
        return token

    async def resume(self, seat: Seat, person: str) -> str:
        """A fresh token for one's own seat; the old one expires when this one is used."""
        if seat not in self.seats_of(person):
            raise NotYours("this is not your seat")
        token = new_token()
        await self._store.rotate_seat_token(self.id, seat, hash_token(token))
        return token

    async def rename(self, person: str, name: str) -> None:
        """Change a person's name on all their seats."""
        await self.transact(lambda tx: commands.rename(tx, person, name))

    async def close(self, say: str) -> None:
        """End the table before its game has ended."""
        await self.transact(
            lambda tx: tx.add(TableClosed(say)) if self.phase not in ("over", "closed") else None
        )

    async def credit_outage(self, ms: int) -> None:
        """Give the clocks back the time for which the server was down."""
        await self.transact(lambda tx: tx.add(ServerOutage(ms)) if self._state.deadline is not None else None)

    async def check_clocks(self, at: int) -> None:
        """Do what is due: deal without entropy that was not opened, and pick for seats whose time is up."""
        await self.settled()
        state = self._state
        chosen: dict[Seat, tuple[int, Pick]] = {}
        for seat in state.clocks.due(at) if state.playing else ():
            turn = self._bot_turn(seat)
            chosen[seat] = (turn.decision, await self._bots.choose_on_timeout(turn, self.setup.flag))
        await self.transact(lambda tx: commands.apply_timeouts(tx, at, chosen))

    # --- run, save, send -----------------------------------------------------------------------------

    def _enqueue(self, job: _Job) -> None:
        if len(self._inbox) >= _MOST_WAITING:
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
        jobs, self._inbox = self._inbox, []
        tx = Transaction(self._state, now())
        answers: list[_Answer] = []
        for job in jobs:
            try:
                answers.append((job, job.run(tx), None))
            except FacedownError as error:
                answers.append((job, None, error))
        if not tx.entries:
            self._answer(answers)
            self._next_inbox()
            return
        self._writing = True
        written = self._store.append(tx.to_append())
        written.add_done_callback(lambda future: self._on_written(tx, answers, future.exception()))

    def _on_written(self, tx: Transaction, answers: list[_Answer], failure: BaseException | None) -> None:
        if failure is not None:
            self._start_task(self._reload_after_failure(answers, failure))
            return
        self._writing = False
        self.last_used = tx.now
        self._answer(answers)
        self._send_updates(tx)
        self._bus.publish(self.id, self.head)
        self._owner.schedule_deadline(self._state.deadline)
        self.wake_bots()
        self._next_inbox()

    def _answer(self, answers: list[_Answer]) -> None:
        for job, result, error in answers:
            job.done(result, error)

    def _send_updates(self, tx: Transaction) -> None:
        presence = self._presence
        if not presence.listeners:
            return
        viewers = {listener: self._viewer_of(listener) for listener in presence.listeners}
        updates = self._updates.updates(
            self._state, tx.entries, presence.attendance, frozenset(viewers.values())
        )
        for listener, viewer in viewers.items():
            for update in updates[viewer]:
                listener.notify(update)
        presence.state_changed()

    def _viewer_of(self, listener: Listener) -> Viewer:
        """A listener who stood up is a spectator: another person may hold the seat now."""
        if listener.viewer == SPECTATOR:
            return SPECTATOR
        return listener.viewer if self._state.holds_seat(listener.person, listener.viewer) else SPECTATOR

    def _next_inbox(self) -> None:
        """Nothing is being written: run what came in meanwhile, or wake those who wait for `settled`."""
        if self._inbox:
            self._schedule()
            return
        waiters, self._waiting_for_idle = self._waiting_for_idle, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _reload_after_failure(self, answers: list[_Answer], failure: BaseException) -> None:
        """The write failed: memory is ahead of the store, so the state is read again before all else."""
        while True:
            try:
                self._state = await load_state(self._store, self.id)
                break
            except StoreFailed:
                await asyncio.sleep(_RETRY_S)
        self._thinking.clear()
        self._writing = False
        if isinstance(failure, HeadMoved):
            again = [job._replace(tries=job.tries + 1) for job, _, _ in answers if job.tries < _TRIES]
            self._inbox[:0] = again
            answers = [each for each in answers if each[0].tries >= _TRIES]
        else:
            self._log.error("table write failed", table=self.id, error=type(failure).__name__)
        error = failure if isinstance(failure, FacedownError) else StoreFailed(_NOT_SAVED)
        self._answer([(job, None, error) for job, _, _ in answers])
        self.wake_bots()
        self._next_inbox()

    # --- bots ----------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """Start every bot that may seal now and is not thinking already."""
        state = self._state
        if not state.playing:
            return
        match = state.match
        machines = [(seat, state.place(seat).machine) for seat in match.may_seal]
        due = [(seat, machine) for seat, machine in machines if machine is not None]
        for seat, machine in due:
            if (match.decision, seat) in self._thinking:
                continue
            self._thinking.add((match.decision, seat))
            turn = self._bot_turn(seat)
            self._bots.play(turn, machine, state.key, len(due) - 1, self._submit_bot_pick)

    def _submit_bot_pick(self, turn: BotTurn, cmd: Cmd) -> None:
        """A bot has picked: its command takes the same path as a person's."""

        def done(answer: Ack | Nak) -> None:
            self._thinking.discard((turn.decision, turn.seat))
            if isinstance(answer, Nak) and answer.status >= 500:
                self._loop.call_later(_RETRY_S, self.wake_bots)

        name = self._state.place(turn.seat).name
        self.submit(turn.seat, cmd, done, person="", name=name)

    def _bot_turn(self, seat: Seat) -> BotTurn:
        match = self._state.match
        legal = match.legal(seat)
        return BotTurn(self.setup.game, self.id, match.decision, seat, match.view(seat), legal)
