"""One unit of work on a table: facts are applied to the state and collected into one store append."""

from __future__ import annotations

from facedown.core.seats import Seat
from facedown.server.store.base import Answer, Append, Notice, SeatKey
from facedown.server.table.facts import FactSecret, LogEntry, TableFact, to_row
from facedown.server.table.state import TableState
from facedown.server.table.summary import summary_of

_QUIET = frozenset({"sealed", "revealed", "said", "outage", "left", "back", "offered", "agreed", "opened"})
"""What does not change how a list shows the table."""


class Transaction:
    """What one step adds to a table. The state is ahead of the store until `batch` is saved."""

    __slots__ = ("_before", "answer", "entries", "invite", "keys", "notices", "now", "state")

    def __init__(self, state: TableState, now: int) -> None:
        self.state = state
        self.now = now
        self.entries: list[LogEntry] = []
        self.keys: list[SeatKey] = []
        self.notices: list[Notice] = []
        self.invite = ""
        self.answer: Answer | None = None
        self._before = state.head

    def add(
        self, fact: TableFact, secret: FactSecret = None, *, seat: Seat = 0, command: str = "", spent: int = 0
    ) -> LogEntry:
        """The next fact."""
        entry = LogEntry(self.state.head + 1, self.now, fact, secret, seat, command, spent)
        self.state.apply(entry)
        self.entries.append(entry)
        return entry

    def batch(self) -> Append:
        """All of it, as the store saves it."""
        rows = tuple([to_row(entry) for entry in self.entries])
        listed = any(row.kind not in _QUIET for row in rows)
        return Append(
            table=self.state.id,
            head=self._before,
            rows=rows,
            deadline=self.state.deadline,
            summary=summary_of(self.state) if listed else None,
            notices=tuple(self.notices),
            seats=tuple(self.keys),
            invite=self.invite,
            answer=self.answer,
        )
