"""Views: what one viewer may see. A view is an allow-list, built up from nothing, never cut from a state.

Owns the base of all views, their plain form, and the layout of their numeric form. A view holds frozen plain
values only, so that nothing leads from it back to a state, a ballot or a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from facedown.core.outcome import Outcome
from facedown.core.rules import Rules
from facedown.core.seats import Seat, Viewer

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain] | None"


class ViewProtocol(Protocol):
    """The fields that every view has, whatever it is made of; a game's own view adds to them."""

    @property
    def viewer(self) -> Viewer:
        """Whose view it is."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def waiting(self) -> tuple[tuple[Seat, ...], ...]:
        """Who has to pick, in placing order: seats that may seal together stand together."""

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""


# The rules, the state and the view of some game, where one class or function serves all games.
if TYPE_CHECKING:
    from typing_extensions import TypeVar

    R = TypeVar("R", bound=Rules, default=Any)
    S = TypeVar("S", default=Any)
    V = TypeVar("V", bound=ViewProtocol, default=Any)
else:
    from typing import TypeVar

    R = TypeVar("R", bound=Rules)
    S = TypeVar("S")
    V = TypeVar("V", bound=ViewProtocol)


@dataclass(frozen=True, slots=True)
class View:
    """The usual base class of a view; a game's own adds fields to it.

    A named tuple with the same four fields first is quicker to make, where views are made by the thousand.
    """

    viewer: Viewer
    rules: Rules
    waiting: tuple[tuple[Seat, ...], ...]
    """Who has to pick, in placing order: seats that may seal together stand together."""
    outcome: Outcome | None


def plain(value: object) -> Plain:
    """A view, an event's facts or a part of them as JSON-ready values. What is not on the list is refused."""
    if value is None or type(value) is str or type(value) is int or type(value) is bool:
        return value  # most values, most quickly
    if isinstance(value, StrEnum | Rules):
        return str(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"a view may not hold a {type(value).__name__}")


# --- as numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Encoding:
    """The name of every entry of a numeric view, in order. Every entry lies between -1 and 1.

    >>> Encoding(("to pick", "over")).shape
    (2,)
    """

    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int]:
        """The shape of the array that an encoded view makes: one row."""
        return (len(self.names),)

    def place(self, name: str) -> int:
        """The place of an entry, from 0; raises `ValueError` where there is none of that name."""
        return self.names.index(name)


def share(part: float, whole: float) -> float:
    """A part of a whole, held within -1 and 1: the usual form of an entry.

    >>> share(3, 12), share(30, 12), share(-30, 12)
    (0.25, 1.0, -1.0)
    """
    return max(-1.0, min(1.0, part / whole))


def among(value: object, values: Iterable[object]) -> list[float]:
    """One entry for each possible value: 1 for the one it is, 0 for the others.

    >>> among("C", "ECS")
    [0.0, 1.0, 0.0]
    """
    return [float(value == each) for each in values]
