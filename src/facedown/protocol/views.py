"""View encoding: a viewer's view, the delta to the view sent before, and the game's events, as JSON.

Takes views and events as one viewer may know them: a state, a ballot or an event with its audience does not
type-check here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar, final

import msgspec

from facedown.core.events import Redacted, Seen
from facedown.core.views import ViewProtocol, plain
from facedown.protocol.deltas import GameEvent, ViewDelta

T = TypeVar("T")
B = TypeVar("B")

NO_VIEW: Final = msgspec.Raw(b"null")
"""In place of a view, before the deal."""

_encode: Final = msgspec.json.Encoder().encode


_REDACTED: Final = GameEvent("-")


def game_event(event: Seen | Redacted) -> GameEvent:
    """An event of the game as the message that one viewer gets."""
    if isinstance(event, Redacted):
        return _REDACTED
    return GameEvent(event.kind, {name: plain(fact) for name, fact in event.facts.items()}, event.rules)


@final
class KeptBytes(Generic[T, B]):
    """A cache of the bytes of values that never change: a value that comes again is encoded once.

    The key is the identity of the value, which is kept beside the bytes; holds at most `most`.
    """

    __slots__ = ("_by_id", "_encode", "_most")

    def __init__(self, encode: Callable[[T], B], most: int = 2000) -> None:
        self._encode = encode
        self._most = most
        self._by_id: dict[int, tuple[T, B]] = {}

    def of(self, value: T) -> B:
        found = self._by_id.get(id(value))
        if found is None:
            if len(self._by_id) >= self._most:
                self._by_id.clear()
            found = self._by_id[id(value)] = (value, self._encode(value))
        return found[1]


_lists: Final[KeptBytes[tuple[object, ...], msgspec.Raw]] = KeptBytes(
    lambda value: msgspec.Raw(_encode(plain(value)))
)
"""Of fields of views that are lists of named tuples."""


@final
class ViewEncoder:
    """Encodes the views of one table: an entry of a history is encoded once for all viewers.

    Bytes are found by the identity of an entry, which is kept beside them (equal named tuples may be of
    different types), so that a viewer gets only the bytes of what is in their own view.
    """

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[int, tuple[object, msgspec.Raw]] = {}

    def view(self, view: ViewProtocol) -> msgspec.Raw:
        """A whole view; goes into a message as it is."""
        fields = zip(_names(view), _values(view), strict=True)
        return msgspec.Raw(
            _encode(
                {
                    name: self._history(value) if _is_history(value) else _ready(value)
                    for name, value in fields
                }
            )
        )

    def delta(self, before: ViewProtocol, after: ViewProtocol) -> ViewDelta:
        """The difference to the view that this viewer was sent before."""
        put: dict[str, Any] = {}
        more: dict[str, Any] = {}
        for name, old, new in zip(_names(after), _values(before), _values(after), strict=True):
            if old is new or old == new:
                continue
            if type(new) in _PLAIN_TYPES:
                put[name] = new
            elif _extends(old, new):
                more[name] = self._history(new[len(old) :])
            else:
                put[name] = _lists.of(new) if _is_history(new) else _ready(new)
        return ViewDelta(put, more)

    def clear(self) -> None:
        self._entries.clear()

    def _history(self, entries: tuple[object, ...]) -> list[msgspec.Raw]:
        """Entries of a history; each never changes."""
        known = self._entries
        encoded = []
        for entry in entries:
            found = known.get(id(entry))
            if found is None:
                found = known[id(entry)] = (entry, msgspec.Raw(_encode(plain(entry))))
            encoded.append(found[1])
        return encoded


_PLAIN_TYPES: Final = frozenset({int, str, bool, type(None)})
"""Types that are encoded as they are."""


def _ready(value: object) -> object:
    """A field of a view, ready to be encoded."""
    if type(value) in _PLAIN_TYPES:
        return value
    if type(value) is tuple and all(type(each) in _PLAIN_TYPES for each in value):
        return value
    return plain(value)


def _is_history(value: object) -> bool:
    return type(value) is tuple and bool(value) and hasattr(value[0], "_fields")


def _names(view: ViewProtocol) -> tuple[str, ...]:
    names: tuple[str, ...] | None = getattr(view, "_fields", None)
    return names if names is not None else tuple(plain(view))  # type: ignore[arg-type]  # a view is an object


def _values(view: ViewProtocol) -> Iterable[Any]:
    return view if isinstance(view, tuple) else [getattr(view, name) for name in _names(view)]


def _extends(old: object, new: object) -> bool:
    """Whether a field is the history it was, with entries appended."""
    if not (type(new) is tuple and type(old) is tuple and len(new) > len(old)):
        return False
    return hasattr(new[-1], "_fields") and new[: len(old)] == old
