"""How fast the engine is, beside OpenSpiel and PettingZoo.   python lab/bench/engine.py [--json] [--quick]

Owns the words of the report; `lab/bench/engine_contest.py` measures, in a throw-away environment, or where
this program runs (`--here`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # this file may be run by its name
from lab.bench.environment import add_arguments, measured

LIBRARIES: Final = ("open_spiel", "pettingzoo", "gymnasium", "numpy")


def main() -> int:
    """Make the environment, measure in it, say what came out. No time is ever a failure."""
    arguments = _arguments()
    found = measured("lab.bench.engine_contest", [arguments.course], LIBRARIES, arguments)
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
    return parser.parse_args()


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    libraries = ", ".join(f"{name} {version}" for name, version in found["libraries"].items())
    yield f"Python {found['python']} on {found['machine']}; {libraries}"
    yield f"Medians of {found['laps']} laps of {found['seconds_a_lap']} s, run in turn; processor time."
    yield ""
    yield "E-Card, classic: whole random games, all choosing from the legal picks by the same cheap line"
    yield from _contest(found["random"])


def _contest(rows: list[dict[str, Any]]) -> Iterable[str]:
    yield f"  {'':<46} {'games/s':>9} {'decisions/s':>12} {'ours sealed':>13} {'ours whole':>12}"
    for row in rows:
        sealed, whole = row["ours_sealed_is_times_as_fast"], row["ours_whole_is_times_as_fast"]
        yield f"{_speed(row)} {sealed:>11.2f} × {whole:>10.2f} ×"


def _speed(row: dict[str, Any]) -> str:
    return f"  {row['name']:<46} {row['games_per_second']:>9,.0f} {row['decisions_per_second']:>12,.0f}"


if __name__ == "__main__":
    sys.exit(main())
