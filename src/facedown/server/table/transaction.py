"""How a table's story goes on: facts are added, each seen by the next; then they are saved together."""

from __future__ import annotations

from facedown.core.seats import Seat
from facedown.server.store.base import Answer, Append, Notice, SeatKey
from facedown.server.table.facts import Entry, Fact, Secret, to_row
from facedown.server.table.state import Situation
from facedown.server.table.summary import summary_of

_QUIET = frozenset({"sealed", "revealed", "said", "outage", "left", "back", "offered", "agreed", "opened"})
"""What does not change how a list shows the table."""


class Story:
    """What one step adds to a table. The situation is ahead of the store until `batch` is saved."""

    __slots__ = ("_before", "answer", "entries", "invite", "keys", "notices", "now", "situation")

    def __init__(self, situation: Situation, now: int) -> None:
        self.situation = situation
        self.now = now
        self.entries: list[Entry] = []
        self.keys: list[SeatKey] = []
        self.notices: list[Notice] = []
        self.invite = ""
        self.answer: Answer | None = None
        self._before = situation.head

    def add(
        self, fact: Fact, secret: Secret = None, *, seat: Seat = 0, command: str = "", spent: int = 0
    ) -> Entry:
        """The next fact."""
        entry = Entry(self.situation.head + 1, self.now, fact, secret, seat, command, spent)
        self.situation.apply(entry)
        self.entries.append(entry)
        return entry

    def batch(self) -> Append:
        """All of it, as the store saves it."""
        rows = tuple([to_row(entry) for entry in self.entries])
        listed = any(row.kind not in _QUIET for row in rows)
        return Append(
            table=self.situation.id,
            head=self._before,
            rows=rows,
            deadline=self.situation.deadline,
            summary=summary_of(self.situation) if listed else None,
            notices=tuple(self.notices),
            seats=tuple(self.keys),
            invite=self.invite,
            answer=self.answer,
        )
