"""Pictures of attacks: strong and safe weights of Davenport, and how much of a true gain a search finds.

From `docs/frontier.json`, which holds the figures of `docs/expert.md` with their commands, and from
`docs/attacks.json`, which `lab.scripts.small_attacks` writes.
"""

from __future__ import annotations

import json
from typing import Any, Final

from lab.scripts.knowledge_measured import ROOT
from lab.scripts.knowledge_plots import Line, NamedPoint, line_plot, point_plot

_DOCS: Final = ROOT / "docs"
_LONG: Final = 9_000
"""Iterations of a best response that count as enough."""


def attack_pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    return {
        "expert-frontier.svg": frontier_picture(ace=False),
        "expert-frontier-aces.svg": frontier_picture(ace=True),
        "exploit-curves.svg": search_picture(),
    }


def frontier_picture(ace: bool) -> str:
    """What weights win against `careful`, over what a best response gains on them: at two seats."""
    points = [
        NamedPoint(each["name"], each["gain"][ace], each["share"][ace], each["answer"] >= _LONG)
        for each in _kept("frontier")["points"]
    ]
    rules = "Two seats, Ace rules" if ace else "Two seats"
    title = f"{rules}: filled points are answered by {_LONG:,} iterations, the others by fewer"
    return point_plot(title, points, "gain of a best response, in points", "% against careful")


def search_picture() -> str:
    """How much of the true gain attacks by search find on small decks: the slowest three, and the mean."""
    kept = _kept("attacks")
    rows = sorted(kept["rows"], key=lambda row: sum(row["found"]))
    named = {f"{row['machine']} {number}": row["found"] for number, row in enumerate(rows[:3], 1)}
    named["mean"] = [sum(each) / len(rows) for each in zip(*(row["found"] for row in rows), strict=True)]
    lines = [
        Line(name, [(games / 1000, max(0.0, part)) for games, part in zip(kept["games"], found, strict=True)])
        for name, found in named.items()
    ]
    return line_plot("Small decks: part of the true gain found", lines, "thousands of games", "part")


def _kept(name: str) -> Any:
    return json.loads((_DOCS / f"{name}.json").read_text(encoding="utf-8"))
