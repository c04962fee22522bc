"""The registry of games: every folder of `facedown.games`, and entry points of the group `facedown.games`.

There is no list of names. A game is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from functools import cache
from importlib import resources
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from facedown.core.errors import UnknownGame, UnknownVersion
from facedown.core.game import AnyGame, Meta
from facedown.core.text.translation import ENGLISH, Domain

if TYPE_CHECKING:
    from importlib import metadata

_HOME: Final = "facedown.games"
_METHODS: Final = ("setup", "pending", "legal", "resolve", "view", "outcome")
_left_out: Final[set[str]] = set()
"""What has been warned of already."""
_added: Final[dict[str, AnyGame]] = {}
"""Games of the running program, which are in no installed package."""


class LeftOut(UserWarning):
    """Something of another package cannot be used: everything goes on without it."""


@cache
def _folders() -> dict[str, str]:
    found = pkgutil.iter_modules(importlib.import_module(_HOME).__path__)
    return {each.name: f"{_HOME}.{each.name}" for each in found if each.ispkg}


@cache
def packages() -> dict[str, str]:
    """The import path of every game by its name; our own folders win over entry points.

    A game of another package that cannot be used is left out, with a warning that names the package.
    """
    others = {name: path for name, path in sorted(_others().items()) if name not in _broken()}
    return others | dict(sorted(_folders().items()))


@cache
def _points() -> tuple[metadata.EntryPoint, ...]:
    """The entry points of games of other packages; where one has the name of ours, ours is meant."""
    from importlib import metadata  # slow to import, and most commands name a game of our own

    return tuple(each for each in metadata.entry_points(group=_HOME) if each.name not in _folders())


def _others() -> dict[str, str]:
    return {point.name: point.value for point in _points()}


@cache
def _broken() -> dict[str, str]:
    """Why games of other packages cannot be used, by name."""
    found: dict[str, str] = {}
    for point in _points():
        try:
            _check(point.name, _module(point.value, "game").GAME)
        except Exception as error:  # whatever another package does when it is imported
            found[point.name] = leave_out(f"the game {point.name!r}", package_of(point), error)
    return found


def add(game: AnyGame) -> AnyGame:
    """Make a game of the running program known by its name; an earlier one of that name is replaced.

    Raises `UnknownGame` where it lacks what a game has, or an installed game has its name.
    """
    name: Any = getattr(game, "name", None)
    try:
        if not isinstance(name, str) or not name:
            raise TypeError("it has no `name`")
        if _added.get(name) is game:
            return game
        _check(name, game)
    except Exception as error:  # whatever a stranger's object does
        raise UnknownGame(f"{type(game).__name__} is no game: {error}", text=str(name)) from None
    if name in packages():
        installed = get(name)
        if type(installed) is type(game):
            return installed
        raise UnknownGame(f"there is another game {name!r} already, in {origin(name)}", text=name)
    _added[name] = game
    return game


def _check(name: str, game: Any) -> None:
    """Raise unless the game has what everything here asks of one; `facedown.testing` checks the rest."""
    if game.name != name:
        raise TypeError(f"it calls itself {game.name!r}")
    if type(game.version) is not int or game.version < 1:
        raise TypeError("its `version` is no whole number from 1")
    if not isinstance(game.meta, Meta) or not str(game.meta.title):
        raise TypeError("its `meta` is no `Meta` with a title")
    missing = [each for each in _METHODS if not callable(getattr(game, each, None))]
    if missing:
        raise TypeError(f"it has no {', '.join(missing)}")
    str(game.rules.read(""))


def leave_out(what: str, package: str, error: Exception) -> str:
    """Warn that something of another package is left out, and go on without it; the sentence."""
    say = f"leaving out {what} of the package {package}: {type(error).__name__}: {error}"
    if say not in _left_out:
        _left_out.add(say)
        warnings.warn(say, LeftOut, stacklevel=2)
    return say


def package_of(point: metadata.EntryPoint) -> str:
    """The package of an entry point, with its version."""
    return point.value if point.dist is None else f"{point.dist.name} {point.dist.version}"


def origin(name: str) -> str:
    """The package that a game comes from."""
    return next((package_of(point) for point in _points() if point.name == name), _HOME)


def is_added(name: str) -> bool:
    """Whether a game is one of the running program."""
    return name in _added


def is_ours(name: str) -> bool:
    """Whether a game is one of our own folders, and not of another package."""
    return name in _folders()


def _package(name: str) -> str:
    found = _folders().get(name) or packages().get(name)
    if found is None and name in _added:
        return type(_added[name]).__module__.removesuffix(".game")
    if found is None and name in _broken():
        raise UnknownGame(_broken()[name], text=name)
    if found is None:
        raise UnknownGame(f"there is no game {name[:60]!r}: the games are {', '.join(names())}", text=name)
    return found


def forget() -> None:
    """Search for packages again, after one was installed."""
    _left_out.clear()
    for each in (_points, _broken, packages):
        each.cache_clear()


def names() -> tuple[str, ...]:
    """All games by name."""
    return tuple(sorted({*packages(), *_added}))


def get(name: str, version: int | None = None) -> AnyGame:
    """The game of that name; raises `UnknownGame`, or `UnknownVersion` if `version` is not its own."""
    game: AnyGame = _added[name] if name in _added else _module(_package(name), "game").GAME
    if version is not None and version != game.version:
        newer = "; a newer Facedown is needed" if version > game.version else ""
        say = (
            f"this game of {name} was played by version {version} of its rules, and this Facedown knows "
            f"version {game.version}{newer}"
        )
        raise UnknownVersion(say, text=str(version))
    return game


def part(name: str, module: str) -> ModuleType | None:
    """A module of a game's folder, such as its `text` or `bots`; None where the folder has none."""
    package = _package(name)
    if name in _added and not hasattr(sys.modules.get(package), "__path__"):
        return None  # a class of a program: no folder
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
    if name in _added and not hasattr(sys.modules.get(_package(name)), "__path__"):
        return ""
    folder = resources.files(_package(name))
    path = folder / f"page.{language}.md"
    if language == ENGLISH or not path.is_file():
        path = folder / "page.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _module(package: str, module: str) -> ModuleType:
    return importlib.import_module(f"{package}.{module}")
