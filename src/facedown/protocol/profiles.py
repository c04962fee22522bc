"""REST types of people's pages: one's own, with everything, and what others see of it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.accounts import FinishedGame, PlayerStatistics, RatingInfo
from facedown.protocol.messages import Millis
from facedown.protocol.tournaments import Trophy

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


class ResultCount(Struct, frozen=True):
    """How a person's games with these rules came out; `side` is 1 for seats that get more of such a game
    between equals than others do, and -1 for those that get less."""

    game: str
    rules: str
    side: int
    won: int
    tied: int
    lost: int


class Rival(Struct, frozen=True):
    """A person's games against another one, by the person's own score; `course` has one letter for each of
    the last games, the oldest first: w, t or l. No handle if the other has no page."""

    name: str
    handle: str | None
    games: int
    won: int
    tied: int
    lost: int
    at: Millis
    course: str


class Profile(Struct, frozen=True):
    """A person's own profile: name, finished games, statistics; no page without a kept account."""

    person: str
    name: str
    games: tuple[FinishedGame, ...]
    statistics: tuple[PlayerStatistics, ...]
    since: Millis
    page: OwnPage | None
    results: tuple[ResultCount, ...]
    rivals: tuple[Rival, ...]
    ladders: tuple[LadderRating, ...]
    trophies: tuple[Trophy, ...] = ()


class LadderRating(Struct, frozen=True):
    """The rating of a person in one game, among people or against machines."""

    game: str
    machines: bool
    rating: RatingInfo


class ProfilePage(Struct, frozen=True):
    """What others see of a person, by handle; a part that the person does not show is null.

    Other people are named only if they have a page too; a game's table only if it was public."""

    handle: str
    since: Millis
    you: bool
    ratings: tuple[LadderRating, ...] | None
    results: tuple[ResultCount, ...] | None
    rivals: tuple[Rival, ...] | None
    games: tuple[FinishedGame, ...] | None
    owner: str | None = None
    """Of a bot: the handle of the person who made it."""
    trophies: tuple[Trophy, ...] = ()
    """Shown with the results."""


# --- search ----------------------------------------------------------------------------------------------


class GameSearch(Struct, frozen=True):
    """Which of one's own games are wanted: by a part of another player's name, by game, by a part of the
    rules, by result, by time; `before` is the `next` of the answer before."""

    opponent: Annotated[str, Meta(max_length=60)] = ""
    game: Annotated[str, Meta(max_length=60)] = ""
    rules: Annotated[str, Meta(max_length=200)] = ""
    result: Literal["", "won", "tied", "lost"] = ""
    since: Annotated[int, Meta(ge=0, le=1 << 53)] = 0
    until: Annotated[int, Meta(ge=0, le=1 << 53)] = 1 << 53
    before: Annotated[str, Meta(max_length=80)] = ""


class FoundGames(Struct, frozen=True):
    """Games that were found, latest first. If there is a `next`, older ones have not been looked at."""

    games: tuple[FinishedGame, ...]
    next: str | None


class HandleSearch(Struct, frozen=True):
    """The beginning of a handle; `after` is the `next` of the answer before."""

    find: Annotated[str, Meta(min_length=1, max_length=40)]
    after: Annotated[str, Meta(max_length=40)] = ""


class FoundHandles(Struct, frozen=True):
    """The handles of people with a page, in alphabetical order."""

    people: tuple[str, ...]
    next: str | None


# --- how readable one is ---------------------------------------------------------------------------------


class ReadableQuery(Struct, frozen=True):
    """The game in which the caller's picks are read."""

    game: Annotated[str, Meta(min_length=1, max_length=60)]


class HabitCostInfo(Struct, frozen=True):
    """What a reader who knows a habit wins, from `low` to `high`, and what they win without it; a draw counts
    half. `measured` if games were played to find out; otherwise it is exact."""

    value: float
    low: float
    high: float
    usual: float
    measured: bool


class HabitWeekInfo(Struct, frozen=True):
    """How often a habit came in the week that began on this Monday (UTC)."""

    week: str
    did: int
    of: int


class HabitInfo(Struct, frozen=True):
    """A habit: `did` of `of` times in a situation, with its 95 % interval; `usual` is the share of exact
    play. `chance` is how likely a player without habits shows one like it, corrected for all situations."""

    where: str
    say: str
    did: int
    of: int
    low: float
    high: float
    usual: float
    chance: float
    more: bool
    cost: HabitCostInfo | None
    weeks: tuple[HabitWeekInfo, ...]


class ReadableWeekInfo(Struct, frozen=True):
    """The week that began on this Monday (UTC): picks, and the bits that a reader gained on chance."""

    week: str
    picks: int
    bits: float


class ReadableInfo(Struct, frozen=True):
    """What gives the caller away, from their latest games; `rules` were played most. `missing` is how many
    more picks it takes before anything is said. Habits are compared with exact play if the game is `solved`,
    and otherwise with one's other picks."""

    game: str
    rules: str
    games: int
    picks: int
    missing: int
    bits: float
    solved: bool
    habits: tuple[HabitInfo, ...]
    weeks: tuple[ReadableWeekInfo, ...]
