"""The registry of games: every folder of `facedown.games`, and entry points of the group `facedown.games`.

There is no list of names. A game is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib import resources
from types import ModuleType
from typing import Final

from facedown.core.errors import UnknownGame, UnknownVersion
from facedown.core.game import AnyGame
from facedown.core.text.translation import ENGLISH, Domain

_HOME: Final = "facedown.games"


@cache
def _folders() -> dict[str, str]:
    """The import path of every game of our own by its name."""
    found = pkgutil.iter_modules(importlib.import_module(_HOME).__path__)
    return {each.name: f"{_HOME}.{each.name}" for each in found if each.ispkg}


@cache
def packages() -> dict[str, str]:
    """The import path of every game by its name; our own folders win over entry points."""
    from importlib import metadata  # slow to import, and most commands name a game of our own

    others = {point.name: point.value for point in metadata.entry_points(group=_HOME)}
    return dict(sorted(others.items())) | dict(sorted(_folders().items()))


def is_ours(name: str) -> bool:
    """Whether a game is a folder of `facedown.games`, not another package's."""
    return name in _folders()


def _package(name: str) -> str:
    """The import path of a game; raises `UnknownGame`."""
    found = _folders().get(name) or packages().get(name)
    if found is None:
        raise UnknownGame(f"there is no game {name[:60]!r}: the games are {', '.join(names())}", text=name)
    return found


def names() -> tuple[str, ...]:
    """All games by name."""
    return tuple(sorted(packages()))


def get(name: str, version: int | None = None) -> AnyGame:
    """The game of that name, in its newest behaviour version or in this one, for records and running tables.

    Raises `UnknownGame` and `UnknownVersion`.
    """
    module = _module(_package(name), "game")
    newest: AnyGame = module.GAME
    if version is None:
        return newest
    known: dict[int, AnyGame] = {each.version: each for each in (*getattr(module, "EARLIER", ()), newest)}
    if version not in known:
        say = (
            f"this game of {name} was played by version {version} of its rules, and this Facedown knows "
            f"{_versions(sorted(known))}{'; a newer Facedown is needed' if version > newest.version else ''}"
        )
        raise UnknownVersion(say, text=str(version))
    return known[version]


def _versions(numbers: list[int]) -> str:
    """Version numbers in a row: `version 1`, or `versions 1 and 2`."""
    *most, last = map(str, numbers)
    return f"versions {', '.join(most)} and {last}" if most else f"version {last}"


def part(name: str, module: str) -> ModuleType | None:
    """A module of a game's folder, such as its `text` or `bots`; None where the folder has none."""
    package = _package(name)
    try:
        return _module(package, module)
    except ModuleNotFoundError as error:
        if error.name == f"{package}.{module}":
            return None
        raise


def messages(name: str) -> Domain:
    """The messages of a game: the catalogues in its folder word them."""
    return Domain(_package(name))


def page(name: str, language: str = ENGLISH) -> str:
    """The game's page: its rules in words, every sentence with its id; empty where there is none.

    In another language it is `page.ja.md`; where that is missing, the English one.
    """
    folder = resources.files(_package(name))
    path = folder / f"page.{language}.md"
    if language == ENGLISH or not path.is_file():
        path = folder / "page.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _module(package: str, module: str) -> ModuleType:
    return importlib.import_module(f"{package}.{module}")
