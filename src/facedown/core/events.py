"""Events: what happened, and who may know it. An `Event` names its audience; viewers get another type.

Events are the answer to *why?* as well: each cites the ids of the rules that made it happen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeAlias, final

from facedown.core.seats import Seat, Viewer
from facedown.core.views import S

Fact: TypeAlias = "str | int | bool | tuple[Fact, ...] | None"
"""What an event or a view may tell: plain frozen values, ready to be written."""

Audience: TypeAlias = "frozenset[Seat] | None"
EVERYBODY: Final[Audience] = None
"""The audience of what all may know, spectators too."""


class Event(NamedTuple):
    """Something that happened at the table, whole. Stays inside: viewers get `seen_by`."""

    kind: str
    facts: Mapping[str, Fact]
    rules: tuple[str, ...]
    audience: Audience = EVERYBODY

    def seen_by(self, viewer: Viewer) -> Seen | Redacted:
        """This event as one viewer may know it."""
        if self.audience is None or viewer in self.audience:
            return Seen(self.kind, self.facts, self.rules)
        return REDACTED


class Seen(NamedTuple):
    """An event that this viewer may know."""

    kind: str
    facts: Mapping[str, Fact]
    rules: tuple[str, ...]


class Redacted(NamedTuple):
    """Something happened that this viewer may not know: no kind, no size, no seat."""


REDACTED: Final = Redacted()


def public(kind: str, rules: tuple[str, ...], /, **facts: Fact) -> Event:
    """An event that everybody may know."""
    return Event(kind, MappingProxyType(facts), rules)


def private(seat: Seat, kind: str, rules: tuple[str, ...], /, **facts: Fact) -> Event:
    """An event that only one seat may know."""
    return Event(kind, MappingProxyType(facts), rules, frozenset((seat,)))


# --- what came of a decision ------------------------------------------------------------------------------

Happened: TypeAlias = "tuple[Event, ...] | Callable[..., tuple[Event, ...]]"
"""The events, in order; or a function that makes them on request: most games are never shown to anyone."""


@final
class Step(Generic[S]):
    """What came of a deal or a decision: the state after it, and what happened, in order.

    `arguments` are those of a function that makes the events on request.
    """

    __slots__ = ("_arguments", "_happened", "state")

    def __init__(self, state: S, happened: Happened = (), arguments: tuple[object, ...] = ()) -> None:
        self.state = state
        self._happened = happened
        self._arguments = arguments

    @property
    def events(self) -> tuple[Event, ...]:
        if not isinstance(self._happened, tuple):
            self._happened = self._happened(*self._arguments)
        return self._happened

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Step):
            return NotImplemented
        return (self.state, self.events) == (other.state, other.events)

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        return f"Step({self.state!r}, {self.events!r})"
