"""The narrator of records: all of a game, or as one viewer saw it; at once, or step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from facedown.core.game import Joint
from facedown.core.record import Record
from facedown.core.seats import SPECTATOR, Viewer
from facedown.terminal.lines.console import Console
from facedown.terminal.lines.view import LineView
from facedown.terminal.moments.effects import ShowTable
from facedown.terminal.moments.session import TableSession
from facedown.terminal.settings import Look
from facedown.terminal.tables.recorded import RecordedTable
from facedown.terminal.words import Words

_INDENT: Final = " " * 6
_SAME: Final = {"why?": "why", "exit": "quit", "q": "quit"}
"""Other words for commands."""


class RecordNarrator:
    """Tells one record. `viewer` None tells everything that the record holds."""

    def __init__(
        self, console: Console, record: Record, viewer: Viewer | None, words: Words | None = None
    ) -> None:
        self._console = console
        self._record = record
        self._words = words or Words()
        self._whole = viewer is None
        self._table = RecordedTable(record, self._words, whole=self._whole)
        self._session = TableSession(self._table, self._words, Look(ascii=console.ascii_only))
        self._session.seat = self._session.viewer = viewer or SPECTATOR
        self._view = LineView(console, self._session)

    def tell(self) -> Iterator[int]:
        """Tell the deal, then every decision; after each, yield how many are left."""
        self._head()
        for at, joint in enumerate([(), *self._record.picks]):
            self._table.at = at
            self._tell(joint)
            yield self._table.last - at
        if self._table.outcome is None:
            self._console.say(self._words("replay.unfinished", count=self._table.last))

    def pause(self) -> None:
        """Wait for Enter; answer questions before it. Raises `LeaveTable`."""
        words = {word: each for word, each in self._session.moment().words.items() if each.now}
        prompt = self._words("replay.prompt", commands=", ".join(words))
        while line := self._console.ask(prompt).strip():
            word, _, rest = line.lower().partition(" ")
            command = words.get(_SAME.get(word, word))
            effect = None if command is None else command.do(rest)
            if isinstance(effect, ShowTable):
                self._show_table()
            else:
                self._view.perform(effect, word, rest)

    def _head(self) -> None:
        words, table = self._words, self._table
        seats = [words("replay.seat", name=name, seat=seat) for seat, name in enumerate(table.names, 1)]
        game = words("replay.game", title=table.game.meta.title, rules=str(table.rules))
        self._console.say(words("replay.head", game=self._console.strong(game), seats=words.all_of(seats)))

    def _tell(self, joint: Joint) -> None:
        """Say what a decision led to, behind its number and the picks where everything is shown."""
        picks = f"[{' '.join(pick or '–' for pick in joint)}] " if self._whole and joint else ""
        seen = self._table.history(self._session.seat)[-1]
        first = f"{seen.decision or '':>4}  {picks}"
        for sentence in self._session.builder.sentences(seen):
            self._console.say_wrapped(sentence, indent=_INDENT, first=first)
            first = _INDENT

    def _show_table(self) -> None:
        """The table as the viewer sees it; where everything is shown, with each seat's private part."""
        everybody = self._seen_by(self._session.seat)
        self._console.say("\n".join(everybody))
        if not self._whole or not self._table.game.meta.hidden_hands:
            return
        for seat, name in enumerate(self._table.names, 1):
            own = [line.strip() for line in self._seen_by(seat) if line not in everybody]
            if own:
                self._console.say_wrapped(f"{name}: {'; '.join(own)}", indent="  ")

    def _seen_by(self, viewer: Viewer) -> list[str]:
        return self._session.builder.text.table(self._table.view(viewer), self._table.names).splitlines()
