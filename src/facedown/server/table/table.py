"""One table in memory: commands, joining and leaving, clocks; its inbox runs, saves and answers them.

The state, which holds secrets, does not leave this package.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, final

from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.protocol.errors import NotYours, status_of
from facedown.protocol.messages import Ack, Cmd, Nak, nak
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import hash_token, new_token
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Person, Store
from facedown.server.store.failures import store_failures
from facedown.server.table import commands
from facedown.server.table.actor import Actor, command_key
from facedown.server.table.bots import BotPlayers
from facedown.server.table.facts import ServerOutage, TableClosed
from facedown.server.table.picks.by_bots import turn_of_bot
from facedown.server.table.seating import joining, leaving
from facedown.server.table.seating.elsewhere import Elsewhere
from facedown.server.table.seating.presence import Listener
from facedown.server.table.state import TableState
from facedown.server.table.transaction import TableJob, Transaction
from facedown.server.table.writing.inbox import MOST_WAITING, TableInbox, TableOwner

_log = get_log("facedown.table")


@final
class GameFailed(Exception):
    """The code of a game failed on a stored game: the table cannot go on. The cause is what it raised."""


class RematchOwner(TableOwner, Protocol):
    """What a table needs from the collection that holds it."""

    async def rematch(self, table: Table, actor: Actor, cmd: Cmd) -> Ack:
        """Create the next table of the same people."""


@final
class Table(TableInbox):
    """One table in memory. All of it runs on the event loop, without locks."""

    def __init__(
        self, state: TableState, store: Store, bus: Bus, bots: BotPlayers, owner: RematchOwner
    ) -> None:
        super().__init__(state, store, bus, bots, owner)
        self._bots = bots
        self._rematches = owner
        self.elsewhere = Elsewhere(self.id, bus, store, self._presence)
        """What this table hears from other servers besides its events."""

    # --- presence ------------------------------------------------------------------------------------

    def attach(self, listener: Listener) -> None:
        """Send updates to this listener from now on."""
        if self._publisher.covers(self._state):  # else the next update holds the whole view
            self._updates.follow(self._state, listener.viewer)
        self._presence.add(listener)
        self.elsewhere.changed()

    def detach(self, listener: Listener) -> None:
        """Send no more updates to this listener."""
        self.last_used = now()
        self._presence.remove(listener)
        if listener.viewer not in self._presence.viewers:
            self._updates.unfollow(listener.viewer)
            self.elsewhere.changed()

    def seen(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._presence.note_request(seat)
        self.elsewhere.changed()

    def on_texts_erased(self, _number: int, _node: str) -> None:
        """Another server erased a person who wrote here: read the table again."""
        self._start_task(self.reload())

    # --- commands ------------------------------------------------------------------------------------

    def submit(
        self,
        seat: Seat,
        cmd: Cmd,
        done: Callable[[Ack | Nak], None],
        *,
        person: str,
        name: str,
        looked: bool = False,
    ) -> None:
        """Run a command; `done` gets the answer, after the durable write.

        Who may be replaced depends on who is connected anywhere: `looked` says that the store was asked."""
        actor = Actor(seat, person, name, known_key=command_key(person, cmd))
        if cmd.do == "rematch":
            self._start_task(self._answer_later(cmd, done, self._rematch(actor, cmd, done)))
            return
        if cmd.do in ("replace", "agree") and self._store.shared and not looked:
            look = self._submit_after_look(seat, cmd, done, person, name)
            self._start_task(self._answer_later(cmd, done, look))
            return

        def run(tx: Transaction) -> Ack:
            if cmd.do in ("replace", "agree"):
                return commands.execute(tx, actor._replace(attendance=self._presence.attendance()), cmd)
            return commands.execute(tx, actor, cmd)

        def answer(ack: Ack, error: FacedownError | None) -> None:
            done(ack if error is None else nak(cmd.id, error, status_of(error)))

        job = TableJob(run, answer)
        waits = cmd.do == "pick" and bool(self._state.unpromised) and not self.is_dropped
        if waits and len(self._held) < MOST_WAITING:
            self._held.append(job)  # not looked at before every machine is bound to a pick
        else:
            self._enqueue(job)

    def check_repeat(self, actor: Actor, cmd: Cmd) -> None:
        """Raise `ReusedId` where the actor has used the id of this command for another one."""
        commands.answer_of_repeat(self._state, actor, cmd)

    async def _answer_later(
        self, cmd: Cmd, done: Callable[[Ack | Nak], None], work: Coroutine[Any, Any, None]
    ) -> None:
        """Do the work that answers a command; if it fails, the failure is the answer."""
        try:
            with store_failures("this could not be done, try again in a moment"):
                await work
        except FacedownError as error:
            if error.__cause__ is not None:
                _log.warning("a command failed", table=self.id, do=cmd.do, error=repr(error.__cause__))
            done(nak(cmd.id, error, status_of(error)))

    async def _submit_after_look(
        self, seat: Seat, cmd: Cmd, done: Callable[[Ack | Nak], None], person: str, name: str
    ) -> None:
        await self.elsewhere.look()
        self.submit(seat, cmd, done, person=person, name=name, looked=True)

    async def _rematch(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        done(await self._rematches.rematch(self, actor, cmd))

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

        def sit(tx: Transaction) -> None:
            if tx.state.holds_seat(person.id, seat) and tx.state.place(seat).commit == commit:
                return  # saved, though the connection to the store was lost before it said so
            joining.join(tx, seat, person.id, name, commit, token, guest=has_guest)

        await self.transact(sit)
        return token

    async def resume(self, seat: Seat, person: str) -> str:
        """A fresh token for one's own seat; the old one expires when this one is used."""
        if seat not in self.seats_of(person):
            raise NotYours("this is not your seat")
        token = new_token()
        with store_failures("the token could not be saved"):
            await self._store.rotate_seat_token(self.id, seat, hash_token(token))
        return token

    async def rename(self, person: str, name: str) -> None:
        """Change a person's name on all their seats."""
        await self.transact(lambda tx: joining.rename(tx, person, name))

    async def leave_for_good(self, person: str, name: str) -> None:
        """A person is erased: they leave, and what is left of them here is called by this name."""
        await self.transact(lambda tx: leaving.leave_for_good(tx, person, name))

    async def close(self, say: str) -> None:
        """End the table before its game has ended."""
        await self.transact(
            lambda tx: tx.add(TableClosed(say)) if self.phase not in ("over", "closed") else None
        )

    async def credit_owed(self) -> None:
        """Give the clocks back what the store says they are owed; of several servers, the first one does."""
        await self.settled()
        asked = self.head
        with store_failures("the table could not be read"):
            owed = await self._store.outage_of(self.id)

        def credit(tx: Transaction) -> None:
            given = any(isinstance(entry.fact, ServerOutage) for entry in tx.state.log[asked:])
            if not given and tx.state.deadline is not None:
                tx.add(ServerOutage(owed))

        if owed:
            await self.transact(credit)

    async def check_clocks(self, at: int) -> None:
        """Do what is due: deal without entropy that was not opened, and pick for seats whose time is up.

        Raises `GameFailed` if the game's own code fails.
        """
        await self.settled()
        state = self._state
        chosen: dict[Seat, tuple[int, Pick]] = {}
        for seat in state.clocks.due(at) if state.playing else ():
            try:
                turn = turn_of_bot(state, seat)
            except Exception as error:
                raise GameFailed from error
            pick = await self._bots.choose_on_timeout(turn, self.setup.flag, state.key)
            chosen[seat] = (turn.decision, pick)
        await self.transact(lambda tx: commands.apply_timeouts(tx, at, chosen))
