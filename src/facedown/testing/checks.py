"""A check of a game: its type, the Hypothesis settings it runs with, and the errors that it raises.

A check fails with an `AssertionError` in one sentence. Knows no game by name.
"""

from __future__ import annotations

from typing import Protocol

from hypothesis import HealthCheck, settings

from facedown.core.game import AnyGame

HOW = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
"""How Hypothesis drives a check by default: the same examples in every run."""


class Check(Protocol):
    """One thing that must hold for a game; raises an `AssertionError` in a sentence where it does not."""

    __name__: str

    def __call__(self, game: AnyGame, how: settings = HOW) -> None:
        """Try it on tables of all kinds, then on those that Hypothesis finds."""


class Broken(AssertionError):
    """A game that does not keep to the contract; the sentence says how."""


class Leak(AssertionError):
    """Something reaches a viewer that it may not know; the sentence names what and whom."""


def require(holds: bool, say: str) -> None:
    """Raise `Broken` with the sentence unless it holds."""
    if not holds:
        raise Broken(say)
