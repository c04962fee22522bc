"""The line-up of a run: its bots by name, those found by it and those that the running program hands over.

What is handed over travels with the plan to the processes that play it. Knows no game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from facedown.bots.find import find_bot
from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.parts.bot import AnyBot, Memory

BotFactory: TypeAlias = "Callable[[Memory | None], AnyBot]"
"""Makes the bot of one game: a bot's class, or anything that is called like one."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What is not found by its name: bots of the running program, and its game where none is installed."""

    handed: tuple[tuple[str, BotFactory], ...] = ()
    """Bots by the name under which they play."""
    own_game: AnyGame | None = None

    def game(self, name: str) -> AnyGame:
        """The game of the run."""
        return registry.get(name) if self.own_game is None else registry.add(self.own_game)

    def factory(self, game: str, name: str) -> BotFactory:
        """What makes the bot of that name."""
        return next((made for known, made in self.handed if known == name), None) or _cached_bot(game, name)

    def factories(self, game: str, names: Sequence[str]) -> list[BotFactory]:
        """What makes the bots of these names."""
        return [self.factory(game, name) for name in names]


NONE_HANDED: Final = Lineup()
"""All are found by their names."""


@dataclass(frozen=True, slots=True)
class SameBot:
    """A factory that seats one bot object in all games; what it keeps of a game stays with it."""

    bot: AnyBot

    def __call__(self, memory: Memory | None) -> AnyBot:
        return self.bot


@dataclass(frozen=True, slots=True)
class MadeAnew:
    """A factory that calls a function without arguments for every game."""

    make: Callable[[], AnyBot]

    def __call__(self, memory: Memory | None) -> AnyBot:
        return self.make()


@cache
def _cached_bot(game: str, name: str) -> BotFactory:
    return find_bot(game, name)
