"""Files of a training: checkpoints, from which it goes on as if it had never stopped, and weights to ship."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from facedown.games.davenport.learn.network import Weights, new_weights
from facedown.games.davenport.learn.population import LearningTables
from facedown.games.davenport.learn.train import (
    NetworkLearner,
    Training,
    TrainingPlan,
    begin,
    new_learner,
)


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
    """The file that is shipped: half precision is enough."""
    write: Any = np.savez_compressed
    write(path, **{name: np.asarray(each, dtype=np.float16) for name, each in weights._asdict().items()})


def read_weights(path: Path) -> Weights:
    """Shipped weights."""
    with np.load(path) as found:
        return Weights(**{name: found[name].astype(np.float32) for name in Weights._fields})
