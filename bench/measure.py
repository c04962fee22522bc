"""All measurements of `bench/engine.py`, as one JSON object. Runs inside the environment that it made."""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

from bench import ecard_contest as contest
from bench import our_own
from bench.interpreter import interpreter
from bench.laps import FULL, QUICK, Course, Lap, added, race, speed, stay_on_one_core, times_as_fast

_LIBRARIES = ("open_spiel", "pettingzoo", "gymnasium", "numpy")


def main(arguments: list[str]) -> int:
    """Check, measure, print; 1 where a rival does not play the same game."""
    quick = "--quick" in arguments
    course = QUICK if quick else FULL
    bound = stay_on_one_core()
    written = contest.scripts(seed=1)
    wrong = contest.differences(written)
    if wrong:
        print(f"not the same game: {wrong[0]} ({len(wrong)} differences)", file=sys.stderr)
        return 1
    print(f"the same score in all of {len(written)} games of E-Card; measuring ", end="", file=sys.stderr)
    found = {
        "python": interpreter(),
        "machine": f"{platform.machine()}, {bound}",
        "libraries": {name: metadata.version(name) for name in _LIBRARIES},
        "games_checked": len(written),
        "laps": course.laps,
        "seconds_a_lap": course.seconds,
        "random": _compared(race(contest.random_games(seed=1), course)),
        "given": _compared(race(contest.given_games(written), course)),
        "own": [_own(kind, course) for kind in (our_own.ECARD, *our_own.DAVENPORT)],
        "replay": _replays(300 if quick else 3000),
    }
    print(" done", file=sys.stderr)
    print(json.dumps(found, indent=2))
    return 0


def _compared(laps: dict[str, list[Lap]]) -> list[dict[str, Any]]:
    """Everybody's speed, and how many times as fast ours are."""
    return [
        {
            "name": name,
            **speed(run),
            "ours_sealed_is_times_as_fast": times_as_fast(laps[contest.OURS], run),
            "ours_whole_is_times_as_fast": times_as_fast(laps[contest.WHOLE], run),
        }
        for name, run in laps.items()
    ]


def _own(kind: our_own.Kind, course: Course) -> dict[str, Any]:
    """A game, and what views and the record add to it."""
    laps = race(
        {
            "bare": our_own.games(kind),
            "views": our_own.games_with_views(kind),
            "record": our_own.games_with_record(kind),
        },
        course,
    )
    return {
        "name": str(kind),
        **speed(laps["bare"]),
        "views_cost": added(laps["bare"], laps["views"]),
        "record_costs": added(laps["bare"], laps["record"]),
    }


def _replays(records: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            {
                "name": str(kind),
                "records": records,
                "records_per_second": our_own.replays_per_second(kind, records, Path(folder)),
            }
            for kind in (our_own.ECARD, *our_own.DAVENPORT)
        ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
