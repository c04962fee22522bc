"""One unit of work on a table: facts are applied to the state and collected into one store append."""

from __future__ import annotations

from typing import Final

from facedown.core.seats import Seat
from facedown.server.store.base import Append, Notice, SeatHolder, StoredResponse
from facedown.server.table.facts import FactSecret, LogEntry, TableFact, to_row
from facedown.server.table.state import TableState
from facedown.server.table.summary import summary_of

_NOT_SUMMARIZED: Final = frozenset(
    {"sealed", "revealed", "said", "outage", "left", "back", "offered", "agreed", "opened"}
)
"""The kinds of facts that change nothing in a table's summary."""


class Transaction:
    """The facts that one step adds to a table. The state is ahead of the store until the append is saved."""

    __slots__ = ("_before", "entries", "invite", "notices", "now", "response", "seat_holders", "state")

    def __init__(self, state: TableState, now: int) -> None:
        self.state = state
        self.now = now
        self.entries: list[LogEntry] = []
        self.seat_holders: list[SeatHolder] = []
        self.notices: list[Notice] = []
        self.invite = ""
        self.response: StoredResponse | None = None
        self._before = state.head

    def add(
        self,
        fact: TableFact,
        secret: FactSecret = None,
        *,
        seat: Seat = 0,
        command: str = "",
        spent: int = 0,
    ) -> LogEntry:
        """Apply the next fact to the state, and collect it."""
        entry = LogEntry(self.state.head + 1, self.now, fact, secret, seat, command, spent)
        self.state.apply(entry)
        self.entries.append(entry)
        return entry

    def to_append(self) -> Append:
        """The append that saves all of it at once."""
        rows = tuple([to_row(entry) for entry in self.entries])
        listed = any(row.kind not in _NOT_SUMMARIZED for row in rows)
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
        )
