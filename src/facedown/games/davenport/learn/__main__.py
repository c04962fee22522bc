"""Train `expert`: python -m facedown.games.davenport.learn --to FOLDER [--iterations N] [--seconds S] …

A checkpoint is written every minute and at the end; the same command goes on from it. `--begin FILE` starts
from weights as they are shipped. `--against FILE` trains a best response to such weights instead: every other
seat plays these. `--games N` plays the games that say how strong the result is.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import jax
import numpy as np

from facedown.core.parts.batch import Array
from facedown.games.davenport.learn.checkpoint import (
    read_checkpoint,
    read_weights,
    write_checkpoint,
    write_weights,
)
from facedown.games.davenport.learn.lanes import CAREFUL, FIELDS, PAST, SEATS, SIMPLE
from facedown.games.davenport.learn.measure import Asked, every_kind, measure
from facedown.games.davenport.learn.network import HIDDEN, Weights, new_weights
from facedown.games.davenport.learn.train import Training, TrainingPlan, begin, new_learner, train

_EVERY: float = 60.0
_PARTS_OF_LOSS = ("loss", "policy", "value", "entropy", "drift")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, then measure."""
    options = _options(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    field = None if options.against is None else read_weights(options.against)
    training = _train(options, _plan(options), field)
    shipped = options.to / "weights.npz"
    write_weights(shipped, training.learner.slow)
    if options.games:
        report(options, read_weights(shipped), field)


def _plan(options: argparse.Namespace) -> TrainingPlan:
    plan = TrainingPlan(
        tables=options.tables,
        seats=options.seats,
        steps=options.steps,
        parts=options.parts,
        seed=options.seed,
        fields=options.fields,
        rate=options.rate,
        entropy=options.entropy,
    )
    if options.against is None:
        return plan
    # only the field's own past is met, and it never changes
    return replace(plan, fields=(0, 0, 1, 0, 0, 0, 0), keep_every=1 << 30)


def _train(options: argparse.Namespace, plan: TrainingPlan, field: Weights | None) -> Training:
    """Go on from the checkpoint, or begin; until all iterations are done, or the time is over."""
    began = said = written = time.monotonic()
    checkpoint = options.to / "learner.npz"
    if checkpoint.exists():
        training = read_checkpoint(checkpoint, plan)
    else:
        training = begin(plan, new_learner(_first(options, field)))
    with (options.to / "log.jsonl").open("a", encoding="utf-8") as log:
        for training, told in train(plan, training, options.iterations):  # noqa: B020 (it goes on from itself)
            now = time.monotonic()
            number = int(training.learner.iteration)
            if now - said > options.say or number in (1, 2, options.iterations):
                _say(log, number, now - began, told)
                said = now
            if now - written > _EVERY:
                write_checkpoint(checkpoint, plan, training)
                written = now
            if now - began > options.seconds:
                break
    write_checkpoint(checkpoint, plan, training)
    return training


def _first(options: argparse.Namespace, field: Weights | None) -> Weights:
    """The weights to begin with: those that were named, those of the field, or untrained ones."""
    if options.begin is not None:
        return read_weights(options.begin)
    return new_weights(np, options.seed, tuple(options.hidden)) if field is None else field


def _say(log: TextIO, number: int, seconds: float, told: Array) -> None:
    """One line about where the training stands."""
    facts = {"iteration": number, "seconds": round(seconds, 1)}
    facts |= {name: round(float(each), 5) for name, each in zip(_PARTS_OF_LOSS, told, strict=True)}
    print(json.dumps(facts), file=log, flush=True)
    print(json.dumps(facts), flush=True)


def report(options: argparse.Namespace, weights: Weights, field: Weights | None) -> None:
    """Play the games that say how strong the network is, and write down the shares."""
    asked = asked_of(field is not None)
    own, against = (jax.tree.map(jax.numpy.asarray, each) for each in (weights, field or weights))
    shares = measure(own, against, asked, options.games, 7, options.at_once)
    lines = [json.dumps(each.facts()) for each in shares]
    (options.to / "shares.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)


def asked_of(best_response: bool) -> list[Asked]:
    """What is measured: every field, beside what `careful` does there; a best response: its own alone."""
    if best_response:
        return every_kind("network", (PAST,))
    fields = (CAREFUL, *SIMPLE)
    asked = every_kind("network", fields) + every_kind("careful", (*fields, PAST))
    return asked + every_kind("network", (CAREFUL,), by_wins=True)


def fields_of(text: str) -> tuple[float, ...]:
    """The mix of fields, from words like `careful=0.5,random=0.5`; a field that is not named has no table.

    >>> fields_of("careful=1,random=0.5")
    (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5)
    """
    shares = dict.fromkeys(FIELDS, 0.0)
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in shares or not share.replace(".", "", 1).isdigit():
            raise argparse.ArgumentTypeError(f"{part!r} is not one of {', '.join(FIELDS)} with its share")
        shares[name] = float(share)
    if not sum(shares.values()):
        raise argparse.ArgumentTypeError("every share is nothing")
    return tuple(shares.values())


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m facedown.games.davenport.learn", description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="the folder of checkpoints and results")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time; go on later")
    parser.add_argument("--tables", type=int, default=TrainingPlan().tables)
    parser.add_argument(
        "--parts", type=int, default=TrainingPlan().parts, help="into which a step is divided"
    )
    parser.add_argument(
        "--fields", type=fields_of, default=TrainingPlan().fields, help="the mix: careful=0.5,random=0.5"
    )
    parser.add_argument("--begin", type=Path, help="start from these weights")
    parser.add_argument("--seats", type=int, default=SEATS, help="the most that a table has")
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--hidden", type=int, nargs=2, default=HIDDEN)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--entropy", type=float, default=0.006)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--say", type=float, default=10.0, help="seconds between two lines")
    parser.add_argument("--at-once", type=int, default=1 << 18, help="tables at once in a measurement")
    parser.add_argument("--against", type=Path, help="train a best response to these weights")
    parser.add_argument("--games", type=int, default=0, help="measure with this many games of each kind")
    options = parser.parse_args(arguments)
    if not 1 <= options.parts <= options.tables:
        parser.error("--tables has to be at least --parts: they learn in so many parts")
    if not 2 <= options.seats <= SEATS:
        parser.error(f"--seats has to be from 2 to {SEATS}")
    return options


if __name__ == "__main__":
    main()
