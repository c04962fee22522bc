"""The network of `expert`: two hidden layers, a score for each pick, and the chance to win the game.

Its weights are plain arrays in a tuple; the same functions run in NumPy and JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any, Final, NamedTuple, TypeAlias

Array: TypeAlias = Any
"""An array of NumPy or JAX."""
Namespace: TypeAlias = Any
"""NumPy, or jax.numpy."""

# --- inputs ----------------------------------------------------------------------------------------------


_VALUES: Final = 13
PICKS: Final = 2 * _VALUES
"""What the network chooses from: to play a card of each value, and to exchange one."""
_FEW: Final = (1, 2, 3)
_MOST_CARDS: Final = 8
_MOST_SEATS: Final = 7
NUMBERS: Final = (
    2 * _VALUES
    + _VALUES
    + 2 * _VALUES
    + 2 * PICKS
    + len(_FEW) * _VALUES
    + 6
    + _MOST_CARDS
    + 6
    + 9
    + 4
    + 2 * PICKS
)
"""How many there are. A network that was trained when there were fewer looks at the first of them."""


class SeatSight(NamedTuple):
    """What one seat knows, at each table."""

    held: Array
    """Cards of each value, from 1: tables by values."""
    unseen: Array
    shown: Array
    """How likely each other's next card is of each value, from 0, or below: tables by seats by values."""
    others: Array
    """Which seats are others that are in: tables by seats."""
    cards: Array
    """How many cards each seat holds."""
    wins: Array
    """How likely a card of each value, from 0, wins the round."""
    costs: Array
    worth: Array
    """What `careful` thinks of each pick: tables by picks."""
    advice: Array
    """The pick of `careful`: its place among the picks."""
    own: Array
    """How many cards the seat itself holds."""
    ace: Any
    exchange: Any
    playoff: Array
    by_wins: Any
    own_wins: Array
    """In a playoff by wins, as a part of what is needed."""
    best_wins: Array
    """The most that another seat has."""
    stock: Array
    discards: Array
    habits: Array
    """How likely each of the four habits is, the mean over the others: tables by habits."""
    own_shown: Array
    """How many cards of each value, from 1, the seat has played, then shown from the stock."""
    others_shown: Array
    """The same of the others, the mean."""


def allowed_picks(xp: Namespace, sight: SeatSight) -> Array:
    """Which picks can be made: tables by picks."""
    held = sight.held > 0
    return xp.concatenate([held, held & xp.asarray(sight.exchange).reshape(-1, 1)], axis=1)


def inputs(xp: Namespace, sight: SeatSight) -> Array:
    """The numbers for the network: tables by `NUMBERS`."""
    f = xp.float32
    tables = len(sight.own)
    may = allowed_picks(xp, sight)
    main = ~sight.playoff[:, None]
    advice = (xp.arange(PICKS) == sight.advice[:, None]) & may
    best = xp.where(may, sight.worth, 0).max(axis=1, keepdims=True)
    worth = xp.where(may & main, sight.worth / xp.maximum(best, 1e-6), 0)
    parts = [
        sight.held / 2,
        sight.held > 0,
        sight.unseen / 4,
        sight.wins[:, 1:],
        sight.costs[:, 1:],
        worth,
        advice,
    ]
    for few in _FEW:
        near = (sight.others & (sight.cards <= few))[:, :, None]
        parts.append(xp.where(near, sight.shown, 1).prod(axis=1)[:, 1:])
    for number in range(1, 6):
        parts.append((sight.others & (sight.cards == number)).sum(axis=1, keepdims=True) / 6)
    parts.append((sight.others & (sight.cards > 5)).sum(axis=1, keepdims=True) / 6)
    parts.append(xp.minimum(sight.own, _MOST_CARDS)[:, None] == xp.arange(1, _MOST_CARDS + 1))
    seats = sight.others.sum(axis=1, keepdims=True) + 1
    parts.append(seats == xp.arange(2, _MOST_SEATS + 1))
    nothing = xp.zeros((tables, 1), dtype=f)
    for switch in (sight.ace, sight.exchange, sight.playoff, sight.by_wins):
        parts.append(xp.asarray(switch).reshape(-1, 1).astype(f) + nothing)
    parts += [sight.own_wins[:, None], sight.best_wins[:, None], best * main]
    parts += [sight.stock[:, None].astype(f) / 52, sight.discards[:, None].astype(f) / 52, sight.habits]
    parts += [sight.own_shown, sight.others_shown]
    return xp.concatenate([part.astype(f) for part in parts], axis=1)


# --- the network -----------------------------------------------------------------------------------------


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


def from_file(np: Any, found: Mapping[str, Array]) -> Weights:
    """The weights of a file's arrays: half precision, the high bytes of all numbers before the low ones."""

    def number(planes: Array) -> Array:
        return np.stack([planes[1], planes[0]], axis=-1).view("<f2")[..., 0].astype(np.float32)

    return Weights(**{name: number(found[name]) for name in Weights._fields})


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
    hidden = xp.maximum(numbers[:, : len(weights.first)] @ weights.first + weights.first_bias, 0)
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
