"""What other packages may read of a table. The state, which holds secrets, does not leave this package."""

from __future__ import annotations

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.translation import Text
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import Snap, TableInfo
from facedown.server.store.base import StoreFailed
from facedown.server.table import snapshot
from facedown.server.table.facts import ChatSent, TableCreated, may_read_chat
from facedown.server.table.recap import recap_of
from facedown.server.table.record import record_of
from facedown.server.table.seating.presence import Presence
from facedown.server.table.seating.relations import Relations
from facedown.server.table.setup import NewTable, continuation_of, rematch_of
from facedown.server.table.state import Phase, TableState
from facedown.server.table.summary import GameProgress
from facedown.server.table.updates import ViewerUpdates, missed_events
from facedown.server.table.writing.publisher import Publisher


class ReadableTable:
    """The queries of a table in memory; what viewers may see of it only once that is saved."""

    def __init__(self, state: TableState, relations: Relations) -> None:
        self.relations = relations
        self.id = state.id
        self.invite: str | None = None
        self._state = state
        self._presence = Presence(lambda: self._state, lambda: self._publisher.covers(self._state))
        """Who is connected, here and elsewhere."""
        self._updates = ViewerUpdates()
        self._publisher = Publisher(state.head, self._presence, self._updates, relations)

    def set_invite(self, code: str | None) -> None:
        """The table has another invite, or none."""
        self.invite = code

    @property
    def head(self) -> int:
        """The number of the last event that is saved."""
        return self._publisher.saved

    @property
    def _saved_state(self) -> TableState:
        """The state for everything that leaves the server; raises `StoreFailed` if it is ahead of the store.

        A caller that waits for `settled` and reads at once never meets that.
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
        """The title of the game."""
        return self._state.game.meta.title

    @property
    def clock_runs(self) -> bool:
        """Whether somebody's time runs at this table."""
        return self._state.deadline is not None

    @property
    def next_table(self) -> str | None:
        """The id of the rematch, where there is one."""
        return self._state.next

    @property
    def present(self) -> frozenset[Seat]:
        """The seats that are connected."""
        return self._presence.here

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        """The seats that a person holds."""
        return self._state.seats_of(person)

    def holds_seat(self, person: str, seat: Seat) -> bool:
        """Whether this person holds this seat."""
        return self._state.holds_seat(person, seat)

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
        muted = self.relations.muted(person or "")
        attendance = self._presence.attendance()
        return snapshot.table_info(self._saved_state, SPECTATOR, person, attendance, self.invite, muted)

    def snapshot(self, viewer: Viewer, person: str | None, at: int) -> Snap:
        """The whole table, for this viewer."""
        attendance, views = self._presence.attendance(), self._updates.views
        muted = self.relations.muted(person or "")
        return snapshot.snapshot_of(
            self._saved_state, viewer, person, attendance, self.invite, at, views, muted
        )

    def events(self, viewer: Viewer, person: str | None, after: int, most: int | None = None) -> list[bytes]:
        """The first `most` events later than `after`, one encoded frame each."""
        muted = self.relations.muted(person or "")
        return missed_events(self._saved_state, viewer, max(0, after), most, muted)

    def recap(self, viewer: Viewer, person: str | None, after: int, at: int) -> list[bytes]:
        """The reveals later than `after`, from the table as it was before them; one encoded frame each."""
        muted, attendance = self.relations.muted(person or ""), self._presence.attendance()
        return recap_of(self._saved_state, viewer, person, max(0, after), attendance, self.invite, at, muted)

    def may_meet(self, person: str) -> bool:
        """Whether nobody at this table has blocked this person, the host included."""
        people = {self._state.host, *(place.person for place in self._state.places if place.person)}
        return not any(self.relations.blocked(each, person) for each in people)

    def all_may_meet(self) -> bool:
        """Whether nobody of those who hold seats here has blocked another one."""
        people = {place.person for place in self._state.places if place.person}
        return not any(self.relations.blocked(one, other) for one in people for other in people)

    def sender_of(self, v: int, viewer: Viewer) -> tuple[str, str, str]:
        """The person, the name and the words of a chat message that this viewer may read."""
        entry = self._saved_state.log[v - 1] if 1 <= v <= self.head else None
        said = None if entry is None else entry.fact
        if entry is None or not isinstance(said, ChatSent) or not may_read_chat(viewer, said.seat):
            raise BadMessage("there is no such message at this table")
        return self._saved_state.speaker_of(entry), said.name, said.text or f"({said.preset})"

    def person_on(self, seat: Seat) -> tuple[str, str]:
        """The person on a seat, and the name that is shown for them."""
        place = self._saved_state.places[seat - 1] if seat <= len(self._saved_state.places) else None
        if place is None or place.person is None:
            raise BadMessage("nobody has this seat")
        return place.person, place.name

    def record(self, viewer: Viewer) -> str:
        """The record of the game, as far as this viewer may know it."""
        return record_of(self._saved_state, viewer)

    def turn_of(self, seat: Seat) -> tuple[int, int | None] | None:
        """The open decision and the deadline, where this seat may seal now."""
        state = self._saved_state
        if not state.playing or seat not in state.match.may_seal or state.place(seat).kind == "machine":
            return None
        return state.match.decision, state.clocks.deadlines.get(seat)

    def progress(self) -> GameProgress:
        """Whom the open decision waits for, and what everybody may see of the game."""
        return snapshot.progress_of(self._saved_state, self._updates.views)

    def rematch_setup(self, host: str) -> NewTable:
        """The next table of the same people."""
        return rematch_of(self._saved_state, host)

    def continuation_setup(self, keep: int, seat: Seat, machine: str | None, host: str) -> NewTable:
        """A table that continues this finished game after `keep` decisions."""
        return continuation_of(self._saved_state, keep, seat, machine, host)
