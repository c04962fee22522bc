"""What a seat shows next, for many tables at once: the four habits of `bots.habits`, over arrays.

Habits follow from what everybody saw, so each seat's are kept once a table; tables by seats by values.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from facedown.core.parts.batch import Array, Namespace
from facedown.games.davenport.batch.state import DavenportTables, LastRound
from facedown.games.davenport.bots.habits import FAINT, FIRM, GOOD, KING

_EXCHANGES: Final = 0.5
_DEALT: Final = 5
_TINY: Final = 1e-12
"""Replaces 0 in a logarithm."""


class HabitTables(NamedTuple):
    """The habits of every seat at every table."""

    weights: Array
    """How likely each of the four habits is: blind, highest, lowest, picky."""
    high: Array
    """How many hidden cards can be at most of each value, from 1 to 13, if the highest is always played."""
    low: Array
    """The same if the lowest is, with high and low changed about."""


def first_habits(xp: Namespace, tables: int, seats: int) -> HabitTables:
    """Before the first round: everything is possible."""
    ceilings = xp.zeros((tables, seats, KING), dtype=xp.float32)
    ceilings = ceilings + (xp.arange(KING) == KING - 1) * xp.float32(_DEALT)
    return HabitTables(xp.full((tables, seats, 4), 0.25, dtype=xp.float32), ceilings, ceilings)


def follow(
    xp: Namespace, habits: HabitTables, before: DavenportTables, after: DavenportTables, exchange: Any
) -> HabitTables:
    """The habits after a step: a round was played, or the table was dealt again."""
    played = (after.round != before.round) | (after.playoff != before.playoff)
    new = (after.round == 1) & ~after.playoff
    seen = _after_round(xp, habits, after.last, exchange)
    start = first_habits(xp, 1, habits.weights.shape[1])
    now = []
    for fresh, later, old in zip(start, seen, habits, strict=True):
        kept = xp.where(played[:, None, None], later, old)
        now.append(xp.where(new[:, None, None], fresh, kept))
    return HabitTables(*now)


def _after_round(xp: Namespace, habits: HabitTables, last: LastRound, exchange: Any) -> HabitTables:
    f = xp.float32
    value = xp.stack(last.shown, axis=1)
    exchanged = xp.stack(last.exchanged, axis=1)
    drew = xp.stack(last.drew, axis=1).astype(f)
    exchanges = xp.where(xp.asarray(exchange).reshape(-1, 1), f(_EXCHANGES), f(0))
    blind = (1 - exchanges) / KING
    highest = _highest_is(xp, habits.high, value)
    lowest = _highest_is(xp, habits.low, KING + 1 - value)
    picky = xp.where(value >= GOOD, f(FIRM) * highest, 0) + f(1 - FIRM) * blind
    poor = _none_above(xp, habits.high, xp.full_like(value, GOOD - 1))
    if_played = (xp.zeros_like(highest) + blind, highest, lowest, picky)
    if_exchanged = (
        xp.zeros_like(highest) + exchanges,
        xp.zeros_like(highest),
        xp.zeros_like(highest),
        f(FIRM) * poor + f(1 - FIRM) * exchanges,
    )
    likely = xp.stack(
        [xp.where(exchanged, yes, no) for yes, no in zip(if_exchanged, if_played, strict=True)], axis=2
    )
    weights = habits.weights * likely
    weights = weights / weights.sum(axis=2, keepdims=True)
    there = (value > 0)[:, :, None]
    high = _ceilings_after(xp, habits.high, value, exchanged, drew)
    low = _ceilings_after(xp, habits.low, KING + 1 - value, exchanged, drew)
    return HabitTables(
        xp.where(there, weights, habits.weights),
        xp.where(there, high, habits.high),
        xp.where(there, low, habits.low),
    )


def _ceilings_after(xp: Namespace, ceilings: Array, value: Array, exchanged: Array, drew: Array) -> Array:
    """A card was shown, or exchanged unseen; then some were drawn."""
    values = xp.arange(1, KING + 1)
    upto = xp.cumsum(ceilings, axis=2)
    whole = upto[:, :, -1:]
    held = ceilings > 0
    highest = held & (upto >= whole) & (upto - ceilings < whole)
    lowest = held & (upto - ceilings <= 0)
    shown = ceilings - highest
    capped = xp.where(values > value[:, :, None], 0, shown)
    more = xp.where(values > value[:, :, None], shown, 0).sum(axis=2, keepdims=True)
    capped = capped + xp.where(values == value[:, :, None], more, 0)
    left = xp.where(exchanged[:, :, None], ceilings - lowest, capped)
    return (left + (values == KING) * drew[:, :, None]).astype(xp.float32)


def _none_above(xp: Namespace, ceilings: Array, value: Array) -> Array:
    """The chance that no hidden card is higher, all values being alike."""
    values = xp.arange(1, KING + 1)
    logs = xp.log(values.astype(xp.float32))
    own = xp.log(xp.maximum(value.astype(xp.float32), _TINY))
    higher = values > value[:, :, None]
    return xp.exp(xp.where(higher, ceilings * (own[:, :, None] - logs), 0).sum(axis=2))


def _highest_is(xp: Namespace, ceilings: Array, value: Array) -> Array:
    return _none_above(xp, ceilings, value) - _none_above(xp, ceilings, value - 1)


def next_shown(xp: Namespace, habits: HabitTables, unseen: Array) -> Array:
    """How likely each seat's next card is of each value, from 0, or below it: tables by seats by values.

    `unseen` are the shares of the cards that a viewer has not seen: tables by values, from 0.
    """
    f = xp.float32
    strong = xp.where(habits.weights > FAINT, habits.weights, 0)
    high, low, picky = strong[:, :, 1:2], strong[:, :, 2:3], strong[:, :, 3:4]
    blind = 1 - high - low - picky
    highest = _highest_hidden(xp, habits.high, unseen)
    lowest = 1 - _highest_hidden(xp, habits.low, 1 - unseen[:, ::-1])[:, :, ::-1]
    poor = highest[:, :, GOOD - 1 : GOOD]
    flat = unseen[:, None, :]
    good = xp.where(xp.arange(KING + 1) >= GOOD, highest - poor, 0)
    shown = blind * flat + high * highest + picky * (good + poor * flat) + low * lowest
    return shown.astype(f)


def _highest_hidden(xp: Namespace, ceilings: Array, unseen: Array) -> Array:
    """How high the highest hidden card is, given which cards are unseen."""
    logs = xp.log(xp.maximum(unseen, _TINY))
    known = xp.where(unseen[:, None, 1:] > 0, ceilings, 0)
    above = (xp.arange(1, KING + 1)[:, None] > xp.arange(KING + 1)).astype(xp.float32)
    cards = xp.matmul(known, above)
    weighed = xp.matmul(known * logs[:, None, 1:], above)
    return xp.exp(cards * logs[:, None, :] - weighed)
