"""The standing of an arena: who won how much against whom, and the ratings, as text and JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from facedown.sim.arena import Arena, Played
from facedown.sim.ratings import Rating, rate
from facedown.sim.statistics import Bout, Estimate


class Standing:
    """What has been played so far, added up."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.bouts = {pairing: Bout(arena.seats) for pairing in arena.pairings}
        self.rated: list[tuple[int, tuple[tuple[tuple[str, ...], int], ...]]] = []
        self.games = 0

    def add(self, chunk: Played) -> None:
        self.bouts[chunk.hero, chunk.field].add(chunk.bout)
        self.rated.append((chunk.number, chunk.rated))
        self.games += chunk.bout.played

    def ratings(self) -> dict[str, Rating]:
        """Rated in the order of the chunks, however they came in."""
        games = (game for _, chunk in sorted(self.rated) for game in chunk)
        return rate(self.arena.bots, games)

    def score(self, hero: str, other: str) -> Estimate | None:
        """The hero's share against a field of the other; with two seats either way round."""
        if (hero, other) in self.bouts:
            bout = self.bouts[hero, other]
            return bout.score() if bout.played else None
        if (other, hero) in self.bouts and self.bouts[other, hero].played:
            value, low, high = self.bouts[other, hero].score()
            return Estimate(1 - value, 1 - high, 1 - low)
        return None

    def faults(self) -> Counter[str]:
        return sum((bout.faults for bout in self.bouts.values()), Counter())

    def first_fault(self, fault: str) -> tuple[int, int]:
        """The game and the decision in which a fault was first seen."""
        return min(bout.first_faults[fault] for bout in self.bouts.values() if fault in bout.first_faults)


# --- for programs ----------------------------------------------------------------------------------------


def as_json(standing: Standing, ratings: dict[str, Rating], seed_text: str, partial: bool) -> dict[str, Any]:
    """The whole run as plain values, for programs."""
    arena = standing.arena
    return {
        "game": arena.game,
        "rules": arena.rules,
        "seats": arena.seats,
        "bots": list(arena.bots),
        **({"heroes": list(arena.heroes)} if arena.heroes else {}),
        "seed": seed_text,
        "memory": arena.memory,
        "asked": arena.games * len(arena.pairings),
        "games": standing.games,
        "partial": partial,
        "pairings": [_bout_as_json(hero, other, bout) for (hero, other), bout in standing.bouts.items()],
        "ratings": {name: rating._asdict() for name, rating in ratings.items()},
        "faults": dict(standing.faults()),
        "first_faults": {
            fault: dict(zip(("game", "decision"), standing.first_fault(fault), strict=True))
            for fault in standing.faults()
        },
    }


def _bout_as_json(hero: str, other: str, bout: Bout) -> dict[str, Any]:
    seats = range(1, bout.seats + 1)
    return {
        "hero": hero,
        "field": other,
        "games": bout.played,
        "wins": sum(bout.wins),
        "draws": sum(bout.draws),
        "score": bout.score()._asdict(),
        "by_seat": [
            {
                "seat": seat,
                "games": bout.games[seat - 1],
                "wins": bout.wins[seat - 1],
                "draws": bout.draws[seat - 1],
                "score": bout.score(seat)._asdict(),
            }
            for seat in seats
        ],
    }


# --- for people ------------------------------------------------------------------------------------------


def in_words(
    standing: Standing, ratings: dict[str, Rating], seed_text: str, partial: bool = False
) -> list[str]:
    """The whole run in lines: the cross table, the ratings, and what bots did wrong."""
    arena = standing.arena
    asked = arena.games * len(arena.pairings)
    done = f"{standing.games:,} of {asked:,} games, interrupted" if partial else f"{standing.games:,} games"
    remember = f", bots remember {arena.memory} games" if arena.memory else ""
    title = arena.lineup.game(arena.game).meta.title
    lines = [f"{title}, {arena.rules}, {arena.seats} seats{remember}, seed {seed_text}: {done}"]
    field = "the other" if arena.seats == 2 else f"{arena.seats - 1} of the other"
    lines.append(f"Share of the bot on the left against {field}, in % (95 % interval); a draw counts half.")
    lines.extend(_cross_table(standing))
    if ratings:
        lines.append("Ratings (all start at 25), ± 2 deviations:")
    for name, rating in sorted(ratings.items(), key=lambda item: -item[1].mean):
        lines.append(f"  {name:<14} {rating.mean:6.2f} ± {2 * rating.deviation:.2f}")
    for fault, count in standing.faults().most_common():
        game, decision = standing.first_fault(fault)
        games = f"{count:,} {'game' if count == 1 else 'games'}; first in game {game}, decision {decision}"
        lines.append(f"Lost by a fault: {fault}, {games}")
    return lines


def _cross_table(standing: Standing) -> list[str]:
    bots = standing.arena.bots
    cells = [["", *bots]]
    for one in bots:
        row = [one]
        for two in bots:
            score = None if one == two else standing.score(one, two)
            row.append("·" if score is None else _percent(score))
        cells.append(row)
    widths = [max(len(row[column]) for row in cells) for column in range(len(bots) + 1)]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
    ]


def _percent(score: Estimate) -> str:
    value, low, high = (100 * each for each in score)
    return f"{value:.2f} ({low:.2f}–{high:.2f})"
