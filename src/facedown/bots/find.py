"""The bots of a game: those of its folder, entry points of the group `facedown.bots`, and `module:Class`.

There is no list of names.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from functools import cache
from importlib import metadata
from typing import Any, Final

from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.errors import FacedownError, Unreadable, Unsupported
from facedown.core.parts.bot import AnyBot

_GROUP: Final = "facedown.bots"


class UnknownBot(Unreadable):
    """No bot of that name plays this game."""

    code = "unknown_bot"


class BotNeedsExtra(Unsupported):
    """A bot of the game that is not here, because what it needs is not installed."""

    code = "bot_needs_extra"

    def __init__(self, name: str, needed: str) -> None:
        super().__init__(f"{name} needs the extra `{needed}`", text=name)
        self.missing = needed


def bots_of(game: str) -> dict[str, type[AnyBot]]:
    """All bots that play a game, by name: its own first, then those of other packages, then the blind one.

    What cannot be used is left out, with a warning that names its package.
    """
    fitting = tuple(each for each in _other_bots() if getattr(each, "game", "") in ("", game))
    found: dict[str, type[AnyBot]] = {}
    all_bots: tuple[type[AnyBot], ...] = (*_own_bots(game), *fitting, Uniform)
    for each in all_bots:
        found.setdefault(each.name, each)
    return found


def bots_missing(game: str) -> dict[str, str]:
    """The game's own bots that are not here, each with the extra that it needs (`NEEDS` of its `bots`)."""
    here = {bot.name for bot in _own_bots(game)}
    needs: dict[str, str] = getattr(registry.part(game, "bots"), "NEEDS", {}) if here else {}
    return {name: extra for name, extra in needs.items() if name not in here}


def usual_bot(game: str) -> str:
    """The default opponent, in the browser and the terminal alike: the bot that the game names as `USUAL`, an
    easy one; else the first of its own."""
    return _bot_in_role(game, "USUAL", 0)


def substitute_bot(game: str) -> str:
    """The bot that replaces a player who left, unless the table names one: the game's `SUBSTITUTE`,
    or the last of its own bots."""
    return _bot_in_role(game, "SUBSTITUTE", -1)


def _bot_in_role(game: str, role: str, otherwise: int) -> str:
    own = _own_bots(game)
    if not own:
        return next(iter(bots_of(game)))
    name: str = getattr(registry.part(game, "bots"), role, own[otherwise]).name
    return name


def _own_bots(game: str) -> tuple[type[AnyBot], ...]:
    try:
        part = registry.part(game, "bots")
        bots: tuple[type[AnyBot], ...] = () if part is None else tuple(part.BOTS)
        for each in bots:
            _check(each)
    except FacedownError:
        raise
    except Exception as error:  # whatever another package does
        registry.leave_out(f"the bots of the game {game!r}", registry.origin(game), error)
        return ()
    return bots


@cache
def _other_bots() -> tuple[type[AnyBot], ...]:
    found: list[type[AnyBot]] = []
    for point in metadata.entry_points(group=_GROUP):
        try:
            bot = point.load()
            _check(bot)
        except Exception as error:  # whatever another package does
            registry.leave_out(f"the bot {point.name!r}", registry.package_of(point), error)
        else:
            found.append(bot)
    return tuple(found)


def forget() -> None:
    """Search other packages for bots again, after one was installed."""
    _other_bots.cache_clear()


def _check(bot: object) -> None:
    if not _is_bot(bot):
        raise TypeError("it is no class with a `pick`")
    if not isinstance(getattr(bot, "name", None), str) or not str(getattr(bot, "says", "")):
        raise TypeError("it has no `name`, or no sentence that it `says` about itself")


def _is_bot(found: object) -> bool:
    return isinstance(found, type) and callable(getattr(found, "pick", None))


def takes_memory(bot: type) -> bool:
    """Whether a bot's class is made with a memory; a class of a few lines may have an `__init__` without."""
    try:
        inspect.signature(bot).bind(None)
    except (TypeError, ValueError):
        return False
    return True


def find_bot(game: str, name: str) -> type[AnyBot]:
    """The bot of that name, or of that `module:Class`.

    Raises `UnknownBot`, or `BotNeedsExtra` if an extra that it needs is not installed.
    """
    if ":" in name:
        return _import_bot(name)
    known = bots_of(game)
    if name not in known and name in bots_missing(game):
        raise BotNeedsExtra(name, bots_missing(game)[name])
    if name not in known:
        say = f"there is no bot {name[:60]!r} for this game: the bots are {', '.join(known)}, or module:Class"
        raise UnknownBot(say, text=name)
    return known[name]


def import_named(path: str) -> Any:
    """What `module:name` means, from what is installed or from the current folder; raises `UnknownBot`."""
    module, _, attribute = path.partition(":")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)  # at the end: nothing that is installed is hidden by a file of the same name
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever a stranger's module does when it is imported
        say = f"the bot {path[:80]!r} cannot be imported: {type(error).__name__}: {error}"
        raise UnknownBot(say, text=path) from None


def _import_bot(path: str) -> type[AnyBot]:
    found = import_named(path)
    if not _is_bot(found):
        say = f"{path[:80]!r} is not a bot, a class with a `pick`: derive from facedown.Bot"
        raise UnknownBot(say, text=path)
    if not takes_memory(found):
        say = f"{path[:80]!r} cannot be made with `memory`, as bots are: derive from facedown.Bot"
        raise UnknownBot(say, text=path)
    bot: type[AnyBot] = found
    return bot
