"""Ratings of the bots of an arena, by OpenSkill: what a bot is worth against everybody, not against one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from facedown.core.errors import Unsupported


class Rating(NamedTuple):
    """What is thought of a bot's strength (25 is where all start), and how far that may be off."""

    mean: float
    deviation: float


def rate(bots: Iterable[str], games: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, Rating]:
    """Every bot's rating after these games, in this order: the bots by seat, and who won (0: drawn).

    A seat that did not win shares the second place with the other losers.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise Unsupported("ratings need the extra `arena`: pip install 'facedown[arena]'") from None
    model = PlackettLuce()
    known = {name: model.rating(name=name) for name in bots}
    for names, winner in games:
        if winner < 0:
            continue
        ranks = [1.0 if seat == winner or winner == 0 else 2.0 for seat in range(1, len(names) + 1)]
        after = model.rate([[known[name]] for name in names], ranks=ranks)
        for name, (rating,) in zip(names, after, strict=True):
            known[name] = rating
    return {name: Rating(rating.mu, rating.sigma) for name, rating in known.items()}
