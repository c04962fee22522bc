"""What Facedown's own parts cost beside a game: views, records, replays; and games of Davenport."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

from bench.laps import Course, Play
from facedown.core import registry
from facedown.core.chance import Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.replay import AnyMatch
from facedown.core.seats import SPECTATOR

SEED: Final = seed_of("bench")
NAMES: Final = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")


class Kind(NamedTuple):
    """A game with its rules and seats."""

    game: str
    rules: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game} {self.rules}, {self.seats} seats"


ECARD: Final = Kind("ecard", "classic", 2)
DAVENPORT: Final = tuple(Kind("davenport", "davenport", seats) for seats in (2, 4, 7))

Tables = Callable[[], AnyMatch]


def tables(kind: Kind) -> Tables:
    """New tables, one after the other, each dealt from a key of its own."""
    game = registry.get(kind.game)
    rules = game.rules.read(kind.rules)
    number = count(1)
    return lambda: Match(game, rules, NAMES[: kind.seats], Seeded(deal_key(SEED, str(next(number)))))


def _finish(match: AnyMatch, random: Callable[[], float]) -> AnyMatch:
    while waves := match.pending:
        for wave in waves:
            for seat in wave:
                legal = match.legal(seat)
                match.seal(seat, legal[int(random() * len(legal))])
    return match


def games(kind: Kind) -> Play:
    """Random games, sealed seat by seat."""
    new, random = tables(kind), Random(1).random
    return lambda: len(_finish(new(), random).picks)


def games_with_views(kind: Kind) -> Play:
    """The same, and before each decision every seat and the spectator look at the table."""
    new, random = tables(kind), Random(1).random
    viewers = (SPECTATOR, *range(1, kind.seats + 1))

    def play() -> int:
        match = new()
        while waves := match.pending:
            for viewer in viewers:
                match.view(viewer)
            for wave in waves:
                for seat in wave:
                    legal = match.legal(seat)
                    match.seal(seat, legal[int(random() * len(legal))])
        return len(match.picks)

    return play


def games_with_record(kind: Kind) -> Play:
    """The same without views, and at the end the record is written as text."""
    new, random = tables(kind), Random(1).random

    def play() -> int:
        match = _finish(new(), random)
        match.record(seed=SEED).write()
        return len(match.picks)

    return play


def record_file(kind: Kind, records: int, folder: Path) -> Path:
    """A file of records of random games, one a line."""
    new, random = tables(kind), Random(1).random
    path = folder / f"{kind.game}-{kind.seats}.jsonl"
    path.write_text(
        "".join(_finish(new(), random).record(seed=SEED).write() + "\n" for _ in range(records)),
        encoding="utf-8",
    )
    return path


def replays_per_second(kind: Kind, course: Course, folder: Path) -> float:
    """Records a second through `facedown replay --json` in one process, its start included."""
    records = course.records
    path = record_file(kind, records, folder)
    command = [sys.executable, "-m", "facedown", "replay", str(path), "--json", "--jobs", "1"]
    return median(records / _processor_seconds(command, records) for _ in range(course.replays))


def _processor_seconds(command: list[str], lines: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.count(b"\n") == lines, "one object for each record"
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
