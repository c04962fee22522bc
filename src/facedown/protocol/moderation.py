"""REST types for moderation: muting, blocking and reporting people, and what the operator sees of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from facedown.protocol.messages import Millis, SeatNumber, TableId


class NewRelation(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to mute or to block: the person on a seat, or the sender of a chat message (its event).

    A mute hides what they say, everywhere; a block also keeps them from one's tables."""

    kind: Literal["mute", "block"]
    table: TableId
    seat: SeatNumber | None = None
    message: int | None = None


class RelationInfo(Struct, frozen=True):
    """A person whom the caller has muted or blocked, by the name that they had then."""

    id: int
    kind: str
    name: str
    at: Millis


class RelationList(Struct, frozen=True):
    """All people whom the caller has muted or blocked."""

    people: tuple[RelationInfo, ...]


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A chat message (its event), or the name on a seat, to report to the operator, and why."""

    table: TableId
    seat: SeatNumber | None = None
    message: int | None = None
    why: Annotated[str, Meta(max_length=280)] = ""


class ReportInfo(Struct, frozen=True):
    """A report for the operator: who was reported by whom, with the evidence."""

    id: int
    at: Millis
    kind: str
    person: str
    name: str
    text: str
    why: str
    table: str
    reporter: str


class ReportList(Struct, frozen=True):
    """The reports that are not settled, newest first."""

    reports: tuple[ReportInfo, ...]


class PairInfo(Struct, frozen=True):
    """Two people and their games of the last 30 days: what `one` won of the games with `other`."""

    one: str
    one_name: str
    other: str
    other_name: str
    games: int
    wins: int
    share: float
    """The part of the games of the one who plays less."""
    chance: float
    """How likely it is by luck, if each plays here as against others."""


class PairList(Struct, frozen=True):
    """Pairs whose games with each other do not look like those with others, the least likely first.
    Friends may be among them."""

    pairs: tuple[PairInfo, ...]


class PeopleQuery(Struct, frozen=True):
    """A part of a name, or a person's id."""

    find: Annotated[str, Meta(max_length=64)] = ""


class FoundPersonInfo(Struct, frozen=True):
    """A person as the operator finds them."""

    person: str
    name: str
    created_at: Millis
    seats: int
    reports: int


class FoundPeople(Struct, frozen=True):
    """The people whom the operator was looking for, the newest first."""

    people: tuple[FoundPersonInfo, ...]


class LimitHit(Struct, frozen=True):
    """A limit that was hit since the server started: by whom, how often, and when last."""

    limit: str
    who: str
    times: int
    at: Millis


class LimitHits(Struct, frozen=True):
    """The limits that were hit, the latest first."""

    hits: tuple[LimitHit, ...]
