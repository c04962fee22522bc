"""The line-up of a run: its bots by name, those found by it and those that the running program hands over.

What is handed over travels with the plan to the processes that play it. Knows no game by name.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from facedown.bots.find import find_bot
from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.errors import FacedownError
from facedown.core.game import AnyGame, Pick
from facedown.core.parts.bot import AnyBot, Bot, Memory
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat

_cached_bot: Final = cache(find_bot)

BotFactory: TypeAlias = "Callable[[Memory | None], AnyBot]"
"""Makes the bot of one game: a bot's class, or anything that is called like one."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What is not found by its name: bots of the running program, and its game where none is installed."""

    handed: tuple[tuple[str, BotFactory], ...] = ()
    """Bots by the name under which they play."""
    own_game: AnyGame | None = None

    def game(self, name: str) -> AnyGame:
        return registry.get(name) if self.own_game is None else registry.add(self.own_game)

    def factory(self, game: str, name: str) -> BotFactory:
        return next((made for known, made in self.handed if known == name), None) or _cached_bot(game, name)

    def factories(self, game: str, names: Sequence[str]) -> list[BotFactory]:
        return [self.factory(game, name) for name in names]


NONE_HANDED: Final = Lineup()
"""All are found by their names."""


@dataclass(frozen=True, slots=True)
class SameBot:
    """A factory that seats one bot object in all games; what it keeps of a game stays with it."""

    bot: AnyBot

    def __call__(self, memory: Memory | None) -> AnyBot:
        return self.bot


class FunctionBot(Bot[Any]):
    """A bot that is one function, called as `Bot.pick` is."""

    def __init__(self, function: Callable[[Any, tuple[Pick, ...], Stream], Pick]) -> None:
        self._function = function

    def pick(self, view: Any, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """What the function picks."""
        return self._function(view, legal, stream)


@dataclass(frozen=True, slots=True)
class FreshBot:
    """A factory that calls a function without arguments for every game."""

    make: Callable[[], AnyBot]

    def __call__(self, memory: Memory | None) -> AnyBot:
        return self.make()


# --- faults ----------------------------------------------------------------------------------------------


_MOST_SAID: Final = 200
"""The most that is shown of what a bot said when it failed."""


class BotFault(FacedownError):
    """A bot that raised an error, or picked what is not legal."""

    code = "bot_fault"


def describe_fault(match: AnyMatch, seat: Seat, error: Exception) -> str:
    """What the bot on a seat did, in a few words: never what it held."""
    if isinstance(error, FacedownError):
        return error.code
    said = " ".join(str(error).split())[:_MOST_SAID]
    if match.game.meta.hidden_hands:
        for pick in sorted(match.legal(seat), key=len, reverse=True):
            said = re.sub(rf"(?<!\w){re.escape(pick)}(?!\w)", "…", said)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{PurePath(where.filename).name}:{where.lineno}"
    return f"{type(error).__name__}{': ' if said else ''}{said} ({place})"
