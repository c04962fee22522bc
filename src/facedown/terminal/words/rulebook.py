"""The rulebook of one table: the sentences of its game's page, and the rules that events cite."""

from __future__ import annotations

from collections.abc import Iterable

from facedown.core import registry
from facedown.core.events import Seen
from facedown.core.game import AnyGame
from facedown.core.rules import Rules
from facedown.core.text.markdown import plain_text
from facedown.core.text.rule_page import fill_in, sentences
from facedown.terminal.words.words import Words


class Rulebook:
    """The rules of one table in words: its game's page, with the values of its rules."""

    def __init__(self, game: AnyGame, rules: Rules, words: Words) -> None:
        self.page = fill_in(registry.page(game.name, words.language), rules)
        """The whole page, in Markdown."""
        self._words = words

    def cited(self, rules: Iterable[str]) -> list[tuple[str, str]]:
        """The ids with their sentences, as they stand on the page."""
        known = sentences(self.page)
        unknown = self._words("no_sentence")
        return [(rule, plain_text(known.get(rule, unknown))) for rule in rules]


def rules_behind(seen: Iterable[Seen]) -> tuple[str, ...]:
    """The ids that these events cite, each once."""
    return tuple(dict.fromkeys(rule for fact in seen for rule in fact.rules))
