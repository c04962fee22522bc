"""REST types of explorers and trainers: questions about a solved position, and the progress of a study."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.messages import TableId
from facedown.protocol.rest import RulesText

StudyText: TypeAlias = Annotated[str, Meta(max_length=200, description="such as `name=value,name=value`")]
SeedText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80, description="any text")]
AnswerText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40, description="a share or a pick")]
SeatCount: TypeAlias = Annotated[int, Meta(ge=0, le=99, description="0: as usual for the game")]


class ExploreQuery(Struct, frozen=True):
    """A position of a solved rule set, the start where `at` is empty; and a habit to be answered."""

    rules: RulesText = ""
    at: StudyText = ""
    habit: StudyText = ""


class ExerciseQuery(Struct, frozen=True):
    """A question of the trainer: the same seed brings the same question. With `habit`, the `where` of a
    habit, it is one of a drill: its `drill` has the habit's own picks, and how often exact play does that.
    With `table`, it is about the game of a table that is over. With `answer`, the mark of it is asked for."""

    seed: SeedText
    answer: AnswerText = ""
    table: TableId | None = None
    rules: RulesText = ""
    seats: SeatCount = 0
    habit: StudyText = ""


class DailyTraining(Struct, frozen=True):
    """The questions of a day, by their seeds: the same for all people at a server."""

    day: str
    seeds: tuple[str, ...]


class StudyProgress(Struct, frozen=True):
    """The progress of an unfinished study: ask again; a study that no call asks about is stopped."""

    done: int
    of: int
    """0 if it is not known."""


# --- the house -------------------------------------------------------------------------------------------


class TellInfo(Struct, frozen=True):
    """A tell, as a guess names it and as it is said."""

    id: str
    says: str


class ResidentInfo(Struct, frozen=True):
    """A character of a game's house. Its tell is left out."""

    name: str
    says: str
    price: float
    """What a reader that knows it wins under the usual rules; a draw counts as half."""
    error: float
    """How far off the price may be; 0 if it was computed."""
    guesses: tuple[TellInfo, ...]
    """What may be its tell, for a guess; empty for the one who has none."""
    talk: dict[str, str] = {}
    """What it says: `hit` or `pleased` at a decisive reveal, `won` or `lost` at the end."""


class KnownResident(Struct, frozen=True):
    """What a person knows of a character: rounds watched, games, games won, and the tell if it was found."""

    game: Annotated[str, Meta(max_length=40)]
    machine: Annotated[str, Meta(max_length=40)]
    rounds: Annotated[int, Meta(ge=0, le=1_000_000)]
    games: Annotated[int, Meta(ge=0, le=1_000_000)]
    won: Annotated[int, Meta(ge=0, le=1_000_000)]
    asks: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The rounds after which the next guess may be made."""
    found: Annotated[str, Meta(max_length=40)] = ""
    """The id of the tell; empty if it was not found."""


class KnownHouse(Struct, frozen=True):
    """What a device of the caller knows of the characters of all games."""

    known: Annotated[tuple[KnownResident, ...], Meta(max_length=100)] = ()


class GuessQuery(Struct, frozen=True):
    """A guess at a tell, by its id."""

    guess: str


class GuessAnswer(Struct, frozen=True):
    """Whether a guess was right; judged by what the character does."""

    right: bool
