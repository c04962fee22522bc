"""The order in which the cards of a hand came, at many tables: what a match knows of a hand beyond its cards.

Machines choose by it among equal cards, and a pick drawn by its number depends on it. It is kept where
games have to be the same as in a match. A row holds places in the canonical deck, the oldest card first.
"""

from __future__ import annotations

from typing import Final

from facedown.core.parts.batch import Array, Namespace, is_numpy
from facedown.games.davenport.batch.cards import RANK_COUNT

_WIDTH: Final = 52
_NOTHING: Final = 127
"""Stands behind the last card."""


def no_cards(xp: Namespace, tables: int) -> Array:
    """Empty hands."""
    return xp.full((tables, _WIDTH), _NOTHING, dtype=xp.int8)


def with_card(xp: Namespace, order: Array, place: Array, came: Array) -> Array:
    """The hands with one card more, where one came."""
    if is_numpy(xp) and not came.any():
        return order
    free = xp.argmax(order == _NOTHING, axis=1)
    here = (xp.arange(_WIDTH) == free[:, None]) & came[:, None]
    return xp.where(here, place.astype(xp.int8)[:, None], order)


def without(xp: Namespace, order: Array, place: Array, gone: Array) -> Array:
    """The hands without one card, where it is gone."""
    there = order == place.astype(xp.int8)[:, None]
    at = xp.where(gone, xp.argmax(there, axis=1), _WIDTH)
    nothing = xp.full_like(order[:, :1], _NOTHING)
    later = xp.arange(_WIDTH) >= at[:, None]
    return xp.where(later, xp.concatenate([order[:, 1:], nothing], axis=1), order)


def without_order(xp: Namespace, order: Array, gone: Array) -> Array:
    """The hands without any card, where all are gone."""
    return xp.where(gone[:, None], xp.full_like(order, _NOTHING), order)


def by_number(xp: Namespace, order: Array, number: Array) -> Array:
    """The card with this number, from 0: its place in the canonical deck."""
    return xp.take_along_axis(order, number.astype(xp.int32)[:, None], axis=1)[:, 0].astype(xp.int32)


def first_of_value(xp: Namespace, order: Array, value: Array) -> Array:
    """The card of this value that was held longest: its place in the canonical deck."""
    there = (order % RANK_COUNT == (value - 1).astype(xp.int8)[:, None]) & (order != _NOTHING)
    return by_number(xp, order, xp.argmax(there, axis=1))
