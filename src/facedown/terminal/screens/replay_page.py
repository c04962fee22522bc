"""A recorded game on the full screen, step by step: forward, back, and through whose eyes one likes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from facedown.core.errors import NotAllowed
from facedown.core.game import Pick, Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.drawing.selection import Selection
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.tables.local import seen_by
from facedown.terminal.tables.table import SeenDecision, TerminalTable
from facedown.terminal.words.printable import shown_names
from facedown.terminal.words.words import Words

if TYPE_CHECKING:
    from textual.events import Key


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
        self._names = words.names(shown_names(record.seats))
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

    def placed(self, seat: Seat) -> Pick | None:
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
        """Nothing changes by itself."""

    def wait(self, seconds: float) -> None:
        self._wait.wait(seconds)

    def close(self) -> None:
        """Nothing is held."""


class ReplayPage(TablePage):
    """Steps through a record."""

    table: RecordedTable

    def __init__(self, table: RecordedTable) -> None:
        super().__init__(table)
        self._seat = SPECTATOR

    def settle(self) -> None:
        """The table after the decision that is reached, with its number."""
        words, table = self.words, self.table
        place = words("replay_at", decision=table.at, of=table.last)
        prompt = words("replay_start") if table.at == 0 else place
        if table.at == table.last:
            prompt = f"{prompt}. {words('replay_end')}"
        keys = [
            ("←→", words("key_step")),
            ("w", words("key_why")),
            ("l", words("key_log")),
            ("r", words("key_rules")),
        ]
        if table.over:
            keys += [(f"0-{len(table.names)}", words("key_eyes")), ("v", words("key_review"))]
        keys.append(("Esc", words("key_leave")))
        stage = self.builder.at_rest(self._seat, Selection(), tuple(keys), prompt=prompt)
        self.set_stage(stage)

    def on_key(self, event: Key) -> None:
        """Step, look through other eyes, or ask."""
        steps = {"left": -1, "right": 1, "up": -1, "down": 1, "enter": 1, "space": 1}
        steps |= {"home": -self.table.last, "end": self.table.last, "pageup": -10, "pagedown": 10}
        letter = event.character or ""
        if not self.revealing and event.key in steps:
            event.stop()
            self._step(steps[event.key])
        elif self.table.over and letter.isdigit() and int(letter) <= len(self.table.names):
            event.stop()
            self._seat = int(letter)
            self.settle()
        elif letter == "v" and self.table.over:
            event.stop()
            self.review()
        elif letter != "n":
            super().on_key(event)

    def _step(self, by: int) -> None:
        at = max(0, min(self.table.last, self.table.at + by))
        forward = at == self.table.at + 1
        self.table.at = at
        self.show_from(at if forward else at + 1)

    def _next_turn(self) -> None:
        self.settle()
