"""One unit of work on a table: facts are applied to the state and collected into one store append."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias, final

from facedown.core.errors import FacedownError
from facedown.core.links import leaf_of_log
from facedown.core.seats import Seat
from facedown.server.store.callers import Caller
from facedown.server.store.values import Append, Fault, Notice, PersonalText, SeatHolder, StoredResponse
from facedown.server.table.actor import NO_COMMAND, CommandKey, sender_of
from facedown.server.table.facts import FactSecret, LogEntry, ServerOutage, TableFact, to_row
from facedown.server.table.state import TableState
from facedown.server.table.summary import summary_of

_APART_MS: Final = 2000
"""How far the clocks of servers may differ; after a larger step back, the clock was set."""


@final
class Transaction:
    """The facts that one unit of work adds; the state is ahead of the store until the append is saved."""

    def __init__(
        self, state: TableState, now: int, here: Callable[[], frozenset[Seat]] = frozenset[Seat]
    ) -> None:
        self.state = state
        self._here = here
        """The seats that are connected now."""
        last = state.log[-1].at if state.log else now
        self.now = last if now < last <= now + _APART_MS else now
        """The time of all its facts; not before the last fact, which another server may have added."""
        self.entries: list[LogEntry] = []
        self.seat_holders: list[SeatHolder] = []
        self.notices: list[Notice] = []
        self.faults: list[Fault] = []
        self.invite = ""
        self.response: StoredResponse | None = None
        self._before = state.head
        self._texts: dict[int, tuple[PersonalText, ...]] = {}

    def add(
        self,
        fact: TableFact,
        secret: FactSecret = None,
        *,
        seat: Seat = 0,
        command: CommandKey = NO_COMMAND,
        spent: int = 0,
    ) -> LogEntry:
        """Apply the next fact to the state, and collect it for the append."""
        key, digest = command
        entry = LogEntry(self.state.head + 1, self.now, fact, secret, seat, key, spent, digest)
        self.state.apply(entry)
        self.entries.append(entry)
        texts = fact.personal_texts(self._actor(entry))
        if texts:
            self._texts[entry.v] = texts
        return entry

    def _actor(self, entry: LogEntry) -> str:
        """The id of the person on the seat of the fact, or of the spectator who sent its command."""
        seat: Seat = getattr(entry.fact, "seat", 0)
        return self.state.place(seat).person or "" if seat else sender_of(entry.command)

    def queue_turn_notices(self, before: Iterable[Seat]) -> None:
        """Queue a push notice for each person whose turn has just begun: by days for all of them, as they may
        leave before it is sent, else for those who are away. None if no one else waits."""
        state = self.state
        begun = [seat for seat, since in state.clocks.since.items() if since == self.now]
        if not begun or not state.is_between_people:
            return
        here = frozenset[Seat]() if state.setup.clock.kind == "correspondence" else self._here()
        for seat in begun:
            person = state.place(seat).person
            if seat not in before and seat not in here and person is not None:
                self.notices.append(Notice(person, state.id, state.match.decision, "turn"))

    def queue_notices_of_end(self) -> None:
        """Queue a push notice for each person who is away when the game ends."""
        state, here = self.state, self._here()
        people = {place.person for place in state.people if place.seat not in here and place.person}
        if state.is_between_people:
            self.notices += [Notice(person, state.id, 0, "over") for person in sorted(people)]

    def to_append(self, wake: int | None = None) -> Append:
        """The append that saves everything at once; at `wake` another server may move for its bots."""
        rows = tuple([to_row(entry, self._texts.get(entry.v, ())) for entry in self.entries])
        listed = any("summary" in entry.fact.changes for entry in self.entries)
        return Append(
            table=self.state.id,
            head=self._before,
            rows=rows,
            deadline=self.state.deadline,
            summary=summary_of(self.state) if listed else None,
            notices=tuple(self.notices),
            seats=tuple(self.seat_holders),
            invite=self.invite,
            response=self.response,
            wake=wake,
            log_entries=self._log_entries(),
            faults=tuple(self.faults),
            given_back=sum(each.fact.ms for each in self.entries if isinstance(each.fact, ServerOutage)),
        )

    def _log_entries(self) -> tuple[bytes, ...]:
        """What the public log receives: the first head of a new table, the last one when it ends."""
        state, found = self.state, []
        if not self._before and state.heads:
            found.append(leaf_of_log("table", state.id, state.heads[0]))
        kinds = {entry.fact.link_kind for entry in self.entries}
        found += [
            leaf_of_log(kind, state.id, state.heads[-1])
            for link, kind in (("over", "record"), ("closed", "closed"))
            if link in kinds
        ]
        return tuple(found)


class TableJob(NamedTuple):
    """A change of a table that waits in its inbox, and the callback for its answer."""

    run: Callable[[Transaction], Any]
    done: Callable[[Any, FacedownError | None], None]
    tries: int = 0
    is_pick: bool = False
    """Whether it seals a person's pick, which waits until every machine is bound to its own."""
    caller: Caller | None = None
    """The caller of the request that it came with: it is refused if that one has ended when it is saved."""


JobAnswer: TypeAlias = tuple[TableJob, Any, FacedownError | None]
"""A job that was run, and its result or its error."""
