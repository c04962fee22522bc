"""REST types of people's pages: one's own, with everything, and what others see of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from facedown.protocol.accounts import FinishedGame, Millis, PlayerStatistics, RatingInfo

PagePart: TypeAlias = Literal["page", "rating", "results", "rivals", "games"]
"""A part of a page that its owner may show; without `page` there is none, and no place in a list."""


class ShownParts(Struct, frozen=True):
    """What others may see of a person."""

    shows: tuple[PagePart, ...]


class OwnPage(Struct, frozen=True):
    """The page of a kept account: its handle, since when it is kept, and the parts that others may see."""

    handle: str
    since: Millis
    shows: tuple[PagePart, ...]


class Profile(Struct, frozen=True):
    """A person's own profile: name, finished games, statistics; no page without a kept account."""

    person: str
    name: str
    games: tuple[FinishedGame, ...]
    statistics: tuple[PlayerStatistics, ...]
    since: Millis
    page: OwnPage | None


class LadderRating(Struct, frozen=True):
    """The rating of a person in one game."""

    game: str
    rating: RatingInfo


class ProfilePage(Struct, frozen=True):
    """What others see of a person, by handle; a part that the person does not show is null."""

    handle: str
    since: Millis
    you: bool
    ratings: tuple[LadderRating, ...] | None
