"""One table in memory: its queries, commands, seats and clocks. Its inbox runs, saves and answers changes.

The state, which holds secrets, does not leave this package.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, final

from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.parts.story import DecidingCard, deciding_cards
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.translation import Text
from facedown.protocol.errors import BadMessage, NotYours, WordNotAllowed, status_of
from facedown.protocol.messages import Ack, Cmd, Links, Nak, Phase, Snap, TableInfo, nak
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.ids import hash_token, is_bot, new_token
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.callers import Caller, acting_for, current_caller
from facedown.server.store.failures import StoreFailed, store_failures
from facedown.server.store.values import Person
from facedown.server.table import commands, seating, snapshot
from facedown.server.table.actor import Actor, command_key
from facedown.server.table.bots import BotPlayers, turn_of_bot
from facedown.server.table.facts import ChatSent, ServerOutage, TableCreated, may_read_chat
from facedown.server.table.inbox import TableInbox
from facedown.server.table.presence import Listener, Presence, TableHints
from facedown.server.table.record import finished_record, record_of
from facedown.server.table.setup import NewTable, continuation_of, rematch_of
from facedown.server.table.state import TableState
from facedown.server.table.summary import GameProgress
from facedown.server.table.transaction import TableJob, Transaction
from facedown.server.table.updates import Publisher, ViewerUpdates, leave_out_names, missed_events, recap_of

if TYPE_CHECKING:
    from facedown.server.table.tables import Tables

_log = get_log("facedown.table")


@final
class GameFailed(Exception):
    """The code of a game failed on a stored game: the table cannot go on. The cause is what it raised."""


@final
class Table:
    """One table in memory; runs on the event loop, without locks."""

    def __init__(self, state: TableState, store: Store, bus: Bus, bots: BotPlayers, tables: Tables) -> None:
        self.id = state.id
        self.invite: str | None = None
        self.kept_records: dict[tuple[str, ...], asyncio.Task[str]] = {}
        """Of a finished game, by the names in it: one for its players, one for other readers."""
        self.relations = tables.relations
        self.chat_filter = tables.chat_filter
        self._store = store
        self._bots = bots
        self._tables = tables
        self._updates = ViewerUpdates()
        self._presence = Presence(lambda: self._state, lambda: self._publisher.covers(self._state))
        self._signing = tables.signing
        self._publisher = Publisher(state.head, self._presence, self._updates, self.relations, self._signing)
        self.inbox = TableInbox(
            state, store, bus, bots, self._publisher, on_drop=lambda: tables.on_dropped(self)
        )
        self.hints = TableHints(self.id, bus, store, self._presence)
        self._devices: dict[str, bytes] = {}
        """Of people who joined: a hash that only this process can compare, and that is never saved."""

    @property
    def _state(self) -> TableState:
        return self.inbox.table_state

    @property
    def is_dropped(self) -> bool:
        return self.inbox.is_dropped

    @property
    def is_followed(self) -> bool:
        """Whether a listener or a held pick waits for what happens at the table."""
        return self._presence.has_listeners or self.inbox.holds_picks

    @property
    def idle(self) -> bool:
        """Whether the table may be unloaded: no listener, nothing to save, no bot thinking."""
        return not (self._presence.has_listeners or self.inbox.is_busy)

    def release(self) -> None:
        """Cut the circles of references in a copy that is no longer used: it is freed at once then.

        The garbage collector would free it, but is set to run rarely.
        """
        self._presence.release()
        self.inbox.release()

    async def settle(self) -> None:
        await self.inbox.settle()

    async def finish_writing(self) -> None:
        await self.inbox.finish_writing()

    # --- listeners -----------------------------------------------------------------------------------

    @property
    def connected_people(self) -> set[str]:
        """The people who play or watch by a connection to this server."""
        listeners = (*self._presence.seated, *self._presence.spectators)
        return {each.person for each in listeners if each.person}

    def attach(self, listener: Listener) -> None:
        if self._publisher.covers(self._state):  # else its first update holds the whole view
            self._updates.follow(self._state, listener.viewer)
        self._presence.add(listener)
        self.hints.publish_presence()
        self.inbox.catch_up()  # with what came since it was settled

    def detach(self, listener: Listener) -> None:
        self.inbox.last_used = now()
        self._presence.remove(listener)
        if listener.viewer not in self._presence.viewers:
            self._updates.unfollow(listener.viewer)
            self.hints.publish_presence()

    def note_request(self, seat: Seat) -> None:
        """The person on this seat made a request without a connection."""
        self._presence.note_request(seat)
        self.hints.publish_presence()

    def on_texts_erased(self, _number: int, _node: str) -> None:
        """Another server erased a person who wrote here."""
        self.inbox.start_task(self.forget_texts())

    async def forget_texts(self) -> None:
        """Read the table again without the words of a person who was erased."""
        await self.inbox.reload()
        self.kept_records.clear()

    # --- commands ------------------------------------------------------------------------------------

    def submit(
        self, seat: Seat, cmd: Cmd, done: Callable[[Ack | Nak], None], *, person: str, name: str
    ) -> None:
        """Run a command; `done` receives the answer, after the durable write."""
        try:
            self.relations.check(person, "no_chat" if cmd.do == "say" else "closed")
            self._check_words(cmd)
        except FacedownError as error:
            done(nak(cmd.id, error, status_of(error)))
            return
        if cmd.do == "say":
            name = seating.name_shown(self._state, seat, name)
        caller = current_caller() or _author(cmd, person)
        actor = Actor(seat, person, name, known_key=command_key(person, cmd))
        if cmd.do == "pick":
            self.inbox.enqueue_pick(_job(actor, cmd, done, caller))
        elif cmd.do == "rematch":
            work = self._rematch(actor, cmd, done)
            self.inbox.start_task(self._answer_later(caller, cmd, done, work))
        elif cmd.do not in ("replace", "agree"):
            self.inbox.enqueue(_job(actor, cmd, done, caller))
        elif self._store.shared:
            work = self._refresh_and_replace(actor, cmd, done)
            self.inbox.start_task(self._answer_later(caller, cmd, done, work))
        else:
            self._submit_replacement(actor, cmd, done)

    def _check_words(self, cmd: Cmd) -> None:
        if cmd.do == "say" and cmd.text is not None and self.chat_filter.finds(cmd.text):
            raise WordNotAllowed("the operator of this server does not allow a word of this message")

    def _submit_replacement(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        """Run `replace` or `agree`, which depend on who is connected when they run."""

        def run(tx: Transaction) -> Ack:
            return commands.execute(tx, actor._replace(attendance=self._presence.attendance()), cmd)

        self.inbox.enqueue(TableJob(run, _answer_to(cmd, done), caller=current_caller()))

    async def _refresh_and_replace(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        await self.hints.refresh_from_store()  # a seat may be connected at another server
        self._submit_replacement(actor, cmd, done)

    def check_repeat(self, actor: Actor, cmd: Cmd) -> None:
        """Raise `ReusedId` if the actor has used the id of this command for another one."""
        commands.answer_of_repeat(self._state, actor, cmd)

    async def _answer_later(
        self,
        caller: Caller | None,
        cmd: Cmd,
        done: Callable[[Ack | Nak], None],
        work: Coroutine[Any, Any, None],
    ) -> None:
        """Do the work that answers a command, for its caller; a failure becomes the answer."""
        try:
            with acting_for(caller), store_failures("this could not be done, try again in a moment"):
                await work
        except FacedownError as error:
            if error.__cause__ is not None:
                _log.warning("a command failed", table=self.id, do=cmd.do, error=repr(error.__cause__))
            done(nak(cmd.id, error, status_of(error)))

    async def _rematch(self, actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None]) -> None:
        done(await self._tables.rematch(self, actor, cmd))

    # --- seats ---------------------------------------------------------------------------------------

    async def join(
        self, seat: Seat, person: Person, commit: str, guest: str | None = None, device: bytes = b""
    ) -> str:
        """Take a seat and return its secret token; `guest` is the name of another player on this device,
        which is known by a hash, or not at all."""
        await self.settle()
        places = self._state.places
        if 1 <= seat <= len(places) and (places[seat - 1].person, places[seat - 1].commit) == (
            person.id,
            commit,
        ):
            return await self.resume(seat, person.id)  # a repeated request: the first answer was lost
        token = new_token()
        name, has_guest = guest or person.name, guest is not None
        others = [each for other, each in self._devices.items() if other != person.id]
        one_device = bool(device) and device in others
        self._devices[person.id] = device
        key = _key_of_caller()

        def sit(tx: Transaction) -> None:
            if tx.state.holds_seat(person.id, seat) and tx.state.place(seat).commit == commit:
                return  # saved, though the connection to the store was lost before the answer
            seating.join(
                tx, seat, person.id, name, commit, token, guest=has_guest, one_device=one_device, key=key
            )

        await self.inbox.transact(sit)
        return token

    async def resume(self, seat: Seat, person: str) -> str:
        """A fresh token for one's own seat; the old one expires when this one is used."""
        if seat not in self.seats_of(person):
            raise NotYours("this is not your seat")
        token = new_token()
        with store_failures("the token could not be saved"):
            await self._store.rotate_seat_token(self.id, seat, hash_token(token), _key_of_caller())
        return token

    async def rename(self, person: str, name: str) -> None:
        await self.settle()  # the person may have sat down at another server
        await self.inbox.transact(lambda tx: seating.rename(tx, person, name))

    async def leave_for_good(self, person: str, name: str) -> None:
        """Leave for an erased person; what remains of them here gets this name."""
        await self.settle()
        await self.inbox.transact(lambda tx: seating.leave_for_good(tx, person, name))

    async def close(self, say: str) -> None:
        """Close the table, for the operator; raises `NotNow` if its game is over, or it is closed."""
        await self.settle()
        await self.inbox.transact(lambda tx: seating.close_for_all(tx, say))

    # --- clocks --------------------------------------------------------------------------------------

    async def credit_owed(self) -> None:
        """Give the clocks back the outage that the store has on record; only the first server does."""
        await self.settle()
        asked = self.head
        with store_failures("the table could not be read"):
            owed = await self._store.outage_of(self.id)

        def credit(tx: Transaction) -> None:
            given = any(isinstance(entry.fact, ServerOutage) for entry in tx.state.log[asked:])
            if not given and tx.state.deadline is not None:
                tx.add(ServerOutage(owed))

        if owed:
            await self.inbox.transact(credit)

    async def check_clocks(self, at: int) -> None:
        """Do what is due: void a deal, turn without picks that were not opened, pick for seats out of time.

        Raises `GameFailed` if the game's own code fails.
        """
        await self.settle()
        state = self._state
        try:  # all of them before anything waits: the game may go on in the meantime
            turns = [turn_of_bot(state, seat) for seat in state.clocks.due(at)] if state.playing else []
        except Exception as error:
            raise GameFailed from error
        chosen: dict[Seat, tuple[int, Pick]] = {}
        for turn in turns:
            pick = await self._bots.choose_on_timeout(turn, self.setup.flag, state.key)
            chosen[turn.seat] = (turn.decision, pick)
        await self.inbox.transact(lambda tx: commands.apply_timeouts(tx, at, chosen, self.present))

    # --- queries -------------------------------------------------------------------------------------

    @property
    def head(self) -> int:
        """The number of the last saved event."""
        return self._publisher.saved

    @property
    def _saved_state(self) -> TableState:
        """The state for everything that leaves the server; raises `StoreFailed` if it is ahead of the store.

        That cannot happen right after `settle`.
        """
        if not self._publisher.covers(self._state):
            raise StoreFailed("the table is being saved: try again in a moment")
        return self._state

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
        return self._state.game.meta.title

    @property
    def clock_runs(self) -> bool:
        """Whether a deadline is running at this table."""
        return self._state.deadline is not None

    @property
    def next_table(self) -> str | None:
        return self._state.next

    @property
    def present(self) -> frozenset[Seat]:
        return self._presence.here

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        return self._state.seats_of(person)

    def holds_seat(self, person: str, seat: Seat) -> bool:
        return self._state.holds_seat(person, seat)

    def check_holder(self, person: str, seat: Seat) -> None:
        """Raise `StoreFailed` unless this person holds this seat, as their token said a moment ago.

        Nothing may wait between this and what the person is shown: another one may sit there by then."""
        if not self.holds_seat(person, seat):
            raise StoreFailed("the seats of the table have just changed: try again in a moment")

    @property
    def host(self) -> str:
        return self._state.host

    def host_is(self, person: str) -> bool:
        return self._state.host == person

    def may_watch(self, person: str | None) -> bool:
        """Whether this person may see what spectators see."""
        if self.setup.watch == "anyone" or self._state.shared_by:
            return True
        return person is not None and (self.host_is(person) or bool(self.seats_of(person)))

    def may_join_without_invite(self, person: str) -> bool:
        """Whether the table is public, the person's own, or has a seat reserved for them.

        A bot comes when it is asked: a public table waits for people."""
        return (self.setup.public and not is_bot(person)) or self.expects(person)

    def expects(self, person: str) -> bool:
        """Whether the table is the person's own, or has a seat reserved for them."""
        return self.host_is(person) or any(place.kept_for == person for place in self._state.places)

    def info(self, person: str | None) -> TableInfo:
        """Everything about the table but the game, as this person may see it without a seat token."""
        muted = self.relations.muted_by(person or "")
        attendance = self._presence.attendance()
        return snapshot.table_info(self._saved_state, SPECTATOR, person, attendance, self.invite, muted)

    def snapshot(self, viewer: Viewer, person: str | None, at: int) -> Snap:
        attendance, views = self._presence.attendance(), self._updates.views
        muted = self.relations.muted_by(person or "")
        return snapshot.snapshot_of(
            self._saved_state, viewer, person, attendance, self.invite, at, views, muted
        )

    def events(self, viewer: Viewer, person: str | None, after: int, most: int | None = None) -> list[bytes]:
        """The first `most` events later than `after`, one encoded frame each."""
        state, muted = self._saved_state, self.relations.muted_by(person or "")
        frames = missed_events(state, viewer, max(0, after), most, muted)
        return leave_out_names(frames, state.unnamed_seats(viewer, person))

    def recap(self, viewer: Viewer, person: str | None, after: int, at: int) -> list[bytes]:
        """The reveals later than `after`, from the table as it was before them; one encoded frame each."""
        muted, attendance = self.relations.muted_by(person or ""), self._presence.attendance()
        state = self._saved_state
        frames = recap_of(state, viewer, person, max(0, after), attendance, self.invite, at, muted)
        return leave_out_names(frames, state.unnamed_seats(viewer, person))

    def may_meet(self, person: str) -> bool:
        """Whether no player at this table, nor its host, has blocked this person."""
        people = {self._state.host, *(place.person for place in self._state.places if place.person)}
        return not any(self.relations.has_blocked(each, person) for each in people)

    def all_may_meet(self) -> bool:
        """Whether no player at this table has blocked another one."""
        people = {place.person for place in self._state.places if place.person}
        return not any(self.relations.has_blocked(one, other) for one in people for other in people)

    def is_closed_for(self, person: str) -> bool:
        """Whether a moderator has closed the account of this person."""
        return bool(person) and self.relations.is_under(person, "closed")

    def sender_of(self, v: int, viewer: Viewer) -> tuple[str, str, str]:
        """The person, the name and the words of a chat message that this viewer may read."""
        entry = self._saved_state.log[v - 1] if 1 <= v <= self.head else None
        fact = None if entry is None else entry.fact
        if entry is None or not isinstance(fact, ChatSent) or not may_read_chat(viewer, fact.seat):
            raise BadMessage("there is no such message at this table")
        return self._saved_state.speaker_of(entry), fact.name, fact.text or f"({fact.preset})"

    def person_on(self, seat: Seat) -> tuple[str, str]:
        """The person on a seat, and the name that is shown for them."""
        place = self._saved_state.places[seat - 1] if seat <= len(self._saved_state.places) else None
        if place is None or place.person is None:
            raise BadMessage("no person has this seat")
        return place.person, place.name

    @property
    def is_between_people(self) -> bool:
        return self._saved_state.is_between_people

    def seated(self) -> list[tuple[Seat, str, str]]:
        """The seats that people have, with the person and the name that is shown for them."""
        return [(each.seat, each.person, each.name) for each in self._saved_state.people if each.person]

    def links(self, after: int | None, head: str | None = None) -> Links:
        """The links later than this number, and the signature of the last head.

        All of them without a number, or if `head` is not the head that this table had there."""
        state = self._saved_state
        known = after is not None and after < len(state.links)
        if after is None or not known or (head is not None and state.heads[after].hex() != head):
            after = -1
        links = tuple([tuple(link.plain()) for link in state.links[after + 1 :]])
        return Links(after + 1, links, self._signature(state) or None)

    def _signature(self, state: TableState) -> str:
        """The signature of the last head."""
        number = len(state.links) - 1
        return self._signing.sign_head(state.setup.key, state.id, number, state.heads[number])

    def record(self, viewer: Viewer, person: str | None = None) -> str:
        """The record as JSON text; signed once the game is over."""
        state = self._saved_state
        if state.phase != "over":
            return record_of(state, viewer)
        return self.finished_record(self.unnamed_seats(viewer, person))

    def unnamed_seats(self, viewer: Viewer = SPECTATOR, person: str | None = None) -> frozenset[Seat]:
        """The seats that this reader of a finished game may not name."""
        return self._saved_state.unnamed_seats(viewer, person)

    def finished_record(self, unnamed: frozenset[Seat], log: dict[str, str] | None = None) -> str:
        """The signed record of a game that is over, with its proofs of the public log."""
        state = self._saved_state
        written = finished_record(state, self._signature(state), log, unnamed)
        return self._signing.sign_record(written.write(), state.setup.key)

    @property
    def outer_heads(self) -> tuple[bytes, bytes]:
        """The heads after the first and after the last link."""
        return self._saved_state.heads[0], self._saved_state.heads[-1]

    @property
    def deciding_cards(self) -> tuple[DecidingCard, ...]:
        """The two cards that decided the game, once it is over."""
        state = self._saved_state
        over = state.phase == "over" and state.dealt
        return deciding_cards(state.setup.game, state.match.view(SPECTATOR)) if over else ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(place.name for place in self._saved_state.places)

    def turn_of(self, seat: Seat) -> tuple[int, int | None] | None:
        """The open decision and its deadline if this person may seal now, else None."""
        state = self._saved_state
        if not state.playing or seat not in state.match.may_seal or state.place(seat).kind == "machine":
            return None
        return state.match.decision, state.clocks.deadlines.get(seat)

    def turn_since(self, seat: Seat) -> int:
        """When the turn of this seat began."""
        return self._saved_state.clocks.since.get(seat, 0)

    def seat_kept_for(self, person: str) -> Seat:
        """The seat that is reserved for this person; 0 if there is none."""
        return next((place.seat for place in self._state.places if place.kept_for == person), 0)

    def progress(self) -> GameProgress:
        return snapshot.progress_of(self._saved_state, self._updates.views)

    def rematch_setup(self, host: str) -> NewTable:
        return rematch_of(self._saved_state, host)

    def continuation_setup(self, keep: int, seat: Seat, machine: str | None, host: str) -> NewTable:
        """A table that continues this finished game after `keep` decisions."""
        return continuation_of(self._saved_state, keep, seat, machine, host)


def _job(actor: Actor, cmd: Cmd, done: Callable[[Ack | Nak], None], caller: Caller | None) -> TableJob:
    run = partial(_execute, actor, cmd)
    return TableJob(run, _answer_to(cmd, done), is_pick=cmd.do == "pick", caller=caller)


def _author(cmd: Cmd, person: str) -> Caller | None:
    """The person whose words a command would save: they are not saved once the person is erased."""
    return Caller(person) if cmd.do == "say" and person else None


def _key_of_caller() -> bytes:
    """The hash of the credential that asks for a seat token; empty if it is none."""
    caller = current_caller()
    return b"" if caller is None else caller.key


def _execute(actor: Actor, cmd: Cmd, tx: Transaction) -> Ack:
    return commands.execute(tx, actor, cmd)


def _answer_to(cmd: Cmd, done: Callable[[Ack | Nak], None]) -> Callable[[Any, FacedownError | None], None]:
    return lambda ack, error: done(ack if error is None else nak(cmd.id, error, status_of(error)))
