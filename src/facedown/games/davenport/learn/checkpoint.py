"""Files of a training: checkpoints, from which it goes on as if it had never stopped, and weights to ship."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from facedown.games.davenport.learn.network import Weights, new_weights
from facedown.games.davenport.learn.train import Training, TrainingPlan, begin, new_learner


def write_checkpoint(path: Path, plan: TrainingPlan, training: Training) -> None:
    """Keep everything that going on needs; the file is whole or the old one stays."""
    parts = jax.tree.leaves(training)
    beside = path.with_suffix(".new.npz")
    np.savez(beside, *[np.asarray(part) for part in parts], tables=np.asarray(_kind_of_tables(plan)))
    beside.replace(path)


def read_checkpoint(path: Path, plan: TrainingPlan) -> Training:
    """Where a training was interrupted. Where the plan has other tables now, these are dealt anew."""
    blank = begin(plan, new_learner(new_weights(np, 0)))
    with np.load(path) as found:
        parts = [jnp.asarray(found[f"arr_{number}"]) for number in range(len(found.files) - 1)]
        same = str(found["tables"]) == _kind_of_tables(plan)
    learned = len(jax.tree.leaves(blank.learner))
    learner = jax.tree.unflatten(jax.tree.structure(blank.learner), parts[:learned])
    if not same:
        return Training(learner, blank.tables)
    return Training(learner, jax.tree.unflatten(jax.tree.structure(blank.tables), parts[learned:]))


def _kind_of_tables(plan: TrainingPlan) -> str:
    """What the games in play belong to."""
    return f"{plan.tables} tables, {plan.seats} seats, fields {plan.fields}, seed {plan.seed}"


def write_weights(path: Path, weights: Weights) -> None:
    """The file that is shipped: half precision is enough."""
    write: Any = np.savez_compressed
    write(path, **{name: np.asarray(each, dtype=np.float16) for name, each in weights._asdict().items()})


def read_weights(path: Path) -> Weights:
    """Shipped weights."""
    with np.load(path) as found:
        return Weights(**{name: found[name].astype(np.float32) for name in Weights._fields})
