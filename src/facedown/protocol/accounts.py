"""REST types for accounts: sessions, names, handover to another device, profile, ratings, push."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.messages import Millis, TableId

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, description="cut to 32 characters")]


# --- sessions and profile --------------------------------------------------------------------------------


class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest: browsers get a cookie, programs a bearer token."""

    name: Name | None = None
    kind: Literal["browser", "program"] = "browser"


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to be called."""

    name: Name


class RedeemHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """Which kind of client goes on with the session."""

    kind: Literal["browser", "program"] = "browser"


class Session(Struct, frozen=True, omit_defaults=True):
    """Who is calling. The token is told once, and to programs only."""

    person: str
    name: str
    token: str | UnsetType = UNSET


class NewHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """At which table the other device goes on; at none where nothing is said."""

    table: TableId | None = None


class Handover(Struct, frozen=True):
    """A code that works once, on another device: the link that holds it, and that as a QR code (SVG). The
    picture comes with the code, so that no address but the link itself ever holds it."""

    code: str
    expires_at: Millis
    link: str
    qr: str


class FinishedGame(Struct, frozen=True):
    """A finished game of this person; `won` is null where it was drawn, and one that went on from a position
    of another game is `continued`: it counts in no statistics."""

    table: str
    game: str
    rules: str
    ended_at: Millis
    seat: int
    names: tuple[str, ...]
    score: tuple[int, ...]
    won: bool | None
    termination: str
    continued: bool


class RatingPoint(Struct, frozen=True):
    """What somebody's rating was after a game."""

    at: Millis
    mean: float


class RatingInfo(Struct, frozen=True):
    """What is thought of somebody's strength in a game, from `games` between people alone: a `mean` (25 is
    where all start) and how far that may be off; `course` tells the last hundred games, oldest first."""

    mean: float
    deviation: float
    games: int
    course: tuple[RatingPoint, ...]


class PlayerStatistics(Struct, frozen=True):
    """How this person has done in one game; no rating before the first game that counts for one."""

    game: str
    played: int
    won: int
    lost: int
    tied: int
    rating: RatingInfo | None = None


class Profile(Struct, frozen=True):
    """The person's own page."""

    person: str
    name: str
    games: tuple[FinishedGame, ...]
    statistics: tuple[PlayerStatistics, ...]


# --- push notifications ----------------------------------------------------------------------------------


class PushKey(Struct, frozen=True):
    """The server's public key for web push (VAPID), as browsers want it."""

    key: str


class PushKeys(Struct, frozen=True):
    """A browser's keys."""

    p256dh: Annotated[str, Meta(min_length=20, max_length=200)]
    auth: Annotated[str, Meta(min_length=10, max_length=100)]


class PushSubscription(Struct, frozen=True):
    """Where a browser wants to be told, as its `PushSubscription.toJSON()` says it."""

    endpoint: Annotated[str, Meta(min_length=12, max_length=1000)]
    keys: PushKeys
