"""All measurements of `bench/engine.py`, as one JSON object. Runs inside the environment that it made.

Where the rivals are not installed (`--here`), only our own games are measured.
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench import our_own
from bench.interpreter import interpreter
from bench.laps import COURSES, Course, Lap, added, race, speed, stay_on_one_core, times_as_fast

_LIBRARIES = ("open_spiel", "pettingzoo", "gymnasium", "numpy")


def main(arguments: list[str]) -> int:
    """Check, measure, print; 1 where a rival does not play the same game."""
    course = COURSES[arguments[0]]
    bound = stay_on_one_core()
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}. Only our own games are measured.", file=sys.stderr)
    compared = {} if missing else _contest(course)
    if compared is None:
        return 1
    found = {
        "python": interpreter(),
        "machine": f"{platform.machine()}, {bound}",
        "libraries": {name: metadata.version(name) for name in _LIBRARIES if name not in missing},
        "laps": course.laps,
        "seconds_a_lap": course.seconds,
        **compared,
        "own": [_own(kind, course) for kind in (our_own.ECARD, *our_own.DAVENPORT)],
        "replay": _replays(course),
    }
    print(" done", file=sys.stderr)
    print(json.dumps(found, indent=2))
    return 0


def _contest(course: Course) -> dict[str, Any] | None:
    """Games of E-Card beside the rivals; None if one of them does not play the same game."""
    from bench import ecard_contest as contest

    written = contest.scripts(seed=1)
    wrong = contest.differences(written)
    if wrong:
        print(f"not the same game: {wrong[0]} ({len(wrong)} differences)", file=sys.stderr)
        return None
    print(f"the same score in all of {len(written)} games of E-Card; measuring ", end="", file=sys.stderr)
    return {
        "games_checked": len(written),
        "random": _compared(race(contest.random_games(seed=1), course), contest.OURS, contest.WHOLE),
        "given": _compared(race(contest.given_games(written), course), contest.OURS, contest.WHOLE),
    }


def _compared(laps: dict[str, list[Lap]], sealed: str, whole: str) -> list[dict[str, Any]]:
    """The speed of each, and how many times as fast ours are, sealed seat by seat and as whole decisions."""
    return [
        {
            "name": name,
            **speed(run),
            "ours_sealed_is_times_as_fast": times_as_fast(laps[sealed], run),
            "ours_whole_is_times_as_fast": times_as_fast(laps[whole], run),
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


def _replays(course: Course) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            {
                "name": str(kind),
                "records": course.records,
                "records_per_second": our_own.replays_per_second(kind, course, Path(folder)),
            }
            for kind in (our_own.ECARD, *our_own.DAVENPORT)
        ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
