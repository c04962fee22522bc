"""A recorded game as a table: a record, played up to one of its decisions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from facedown.core.errors import NotAllowed
from facedown.core.game import Pick, Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.seats import Seat, Viewer
from facedown.core.text.names import record_names
from facedown.terminal.tables.local import seen_by
from facedown.terminal.tables.table import SeenDecision, TerminalTable
from facedown.terminal.words.words import Words


class RecordedTable(TerminalTable):
    """A record, played up to one of its decisions."""

    remote = False
    people: tuple[Seat, ...] = ()

    def __init__(self, record: Record, words: Words) -> None:
        match = start(record)
        self.game = match.game
        self.rules = match.rules
        self._record = record
        self._steps: list[Step[Any]] = [match.dealt, *(turn.step for turn in turns(record, match))]
        self._names: tuple[str, ...] = ()
        self.speak(words)
        self.at = 0
        self._wait = threading.Event()

    @property
    def last(self) -> int:
        """The last decision of the record."""
        return len(self._steps) - 1

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def notice(self) -> str:
        return ""

    @property
    def decision(self) -> int:
        return self.at + 1

    @property
    def pending(self) -> Waves:
        return self.game.pending(self._steps[self.at].state)

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        return ()

    @property
    def sealed(self) -> tuple[Seat, ...]:
        return ()

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self._steps[self.at].state)

    @property
    def started(self) -> bool:
        return True

    @property
    def over(self) -> bool:
        """Whether the record tells a game to its end: only then hands may be shown."""
        return self.game.outcome(self._steps[-1].state) is not None

    def view(self, viewer: Viewer) -> Any:
        return self.game.view(self._steps[self.at].state, viewer)

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        return ()

    def placed_pick(self, seat: Seat) -> Pick | None:
        return None

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        return [
            SeenDecision(number, seen_by(step.events, viewer), self.game.view(step.state, viewer))
            for number, step in enumerate(self._steps[: self.at + 1])
        ]

    def begin(self) -> None:
        """Nothing has to begin."""

    def seal(self, seat: Seat, pick: Pick, decision: int | None = None) -> None:
        raise NotAllowed("a record is finished: nothing can be placed")

    def resign(self, seat: Seat) -> None:
        raise NotAllowed("a record is finished: nobody can resign")

    def record(self) -> Record | None:
        return self._record if self.over else None

    def listen(self, changed: Callable[[], None]) -> None:
        """Nothing changes."""

    def wait(self, seconds: float) -> None:
        self._wait.wait(seconds)

    def speak(self, words: Words) -> None:
        self._names = words.names(record_names(self._record.seats))

    def finish(self) -> list[str]:
        return []

    def close(self) -> list[str]:
        return []
