"""How fast the engine is, side by side with others.   python bench/engine.py [--json] [--quick] [--here]

With `--compiled`, the compiled engine is measured. With `--against COMMIT`, this tree is measured beside
that commit of this project instead, or beside the checkout in a folder (`bench/trees.py`).
Owns the words of the report; `bench/measure.py` measures, in a throw-away environment, or where this program
runs (`--here`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench import trees
from bench.environment import add_arguments, measured
from bench.laps import COURSES

LIBRARIES: Final = ("open_spiel", "pettingzoo", "gymnasium", "numpy")


def main() -> int:
    """Make the environment, measure in it, say what came out. No time is ever a failure."""
    arguments = _arguments()
    if arguments.against:
        compared = trees.compare(arguments.against, COURSES[arguments.course])
        print(json.dumps(compared, indent=2) if arguments.json else "\n".join(trees.report(compared)))
        return 0
    compiled = arguments.compiled
    found = measured("bench.measure", [arguments.course], LIBRARIES, arguments, compiled=compiled)
    if found is None:
        return 1
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Games a second, beside OpenSpiel and PettingZoo.")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    for name, says in (("quick", "short laps, less certain"), ("tiny", "only to see that all of it runs")):
        parser.add_argument(f"--{name}", dest="course", action="store_const", const=name, help=says)
    parser.set_defaults(course="full")
    add_arguments(parser)
    parser.add_argument("--compiled", action="store_true", help="measure the compiled engine")
    parser.add_argument(
        "--against", metavar="COMMIT", help="compare with that commit of this project, or that checkout"
    )
    arguments = parser.parse_args()
    if arguments.compiled and arguments.here:
        parser.error("--compiled builds the engine in an environment of its own: leave --here out")
    return arguments


# --- the report ------------------------------------------------------------------------------------------


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    libraries = ", ".join(f"{name} {version}" for name, version in found["libraries"].items())
    yield f"Python {found['python']} on {found['machine']}; {libraries}"
    yield f"Medians of {found['laps']} laps of {found['seconds_a_lap']} s, run in turn; processor time."
    yield ""
    if "random" in found:
        yield "E-Card, classic: whole random games, all choosing from the legal picks by the same cheap line"
        yield from _contest(found["random"])
        yield ""
        yield f"E-Card, classic: the same {found['games_checked']} games for all, the picks given beforehand"
        yield from _contest(found["given"])
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


def _contest(rows: list[dict[str, Any]]) -> Iterable[str]:
    yield f"  {'':<46} {'games/s':>9} {'decisions/s':>12} {'ours sealed':>13} {'ours whole':>12}"
    for row in rows:
        sealed, whole = row["ours_sealed_is_times_as_fast"], row["ours_whole_is_times_as_fast"]
        yield f"{_speed(row)} {sealed:>11.2f} × {whole:>10.2f} ×"


def _speed(row: dict[str, Any]) -> str:
    return f"  {row['name']:<46} {row['games_per_second']:>9,.0f} {row['decisions_per_second']:>12,.0f}"


if __name__ == "__main__":
    sys.exit(main())
