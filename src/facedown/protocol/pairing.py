"""REST types for finding people to play with: tickets, and the pools in which people wait."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.messages import Clock, Millis, SeatNumber
from facedown.protocol.rest import ListedTable, RulesText


class NewTicket(Struct, frozen=True, forbid_unknown_fields=True):
    """The game that a person wants to play with anyone who wants the same; the numbers of seats are those
    of the game if they are left out."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    clock: Annotated[Clock, Meta(description="`decision` or `correspondence`")]
    rules: RulesText = ""
    least_seats: SeatNumber | None = None
    most_seats: SeatNumber | None = None


class TicketQuery(Struct, frozen=True):
    """How long to wait for a table before the answer, in seconds."""

    wait: Annotated[float, Meta(ge=0, le=5)] = 0.0


class PairedSeat(Struct, frozen=True):
    """A person for whom a seat is reserved, and their rating in this game."""

    seat: int
    name: str
    rating: int
    error: int


class FaultInfo(Struct, frozen=True):
    """One time that others had to wait for the caller: they did not come, turned a game down that was found
    (`declined`), left during the game, or let the clock run out (`stalled`)."""

    kind: Literal["absent", "declined", "left", "stalled"]
    at: Millis
    table: str


class ConductInfo(Struct, frozen=True):
    """What follows from the caller's faults of the last day: nothing, a notice, slower pairing, or a pause.

    `until` is when the pause ends, or else when the oldest fault stops counting; 0 if there is none. Every
    three rated games that are played to the end take one fault back."""

    level: Literal["fine", "notice", "slow", "paused"]
    until: Millis
    faults: tuple[FaultInfo, ...]


class TicketInfo(Struct, frozen=True, omit_defaults=True):
    """A ticket: how many people wait in its pool, the caller included; or the table that was found.

    The caller joins that table on the reserved seat `seat`, as at any other table, before `until`. If someone
    does not come, the table is closed; the people who came put their tickets again, and are next in line.
    `playing` is a table whose game has begun: a person plays one game with a clock of seconds at a time.
    `none`: the caller does not wait, or the table that was found is closed."""

    state: Literal["none", "waiting", "found", "playing"]
    since: Millis = 0
    waiting: int = 0
    table: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    until: Millis | UnsetType = UNSET
    people: tuple[PairedSeat, ...] | UnsetType = UNSET
    conduct: ConductInfo | UnsetType = UNSET
    """Why a notice is due, or others come first; left out if there is nothing to say."""


class PoolInfo(Struct, frozen=True):
    """A pool: a game with its rules and clock, and the number of people who wait in it."""

    game: str
    rules: str
    clock: Clock
    waiting: int


class BusyHours(Struct, frozen=True):
    """The hours of a day, in UTC, between which most games are played."""

    first: Annotated[int, Meta(ge=0, le=23)]
    last: Annotated[int, Meta(ge=0, le=23)]


class RoomInfo(Struct, frozen=True, omit_defaults=True):
    """What goes on at this server, as anyone may know it."""

    here: int = 0
    """People connected to tables now, without the caller."""
    watch: ListedTable | None = None
    """A game between people that anyone may watch, as spectators see it."""
    playing: int = 0
    """How many such games there are, as far as they were counted."""
    pools: tuple[PoolInfo, ...] = ()
    hours: BusyHours | None = None
    """When people play here; left out until enough is known."""
    replay: ListedTable | None = None
    """A finished public game, if there is none to watch."""
    open: tuple[ListedTable, ...] = ()
    """Public tables with a free seat, the newest ones."""
