"""A table that is being played: takes what people want to do, saves it, and only then tells anybody.

Owns the order of things: acts are done one after the other, saved together, then answered and told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import structlog

from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.errors import NotYours, status_of
from facedown.protocol.messages import Ack, Cmd, Here, Nak, Snap, encode, nak
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import hash_token, new_token
from facedown.server.store.base import HeadMoved, Person, Store, StoreFailed
from facedown.server.table import commands, snapshot
from facedown.server.table.bots import BotPlayers, BotTurn
from facedown.server.table.commands import Actor
from facedown.server.table.facts import ServerOutage, TableClosed, from_row
from facedown.server.table.presence import Attendance, Listener, Presence, replaceable_seats
from facedown.server.table.record import record_of
from facedown.server.table.state import TableState
from facedown.server.table.transaction import Transaction
from facedown.server.table.updates import ViewerUpdates, past

__all__ = ["Listener", "Table"]

T = TypeVar("T")
_TRIES: Final = 5
"""How often an act is done anew because another server was quicker."""
_MOST_WAITING: Final = 1000
_RETRY_S: Final = 0.5
_LEAST_WAIT_MS: Final = 50


class TableServices(Protocol):
    """Who keeps the tables: what a table cannot do alone."""

    def schedule_deadline(self, deadline: int | None) -> None:
        """This table has to be looked at then."""

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Set the next table up."""


class _Job(NamedTuple):
    """Something to be done when its turn comes, and who waits for the answer."""

    run: Callable[[Transaction], Any]
    done: Callable[[Any, FacedownError | None], None]
    tries: int = 0


class Table:
    """One table in memory. All of it runs on the loop; nothing here waits for a lock."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        bus: Bus,
        machines: BotPlayers,
        keeper: TableServices,
    ) -> None:
        self.id = state.id
        self.invite: str | None = None
        self.touched = now()
        self._state = state
        self._store = store
        self._bus = bus
        self._machines = machines
        self._keeper = keeper
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._presence = Presence()
        self._sent_presence = Here((), ())
        self._presence_timer: asyncio.TimerHandle | None = None
        self._news = ViewerUpdates()
        self._inbox: list[_Job] = []
        self._scheduled = False
        self._writing = False
        self._quiet: list[asyncio.Future[None]] = []
        self._thinking: set[tuple[int, Seat]] = set()
        self._log = structlog.get_logger("facedown.table")

    # --- what may be asked, once it is settled -------------------------------------------------------

    @property
    def head(self) -> int:
        """The number of the last event."""
        return self._state.head

    @property
    def phase(self) -> str:
        """`open`, `opening`, `playing`, `over` or `closed`."""
        return self._state.phase

    @property
    def state(self) -> TableState:
        """Where the table stands, secrets and all: for the server's own use, never for a viewer."""
        return self._state

    @property
    def idle(self) -> bool:
        """Whether nobody needs this table in memory."""
        return not (self._presence.listeners or self._inbox or self._writing or self._thinking)

    async def settled(self) -> None:
        """Return when nothing is being written: what is read then is on disk."""
        while self._writing or self._inbox:
            waiter = self._loop.create_future()
            self._quiet.append(waiter)
            await waiter

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds."""
        return self._state.seats_of(person)

    def may_watch(self, person: str | None) -> bool:
        """Whether this person may see what spectators see."""
        if self._state.made.watch == "anyone":
            return True
        return person is not None and (person == self._state.host or bool(self.seats_of(person)))

    def snap(self, viewer: Viewer, person: str | None, at: int) -> Snap:
        """The whole table, for this viewer."""
        views = self._news.views
        return snapshot.snap(self._state, viewer, person, self._attendance(), self.invite, at, views)

    def events(self, viewer: Viewer, after: int) -> list[bytes]:
        """What happened after an event, one frame each."""
        return past(self._state, viewer, max(0, after))

    def record(self, viewer: Viewer) -> str:
        """The game written down, as far as this viewer may know it."""
        return record_of(self._state, viewer)

    def turn_of(self, seat: Seat) -> tuple[int, int | None] | None:
        """The open decision and the deadline, where this seat may seal now."""
        state = self._state
        if not state.playing or seat not in state.match.may_seal:
            return None
        return state.match.decision, state.clocks.deadlines.get(seat)

    # --- who is here ---------------------------------------------------------------------------------

    def attach(self, listener: Listener) -> None:
        """Tell this one, too, from now on."""
        self._presence.come(listener)
        self._news.begin(self._state, listener.viewer)
        self._send_presence()

    def detach(self, listener: Listener) -> None:
        """Tell this one nothing more."""
        self.touched = now()
        if self._presence.go(listener):
            self._send_presence()
        if listener.viewer not in self._presence.viewers:
            self._news.end(listener.viewer)

    def seen(self, seat: Seat) -> None:
        """A person without a connection did something at this seat."""
        self._presence.call(seat)
        self._send_presence()

    def _attendance(self) -> Attendance:
        return self._presence.attendance([place.seat for place in self._state.people])

    def _send_presence(self) -> None:
        """Tell all listeners who is connected and who may be replaced, where that has changed."""
        here, away = self._attendance()
        present = Here(tuple(sorted(here)), tuple(sorted(replaceable_seats(self._state, away))))
        if present != self._sent_presence:
            self._sent_presence = present
            frame = encode(present)
            for listener in tuple(self._presence.listeners):
                listener.tell(frame)
        self._schedule_presence()

    def _schedule_presence(self) -> None:
        """Look again when the next seat becomes away, as long as there is a listener to tell."""
        if self._presence_timer is not None:
            self._presence_timer.cancel()
            self._presence_timer = None
        change = self._presence.next_change([place.seat for place in self._state.people])
        if change is not None and self._presence.listeners:
            seconds = max(change - now(), _LEAST_WAIT_MS) / 1000
            self._presence_timer = self._loop.call_later(seconds, self._send_presence)

    # --- what people do ------------------------------------------------------------------------------

    def submit(
        self, seat: Seat, cmd: Cmd, done: Callable[[Ack | Nak], None], *, person: str, name: str
    ) -> None:
        """Do what a command says; `done` gets the answer, after the durable write."""
        actor = Actor(seat, person, name)
        if cmd.do == "rematch":
            self._start_task(self._ask_for_rematch(actor, cmd, done))
            return

        def run(tx: Transaction) -> Ack:
            if cmd.do in ("replace", "agree"):
                return commands.act(tx, actor._replace(away=self._attendance().away), cmd)
            return commands.act(tx, actor, cmd)

        def answer(ack: Ack, error: FacedownError | None) -> None:
            done(ack if error is None else nak(cmd.id, error, status_of(error)))

        self._put(_Job(run, answer))

    async def _ask_for_rematch(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        try:
            done(await self._keeper.rematch(self, actor, cmd))
        except FacedownError as error:
            done(nak(cmd.id, error, status_of(error)))

    def _start_task(self, errand: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(errand)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def do(self, run: Callable[[Transaction], T]) -> T:
        """Run one change in a transaction; returns, or raises, after the durable write."""
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T, error: FacedownError | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self._put(_Job(run, done))
        return await future

    async def join(self, seat: Seat, person: Person, commit: str) -> str:
        """Sit down; the token of the seat, which nobody else ever sees."""
        await self.settled()
        places = self._state.places
        if 1 <= seat <= len(places) and (places[seat - 1].person, places[seat - 1].commit) == (
            person.id,
            commit,
        ):
            return await self.resume(seat, person.id)  # asked again: the first answer was lost
        token = new_token()
        await self.do(lambda tx: commands.join(tx, seat, person.id, person.name, commit, token))
        return token

    async def resume(self, seat: Seat, person: str) -> str:
        """A fresh token for one's own seat; the old one dies when this one is used."""
        if seat not in self.seats_of(person):
            raise NotYours("this is not your seat")
        token = new_token()
        await self._store.rotate(self.id, seat, hash_token(token))
        return token

    async def rename(self, person: str, name: str) -> None:
        """Call a person otherwise, on all their seats."""
        await self.do(lambda tx: commands.rename(tx, person, name))

    async def close(self, say: str) -> None:
        """End the table before its game has ended."""
        await self.do(lambda tx: tx.add(TableClosed(say)) if self.phase not in ("over", "closed") else None)

    async def give_back(self, ms: int) -> None:
        """The server was away: the clocks get that time back."""
        await self.do(lambda tx: tx.add(ServerOutage(ms)) if self._state.deadline is not None else None)

    async def check_clocks(self, at: int) -> None:
        """Do what is due: deal without those who did not open, and pick for those whose time is up."""
        await self.settled()
        state = self._state
        chosen: dict[Seat, tuple[int, Pick]] = {}
        for seat in state.clocks.due(at) if state.playing else ():
            turn = self._turn(seat, state.match.legal(seat))
            chosen[seat] = (turn.decision, await self._machines.choose_for(turn, state.made.flag))
        await self.do(lambda tx: commands.apply_timeouts(tx, at, chosen))

    # --- doing, saving, telling ----------------------------------------------------------------------

    def _put(self, job: _Job) -> None:
        if len(self._inbox) >= _MOST_WAITING:
            job.done(
                None, StoreFailed("too much is waiting to be saved at this table: try again in a moment")
            )
            return
        self._inbox.append(job)
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled and not self._writing:
            self._scheduled = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Do all that waits, one after the other; then have it saved together."""
        self._scheduled = False
        jobs, self._inbox = self._inbox, []
        tx = Transaction(self._state, now())
        answers: list[tuple[_Job, Any, FacedownError | None]] = []
        for job in jobs:
            try:
                answers.append((job, job.run(tx), None))
            except FacedownError as error:
                answers.append((job, None, error))
        if not tx.entries:
            self._answer(answers)
            self._rest()
            return
        self._writing = True
        written = self._store.append(tx.batch())
        written.add_done_callback(lambda future: self._written(tx, answers, future.exception()))

    def _written(
        self,
        tx: Transaction,
        answers: list[tuple[_Job, Any, FacedownError | None]],
        failure: BaseException | None,
    ) -> None:
        if failure is not None:
            self._start_task(self._reload_after_failure(answers, failure))
            return
        self._writing = False
        self.touched = tx.now
        self._answer(answers)
        self._tell(tx)
        self._bus.publish(self.id, self.head)
        self._keeper.schedule_deadline(self._state.deadline)
        self._wake_bots()
        self._rest()

    def _answer(self, answers: list[tuple[_Job, Any, FacedownError | None]]) -> None:
        for job, result, error in answers:
            job.done(result, error)

    def _tell(self, tx: Transaction) -> None:
        presence = self._presence
        if not presence.listeners:
            return
        told = {listener: self._viewer_of(listener) for listener in presence.listeners}
        viewers = frozenset(told.values())
        ready = self._news.frames(self._state, tx.entries, self._attendance(), viewers)
        for listener, viewer in told.items():
            for frame in ready[viewer]:
                listener.tell(frame)
        self._send_presence()

    def _viewer_of(self, listener: Listener) -> Viewer:
        """Whoever stood up watches, however they came: somebody else may sit there now."""
        if listener.viewer == SPECTATOR:
            return SPECTATOR
        return listener.viewer if self._state.sits(listener.person, listener.viewer) else SPECTATOR

    def _rest(self) -> None:
        """Nothing is being written: go on with what came in meanwhile, or let the readers read."""
        if self._inbox:
            self._schedule()
            return
        waiters, self._quiet = self._quiet, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _reload_after_failure(
        self, answers: list[tuple[_Job, Any, FacedownError | None]], failure: BaseException
    ) -> None:
        """The write failed: memory is ahead of the truth, so that the truth is read again before all else."""
        while True:
            try:
                self._state = await load(self._store, self.id)
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
            self._log.error("not saved", table=self.id, error=type(failure).__name__)
        error = failure if isinstance(failure, FacedownError) else StoreFailed(_NOT_SAVED)
        self._answer([(job, None, error) for job, _, _ in answers])
        self._wake_bots()
        self._rest()

    # --- machines ------------------------------------------------------------------------------------

    def _wake_bots(self) -> None:
        """Let the machines think whose turn it is."""
        state = self._state
        if not state.playing:
            return
        match = state.match
        for seat in match.may_seal:
            place = state.place(seat)
            if place.machine is None or (match.decision, seat) in self._thinking:
                continue
            self._thinking.add((match.decision, seat))
            turn = self._turn(seat, match.legal(seat))
            self._machines.play(turn, place.machine, state.key, self._submit_bot_pick)

    def wake(self) -> None:
        """Go on where the server stopped."""
        self._wake_bots()

    def _submit_bot_pick(self, turn: BotTurn, cmd: Cmd) -> None:
        """A machine has picked: the same path as everybody's."""

        def done(answer: Ack | Nak) -> None:
            self._thinking.discard((turn.decision, turn.seat))
            if isinstance(answer, Nak) and answer.status >= 500:
                self._loop.call_later(_RETRY_S, self._wake_bots)

        name = self._state.place(turn.seat).name
        self.submit(turn.seat, cmd, done, person="", name=name)

    def _turn(self, seat: Seat, legal: tuple[Pick, ...]) -> BotTurn:
        match = self._state.match
        return BotTurn(self._state.made.game, self.id, match.decision, seat, match.view(seat), legal)


_NOT_SAVED: Final = "this could not be saved; nothing is lost: send it again"


async def load(store: Store, table: str) -> TableState:
    """The fold of all that the store holds of a table; empty where there is no such table."""
    state = TableState(table)
    for row in await store.rows(table):
        state.apply(from_row(row))
    return state
