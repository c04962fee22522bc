"""Many games between bots: simulations with statistics and records, and arenas with their cross table."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import IO, Any, Final

from facedown.core.chance import seed_of
from facedown.core.errors import IllegalSeats, Unsupported
from facedown.core.match import check_seats
from facedown.core.record import Record
from facedown.core.seats import Seat
from facedown.files import writing
from facedown.library.arguments import MOST_GAMES, MOST_MEMORY, SeedLike, count, seat_number, seed_text
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game
from facedown.library.decisions import decisions, is_table_file, write_rows
from facedown.sim.arena import Arena
from facedown.sim.arena import play as play_arena
from facedown.sim.bot_specs import BotLike, read_bots
from facedown.sim.ratings import Rating
from facedown.sim.simulate import SimulationPlan, simulate
from facedown.sim.standing import Standing, as_json, in_words
from facedown.sim.statistics import Estimate, GameStatistics, mean, points
from facedown.sim.workers import MOST_JOBS, usual_jobs

_IN_MEMORY: Final = 32_000_000
"""Bytes of records that are kept in memory; more of them go into a temporary file."""


class _RecordedGames:
    """The records of many games, one a line: a few in memory, more in a temporary file."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # closed below
        weakref.finalize(self, self._file.close)

    def _add(self, lines: str) -> None:
        self._file.seek(0, 2)
        self._file.write(lines.encode())

    def __iter__(self) -> Iterator[Record]:
        place = 0
        while True:
            self._file.seek(place)  # another reader may have moved it
            line = self._file.readline()
            if not line:
                return
            place = self._file.tell()
            yield Record.read(line)

    def write(self, path: str | PurePath) -> None:
        """Write every game's record, one a line; into a `.csv` file, every decision, one a row.

        `facedown.records` reads the first, data tools the second. Raises `UnwritableFile`.
        """
        if is_table_file(path):
            write_rows(decisions(self), str(path))
            return
        with writing(str(path)) as file:
            self._file.seek(0)
            while block := self._file.readline():
                file.write(block.decode())


class GameSeries(_RecordedGames):
    """Finished games between the same bots: what they add up to, and each one's record.

    Iterating yields the records; `share` and `interval` say how a seat did; `print` shows all seats.
    """

    game: str
    """The name of the game."""
    rules: str
    """Its rules, as text."""
    names: tuple[str, ...]
    """The bots by seat."""
    statistics: GameStatistics
    """Wins, draws, scores, lengths and terminations, counted."""

    def __init__(self, plan: SimulationPlan, seed: str) -> None:
        super().__init__()
        self._plan = plan
        self._seed = seed
        self.game = plan.game
        self.rules = plan.rules
        self.names = plan.names
        self.statistics = GameStatistics.empty(plan.seats)

    def share(self, seat: Seat) -> float:
        """The share of a seat: a win counts one, a draw a half."""
        return self._points(seat).value

    def interval(self, seat: Seat) -> tuple[float, float]:
        """The interval that holds the true share 95 times of 100."""
        found = self._points(seat)
        return found.low, found.high

    def score(self, seat: Seat) -> Estimate:
        """The mean score of a seat, with its 95 % interval."""
        place = seat_number(seat, len(self.names)) - 1
        counted = self.statistics
        return mean(counted.totals[place], counted.squares[place], counted.games)

    def _points(self, seat: Seat) -> Estimate:
        wins = self.statistics.wins[seat_number(seat, len(self.names)) - 1]
        return points(wins, self.statistics.draws, self.statistics.games)

    def _play(self, jobs: int) -> None:
        for chunk in simulate(self._plan, jobs):
            self.statistics.add(chunk.tally)
            self._add(chunk.records)

    def __len__(self) -> int:
        return self.statistics.games

    def __str__(self) -> str:
        title = find_game(self.game).meta.title
        lines = [f"{title}, {self.rules}, seed {self._seed}: {len(self):,} games"]
        for seat, name in enumerate(self.names, 1):
            low, high = self.interval(seat)
            share = f"{100 * self.share(seat):.2f} % ({100 * low:.2f}–{100 * high:.2f})"
            lines.append(f"  seat {seat}  {name:<14} {share}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        made = f"{self.game!r}, {list(self.names)!r}, {self.rules!r}, games={len(self)}, seed={self._seed!r}"
        return f"facedown.play_many({made})"


def play_many(
    game: GameLike,
    bots: Sequence[BotLike],
    rules: RulesLike = "",
    *,
    games: int,
    seed: SeedLike = None,
    jobs: int | None = 1,
) -> GameSeries:
    """Many games between the same bots on the same seats; the n-th one comes from the seed and n alone.

    `jobs` is the number of processes (None: as many as there are processors); the result is the same for any.
    Raises `FacedownError` with the code `bot_fault` if a bot fails; an arena counts it as a loss.

    >>> import facedown
    >>> games = facedown.play_many("ecard", ["sage", "uniform"], games=50, seed=1)
    >>> len(games), games.interval(1)[0] < games.share(1) < games.interval(1)[1]
    (50, True)
    >>> next(iter(games)).seats
    ('sage', 'uniform')
    """
    found = find_game(game)
    names, lineup = read_bots(found, bots)
    check_seats(found, len(names))
    text = seed_text(seed)
    plan = SimulationPlan(
        game=found.name,
        rules=str(read_rules(found, rules)),
        seats=len(names),
        seed=seed_of(text),
        games=count("games", games, MOST_GAMES),
        records=True,
        bots=names,
        names=names,
        lineup=lineup,
    )
    series = GameSeries(plan, text)
    series._play(_jobs(jobs))
    return series


class ArenaResult(_RecordedGames):
    """The result of an arena: each bot's share against each other one, ratings, faults, and the records.

    Iterating yields the records; `print` shows the cross table.
    """

    game: str
    """The name of the game."""
    rules: str
    """Its rules, as text."""
    bots: tuple[str, ...]
    """The names under which the bots played."""

    def __init__(self, arena: Arena, seed: str) -> None:
        super().__init__()
        self._standing = Standing(arena)
        self._seed = seed
        self.game = arena.game
        self.rules = arena.rules
        self.bots = arena.bots

    def share(self, bot: str, other: str) -> float:
        """The share of one bot against another one (or a field of it): a win counts one, a draw a half."""
        return self._score(bot, other).value

    def interval(self, bot: str, other: str) -> tuple[float, float]:
        """The interval that holds the true share 95 times of 100."""
        found = self._score(bot, other)
        return found.low, found.high

    @property
    def ratings(self) -> dict[str, Rating]:
        """Each bot's rating, the best first; needs the extra `arena`."""
        rated = self._standing.ratings()
        return dict(sorted(rated.items(), key=lambda item: -item[1].mean))

    @property
    def faults(self) -> dict[str, int]:
        """The number of games that were lost by each fault, such as `mine: illegal_pick`."""
        return dict(self._standing.faults())

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values: what `facedown arena --json` prints."""
        return as_json(self._standing, self._known_ratings(), self._seed, False)

    def _known_ratings(self) -> dict[str, Rating]:
        try:
            return self._standing.ratings()
        except Unsupported:
            return {}

    def _score(self, bot: str, other: str) -> Estimate:
        found = self._standing.score(bot, other)
        if found is None:
            known = ", ".join(self.bots)
            raise IllegalSeats(f"{bot!r} and {other!r} did not meet: the bots are {known}", text=f"{bot}")
        return found

    def _play(self, jobs: int) -> None:
        for chunk in play_arena(self._standing.arena, jobs):
            self._standing.add(chunk)
            self._add("".join(f"{record}\n" for record in chunk.records))

    def __len__(self) -> int:
        return self._standing.games

    def __str__(self) -> str:
        return "\n".join(in_words(self._standing, self._known_ratings(), self._seed))

    def __repr__(self) -> str:
        arena = self._standing.arena
        made = f"{self.game!r}, {list(self.bots)!r}, {self.rules!r}, games={arena.games}, seed={self._seed!r}"
        return f"facedown.arena({made}, seats={arena.seats})"


def arena(
    game: GameLike,
    bots: Sequence[BotLike],
    rules: RulesLike = "",
    *,
    games: int,
    seats: int | None = None,
    seed: SeedLike = None,
    jobs: int | None = 1,
    memory: int = 0,
) -> ArenaResult:
    """Every bot against every other one, `games` for each pair, on every seat in turn.

    With more than two seats, one bot plays against a field of another one. A bot that fails loses that game;
    `faults` of the result says what it did. `memory` is the number of earlier games that bots remember.

    >>> import facedown
    >>> result = facedown.arena("ecard", ["sage", "reader", "uniform"], games=20, seed="spring")
    >>> len(result), result.faults
    (60, {})
    """
    found = find_game(game)
    names, lineup = read_bots(found, bots)
    if len(names) < 2:
        raise IllegalSeats("an arena needs two bots or more", text=str(len(names)))
    text = seed_text(seed)
    number = found.meta.least_seats if seats is None else count("seats", seats, found.meta.most_seats)
    check_seats(found, number)
    if number < 2:
        raise IllegalSeats("an arena needs a game of two seats or more", text=str(number))
    plan = Arena(
        game=found.name,
        rules=str(read_rules(found, rules)),
        seats=number,
        seed=seed_of(text),
        bots=names,
        games=count("games", games, MOST_GAMES),
        memory=count("memory", memory, MOST_MEMORY, least=0),
        records=True,
        lineup=lineup,
    )
    result = ArenaResult(plan, text)
    result._play(_jobs(jobs))
    return result


def _jobs(jobs: int | None) -> int:
    return usual_jobs() if jobs is None else count("jobs", jobs, MOST_JOBS)
