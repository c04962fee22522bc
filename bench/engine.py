"""How fast the engine is.   python bench/engine.py [--json] [--quick]"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench import our_own
from bench.interpreter import interpreter
from bench.laps import COURSES, Course, added, race, speed, stay_on_one_core


def main() -> int:
    """Measure, and say what came out. No time is ever a failure."""
    arguments = _arguments()
    found = _measured(COURSES[arguments.course])
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Games a second.")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    for name, says in (("quick", "short laps, less certain"), ("tiny", "only to see that all of it runs")):
        parser.add_argument(f"--{name}", dest="course", action="store_const", const=name, help=says)
    parser.set_defaults(course="full")
    return parser.parse_args()


# --- what is measured ------------------------------------------------------------------------------------


def _measured(course: Course) -> dict[str, Any]:
    bound = stay_on_one_core()
    return {
        "python": interpreter(),
        "machine": f"{platform.machine()}, {bound}",
        "laps": course.laps,
        "seconds_a_lap": course.seconds,
        "own": [_own(kind, course) for kind in (our_own.ECARD, *our_own.DAVENPORT)],
        "replay": _replays(course),
    }


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


# --- the report ------------------------------------------------------------------------------------------


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    yield f"Python {found['python']} on {found['machine']}"
    yield f"Medians of {found['laps']} laps of {found['seconds_a_lap']} s, run in turn; processor time."
    yield ""
    yield "Facedown alone, sealed seat by seat; what views and record add (100 % = as much again)"
    yield f"  {'':<46} {'games/s':>9} {'decisions/s':>12} {'views':>8} {'record':>8}"
    for row in found["own"]:
        yield f"{_speed(row)} {row['views_cost']:>8.0%} {row['record_costs']:>8.0%}"
    yield ""
    yield "facedown replay --json, one process, its start included"
    yield f"  {'':<46} {'records/s':>9}"
    for row in found["replay"]:
        yield f"  {row['name']:<46} {row['records_per_second']:>9,.0f}"


def _speed(row: dict[str, Any]) -> str:
    return f"  {row['name']:<46} {row['games_per_second']:>9,.0f} {row['decisions_per_second']:>12,.0f}"


if __name__ == "__main__":
    sys.exit(main())
