"""How a check says that something does not hold: in one sentence, as an `AssertionError`."""

from __future__ import annotations


class Broken(AssertionError):
    """A game that does not keep to the contract; the sentence says how."""


class Leak(AssertionError):
    """Something reaches a viewer that it may not know; the sentence names what and whom."""


def require(holds: bool, say: str) -> None:
    """Raise `Broken` with the sentence unless it holds."""
    if not holds:
        raise Broken(say)
