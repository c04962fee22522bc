"""REST types of the mind of the day: its position, a person's chips, and the result of a day that is over."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.messages import Millis

KnownTells: TypeAlias = Annotated[
    str, Meta(max_length=1000, description="tells that the caller has found: `game/name:tell,game/name:tell`")
]


class MindScore(Struct, frozen=True):
    """How a person's chips did among those on the same seat."""

    day: str
    beaten: float
    """The share of them that did worse; those who did the same count half."""
    squares: int
    """Fifths of the crowd beaten."""


class MindState(Struct, frozen=True):
    """Today's mind of the day, without its position."""

    day: str
    closes_at: Millis
    people: int
    """How many people have sealed today; what they have sealed is secret until the day is over."""
    sealed: bool
    """Whether the caller has."""
    days: tuple[bool, ...]
    """Whether the caller sealed on each of the last seven days, today last."""
    yesterday: MindScore | None
    """The caller's result of yesterday."""
    alone: bool
    """Whether no other people play here: then the crowd is the house, and today's result is there at once."""


class MindPick(Struct, frozen=True):
    """One of the two picks of a seat."""

    pick: str
    name: str


class MindPosition(Struct, frozen=True):
    """Today's position, as the caller's seat sees it."""

    state: MindState
    game: str
    rules: str
    place: str
    """Where that is in the game, in words."""
    say: tuple[str, ...]
    """What the seat knows, line by line."""
    hand: tuple[str, ...]
    seat: int
    picks: tuple[MindPick, MindPick]
    other_picks: tuple[MindPick, MindPick]
    values: tuple[tuple[float, float], tuple[float, float]]
    """The seat's chance to win the game, a draw counting half: by its own pick, then by the other's."""
    chips: int | None
    """What the caller has sealed on the first pick."""


class NewMind(Struct, frozen=True):
    """Ten chips on two picks."""

    chips: tuple[int, int]


class HouseMind(Struct, frozen=True):
    """A character of the house: its chips on the first pick, and its name if the caller knows its tell."""

    chips: int
    name: str


class OwnMind(Struct, frozen=True):
    """The caller's chips on a day that is over."""

    chips: int
    gain: float
    """The chance to win against the crowd on the other seat, less what the position is worth."""
    risk: float
    """What a perfect player who knows the mixture takes from it."""
    score: MindScore


class KnownQuery(Struct, frozen=True):
    """Whom of the house the caller knows."""

    known: KnownTells = ""


class MindDay(Struct, frozen=True):
    """A day that is over."""

    day: str
    game: str
    seat: int
    picks: tuple[str, str]
    other_picks: tuple[str, str]
    exact: float
    """The mixture of the exact solution: how likely the first pick is."""
    perfect_beaten: float
    """The share of the seat's crowd that the exact mixture beats."""
    people: int
    """How many people had sealed, on both seats."""
    counts: tuple[int, ...]
    """How many people on the seat laid 0, 1, … 10 chips on the first pick; empty if they are too few."""
    house: tuple[HouseMind, ...]
    others: float
    """The average mixture of the crowd on the other seat."""
    own: OwnMind | None
    """None if the caller did not play."""
    days: tuple[bool, ...]
    """As in `MindState`."""
    alone: bool
