"""REST types for people who know each other: following, recent opponents, challenges, and notices."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.accounts import Handle
from facedown.protocol.messages import Clock, Millis, SeatNumber, TableId
from facedown.protocol.rest import RulesText

ChallengesFrom: TypeAlias = Literal["anyone", "followed", "nobody"]
"""Who may challenge a person: anyone, only people whom the person follows, or no one."""
NoticeKind: TypeAlias = Literal[
    "turn",
    "challenge",
    "sent",
    "accepted",
    "declined",
    "found",
    "rematch",
    "over",
    "code_used",
    "here",
    "decided",
    "lifted",
]

# --- people ----------------------------------------------------------------------------------------------


class NewFollow(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to follow: the handle of a kept account, or a seat at a table that the caller may see."""

    handle: Handle | None = None
    table: TableId | None = None
    seat: SeatNumber | None = None


class FollowedPerson(Struct, frozen=True):
    """A person whom the caller follows: a friend if they follow the caller, too. `here` only if both are
    friends and show each other when they are here. `won` and `lost` are the games between the two that one
    of them has won."""

    id: int
    name: str
    handle: str
    friend: bool
    here: bool
    won: int
    lost: int
    games: int


class Opponent(Struct, frozen=True):
    """A person with whom the caller has played: `table` and `seat` are their seat in the last game, and
    `follow` is the id under which the caller follows them, 0 if not. `won` and `lost` as in
    `FollowedPerson`."""

    name: str
    handle: str
    table: str
    seat: int
    at: Millis
    follow: int
    won: int
    lost: int
    games: int


class ContactSettings(Struct, frozen=True):
    """How other people reach the caller: whether friends see when the caller is here (and the caller when
    they are), and who may challenge the caller."""

    here: bool
    challenges: ChallengesFrom


class FriendList(Struct, frozen=True):
    """The people whom the caller follows, friends first, recent opponents, latest first, and how others reach
    the caller."""

    followed: tuple[FollowedPerson, ...]
    opponents: tuple[Opponent, ...]
    settings: ContactSettings


class NewContactSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings to change; those that are left out stay as they are."""

    here: bool | None = None
    challenges: ChallengesFrom | None = None


# --- challenges ------------------------------------------------------------------------------------------


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """A game for a person: one whom the caller follows, a handle, or a seat at a table that the caller may
    see. It has two seats, which the server draws."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    follow: int | None = None
    handle: Handle | None = None
    table: TableId | None = None
    seat: SeatNumber | None = None
    rules: RulesText = ""
    clock: Clock = Clock()


class ChallengeTable(Struct, frozen=True):
    """The table of a challenge, with a seat reserved for each of the two; the caller joins on `seat`."""

    table: str
    seat: int


# --- notices ---------------------------------------------------------------------------------------------


class NoticeInfo(Struct, frozen=True):
    """Something that a person should know: `id` stays the same for the same thing.

    `name` is the other person, if there is one; `seat` is the caller's reserved or own seat at the table, 0
    if there is none; `until` is when the offer or the turn ends, 0 if it does not; `sanction`
    is what a moderator decided."""

    id: str
    kind: NoticeKind
    at: Millis
    name: str = ""
    handle: str = ""
    table: str = ""
    game: str = ""
    seat: int = 0
    until: Millis = 0
    unread: bool = False
    sanction: str = ""


class NoticeList(Struct, frozen=True):
    """The caller's notices, latest first, and whether one of them is unread."""

    notices: tuple[NoticeInfo, ...]
    unread: bool


class ReadNotices(Struct, frozen=True, forbid_unknown_fields=True):
    """The time of the latest notice that was read."""

    at: Millis
