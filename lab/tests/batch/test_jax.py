"""The JAX form of many tables: the same games as in NumPy, compiled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from facedown_lab.batch import BadPolicy, CounterDraws, play_games, simulator
from facedown_lab.batch.policies import PolicyLike, read_policy
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


@pytest.mark.parametrize(
    ("game", "rules", "policies"),
    [
        ("ecard", "classic(rounds=2,group=1)", ["equilibrium", "habit"]),
        ("ecard", "classic(rounds=2,group=1)", ["vesna", "teun"]),
        ("ecard", "classic(rounds=2,group=1)", [lambda seen, legal: np.asarray(legal) * 0.5, "random"]),
        ("davenport", "aces", ["random", "careful"]),
    ],
)
def test_jax_plays_whole_games_as_numpy_does(game: str, rules: str, policies: list[PolicyLike]) -> None:
    with compiling():
        in_numpy, in_jax = (
            play_games(simulator(game, rules, 2, xp=xp), policies, games=20, seed=2**40 + 1, at_once=15)
            for xp in ("numpy", "jax")
        )

    assert in_jax == in_numpy
    assert sum(in_jax.wins) + in_jax.draws == 20


def test_what_jax_cannot_play_gets_one_clear_sentence() -> None:
    with compiling():
        tables = simulator("ecard", "classic(rounds=2,group=1)", xp="jax")
        with pytest.raises(BadPolicy, match="not legal"):
            play_games(tables, [np.asarray([0.0, 0.5, 0.5]), "random"], games=2)
