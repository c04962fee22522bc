"""The JAX form of many tables: the same games as in NumPy, compiled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from facedown.core.errors import Unsupported
from facedown_lab.batch import CounterDraws, play_games, simulator
from facedown_lab.batch.policies import read_policy
from lab.tests.quick_jax import quickly_compiled
from tests.needs import without

TABLES = 40


@contextmanager
def compiling() -> Iterator[None]:
    """JAX, compiling quickly; a warning of its own is an error."""
    if find_spec("jax") is None:
        without("the extra `jax` has no build for this system")
    with quickly_compiled(), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def steps(xp: Any, game: str, rules: str, number: int) -> list[Any]:
    """Random games of two: what is over after each of these steps, who was paid what, and every array."""
    import jax

    tables = simulator(game, rules, 2, xp=xp)
    policy = read_policy(game, "uniform")
    rows = xp.arange(TABLES, dtype=xp.uint32)

    def one(state: Any, at: Any) -> Any:
        draws = CounterDraws(xp, 7, at, rows)
        picks = tuple([policy.pick(tables.game, state, (), seat, draws) for seat in range(2)])
        after, payoffs, over = tables.game.go_on(state, picks, draws)
        return after, (over, payoffs, *jax.tree.leaves(after))

    step = one if xp is np else jax.jit(one)
    state, arrays = tables.init(TABLES, seed=7), []
    for at in range(1, number + 1):
        state, seen = step(state, at)
        arrays.append([np.asarray(each) for each in seen])
    return arrays


@pytest.mark.parametrize(
    ("game", "rules"), [("ecard", "decisive(rounds=2,group=1)"), ("davenport", "pointed")]
)
def test_jax_plays_the_games_of_numpy(game: str, rules: str) -> None:
    with compiling():
        import jax.numpy as jnp

        in_numpy, in_jax = (steps(xp, game, rules, 25) for xp in (np, jnp))

    for one, other in zip(in_numpy, in_jax, strict=True):
        for expected, found in zip(one, other, strict=True):
            np.testing.assert_array_equal(expected, found)
    assert any(over.any() for over, *_ in in_numpy), "no game ended, so no table was dealt again"


def test_whole_games_in_jax_are_refused_in_one_sentence() -> None:
    with compiling():
        tables = simulator("ecard", "classic(rounds=2,group=1)", xp="jax")
        with pytest.raises(Unsupported, match="whole games are played in arrays of NumPy"):
            play_games(tables, ["random", "habit"], games=2)
