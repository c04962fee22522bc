"""Which games there are: every folder of `facedown.games`, and entry points of the group `facedown.games`.

Nobody keeps a list of names. A game is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib import metadata, resources
from types import ModuleType
from typing import Final

from facedown.core.errors import UnknownGame
from facedown.core.game import AnyGame

_HOME: Final = "facedown.games"


@cache
def packages() -> dict[str, str]:
    """The import path of every game by its name; our own folders win over entry points."""
    folders = {
        found.name: f"{_HOME}.{found.name}"
        for found in pkgutil.iter_modules(importlib.import_module(_HOME).__path__)
        if found.ispkg
    }
    others = {point.name: point.value for point in metadata.entry_points(group=_HOME)}
    return dict(sorted(others.items())) | dict(sorted(folders.items()))


def names() -> tuple[str, ...]:
    """All games by name."""
    return tuple(sorted(packages()))


def get(name: str) -> AnyGame:
    """The game of that name; raises `UnknownGame`."""
    if name not in packages():
        raise UnknownGame(f"there is no game {name[:60]!r}: the games are {', '.join(names())}", text=name)
    game: AnyGame = _module(packages()[name], "game").GAME
    return game


def part(name: str, module: str) -> ModuleType | None:
    """A module of a game's folder, such as its `text` or `bots`; None where the folder has none."""
    get(name)
    try:
        return _module(packages()[name], module)
    except ModuleNotFoundError as error:
        if error.name == f"{packages()[name]}.{module}":
            return None
        raise


def page(name: str) -> str:
    """The game's page: its rules in words, every sentence with its id; empty where there is none."""
    get(name)
    path = resources.files(packages()[name]) / "page.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _module(package: str, module: str) -> ModuleType:
    return importlib.import_module(f"{package}.{module}")
