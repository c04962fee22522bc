"""Events: what happened, and who may know it. An `Event` names its audience; viewers get another type.

Events are the answer to *why?* as well: each cites the ids of the rules that made it happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from facedown.core.seats import Seat, Viewer

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
