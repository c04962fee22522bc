"""The facts of a tournament, and the state that they fold into: entrants, their scores, and who plays where.

Facts name entrants by number. The store keeps who an entrant is beside them, so that a person can be erased
while the results of the others stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from facedown.protocol.messages import Clock
from facedown.protocol.tournaments import TournamentKind, TournamentState

WIN: Final = 2
TIE: Final = 1
SERIES: Final = 3
"""From this win in a row, an arena counts wins double."""
MOST_ABSENCES: Final = 2
"""Games that an entrant may fail to appear for; with the last of them they are withdrawn."""

EntrantState: TypeAlias = Literal["in", "paused", "out"]
EndReason: TypeAlias = Literal["played", "cancelled", "too few"]


class TournamentFact(Struct, frozen=True, tag_field="k", omit_defaults=True):
    """One thing that happened in a tournament. Tags and field names are stored, so they never change."""


class TournamentCreated(TournamentFact, frozen=True, tag="created", omit_defaults=True):
    """What is played, how, and when it starts."""

    kind: TournamentKind
    game: str
    rules: str
    clock: Clock
    seats: int
    starts_at: int
    minutes: int = 0
    """How long an arena lasts."""
    rounds: int = 0
    machines: bool = False
    """Whether machines may play."""
    least_games: int = 0
    """Rated games of this game that an entrant must have finished."""
    kept: bool = False
    """Whether entrants must have kept accounts."""


class EntrantJoined(TournamentFact, frozen=True, tag="joined", omit_defaults=True):
    """An entrant gets the next number."""

    number: int
    rating: int
    machine: str = ""


class EntrantChanged(TournamentFact, frozen=True, tag="entrant", omit_defaults=True):
    """An entrant pauses, returns or withdraws, or wants the weaker side in the next game."""

    number: int
    state: EntrantState
    weaker: bool = False
    absent: bool = False
    """Whether they are withdrawn because they did not appear."""


class TournamentBegun(TournamentFact, frozen=True, tag="begun"):
    """The start."""


class PlannedTable(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A table of a pairing: the entrants in the order of their seats, and who took the weaker side."""

    table: str
    numbers: tuple[int, ...]
    weaker: int = 0


class TablesPaired(TournamentFact, frozen=True, tag="paired", omit_defaults=True):
    """A pairing: what follows from the facts before it and the seed. Its tables are saved with it."""

    seed: int
    tables: tuple[PlannedTable, ...]
    byes: tuple[int, ...] = ()
    """Entrants for whom a round has no table: they score as if they had won."""


class GamePlayed(TournamentFact, frozen=True, tag="played", omit_defaults=True):
    """A table is done: the winner, if there is one, and who did not appear or left it to a machine."""

    table: str
    winner: int = 0
    tied: bool = False
    absent: tuple[int, ...] = ()


class TournamentPaused(TournamentFact, frozen=True, tag="paused"):
    """The organiser lets no new games begin, or goes on."""

    on: bool


class TournamentEnded(TournamentFact, frozen=True, tag="ended"):
    """The end. Games that are not finished do not count."""

    why: EndReason


AnyTournamentFact: TypeAlias = (
    TournamentCreated
    | EntrantJoined
    | EntrantChanged
    | TournamentBegun
    | TablesPaired
    | GamePlayed
    | TournamentPaused
    | TournamentEnded
)
_decode: Final = msgspec.json.Decoder(AnyTournamentFact).decode
encode_fact: Final = msgspec.json.Encoder().encode


@dataclass(slots=True)
class Entrant:
    """An entrant, as the facts so far tell."""

    number: int
    rating: int
    machine: str = ""
    state: EntrantState = "in"
    weaker: bool = False
    points: int = 0
    wins: int = 0
    streak: int = 0
    scores: list[int] = field(default_factory=list)
    """The points of each game, oldest first."""
    met: list[int] = field(default_factory=list)
    """The other entrants of each game, oldest first."""
    tables: list[str] = field(default_factory=list)
    """Tables that are not done."""
    firsts: int = 0
    """Games on the first seat."""
    byes: int = 0
    absences: int = 0
    since: int = 0
    """When they began to wait for a game."""


class Tournament:
    """The state of a tournament; `apply` adds a fact."""

    def __init__(self, tournament: str) -> None:
        self.id = tournament
        self.head = 0
        self.setup: TournamentCreated
        self.state: TournamentState = "open"
        self.ended: EndReason | None = None
        self.paused = False
        self.round = 0
        self.begun_at = 0
        self.entrants: dict[int, Entrant] = {}
        self.tables: dict[str, PlannedTable] = {}
        """Tables that are not done."""
        self.changed: set[int] = set()
        """Entrants who changed since the last delta."""

    # --- what follows ---------------------------------------------------------------------------------

    @property
    def ends_at(self) -> int:
        """When no more games begin; 0 if only the rounds count."""
        begins = self.begun_at or self.setup.starts_at
        return begins + self.setup.minutes * 60_000 if self.setup.minutes else 0

    @property
    def playing(self) -> list[Entrant]:
        """Entrants who take part in the next pairing."""
        return [each for each in self.entrants.values() if each.state == "in"]

    def strength(self, entrant: Entrant) -> int:
        """The points of everyone they met, which decides between equal points; not in an arena."""
        if self.setup.kind == "arena":
            return 0
        return sum(self.entrants[number].points for number in entrant.met)

    def ranked(self, entrants: Iterable[Entrant] | None = None) -> list[Entrant]:
        """Entrants, best first."""
        chosen = self.entrants.values() if entrants is None else entrants
        return sorted(chosen, key=lambda each: (*_better(self, each), -each.rating, each.number))

    def places(self) -> dict[int, int]:
        """The place of each entrant, from 1; equals share one."""
        found: dict[int, int] = {}
        before: tuple[int, ...] | None = None
        place = 0
        for index, each in enumerate(self.ranked(), 1):
            key = _better(self, each)
            place = place if key == before else index
            before = key
            found[each.number] = place
        return found

    def copy(self) -> Tournament:
        """A copy that shares only what never changes."""
        other = copy(self)
        other.entrants = {
            number: replace(each, scores=each.scores[:], met=each.met[:], tables=each.tables[:])
            for number, each in self.entrants.items()
        }
        other.tables, other.changed = dict(self.tables), set()
        return other

    # --- facts ----------------------------------------------------------------------------------------

    def read(self, v: int, at: int, body: bytes) -> None:
        """Apply a stored fact."""
        self.apply(_decode(body), at)
        self.head = v

    def apply(self, fact: AnyTournamentFact, at: int) -> None:
        match fact:
            case TournamentCreated():
                self.setup = fact
            case EntrantJoined(number, rating, machine):
                self.entrants[number] = Entrant(number, rating, machine, since=at)
                self.changed.add(number)
            case EntrantChanged():
                self._change(fact, at)
            case TournamentBegun():
                self.state, self.begun_at = "running", at
            case TablesPaired():
                self._pair(fact)
            case GamePlayed():
                self._score(fact, at)
            case TournamentPaused(on):
                self.paused = on
            case TournamentEnded(why):
                self.state = "over" if why == "played" else "cancelled"
                self.ended = why
                self.tables.clear()
                for each in self.entrants.values():
                    each.tables.clear()
                self.changed.update(self.entrants)

    def _change(self, fact: EntrantChanged, at: int) -> None:
        entrant = self.entrants[fact.number]
        if entrant.state != "in" and fact.state == "in":
            entrant.since = at
        entrant.state, entrant.weaker = fact.state, fact.weaker
        self.changed.add(fact.number)

    def _pair(self, fact: TablesPaired) -> None:
        self.round += 1
        for planned in fact.tables:
            self.tables[planned.table] = planned
            for seat, number in enumerate(planned.numbers):
                entrant = self.entrants[number]
                entrant.tables.append(planned.table)
                entrant.met += [other for other in planned.numbers if other != number]
                entrant.firsts += seat == 0
                entrant.weaker = False
                self.changed.add(number)
        for number in fact.byes:
            entrant = self.entrants[number]
            entrant.byes += 1
            entrant.points += WIN
            entrant.scores.append(WIN)
            self.changed.add(number)

    def _score(self, fact: GamePlayed, at: int) -> None:
        planned = self.tables.pop(fact.table)
        for number in planned.numbers:
            entrant = self.entrants[number]
            entrant.tables.remove(fact.table)
            entrant.since = at
            won = fact.winner == number
            entrant.absences += number in fact.absent
            entrant.streak = entrant.streak + 1 if won else 0
            entrant.wins += won
            points = 0
            if won:
                is_series = self.setup.kind == "arena" and entrant.streak >= SERIES
                points = WIN * (2 if is_series else 1) + (planned.weaker == number)
            elif fact.tied and number not in fact.absent:
                points = TIE
            entrant.points += points
            entrant.scores.append(points)
            self.changed.add(number)


def _better(tournament: Tournament, entrant: Entrant) -> tuple[int, int, int]:
    """What decides the place of an entrant; the least comes first."""
    return -entrant.points, -tournament.strength(entrant), -entrant.wins
