"""Chooses the finished games in this folder, which are fixtures: `python -m tests.records.make`.

They are played by the reference games of `tests/reference`, which share no code with the engine: every odd
case several times, every preset, every number of seats. Beside each game's `.jsonl` of records is what
`facedown replay --json` must print for them.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.reference.generate import games
from tests.reference.odd import DAVENPORT_CASES, ECARD_CASES, odd_cases
from tests.reference.shapes import Json

HERE = Path(__file__).parent
CASES = {"ecard": ECARD_CASES, "davenport": DAVENPORT_CASES}
OF_EACH_CASE = 5
PLAIN = 110
"""This many games are kept as they come; after them only those with a case seen too seldom."""
LONGEST = 120
"""Games of more decisions than this are left out: fixtures are read by people, too."""


def choose(game: str) -> list[tuple[Json, Json]]:
    """Games until every odd case has been seen often enough."""
    kept: list[tuple[Json, Json]] = []
    seen: Counter[str] = Counter()
    for record, replay in games(game, 60_000, seed=20):
        if len(record["picks"]) > LONGEST:
            continue
        cases = odd_cases(record, replay)
        rare = any(seen[case] < OF_EACH_CASE for case in cases)
        if rare or len(kept) < PLAIN:
            kept.append((record, replay))
            seen.update(cases)
        if all(seen[case] >= OF_EACH_CASE for case in CASES[game]) and len(kept) >= PLAIN:
            return kept
    missing = [case for case in CASES[game] if seen[case] < OF_EACH_CASE]
    raise SystemExit(f"too few games of: {missing}")


def main() -> None:
    for game in CASES:
        kept = choose(game)
        for ending, place in ((".jsonl", 0), (".replay.jsonl", 1)):
            lines = [json.dumps(pair[place], ensure_ascii=False) for pair in kept]
            (HERE / f"{game}{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{game}: {len(kept)} games")


if __name__ == "__main__":
    main()
