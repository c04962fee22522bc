"""Telling what happened to one viewer, and why: the sentences of events, and the rules behind them.

Keeps what was told of each decision, so that it can be told again. Gets events, shows `Seen` ones only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from facedown.core import registry
from facedown.core.events import Event, Seen
from facedown.core.game import AnyGame
from facedown.core.page import filled, sentences
from facedown.core.rules import Rules
from facedown.core.seats import Viewer
from facedown.terminal.console import Console
from facedown.terminal.text import GameText, Names, everything, text_of

Sight = Callable[[Event], Seen | None]
"""What of an event is to be told; None for nothing."""


def sight_of(viewer: Viewer) -> Sight:
    """What one viewer may know."""

    def see(event: Event) -> Seen | None:
        seen = event.seen_by(viewer)
        return seen if isinstance(seen, Seen) else None

    return see


def sight_of_all(event: Event) -> Seen | None:
    """All that is in the record."""
    return everything(event)


_INDENT: Final = " " * 6
_MARKS: Final = re.compile("[`*]")
"""What marks words in a page and would only stand in the way here."""


class Telling:
    """The story of one game, decision by decision; each can be told, told again, and explained."""

    def __init__(self, console: Console, game: AnyGame, rules: Rules, names: Names) -> None:
        self.console = console
        self.names = names
        self.text: GameText = text_of(game.name)
        self._page = registry.page(game.name)
        self._rules = rules
        self._happened: list[tuple[int, tuple[Event, ...]]] = []

    def happened(self, decision: int, events: tuple[Event, ...]) -> None:
        """Remember what a decision (0: the deal) led to."""
        self._happened.append((decision, events))

    def tell(self, events: Iterable[Event], sight: Sight) -> None:
        """Say what happened."""
        for sentence in self._told(events, sight):
            self.console.say_wrapped(sentence, indent="  ")

    def tell_numbered(self, decision: int, events: Iterable[Event], sight: Sight, before: str = "") -> None:
        """Say what a decision led to, behind its number and what stands `before`."""
        first = f"{decision or '':>4}  {before}"
        for sentence in self._told(events, sight):
            self.console.say_wrapped(sentence, indent=_INDENT, first=first)
            first = _INDENT

    def tell_again(self, sight: Sight) -> None:
        """Say all that happened so far."""
        for decision, events in self._happened:
            self.tell_numbered(decision, events, sight)

    def explain(self, sight: Sight) -> None:
        """Say what happened last, and the rules that made it so."""
        seen = [fact for _, events in self._happened[-1:] for event in events if (fact := sight(event))]
        cited = dict.fromkeys(rule for fact in seen for rule in fact.rules)
        for _, events in self._happened[-1:]:
            self.tell(events, sight)
        self.cite(tuple(cited))

    def cite(self, rules: tuple[str, ...]) -> None:
        """Say the sentences of these rules, as they stand on the game's page."""
        known = sentences(filled(self._page, self._rules))
        for rule in rules:
            words = known.get(rule, "has no sentence on this game's page.")
            self.console.say_wrapped(_MARKS.sub("", words), indent="       ", first=f"  {rule:<4} ")

    def page(self) -> str:
        """The game's page with the values of these rules."""
        return filled(self._page, self._rules)

    def _told(self, events: Iterable[Event], sight: Sight) -> list[str]:
        seen = (sight(event) for event in events)
        told = (self.text.tell(fact, self.names) for fact in seen if fact is not None)
        return [sentence for sentence in told if sentence]
