"""REST types for accounts: sessions, names, handover to another device, profile, ratings, push."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.messages import Millis, TableId

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, description="cut to 32 characters")]


# --- sessions and profile --------------------------------------------------------------------------------


class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest session to create: browsers get a cookie, programs a bearer token."""

    name: Name | None = None
    kind: Literal["browser", "program"] = "browser"


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a person wants to have."""

    name: Name


class RedeemHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of client that takes the session over."""

    kind: Literal["browser", "program"] = "browser"


class Session(Struct, frozen=True, omit_defaults=True):
    """A session: who is calling. The token is sent once, and to programs only."""

    person: str
    name: str
    token: str | UnsetType = UNSET


class NewHandover(Struct, frozen=True, forbid_unknown_fields=True):
    """The table at which the other device continues; none if it is left out."""

    table: TableId | None = None


class Handover(Struct, frozen=True):
    """A handover code, which works once, on another device: its link, and that as a QR code (SVG). The
    picture comes with the code, so that no address but the link itself ever holds it."""

    code: str
    expires_at: Millis
    link: str
    qr: str


class FinishedGame(Struct, frozen=True):
    """A finished game of this person; `won` is null if it was drawn, and one that continued a position
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
    """A rating after one game."""

    at: Millis
    mean: float


class RatingInfo(Struct, frozen=True):
    """A rating in one game, from `games` between people alone: its `mean` (everyone starts with 25) and its
    deviation; `course` is the rating after each of the last hundred games, oldest first."""

    mean: float
    deviation: float
    games: int
    course: tuple[RatingPoint, ...]


class PlayerStatistics(Struct, frozen=True):
    """A person's statistics in one game; no rating before the first game that counts for one."""

    game: str
    played: int
    won: int
    lost: int
    tied: int
    rating: RatingInfo | None = None


class Profile(Struct, frozen=True):
    """A person's own profile: name, finished games, statistics."""

    person: str
    name: str
    games: tuple[FinishedGame, ...]
    statistics: tuple[PlayerStatistics, ...]


# --- export of one's own data ----------------------------------------------------------------------------


class ExportedSession(Struct, frozen=True):
    """A session of a person: a browser's or a program's, when it began, and when it ends."""

    kind: str
    since: Millis
    expires_at: Millis | None


class ExportedText(Struct, frozen=True):
    """A name or a chat message of a person in the events of a table."""

    table: str
    event: int
    kind: Literal["name", "chat"]
    at: Millis
    text: str


class ExportedSeat(Struct, frozen=True):
    """A seat of a person; `record` is the path of the game's record, and `state` is that of the game."""

    table: str
    game: str
    rules: str
    state: str
    seats: tuple[int, ...]
    created_at: Millis
    record: str


class PersonalData(Struct, frozen=True):
    """Everything that the server holds about a person; no address, no e-mail, no password."""

    person: str
    name: str
    created_at: Millis
    sessions: tuple[ExportedSession, ...]
    notified: tuple[str, ...]
    tables: tuple[ExportedSeat, ...]
    texts: tuple[ExportedText, ...]


# --- push notifications ----------------------------------------------------------------------------------


class PushKey(Struct, frozen=True):
    """The server's public key for web push (VAPID), as browsers want it."""

    key: str


class PushKeys(Struct, frozen=True):
    """The keys of a browser's push subscription."""

    p256dh: Annotated[str, Meta(min_length=20, max_length=200)]
    auth: Annotated[str, Meta(min_length=10, max_length=100)]


class PushSubscription(Struct, frozen=True):
    """A browser's push subscription, as its `PushSubscription.toJSON()` writes it."""

    endpoint: Annotated[str, Meta(min_length=12, max_length=1000)]
    keys: PushKeys
