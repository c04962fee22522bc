"""The network of `expert`: two hidden layers, a score for each pick, and the chance to win the game.

Its weights are plain arrays in a tuple; the same functions run in NumPy and JAX.
"""

from __future__ import annotations

from math import log
from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array, Namespace
from facedown.games.davenport.learn.inputs import NUMBERS, PICKS, SeatSight, allowed_picks, inputs

HIDDEN: Final = (256, 192)
_TRUST: Final = 3.0
"""How much the untrained network follows `careful`."""
_NEVER: Final = -1e9


class Weights(NamedTuple):
    """Everything the network has learned."""

    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    picks: Array
    picks_bias: Array
    value: Array
    value_bias: Array
    trust: Array
    """How much is added to the score of the pick that `careful` would make; in playoffs the second one."""


def new_weights(np: Any, seed: int, hidden: tuple[int, int] = HIDDEN) -> Weights:
    """Untrained: it plays nearly as `careful` does."""
    random = np.random.default_rng(seed)

    def layer(rows: int, columns: int, scale: float) -> Array:
        return (random.standard_normal((rows, columns)) * scale / rows**0.5).astype(np.float32)

    def zeros(count: int) -> Array:
        return np.zeros(count, dtype=np.float32)

    one, two = hidden
    return Weights(
        layer(NUMBERS, one, 1.4),
        zeros(one),
        layer(one, two, 1.4),
        zeros(two),
        layer(two, PICKS, 0.05),
        zeros(PICKS),
        layer(two, 1, 0.1),
        zeros(1),
        np.full(2, _TRUST, dtype=np.float32),
    )


class Judgement(NamedTuple):
    """What the network says."""

    scores: Array
    """The logarithm of how likely each pick is, up to a constant; far below for what cannot be picked."""
    value: Array
    """The chance to win the game."""


def judge(
    xp: Namespace, weights: Weights, numbers: Array, may: Array, advice: Array, playoff: Array
) -> Judgement:
    """What the network makes of the numbers; `may` are the legal picks, `advice` is that of `careful`."""
    hidden = xp.maximum(numbers @ weights.first + weights.first_bias, 0)
    hidden = xp.maximum(hidden @ weights.second + weights.second_bias, 0)
    scores = hidden @ weights.picks + weights.picks_bias
    trust = xp.where(playoff, weights.trust[1], weights.trust[0])
    scores = scores + xp.where(xp.arange(PICKS) == advice[:, None], trust[:, None], 0)
    value = (hidden @ weights.value + weights.value_bias)[:, 0]
    return Judgement(xp.where(may, scores, _NEVER), value)


_FORGET: Final = 0.03
"""Picks that are less likely than this beside the likeliest are not made at all."""


def without_unlikely(xp: Namespace, scores: Array) -> Array:
    """The scores by which `expert` plays: those of unlikely picks are far below, too."""
    least = scores.max(axis=1, keepdims=True) + log(_FORGET)
    return xp.where(scores < least, _NEVER, scores)


def decide(xp: Namespace, weights: Weights, sight: SeatSight) -> Array:
    """How likely each pick is, from what a seat knows: tables by picks."""
    may = allowed_picks(xp, sight)
    scores = judge(xp, weights, inputs(xp, sight), may, sight.advice, sight.playoff).scores
    likely = xp.exp(without_unlikely(xp, scores) - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)
