"""The narrator of line mode: prints the sentences of seen events, and the rules behind them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from facedown.core.events import Seen
from facedown.core.game import AnyGame
from facedown.core.parts.text import Names, text_of
from facedown.core.rules import Rules
from facedown.terminal.lines.console import Console
from facedown.terminal.words.rulebook import Rulebook, rules_behind
from facedown.terminal.words.words import Words

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
        """Say what happened."""
        for sentence in self.sentences(seen):
            self.console.say_wrapped(sentence, indent="  ")

    def tell_numbered(self, decision: int, seen: Iterable[Seen], before: str = "") -> None:
        """Say what a decision led to, behind its number and what stands `before`."""
        first = f"{decision or '':>4}  {before}"
        for sentence in self.sentences(seen):
            self.console.say_wrapped(sentence, indent=_INDENT, first=first)
            first = _INDENT

    def explain(self, seen: Iterable[Seen]) -> None:
        """Say what happened, and the rules that made it so."""
        seen = tuple(seen)
        self.tell(seen)
        self.cite(rules_behind(seen))

    def cite(self, rules: tuple[str, ...]) -> None:
        """Say the sentences of these rules, as they stand on the game's page."""
        for rule, words in self.rulebook.cited(rules):
            self.console.say_wrapped(words, indent="       ", first=f"  {rule:<4} ")

    def sentences(self, seen: Iterable[Seen]) -> list[str]:
        """The sentences for these events."""
        found = (self.text.tell(fact, self.names) for fact in seen)
        return [sentence for sentence in found if sentence]
