"""A game's views and events as they come from a server, made into what the game's own texts take.

The shape is read from the game's view class itself: nothing is listed here, and no game is named.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from facedown.client.errors import Lost
from facedown.core.events import Fact, Seen
from facedown.core.game import AnyGame
from facedown.core.rules import Rules


def read_view(game: AnyGame, told: Mapping[str, Any]) -> Any:
    """The view that the server wrote down; raises `Lost` where it is none of this game."""
    kind = get_type_hints(type(game).view)["return"]
    try:
        return _read(kind, told, game)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Lost(f"the server shows a table that this program does not understand ({error})") from None


def read_events(told: Sequence[Mapping[str, Any]]) -> tuple[Seen, ...]:
    """The events that this viewer may know."""
    return tuple(
        Seen(
            str(each["kind"]),
            {name: _frozen(fact) for name, fact in each.get("facts", {}).items()},
            tuple(each.get("rules", ())),
        )
        for each in told
        if each.get("kind") != "-"
    )


def _frozen(value: Any) -> Fact:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _read(kind: Any, value: Any, game: AnyGame) -> Any:
    """A plain value as an object of that type."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _read_one_of(get_args(kind), value, game)
    if value is None or kind in (Any, NoneType):
        return value
    if origin is tuple:
        return _read_tuple(get_args(kind), value, game)
    if not isinstance(kind, type):
        return _frozen(value)
    if issubclass(kind, Rules):
        return game.rules.read(value)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = _hints(kind)
        return kind(**{name: _read(hints[name], value[name], game) for name in hints})
    if is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{each.name: _read(hints[each.name], value[each.name], game) for each in fields(kind)})
    if issubclass(kind, StrEnum) or (issubclass(kind, str) and kind is not str):
        return kind(value)
    return _frozen(value)


def _read_tuple(parts: tuple[Any, ...], value: Sequence[Any], game: AnyGame) -> tuple[Any, ...]:
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_read(parts[0], each, game) for each in value)
    return tuple(_read(part, each, game) for part, each in zip(parts, value, strict=True))


def _read_one_of(kinds: tuple[Any, ...], value: Any, game: AnyGame) -> Any:
    """Which of several types it is: told apart by the names of its parts."""
    if value is None:
        return None
    real = [kind for kind in kinds if kind is not NoneType]
    if isinstance(value, Mapping) and len(real) > 1:
        real = [kind for kind in real if set(_hints(kind)) == set(value)]
    return _read(real[0], value, game)


@lru_cache(maxsize=128)
def _hints(kind: type) -> dict[str, Any]:
    """The types of a class's parts. An alias may name what only the module knows that it comes from: where a
    name is unknown, the other modules of the folder are asked."""
    home = kind.__module__
    own = vars(sys.modules[home])
    folder = f"{home.rpartition('.')[0]}."
    known: dict[str, Any] = {}
    for name, module in tuple(sys.modules.items()):
        if name.startswith(folder):
            known |= {each: value for each, value in vars(module).items() if each not in own}
    return get_type_hints(kind, localns=known)
