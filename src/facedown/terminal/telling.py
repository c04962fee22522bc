"""Telling what happened at a console, and why: the sentences of seen events, and the rules behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from facedown.core import registry
from facedown.core.events import Seen
from facedown.core.game import AnyGame
from facedown.core.page import filled, sentences
from facedown.core.rules import Rules
from facedown.terminal.console import Console
from facedown.terminal.text import GameText, Names, text_of
from facedown.terminal.words import Words

_INDENT: Final = " " * 6
_MARKS: Final = re.compile("[`*]")
"""What marks words in a page and would only stand in the way here."""


class Rulebook:
    """The rules of one table in words: its game's page, with the values of its rules."""

    def __init__(self, game: AnyGame, rules: Rules, words: Words) -> None:
        self.page = filled(registry.page(game.name, words.language), rules)
        """The whole page, in Markdown."""
        self._words = words

    def cited(self, rules: Iterable[str]) -> list[tuple[str, str]]:
        """The ids with their sentences, as they stand on the page."""
        known = sentences(self.page)
        unknown = self._words("no_sentence")
        return [(rule, _MARKS.sub("", known.get(rule, unknown))) for rule in rules]


def rules_behind(seen: Iterable[Seen]) -> tuple[str, ...]:
    """The ids that these events cite, each once."""
    return tuple(dict.fromkeys(rule for fact in seen for rule in fact.rules))


class Telling:
    """Tells one game, line by line."""

    def __init__(
        self, console: Console, game: AnyGame, rules: Rules, names: Names, words: Words | None = None
    ) -> None:
        self.console = console
        self.names = names
        self.words = words or Words()
        self.text: GameText = text_of(game.name, self.words.language)
        self.rulebook = Rulebook(game, rules, self.words)

    def tell(self, seen: Iterable[Seen]) -> None:
        """Say what happened."""
        for sentence in self.told(seen):
            self.console.say_wrapped(sentence, indent="  ")

    def tell_numbered(self, decision: int, seen: Iterable[Seen], before: str = "") -> None:
        """Say what a decision led to, behind its number and what stands `before`."""
        first = f"{decision or '':>4}  {before}"
        for sentence in self.told(seen):
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

    def told(self, seen: Iterable[Seen]) -> list[str]:
        """The sentences for these events."""
        told = (self.text.tell(fact, self.names) for fact in seen)
        return [sentence for sentence in told if sentence]
