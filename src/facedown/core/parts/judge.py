"""The judge of a finished game: the plain values that a game's `review` module returns about one seat.

A game's folder may hold a module `review` with `judge(turns, seat) -> Judged`, which gets the `Turn`s of a
replayed record. Where it has none, but its `bots` name a `REVIEWER`, every position is played out:
that machine makes the first pick, and `PLAYOUT`, where `bots` name one, the others.
Chances are to win, a draw counting half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from facedown.core.game import Pick
from facedown.core.text.translation import Text


class Chances(NamedTuple):
    """The seat's chance to win before and after one decision, and where the difference came from."""

    decision: int
    place: Text
    """Where that is in the game, in words: `round 3, play 2`."""
    before: float
    after: float
    gift: float | None
    """What the others' picks gave away; None where the judge cannot tell it from luck."""
    luck: float
    """The rest: what neither the seat's pick, if its cost is clear, nor the gift, nor being read explains."""
    error: float = 0.0
    """The standard error of `before`; 0 where it is exact."""
    error_after: float = 0.0
    read: float = 0.0
    """What the seat's pattern gave to the opponent's pick; 0 wherever that is not claimed."""
    at: str = ""
    """The position's text for the explorer; empty where the game has none."""


@dataclass(frozen=True, slots=True)
class Appraisal:
    """One pick of the seat, judged."""

    decision: int
    place: Text
    pick: Pick
    advice: Mapping[Pick, float]
    """How likely the judge would have picked what; empty where it says nothing to that."""
    cost: float
    """What the pick gave away, if from then on everybody plays like the judge. Below 0 where an estimate
    finds it better than the judge's own."""
    missed: float | None
    """What the best answer to this very opponent would have gained over the pick, as far as they could be
    read by then; None where the judge predicts no opponent."""
    error: float = 0.0
    """The standard error of the cost; 0 where it is exact."""
    forced: bool = False
    """Whether there was nothing else to pick."""
    decided: str = ""
    """`decided` where nothing that anybody picks could change the result any more; `lost` or `won` where
    nothing could against good play; else empty."""
    clear: bool = True
    """Whether the cost is claimed: an estimate may be chance. Only clear costs are in the account."""


class Foretold(NamedTuple):
    """How likely a reader of the seat's earlier play thought a pick, and how likely chance makes it."""

    round: int
    """Picks of one round belong together."""
    reader: float
    chance: float


class ReaderReport(NamedTuple):
    """What a reader made of the seat's picks."""

    who: Text
    """What the reader goes by, as a sentence names it: `a reader of your earlier rounds`."""
    chance: Text
    """What it is compared with, likewise: `the equilibrium's own dice`."""
    foretold: tuple[Foretold, ...]


class Exposure(NamedTuple):
    """The share of rounds that a perfect reader of the seat's habits would have won."""

    share: float
    low: float
    high: float
    """From `low` to `high`: a 95 % interval."""
    usual: float
    """What the same count finds, on average, over as many rounds of an unreadable player."""
    rounds: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A habit of the seat that chance hardly explains: a share of rounds, its interval, and what to do."""

    say: Text
    """The habit, as a headline: `the Emperor at the second play in 6 of 6 rounds`."""
    share: float
    low: float
    high: float
    """From `low` to `high`: a 95 % interval of how often the seat does it."""
    usual: float
    """How often a player does it who cannot be read."""
    rounds: int
    advice: Text
    """What to do next time, in one sentence."""
    known: Text | None = None
    """What it comes to against an opponent who knows it, in one sentence, if the judge can say."""


class BeingRead(NamedTuple):
    """What the seat's pattern gave to this opponent: the estimated policy against the opponent's picks."""

    value: float
    """In chances to win; below 0."""
    error: float
    """The standard error: so few rounds show a pattern only roughly."""
    fits: float
    """How many times better the opponent's picks fit an answer to the pattern than play that ignores it."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How often the seat did something, and how often the judge would have at the same decisions."""

    title: Text
    labels: tuple[Text, ...]
    yours: tuple[int, ...]
    judges: tuple[float, ...]
    note: Text
    """Of how many rounds these are the counts."""


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round in which several decisions stand together; `ours` and `theirs` are the picks that ended it."""

    label: Text
    decisions: int
    ours: Pick | None
    theirs: Pick | None
    won: bool | None
    """None for a draw, or while the round is in progress."""
    result: Text
    """How it ended, in a word or a number: `+5`."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge's verdict on one seat of one game."""

    judge: Text
    """Who judged, as a sentence goes on after "Judged by"."""
    adviser: Text
    """The judge in a word: `equilibrium`."""
    chances: tuple[Chances, ...]
    """One for each decision of the game."""
    appraisals: tuple[Appraisal, ...]
    """One for each pick of the seat."""
    reading: ReaderReport
    rounds: tuple[JudgedRound, ...] = ()
    """In order, all decisions of the game; empty where every decision is a round of its own."""
    timing: Timing | None = None
    exposure: Exposure | None = None
    habit: Text | None = None
    """The habit that gave most away to a reader, or that there is none, in a sentence."""
    pattern: Pattern | None = None
    """The same in numbers, where there is one."""
    being_read: BeingRead | None = None
    """None where nothing is claimed: no pattern, an opponent who made no use of it, or too few rounds."""
    written: Mapping[Pick, Text] = field(default_factory=dict)
    """How reports write picks, where that is not their notation."""
