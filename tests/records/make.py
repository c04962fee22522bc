"""Chooses the finished games that stand here as fixtures: `python -m tests.records.make`.

They are played by the reference games of `tests/reference`, which share no code with the engine: every odd
case several times, every preset, every number of seats. Beside each game's `.jsonl` of records stands what
`facedown replay --json` must print for them. Games of earlier behaviour versions stay as they are:
`davenport.jsonl` is of version 1, `davenport.2.jsonl` of version 2.
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
VERSIONS = {"ecard": 1, "davenport": 2}
OF_EACH_CASE = 5
PLAIN = 110
"""So many games are kept just as they come; after them only those with a case seen too seldom."""
LONGEST = 120
"""Games of more decisions than this are left out: fixtures are read by people, too."""


def chosen(game: str) -> list[tuple[Json, Json]]:
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


def named(game: str, version: int) -> str:
    """The name of the file of a game's records, without its ending."""
    return game if version == 1 else f"{game}.{version}"


def main() -> None:
    for game, version in VERSIONS.items():
        kept = chosen(game)
        for ending, place in ((".jsonl", 0), (".replay.jsonl", 1)):
            lines = [json.dumps(pair[place], ensure_ascii=False) for pair in kept]
            (HERE / f"{named(game, version)}{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{game}: {len(kept)} games")


if __name__ == "__main__":
    main()
