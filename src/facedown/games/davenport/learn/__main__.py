"""Train `expert`: python -m facedown.games.davenport.learn --to FOLDER [--iterations N] [--seconds S] …

A checkpoint is written every minute and at the end; the same command goes on from it. `--against FILE` trains
a best response to shipped weights instead: every other seat plays these. `--games N` plays the games that say
how strong the result is.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np

from facedown.games.davenport.learn.measure import Asked, every_kind, measure
from facedown.games.davenport.learn.network import HIDDEN, Weights, new_weights
from facedown.games.davenport.learn.train import (
    CAREFUL,
    HIGHEST,
    LOWEST,
    PAST,
    PLAYOUT,
    RANDOM,
    NetworkLearner,
    TrainingPlan,
    new_learner,
    train,
)

_EVERY: float = 60.0


def main() -> None:
    """Train, then measure."""
    options = _options()
    options.to.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    checkpoint = options.to / "learner.npz"
    field = None if options.against is None else read_weights(options.against)
    first = new_weights(np, options.seed, tuple(options.hidden)) if field is None else field
    learner = read_learner(checkpoint) if checkpoint.exists() else new_learner(first)
    plan = TrainingPlan(
        tables=options.tables,
        steps=options.steps,
        seed=options.seed,
        rate=options.rate,
        entropy=options.entropy,
    )
    if field is not None:  # only the field's own past is met, and it never changes
        plan = TrainingPlan(
            **{each: getattr(plan, each) for each in ("tables", "steps", "seed", "rate", "entropy")},
            fields=(0, 0, 1, 0, 0, 0, 0),
            keep_every=1 << 30,
        )
    said = written = start
    with (options.to / "log.jsonl").open("a", encoding="utf-8") as log:
        for now_known, told in train(plan, learner, options.iterations):
            learner = now_known
            now = time.monotonic()
            number = int(learner.iteration)
            if now - said > options.say or number in (1, 2, options.iterations):
                names = ("loss", "policy", "value", "entropy", "drift")
                facts = {"iteration": number, "seconds": round(now - start, 1)}
                facts |= {name: round(float(each), 5) for name, each in zip(names, told, strict=True)}
                print(json.dumps(facts), file=log, flush=True)
                print(json.dumps(facts), flush=True)
                said = now
            if now - written > _EVERY:
                write_learner(checkpoint, learner)
                written = now
            if now - start > options.seconds:
                break
    write_learner(checkpoint, learner)
    write_weights(options.to / "weights.npz", learner.slow)
    if options.games:
        report(options, learner, field)


def report(options: argparse.Namespace, learner: NetworkLearner, field: Weights | None) -> None:
    """Play the games that say how strong the network is, and write down the shares."""
    slow = learner.slow
    against = slow if field is None else jax.tree.map(jax.numpy.asarray, field)
    asked = asked_of(field is not None)
    shares = measure(slow, against, asked, options.games, 7, options.at_once)
    lines = [json.dumps(each.facts()) for each in shares]
    (options.to / "shares.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)


def asked_of(best_response: bool) -> list[Asked]:
    """What is measured: every field, beside what `careful` does there; a best response: its own alone."""
    if best_response:
        return every_kind("network", (PAST,))
    fields = (CAREFUL, PLAYOUT, HIGHEST, LOWEST, RANDOM)
    asked = every_kind("network", fields) + every_kind("careful", (*fields, PAST))
    asked += every_kind("network", fields, coolness=2.5)
    return asked + every_kind("network", (CAREFUL,), by_wins=True)


def write_learner(path: Path, learner: NetworkLearner) -> None:
    """Keep everything that going on needs; the file is whole or the old one stays."""
    parts = jax.tree.leaves(learner)
    beside = path.with_suffix(".new.npz")
    np.savez(beside, *[np.asarray(part) for part in parts])
    beside.replace(path)


def read_learner(path: Path) -> NetworkLearner:
    """Where a training was interrupted."""
    with np.load(path) as found:
        parts = [found[f"arr_{number}"] for number in range(len(found.files))]
    shape = jax.tree.structure(new_learner(new_weights(np, 0)))
    learner: NetworkLearner = jax.tree.unflatten(shape, [jax.numpy.asarray(part) for part in parts])
    return learner


def write_weights(path: Path, weights: Weights) -> None:
    """The file that is shipped: half precision is enough."""
    write: Any = np.savez_compressed
    write(path, **{name: np.asarray(each, dtype=np.float16) for name, each in weights._asdict().items()})


def read_weights(path: Path) -> Weights:
    """Shipped weights."""
    with np.load(path) as found:
        return Weights(**{name: found[name].astype(np.float32) for name in Weights._fields})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m facedown.games.davenport.learn", description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="the folder of checkpoints and results")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time; go on later")
    parser.add_argument("--tables", type=int, default=16384)
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--hidden", type=int, nargs=2, default=HIDDEN)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--entropy", type=float, default=0.006)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--say", type=float, default=10.0, help="seconds between two lines")
    parser.add_argument("--at-once", type=int, default=1 << 18, help="tables at once in a measurement")
    parser.add_argument("--against", type=Path, help="train a best response to these weights")
    parser.add_argument("--games", type=int, default=0, help="measure with this many games of each kind")
    return parser.parse_args()


if __name__ == "__main__":
    main()
