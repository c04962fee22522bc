"""Timing side by side: all run a short lap in turn, and again, so that a slow moment hits them alike.

Counts the processor time of this process, so that other programs at work cost less. Knows no game.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple, TypeAlias

Play: TypeAlias = Callable[[], int]
"""Plays one whole game, and says how many decisions it had."""


class Lap(NamedTuple):
    """What one contestant did in one lap."""

    games: int
    decisions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Course:
    """How much is run."""

    laps: int
    seconds: float
    """How long a lap is at least."""
    records: int
    """How many records are replayed at a time."""
    replays: int
    """How often they are."""


FULL = Course(laps=7, seconds=0.6, records=3000, replays=7)
QUICK = Course(laps=5, seconds=0.12, records=300, replays=3)
TINY = Course(laps=1, seconds=0.01, records=3, replays=1)
COURSES = {"full": FULL, "quick": QUICK, "tiny": TINY}


def race(contestants: Mapping[str, Play], course: Course) -> dict[str, list[Lap]]:
    """The laps of every contestant; all have run once before the clock starts."""
    for play in contestants.values():
        for _ in range(20):
            play()
    laps: dict[str, list[Lap]] = {name: [] for name in contestants}
    for number in range(course.laps):
        print(".", end="", flush=True, file=sys.stderr)
        order = list(contestants)
        for name in order[number % len(order) :] + order[: number % len(order)]:
            laps[name].append(lap(contestants[name], course.seconds))
    return laps


def lap(play: Play, seconds: float) -> Lap:
    """Whole games for at least so long."""
    gc.collect()
    games = decisions = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        for _ in range(10):
            decisions += play()
        games += 10
    return Lap(games, decisions, spent)


def speed(laps: list[Lap]) -> dict[str, float]:
    """The medians over the laps."""
    return {
        "games_per_second": median(each.games / each.seconds for each in laps),
        "decisions_per_second": median(each.decisions / each.seconds for each in laps),
    }


def cost(lap: Lap) -> float:
    """Seconds for one decision."""
    return lap.seconds / lap.decisions


def times_as_fast(ours: list[Lap], other: list[Lap]) -> float:
    """How many times as many decisions we make: the median over laps that were run side by side."""
    return median(cost(theirs) / cost(mine) for mine, theirs in zip(ours, other, strict=True))


def added(bare: list[Lap], laden: list[Lap]) -> float:
    """What was added, in shares of what is bare: 1.0 costs as much again."""
    return median(cost(more) / cost(less) - 1 for less, more in zip(bare, laden, strict=True))


def stay_on_one_core() -> str:
    """Keep this process, and those it starts, on one core where that can be done; in words, what was done."""
    if not hasattr(os, "sched_setaffinity"):
        return "not bound to a core: this system cannot"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"bound to core {core}"
