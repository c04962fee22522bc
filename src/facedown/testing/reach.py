"""Where one can get from what a viewer holds: a view is made of plain frozen values, all the way down.

Owns the walk. What is not on the list is a way out: to a state, a ballot, a seed, or to anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from types import MappingProxyType

from facedown.core.ballot import Ballot
from facedown.core.chance import Stream
from facedown.core.events import Event
from facedown.core.match import Match

_NAMED = (Ballot, Match, Stream, Event)
_PLAIN = (str, int, bool, type(None), tuple, frozenset, MappingProxyType, Enum)


def way_out(root: object, name: str, state: object, canary: type | None = None) -> str | None:
    """The first thing, with the way to it, that must not be reached from here; None where there is none.

    A `canary` is one more type that must not be found: what a test has hidden.
    """
    walked: set[int] = set()
    open_ends = [(name, root)]
    while open_ends:
        path, value = open_ends.pop()
        if id(value) in walked or isinstance(value, type):
            continue
        walked.add(id(value))
        found = "a sealed pick" if canary and type(value) is canary else _forbidden(value, state)
        if found:
            return f"{found} by way of {path}"
        open_ends.extend((f"{path}{step}", part) for step, part in _parts(value))
    return None


def _forbidden(value: object, state: object) -> str | None:
    kind = type(value)
    if value is state or (kind is type(state) and kind.__module__ != "builtins"):
        return "the state"
    if isinstance(value, _NAMED):
        return f"the {kind.__name__.lower()}"
    if hasattr(value, "draw") and hasattr(value, "drawn"):
        return "the chance"
    if isinstance(value, bytes | bytearray | memoryview):
        return "bytes, which may be a seed"
    if isinstance(value, _PLAIN) or (is_dataclass(value) and _is_frozen(value)):
        return None
    return f"a {kind.__name__}, which is no plain frozen value"


def _is_frozen(value: object) -> bool:
    return bool(value.__dataclass_params__.frozen)  # type: ignore[attr-defined]  # every dataclass has it


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """What a value holds: its items, and its attributes even where they are not declared fields."""
    if isinstance(value, MappingProxyType):
        yield from ((f"[{key!r}]", part) for key, part in value.items())
        yield from (("[…]", key) for key in value)
    if isinstance(value, tuple):
        yield from ((f"[{place}]", part) for place, part in enumerate(value))
    if isinstance(value, frozenset):
        yield from (("{…}", part) for part in value)
    if isinstance(value, Enum):
        return
    yield from ((f".{name}", part) for name, part in getattr(value, "__dict__", {}).items())
    yield from ((f".{name}", getattr(value, name)) for name in _slots(type(value)) if hasattr(value, name))


def _slots(kind: type) -> list[str]:
    """The slots of a class and its bases; private ones by the name that they really have."""
    names = []
    for each in kind.__mro__:
        declared = each.__dict__.get("__slots__", ())
        for name in (declared,) if isinstance(declared, str) else declared:
            private = name.startswith("__") and not name.endswith("__")
            names.append(f"_{each.__name__.lstrip('_')}{name}" if private else name)
    return names
