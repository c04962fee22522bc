"""The recipe of `expert`: the stages of its training, in the order of those that made the shipped file.

Owns how long each stage is and what is played in it. Must not know files or the command line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from facedown.games.davenport.learn.population import PAST, RANDOM
from facedown.games.davenport.learn.train import TrainingPlan

_NEVER: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class TrainingStage:
    """One part of a training: the tables are dealt again, the weights stay."""

    name: str
    iterations: int
    plan: TrainingPlan


def mix_with_random(share: float) -> tuple[float, ...]:
    """The usual mix of fields, with this share of `random`; the others keep their proportions."""
    usual = TrainingPlan().fields
    rest = (1 - share) / (sum(usual) - usual[RANDOM])
    return tuple([share if field == RANDOM else each * rest for field, each in enumerate(usual)])


_WIDE: Final = TrainingPlan(tables=65536, parts=16)
RECIPE: Final = (
    TrainingStage("first", 10_800, TrainingPlan()),
    TrainingStage("wide", 4_053, _WIDE),
    TrainingStage("more random", 6_612, replace(_WIDE, fields=mix_with_random(0.41))),
    TrainingStage("most random", 3_335, replace(_WIDE, fields=mix_with_random(0.54))),
)
"""The stages that made the shipped weights, as far as they were written down: iterations, tables and shares
of `random`, but neither the first mix nor the rate. Each begins at the whole rate again, and slows down."""

_ONLY_PAST: Final = tuple([float(field == PAST) for field in range(len(TrainingPlan().fields))])
ANSWER: Final = (TrainingStage("answer", 1_200, replace(_WIDE, fields=_ONLY_PAST, keep_every=_NEVER)),)
"""A best response: only the field's own weights are met, and they never change."""


class StageSpan(NamedTuple):
    """A stage, and the iterations of the whole training that are its."""

    stage: TrainingStage
    number: int
    """From 1."""
    first: int
    last: int


def spans(stages: Sequence[TrainingStage]) -> Iterator[StageSpan]:
    """Every stage with its place in the whole training."""
    first = 0
    for number, stage in enumerate(stages, 1):
        yield StageSpan(stage, number, first, first + stage.iterations)
        first += stage.iterations


def work_left(stages: Sequence[TrainingStage], done: int) -> int:
    """How much is still to be played after `done` iterations, in steps at one table."""
    return sum(
        (span.last - max(done, span.first)) * span.stage.plan.tables * span.stage.plan.steps
        for span in spans(stages)
        if done < span.last
    )
