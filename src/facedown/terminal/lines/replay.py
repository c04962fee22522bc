"""The narrator of records: all of a game, or as one viewer saw it; at once, or step by step.

Knows no rule: it plays the record again and tells what happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from facedown.core.events import Event, Seen
from facedown.core.game import AnyGame, Joint
from facedown.core.parts.text import Names, everything, text_of
from facedown.core.record import Record
from facedown.core.replay import AnyMatch, start, turns
from facedown.core.rules import Rules
from facedown.core.seats import SPECTATOR, Viewer
from facedown.core.text.names import record_names
from facedown.terminal.lines.console import Console, LeaveTable
from facedown.terminal.tables.local import seen_by
from facedown.terminal.words import Rulebook, Words, rules_behind

# --- the narrator ----------------------------------------------------------------------------------------


_INDENT: Final = " " * 6


class Narrator:
    """Narrates one game at a console."""

    def __init__(
        self, console: Console, game: AnyGame, rules: Rules, names: Names, words: Words | None = None
    ) -> None:
        self.console = console
        self.names = names
        self.words = words or Words()
        self.text = text_of(game.name, self.words.language)
        self.rulebook = Rulebook(game, rules, self.words)

    def tell(self, seen: Iterable[Seen]) -> None:
        for sentence in self.sentences(seen):
            self.console.say_wrapped(sentence, indent="  ")

    def tell_numbered(self, decision: int, seen: Iterable[Seen], before: str = "") -> None:
        """Say what a decision led to, behind its number and what stands `before`."""
        first = f"{decision or '':>4}  {before}"
        for sentence in self.sentences(seen):
            self.console.say_wrapped(sentence, indent=_INDENT, first=first)
            first = _INDENT

    def explain(self, seen: Iterable[Seen]) -> None:
        seen = tuple(seen)
        self.tell(seen)
        self.cite(rules_behind(seen))

    def cite(self, rules: tuple[str, ...]) -> None:
        """Say the sentences of these rules, as they stand on the game's page."""
        for rule, words in self.rulebook.citations(rules):
            self.console.say_wrapped(words, indent="       ", first=f"  {rule:<4} ")

    def sentences(self, seen: Iterable[Seen]) -> list[str]:
        found = (self.text.tell(fact, self.names) for fact in seen)
        return [sentence for sentence in found if sentence]


# --- a finished game -------------------------------------------------------------------------------------


class RecordNarrator:
    """Tells one record. `viewer` None tells everything that the record holds."""

    def __init__(
        self, console: Console, record: Record, viewer: Viewer | None, words: Words | None = None
    ) -> None:
        self._console = console
        self._record = record
        self._match: AnyMatch = start(record)
        self._words = words or Words()
        self._names = self._words.names(record_names(record.seats))
        self._viewer = viewer
        self._happened: list[tuple[int, tuple[Seen, ...]]] = []
        self._narrator = Narrator(console, self._match.game, self._match.rules, self._names, self._words)

    def tell(self) -> Iterator[int]:
        """Tell the deal, then every decision; after each, yield how many are left."""
        decisions = len(self._record.picks)
        self._head()
        self._tell(0, (), self._match.dealt.events)
        yield decisions
        for decision, turn in enumerate(turns(self._record, self._match), 1):
            self._tell(decision, turn.joint, turn.step.events)
            yield decisions - decision
        if self._match.outcome is None:
            self._console.say(self._words("replay.unfinished", count=decisions))

    def pause(self) -> None:
        """Wait for Enter; answer questions before it."""
        while word := self._console.ask(self._words("replay.prompt")).strip().lower():
            if word in ("why", "why?"):
                self._narrator.explain(self._happened[-1][1])
            elif word == "log":
                for decision, seen in self._happened:
                    self._narrator.tell_numbered(decision, seen)
            elif word == "table":
                self._table()
            elif word in ("quit", "exit", "q"):
                raise LeaveTable
            else:
                self._console.say(self._words("replay.commands"))

    def _head(self) -> None:
        words, match = self._words, self._match
        seats = [words("replay.seat", name=name, seat=seat) for seat, name in enumerate(self._names, 1)]
        game = words("replay.game", title=match.game.meta.title, rules=str(match.rules))
        self._console.say(words("replay.head", game=self._console.strong(game), seats=words.all_of(seats)))

    def _tell(self, decision: int, joint: Joint, events: tuple[Event, ...]) -> None:
        seen = self._visible(events)
        self._happened.append((decision, seen))
        self._narrator.tell_numbered(decision, seen, self._picks_text(joint))

    def _visible(self, events: Sequence[Event]) -> tuple[Seen, ...]:
        return tuple(map(everything, events)) if self._viewer is None else seen_by(events, self._viewer)

    def _picks_text(self, joint: Joint) -> str:
        """The picks as the record has them; only where everything is shown."""
        if self._viewer is not None or not joint:
            return ""
        return f"[{' '.join(pick or '–' for pick in joint)}] "

    def _table(self) -> None:
        """The table as the viewer sees it; where everything is shown, with each seat's private part."""
        everybody = self._seen_by(SPECTATOR if self._viewer is None else self._viewer)
        self._console.say("\n".join(everybody))
        if self._viewer is not None or not self._match.game.meta.hidden_hands:
            return
        for seat, name in enumerate(self._names, 1):
            own = [line.strip() for line in self._seen_by(seat) if line not in everybody]
            if own:
                self._console.say_wrapped(f"{name}: {'; '.join(own)}", indent="  ")

    def _seen_by(self, viewer: Viewer) -> list[str]:
        return self._narrator.text.table(self._match.view(viewer), self._names).splitlines()
