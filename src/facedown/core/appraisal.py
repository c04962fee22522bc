"""What a judge says about a seat's play after the game: plain values that a game's `review` hands out.

A game's folder may hold a module `review` with `judge(decisions, seat) -> Judged`, where a decision is
(state before, picks by seat, state after); where it has none, its games are judged by playing them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from facedown.core.game import Pick


class Chances(NamedTuple):
    """How likely a seat is to win, a draw counting half, before and after one decision of the game."""

    decision: int
    place: str
    """Where that is in the game, in words: `round 3, play 2`."""
    before: float
    after: float
    luck: float
    """What neither seat's play explains of the change."""
    gift: float
    """What the others' picks gave away."""
    error: float = 0.0
    """The standard error of the chances; 0 where they are exact."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """One pick of the seat, judged."""

    decision: int
    place: str
    pick: Pick
    advice: Mapping[Pick, float]
    """How likely the judge would have picked what, where it leaves a choice."""
    cost: float
    """What the pick gave away against a judge that plays on: in chances to win."""
    missed: float | None
    """What the best answer to this very opponent would have gained over the pick, as far as they could be
    read by then; None where the judge reads nobody."""
    error: float = 0.0
    """The standard error of the cost; 0 where it is exact."""


class Foretold(NamedTuple):
    """How likely a reader of the seat's earlier play thought a pick, and how likely chance alone makes it."""

    group: int
    """Picks of one group belong together (a round): they are resampled together."""
    reader: float
    chance: float


@dataclass(frozen=True, slots=True)
class Timing:
    """How often the seat did something, and how often the judge would have at the same decisions."""

    title: str
    labels: tuple[str, ...]
    yours: tuple[float, ...]
    judges: tuple[float, ...]


class Exposure(NamedTuple):
    """The share of rounds that a perfect reader of the seat's habits would have won, with a 95 % interval."""

    share: float
    low: float
    high: float
    fair: float
    """What it wins against somebody who cannot be read."""


@dataclass(frozen=True, slots=True)
class Judged:
    """All that a judge says about one seat of one game."""

    judge: str
    """Who judged, in words: exactly solved, or by how many games played out."""
    chances: tuple[Chances, ...]
    appraisals: tuple[Appraisal, ...]
    foretold: tuple[Foretold, ...]
    timing: Timing | None = None
    exposure: Exposure | None = None
