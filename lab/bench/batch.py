"""How fast many tables at once are, beside pgx and beside matches.   python lab/bench/batch.py [--json]

Owns the words of the report; `lab/bench/batch_contest.py` measures, in a throw-away environment, or where
this program runs (`--here`: on a machine with a GPU and JAX, and pgx if it takes part).
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

LIBRARIES: Final = ("jax", "numpy", "pgx")


def main() -> int:
    """Measure, and say what came out. No time is ever a failure."""
    arguments = _arguments()
    options = ["--tables", str(arguments.tables), "--seconds", str(arguments.seconds)]
    options += ["--queued", str(arguments.queued), *arguments.kinds]
    found = measured("lab.bench.batch_contest", options, LIBRARIES, arguments)
    if found is None:
        return 1
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Many tables at once, beside pgx and beside matches.")
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help="only those whose name contains one of these"
    )
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    add_arguments(parser)
    parser.add_argument(
        "--tables", metavar="N", type=int, default=0, help="tables at once (default: by device)"
    )
    parser.add_argument(
        "--queued",
        metavar="N",
        type=int,
        default=0,
        help="calls before a result is read (default: by device)",
    )
    parser.add_argument("--seconds", metavar="S", type=float, default=2.0, help="how long each is run")
    return parser.parse_args()


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    libraries = ", ".join(f"{name} {version}" for name, version in found["libraries"].items())
    yield f"{found['device']} ({found['cores']}), load {found['load']:.1f}"
    yield f"Python {found['python']}, {libraries}"
    yield f"{found['tables']:,} tables at once, random picks, {found['seconds']} s each; {found['clock']}."
    yield f"{found['queued']} calls of {found['steps']} steps are given before the first result is read."
    yield "A play is a reveal at one table; with observations, every seat's is computed and added up."
    yield f"{'':<41} {'plays/s':>10} {'decisions/s':>12} {'games/s':>10} {'× Match':>9}"
    for row in found["rows"]:
        times = "" if row["times_match"] is None else f"{row['times_match']:.0f}"
        numbers = " ".join(
            f"{row[name]:>{width}.3g}" if row[name] is not None else " " * width
            for name, width in (("plays", 10), ("decisions", 12), ("games", 10))
        )
        yield f"{row['name']:<41} {numbers} {times:>9}"


if __name__ == "__main__":
    sys.exit(main())
