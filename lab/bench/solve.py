"""How fast E-Card is solved, and beside OpenSpiel.   python lab/bench/solve.py [RULES …] [--alone] [--here]

Owns the words of the report and the bars; `lab/bench/solve_contest.py` measures, in a throw-away environment,
or where this program runs (`--here`).
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

BARS: Final = {"classic": 1.0, "short": 1.0, "victories": 1.0, "decisive": 1.0, "purse": 10.0}
"""Seconds that a preset may take, its proof included."""
TIMES: Final = 1000
"""How many times as fast as OpenSpiel's CFR+ a round has to be solved."""
LIBRARIES: Final = ("open_spiel", "numpy")


def main() -> int:
    """Measure and say what came out; 1 where something is slower than its bar."""
    arguments = _arguments()
    texts = arguments.rules or list(BARS)
    if arguments.alone:
        from lab.bench.solve_contest import presets

        found: Any = {"presets": presets(texts)}
    else:
        found = measured("lab.bench.solve_contest", texts, LIBRARIES, arguments)
    if found is None:
        return 1
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    slow = list(slower_than_they_may_be(found))
    print("\n".join(f"too slow: {each}" for each in slow) or "all within their bars", file=sys.stderr)
    return 1 if slow else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How fast E-Card is solved, and how fast beside OpenSpiel.")
    parser.add_argument("rules", metavar="RULES", nargs="*", help="rule sets to solve (default: the presets)")
    parser.add_argument("--alone", action="store_true", help="without OpenSpiel, in this environment")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    add_arguments(parser)
    return parser.parse_args()


def slower_than_they_may_be(found: dict[str, Any]) -> Iterable[str]:
    """What misses its bar, in words."""
    for row in found["presets"]:
        taken, most = row["solved"] + row["proved"], BARS.get(row["rules"], float("inf"))
        if taken > most:
            yield f"{row['rules']} took {taken:.2f} s, and may take {most:.0f} s"
    for row in found.get("contest", {}).get("rivals", []):
        if row["ours_is_times_as_fast"] < TIMES:
            yield f"{row['name']} takes only {row['ours_is_times_as_fast']:,.0f} times as long as ours"


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in columns."""
    yield f"{'rules, solved cold':<32} {'solved':>9} {'proved':>9}  exact  value"
    for row in found["presets"]:
        times = f"{row['solved']:>8.3f}s {row['proved']:>8.3f}s  {'yes' if row['exact'] else 'no':<5}"
        yield f"{row['rules']:<32} {times}  {row['value']:.12f}  (exploitability {row['exploitability']:.1e})"
    if "contest" not in found:
        return
    contest = found["contest"]
    yield ""
    yield f"One decided round of E-Card, to an exploitability of at most {contest['bar']}; processor time"
    yield f"{'':<36} {'time':>12} {'rounds':>7} {'left':>8} {'ours is':>10}"
    yield f"{'Facedown, the round in closed form':<36} {_time(contest['ours'])} {'':>7} {'0':>8}"
    yield f"{'Facedown, as a game of one round':<36} {_time(contest['ours_through_solve'])} {'':>7} {'0':>8}"
    for row in contest["rivals"]:
        learnt = f"{row['rounds']:>7,} {row['left']:>8.1e} {row['ours_is_times_as_fast']:>8,.0f} ×"
        yield f"{row['name']:<36} {_time(row['seconds'])} {learnt}"


def _time(seconds: float) -> str:
    return f"{1e6 * seconds:>9,.0f} µs"


if __name__ == "__main__":
    sys.exit(main())
