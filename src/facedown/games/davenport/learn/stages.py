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
from pathlib import Path
from typing import Any, Final

from facedown.core.parts.batch import Array
from facedown.games.davenport.learn.checkpoint import read_learner, read_tables, write_checkpoint
from facedown.games.davenport.learn.recipe import StageSpan, TrainingStage, spans, work_left
from facedown.games.davenport.learn.train import NetworkLearner, Training, begin, train

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
        """Say how it ended; whether all stages are done."""
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
