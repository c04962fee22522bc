"""The run of a training: all stages in order, checkpoints, progress, and an end that keeps what is done.

Owns the files of a training's folder but for its settings. Must not know the command line.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from facedown.games.davenport.bots.network import NUMBERS, Weights, from_file
from facedown_lab.batch.form import Array
from facedown_lab.games.davenport.learn.population import PAST, RANDOM, LearningTables
from facedown_lab.games.davenport.learn.train import (
    NetworkLearner,
    Training,
    TrainingPlan,
    begin,
    new_learner,
    train,
)
from facedown_lab.games.davenport.learn.weights import new_weights, to_file

# --- the recipe ------------------------------------------------------------------------------------------


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


# --- checkpoints -----------------------------------------------------------------------------------------


def write_checkpoint(path: Path, training: Training) -> None:
    """Keep everything that going on needs; the file is whole or the old one stays."""
    beside = path.with_suffix(".new.npz")
    np.savez(beside, *[np.asarray(part) for part in jax.tree.leaves(training)])
    beside.replace(path)


def read_learner(path: Path) -> NetworkLearner:
    """What was learned when a training was interrupted."""
    structure = jax.tree.structure(new_learner(new_weights(np, 0)))
    learner: NetworkLearner = jax.tree.unflatten(structure, _parts(path)[: structure.num_leaves])
    return learner


def read_tables(path: Path, plan: TrainingPlan) -> LearningTables:
    """The games that were in play then."""
    blank = begin(plan, new_learner(new_weights(np, 0)))
    learned = len(jax.tree.leaves(blank.learner))
    tables: LearningTables = jax.tree.unflatten(jax.tree.structure(blank.tables), _parts(path)[learned:])
    return tables


def _parts(path: Path) -> list[Any]:
    with np.load(path) as found:
        return [jnp.asarray(found[f"arr_{number}"]) for number in range(len(found.files))]


def write_weights(path: Path, weights: Weights) -> None:
    """The file that is shipped."""
    np.savez_compressed(path, **to_file(np, weights))


def read_weights(path: Path) -> Weights:
    """Shipped weights; those that were trained with fewer numbers do not look at the others yet."""
    with np.load(path) as found:
        weights = from_file(np, found)
    blind = np.zeros((NUMBERS - len(weights.first), weights.first.shape[1]), dtype=np.float32)
    return weights._replace(first=np.concatenate([weights.first, blind]))


# --- the runner ------------------------------------------------------------------------------------------


_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
_PARTS_OF_LOSS: Final = ("loss", "policy", "value", "entropy", "drift")


class StageRunner:
    """Trains through the stages in a folder, from its checkpoint on where there is one."""

    def __init__(self, folder: Path, stages: Sequence[TrainingStage], seconds: float, say: float) -> None:
        """It stops after `seconds`, and reports progress every `say` seconds."""
        self._checkpoint = folder / "learner.npz"
        self._log = folder / "log.jsonl"
        self._stages = stages
        self._seconds = seconds
        self._say = say
        self._began = self._said = self._written = time.monotonic()
        self._work = 0
        """What was left to do when it began."""

    def run(self, learner: NetworkLearner, stopped: threading.Event) -> NetworkLearner:
        """What is learned in the end, or when it is to stop; a checkpoint is written then."""
        if self._checkpoint.exists():
            learner = read_learner(self._checkpoint)
        self._work = work_left(self._stages, int(learner.iteration))
        for span in spans(self._stages):
            if int(learner.iteration) < span.last:
                learner = self._stage(span, learner, stopped)
            if int(learner.iteration) < span.last:
                break
        return learner

    def tell_end(self, learner: NetworkLearner) -> bool:
        done, whole = int(learner.iteration), sum(stage.iterations for stage in self._stages)
        if done < whole:
            print(f"Stopped after {done:,} of {whole:,} iterations: the same command goes on.")
        else:
            print(f"Trained: the weights are in {self._checkpoint.parent}.")
        return done >= whole

    def _stage(self, span: StageSpan, learner: NetworkLearner, stopped: threading.Event) -> NetworkLearner:
        plan = span.stage.plan
        if int(learner.iteration) == span.first:
            training = begin(plan, learner)
        else:
            training = Training(learner, read_tables(self._checkpoint, plan))
        for training, losses in train(plan, training, span.first, span.last):  # noqa: B020 (it goes on from itself)
            now = time.monotonic()
            done = int(training.learner.iteration)
            if now - self._said > self._say or done in (span.first + 1, span.last):
                self._report(span, done, losses)
                self._said = now
            if now - self._written > _EVERY:
                write_checkpoint(self._checkpoint, training)
                self._written = now
            if stopped.is_set() or now - self._began > self._seconds:
                break
        write_checkpoint(self._checkpoint, training)
        return training.learner

    def _report(self, span: StageSpan, done: int, losses: Array) -> None:
        """One line about where the training stands, for people; all numbers of it, in the log."""
        spent = time.monotonic() - self._began
        left = work_left(self._stages, done)
        to_go = spent * left / max(self._work - left, 1)
        loss = {name: round(float(each), 5) for name, each in zip(_PARTS_OF_LOSS, losses, strict=True)}
        facts: dict[str, Any] = {"stage": span.stage.name, "iteration": done, "seconds": round(spent, 1)}
        with self._log.open("a", encoding="utf-8") as log:
            print(json.dumps(facts | loss), file=log)
        print(
            f"stage {span.number} of {len(self._stages)} ({span.stage.name}):"
            f" {done - span.first:,} of {span.stage.iterations:,} iterations, {spent:,.0f} s;"
            f" all stages in about {to_go:,.0f} s more; loss {loss['loss']:.4f}",
            flush=True,
        )


@contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """Set by Ctrl-C or SIGTERM, so that the iteration is finished and kept; a second one ends all at once."""
    stopped = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def ask(number: int, frame: object) -> None:
        stopped.set()
        for each, handler in before.items():
            signal.signal(each, handler)
        print("Stopping after this iteration; once more: at once, back to the last checkpoint.", flush=True)

    if threading.current_thread() is not threading.main_thread():  # signals reach the main one alone
        yield stopped
        return
    before = {each: signal.signal(each, ask) for each in numbers}
    try:
        yield stopped
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
