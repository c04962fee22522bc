"""Reading the bots that a caller passes: names, `module:Class`, classes, objects and functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from facedown.bots.find import UnknownBot, find_bot, takes_memory
from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.game import AnyGame, Pick
from facedown.core.parts.bot import Bot
from facedown.sim.lineup import BotFactory, FreshBot, FunctionBot, Lineup, SameBot

PickFunction: TypeAlias = "Callable[[Any, tuple[Pick, ...], Stream], Pick]"
"""A bot that is nothing but its `pick`."""

BotLike: TypeAlias = "str | type[Bot[Any]] | Bot[Any] | Callable[[], Bot[Any]] | PickFunction"
"""A bot: the name of one that plays the game, `module:Class`, a class, an object, a function without
arguments that makes one, or a function that takes `view, legal, stream` and returns a pick.

A class or a function that makes one gives every game a new bot; an object plays all of them."""


def read_bots(game: AnyGame, bots: Iterable[BotLike]) -> tuple[tuple[str, ...], Lineup]:
    """The names under which bots play, all different, and what the names of handed-over ones mean."""
    if isinstance(bots, str | type) or not isinstance(bots, Iterable):
        raise UnknownBot(
            f"bots are a list with one for each seat, not {_short_repr(bots)}", text=_short_repr(bots)
        )
    names: list[str] = []
    handed: list[tuple[str, BotFactory]] = []
    for bot in bots:
        name, factory = _named_bot(game, bot) if isinstance(bot, str) else _given_bot(bot)
        unique = _unique(name, names)
        names.append(unique)
        if not isinstance(bot, str) or unique != name:
            handed.append((unique, factory))
    own = game if registry.is_added(game.name) else None
    return tuple(names), Lineup(tuple(handed), own)


def read_bot(game: AnyGame, bot: BotLike) -> tuple[str, BotFactory]:
    """One bot: its name, and what makes it."""
    return _named_bot(game, bot) if isinstance(bot, str) else _given_bot(bot)


def _named_bot(game: AnyGame, name: str) -> tuple[str, BotFactory]:
    name = name.strip()
    return name, find_bot(game.name, name)


def _given_bot(bot: Any) -> tuple[str, BotFactory]:
    """A bot that is not given by name; raises `UnknownBot` if it is none."""
    if getattr(bot, "pick", None) is None or _pick(bot) is Bot.pick:
        if isinstance(bot, type) or hasattr(bot, "pick") or not callable(bot):
            say = f"{_short_repr(bot)} is not a bot, with a `pick`: derive from facedown.Bot"
            raise UnknownBot(say, text=_short_repr(bot))
        return _name(bot), _from_function(bot)
    if isinstance(bot, type):
        return _name(bot), bot if takes_memory(bot) else FreshBot(bot)
    return _name(bot), SameBot(bot)


def _pick(bot: Any) -> Any:
    """The `pick` of a class, or of an object's class: the one of `Bot` itself is only a promise."""
    return getattr(bot if isinstance(bot, type) else type(bot), "pick", bot.pick)


def _from_function(function: Any) -> BotFactory:
    """A function without arguments makes bots; one that takes what `Bot.pick` takes is a bot."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions that are written in C have none
        return FreshBot(function)
    if _takes(signature, 0):
        return FreshBot(function)
    if _takes(signature, 3):
        return SameBot(FunctionBot(function))
    say = "a function takes `view, legal, stream` and returns a pick, or takes nothing and returns a bot"
    raise UnknownBot(f"{_short_repr(function)} is not a bot: {say}", text=_short_repr(function))


def _takes(signature: inspect.Signature, arguments: int) -> bool:
    try:
        signature.bind(*(None,) * arguments)
    except TypeError:
        return False
    return True


def _name(bot: Any) -> str:
    name = getattr(bot, "name", "") or getattr(bot, "__name__", "") or type(bot).__name__
    return str(name).strip("<>")


def _unique(name: str, names: list[str]) -> str:
    """The name, with a number if another bot has it already."""
    number, unique = 1, name
    while unique in names:
        number += 1
        unique = f"{name} {number}"
    return unique


def _short_repr(value: object) -> str:
    return repr(value)[:60]
