"""The measurements of `lab/bench/engine.py`, as one JSON object."""

from __future__ import annotations

import json
import platform
import sys
from importlib import metadata
from importlib.util import find_spec
from typing import Any

from bench.interpreter import interpreter
from bench.laps import COURSES, Course, Lap, race, speed, stay_on_one_core, times_as_fast

_LIBRARIES = ("open_spiel", "pettingzoo", "gymnasium", "numpy")


def main(arguments: list[str]) -> int:
    """Check, measure, print; 1 if a rival does not play the same game, or is not installed."""
    course = COURSES[arguments[0]]
    bound = stay_on_one_core()
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 1
    compared = _contest(course)
    if compared is None:
        return 1
    found = {
        "python": interpreter(),
        "machine": f"{platform.machine()}, {bound}",
        "libraries": {name: metadata.version(name) for name in _LIBRARIES},
        "laps": course.laps,
        "seconds_a_lap": course.seconds,
        **compared,
    }
    print(" done", file=sys.stderr)
    print(json.dumps(found, indent=2))
    return 0


def _contest(course: Course) -> dict[str, Any] | None:
    """Games of E-Card beside the rivals; None if one of them does not play the same game."""
    from lab.bench import ecard_contest as contest

    written = contest.scripts(seed=1)
    wrong = contest.differences(written)
    if wrong:
        print(f"not the same game: {wrong[0]} ({len(wrong)} differences)", file=sys.stderr)
        return None
    print(f"the same score in all of {len(written)} games of E-Card; measuring ", end="", file=sys.stderr)
    return {
        "games_checked": len(written),
        "random": _compared(race(contest.random_games(seed=1), course), contest.OURS, contest.WHOLE),
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
