"""Decoding of a game's views and events: from the JSON that a server sends to the game's own classes.

The shape is read from the type hints of the game's view class: nothing is listed here, and no game is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from facedown.client.errors import ServerLost
from facedown.core.errors import FacedownError
from facedown.core.events import Fact, Seen
from facedown.core.game import AnyGame
from facedown.core.rules import Rules
from facedown.protocol.deltas import GameEvent, ViewJson


def read_view(game: AnyGame, view: ViewJson) -> Any:
    """A view as an object of the game's own class; raises `ServerLost` if it does not fit.

    Fields that the class does not have are skipped.
    """
    kind = get_type_hints(type(game).view)["return"]
    try:
        return _read(kind, view, game.rules)
    except (KeyError, TypeError, ValueError, NameError, msgspec.MsgspecError, FacedownError) as error:
        raise ServerLost(f"the server sends a view that this program does not understand ({error})") from None


def read_events(events: Iterable[GameEvent]) -> tuple[Seen, ...]:
    """The events that this viewer may know."""
    return tuple(
        Seen(
            event.kind,
            {name: _frozen(fact) for name, fact in (event.facts or {}).items()},
            event.rules or (),
        )
        for event in events
        if event.kind != "-"
    )


def _frozen(value: Any) -> Fact:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value


def _read(kind: Any, value: Any, rules: type[Rules]) -> Any:
    """A JSON value as that type; records are read here, because msgspec reads named tuples by position."""
    if not _holds_records(kind):
        return msgspec.convert(value, kind, dec_hook=_custom)
    if isinstance(kind, type) and issubclass(kind, Rules):
        return rules.read(value)
    if _is_record(kind):
        return _read_record(kind, value, rules)
    if get_origin(kind) is tuple:
        return _read_tuple(get_args(kind), value, rules)
    return _read_union(get_args(kind), value, rules)


def _read_record(kind: Any, value: Any, rules: type[Rules]) -> Any:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r:.40} is no {kind.__name__}")
    return kind(**{name: _read(part, value[name], rules) for name, part in _fields(kind).items()})


def _read_tuple(parts: tuple[Any, ...], value: Sequence[Any], rules: type[Rules]) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.40} is no list")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(_read(parts[0], each, rules) for each in value)
    return tuple(_read(part, each, rules) for part, each in zip(parts, value, strict=True))


def _read_union(kinds: tuple[Any, ...], value: Any, rules: type[Rules]) -> Any:
    """One of several types: records are distinguished by the names of their fields."""
    if value is None and NoneType in kinds:
        return None
    real = [kind for kind in kinds if kind is not NoneType]
    if not isinstance(value, dict):
        real = [kind for kind in real if not _is_record(kind)]
    elif len(real) > 1:
        fitting = [kind for kind in real if _is_record(kind) and _fields(kind).keys() <= value.keys()]
        real = sorted(fitting, key=lambda kind: -len(_fields(kind)))
    if not real:
        raise TypeError(f"{value!r:.40} fits none of {kinds}")
    return _read(real[0], value, rules)


def _custom(kind: type, value: Any) -> Any:
    """A value of a type that msgspec does not know, such as a card, which is a string."""
    if not issubclass(kind, str):
        raise TypeError(f"a view may not hold a {kind.__name__}")
    return kind(value)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


@lru_cache(maxsize=256)
def _holds_records(kind: Any) -> bool:
    """Whether a type is a record, or a tuple or a union with one in it."""
    if get_origin(kind) in (tuple, Union, UnionType):
        return any(_holds_records(part) for part in get_args(kind))
    return _is_record(kind)


@lru_cache(maxsize=128)
def _fields(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    names = kind._fields if hasattr(kind, "_fields") else [each.name for each in fields(kind)]
    return {name: hints[name] for name in names}
