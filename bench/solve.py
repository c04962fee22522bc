"""How fast E-Card is solved: every preset cold, in one process.   python bench/solve.py [RULES …]"""

from __future__ import annotations

import sys
import time

from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve import solve

BARS = {"classic": 1.0, "victories": 1.0, "decisive": 1.0, "purse": 10.0}
"""Seconds that a preset may take, its proof included."""


def main(texts: list[str]) -> int:
    """One line a rule set; 1 where a preset is slower than its bar."""
    slow = []
    print(f"{'rules':<32} {'solved':>9} {'proved':>9}  exact  value")
    for text in texts or list(BARS):
        rules = ECardRules.read(text)
        begun = time.perf_counter()
        solution = solve(rules)
        solved = time.perf_counter()
        gained = solution.exploitability
        proved = time.perf_counter()
        exact = "yes" if solution.exact else "no"
        times = f"{solved - begun:>8.3f}s {proved - solved:>8.3f}s"
        print(
            f"{rules!s:<32} {times}  {exact:<5}  {float(solution.value):.12f}  (exploitability {gained:.1e})"
        )
        if proved - begun > BARS.get(text, float("inf")):
            slow.append(text)
    if slow:
        print(f"slower than they may be: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
