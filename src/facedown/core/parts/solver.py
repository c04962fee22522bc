"""What is asked of a solved game, and what an answer has to offer; `facedown solve` prints it.

A game's folder may hold a module `solve` with `answer(rules, asked) -> Answer`, where `asked` is None for the
whole game; where it has none, small games of two seats are laid out and solved. Knows no game.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

from facedown.core.rules import Rules

Fact: TypeAlias = "str | int | float | bool | list[Fact] | dict[str, Fact] | None"
"""A value that a program can read."""


class Asked(NamedTuple):
    """A state of a game, as somebody wrote it. What it means, and whether it can occur, the game says."""

    round: int
    score: tuple[int, int]
    play: int | None = None
    """None where nothing was said."""
    stake: int | None = None


class Answer(Protocol):
    """The exact answer about a rule set or one state of it."""

    def facts(self) -> dict[str, Fact]:
        """For programs; always with `value`, `exploitability` and `favoured`.

        `favoured` is who gains by perfect play: {"seat": 2}; {"role": "…"}, a word of the game's own, where
        the seat is not settled yet (drawn at the deal, say); or None where neither side is favoured.
        """
        ...

    def words(self) -> list[str]:
        """For people, line by line: indented lines are tables and stay as they are, others are wrapped."""
        ...

    def picture(self, figure: Any) -> None:
        """Draw it on an empty Matplotlib figure; `Unsupported` where there is nothing to draw."""
        ...


class Solver(Protocol):
    """What a game's `solve` module offers."""

    def answer(self, rules: Rules, asked: Asked | None) -> Answer:
        """Solve the rule set. Raises where the state cannot occur, or the rule set is too large."""
        ...
