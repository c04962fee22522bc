"""The bots of a game: those of its folder, entry points of the group `facedown.bots`, and `module:Class`.

There is no list of names.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib import metadata
from typing import Any, Final

from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.errors import Unreadable
from facedown.core.parts.bot import AnyBot

_GROUP: Final = "facedown.bots"


class UnknownBot(Unreadable):
    """No bot of that name plays this game."""

    code = "unknown_bot"


def bots_of(game: str) -> dict[str, type[AnyBot]]:
    """All bots that play a game, by name: its own first, then those of other packages, then the blind one."""
    part = registry.part(game, "bots")
    own: tuple[type[AnyBot], ...] = () if part is None else part.BOTS
    others = (point.load() for point in metadata.entry_points(group=_GROUP))
    fitting = tuple(each for each in others if getattr(each, "game", "") in ("", game))
    found: dict[str, type[AnyBot]] = {}
    for each in (*own, *fitting, Uniform):
        found.setdefault(each.name, each)
    return found


def usual_bot(game: str) -> str:
    """The default opponent, in the browser and the terminal alike: the bot that the game names as `USUAL`, an
    easy one; else the first of its own."""
    part = registry.part(game, "bots")
    if part is None or not part.BOTS:
        return next(iter(bots_of(game)))
    usual: str = getattr(part, "USUAL", part.BOTS[0]).name
    return usual


def current_name(game: str, name: str) -> str:
    """What a bot is called now: where the game has renamed it (`FORMERLY` of its `bots`), its new name."""
    formerly: dict[str, str] = getattr(registry.part(game, "bots"), "FORMERLY", {})
    return formerly.get(name, name)


def find_bot(game: str, name: str) -> type[AnyBot]:
    """The bot of that name, past or present, or of that `module:Class`; raises `UnknownBot`."""
    if ":" in name:
        return _imported(name)
    known = bots_of(game)
    name = name if name in known else current_name(game, name)
    if name not in known:
        say = f"there is no bot {name[:60]!r} for this game: the bots are {', '.join(known)}, or module:Class"
        raise UnknownBot(say, text=name)
    return known[name]


def _imported(path: str) -> type[AnyBot]:
    module, _, attribute = path.partition(":")
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever a stranger's module does when it is imported
        say = f"the bot {path[:80]!r} cannot be imported: {type(error).__name__}: {error}"
        raise UnknownBot(say, text=path) from None
    if not isinstance(found, type) or not isinstance(getattr(found, "pick", None), Callable):  # type: ignore[arg-type]  # an abstract class will do
        raise UnknownBot(f"{path[:80]!r} is not a bot: it has no `pick`", text=path)
    return found
