"""A recorded game as a table: a record, played up to one of its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.events import Seen
from facedown.core.game import Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.parts.text import everything
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.seats import Seat, Viewer
from facedown.core.text.names import record_names
from facedown.terminal.tables.local import seen_by
from facedown.terminal.tables.table import SeenDecision, TerminalTable
from facedown.terminal.words import Words


class RecordedTable(TerminalTable):
    """A record, played up to one of its decisions."""

    people: tuple[Seat, ...] = ()

    def __init__(self, record: Record, words: Words, *, whole: bool = False) -> None:
        """A `whole` history has every event with all its facts, whoever looks."""
        match = start(record)
        self.game = match.game
        self.rules = match.rules
        self._record = record
        self._whole = whole
        self._steps: list[Step[Any]] = [match.dealt, *(turn.step for turn in turns(record, match))]
        self._names = words.names(record_names(record.seats))
        self.at = 0

    @property
    def last(self) -> int:
        return len(self._steps) - 1

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def decision(self) -> int:
        return self.at + 1

    @property
    def pending(self) -> Waves:
        return self.game.pending(self._steps[self.at].state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self._steps[self.at].state)

    @property
    def over(self) -> bool:
        """Whether the record tells a game to its end: only then hands may be shown."""
        return self.game.outcome(self._steps[-1].state) is not None

    def view(self, viewer: Viewer) -> Any:
        return self.game.view(self._steps[self.at].state, viewer)

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        return [
            SeenDecision(number, self._seen(step, viewer), self.game.view(step.state, viewer))
            for number, step in enumerate(self._steps[: self.at + 1])
        ]

    def _seen(self, step: Step[Any], viewer: Viewer) -> tuple[Seen, ...]:
        return tuple(map(everything, step.events)) if self._whole else seen_by(step.events, viewer)

    def record(self) -> Record | None:
        return self._record if self.over else None
