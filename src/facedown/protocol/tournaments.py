"""REST types of tournaments: what is played, standings and their changes, entries, and what an organiser
may do."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.messages import Clock, Millis
from facedown.protocol.rest import RulesText

TournamentKind: TypeAlias = Literal["arena", "rounds"]
"""`arena`: as many games of two as fit into its time; `rounds`: tables of two to seven by points, of people
who have met least often; of two, as in a Swiss tournament."""
TournamentState: TypeAlias = Literal["open", "running", "over", "cancelled"]


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to set up. It starts on time, with everyone who has entered by then."""

    kind: TournamentKind
    title: Annotated[str, Meta(min_length=1, max_length=60)]
    game: Annotated[str, Meta(min_length=1, max_length=64)]
    clock: Annotated[Clock, Meta(description="one of seconds")]
    starts_in: Annotated[int, Meta(ge=0, le=30 * 24 * 60, description="minutes from now")]
    rules: RulesText = ""
    seats: Annotated[int, Meta(ge=2, le=7, description="the most people at a table; only `rounds`")] = 2
    minutes: Annotated[int, Meta(ge=1, le=12 * 60, description="how long an arena lasts")] = 45
    rounds: Annotated[int, Meta(ge=1, le=30)] = 5
    machines: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...],
        Meta(max_length=32, description="machines that play; none: people only"),
    ] = ()
    least_games: Annotated[
        int, Meta(ge=0, le=100, description="rated games of this game that an entrant has finished")
    ] = 0
    kept: Annotated[bool, Meta(description="only people with kept accounts may enter")] = False


class StandingRow(Struct, frozen=True, omit_defaults=True):
    """An entrant in the standings. `scores` are the points of each game, oldest first; `tables` those that
    are not done. The order is: points, `strength` (the points of everyone they met), wins, rating."""

    number: int
    name: str
    points: int
    wins: int
    rating: int
    strength: int = 0
    machine: bool = False
    state: Literal["in", "paused", "out"] = "in"
    weaker: bool = False
    streak: int = 0
    scores: tuple[int, ...] = ()
    tables: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    """Their reserved seat at each of these tables."""


class TournamentHead(Struct, frozen=True, omit_defaults=True):
    """A tournament without its standings."""

    tournament: str
    v: int
    title: str
    """Empty if its organiser was erased."""
    organiser: str
    kind: TournamentKind
    state: TournamentState
    game: str
    rules: str
    clock: Clock
    seats: int
    starts_at: Millis
    ends_at: Millis = 0
    """When no more games begin; 0 if rounds are counted."""
    rounds: int = 0
    round: int = 0
    paused: bool = False
    machines: bool = False
    least_games: int = 0
    kept: bool = False
    """Whether only people with kept accounts may enter."""
    weaker: bool = False
    """Whether entrants may take the weaker side for one more point."""
    why: str = ""
    """Why it ended: `played`, `cancelled` or `too few`."""
    entrants: int = 0
    tables: int = 0
    """Games that are being played."""


class TournamentUpdate(Struct, frozen=True):
    """A change of a tournament: its head, and the rows that are not as they were. The same for everyone.

    `after` is the version that it follows; if a reader has another one, it reads the whole again. 0: all
    rows."""

    after: int
    head: TournamentHead
    rows: tuple[StandingRow, ...]


class TournamentInfo(Struct, frozen=True):
    """A tournament with its standings, and the caller's own entry."""

    head: TournamentHead
    rows: tuple[StandingRow, ...]
    own: int
    """The caller's number; 0 if they have not entered."""
    organises: bool
    """Whether the caller is the organiser."""


class TournamentQuery(Struct, frozen=True):
    """How many finished tournaments to list."""

    over: Annotated[int, Meta(ge=0, le=50)] = 10


class TournamentSince(Struct, frozen=True):
    """The version of the standings that the caller has; 0 for none."""

    since: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


class TournamentList(Struct, frozen=True):
    """Tournaments that run or will start, and the last ones that are over."""

    running: tuple[TournamentHead, ...]
    open: tuple[TournamentHead, ...]
    over: tuple[TournamentHead, ...]


class TournamentEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The caller's entry: playing, paused or withdrawn for good, and whether they take the weaker side in the
    next game."""

    paused: bool = False
    weaker: bool = False
    withdrawn: bool = False


class TournamentOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """What the organiser wants: no new games for now, to go on, to end it without a result, or one
    entrant out for good."""

    do: Literal["pause", "resume", "cancel", "put_out"]
    number: int = 0
    """Of the entrant to put out."""


class Trophy(Struct, frozen=True):
    """A place among the first three of a tournament."""

    tournament: str
    title: str
    game: str
    kind: TournamentKind
    place: int
    at: Millis
