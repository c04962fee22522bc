"""The contract: what every game keeps to, whatever it is about. Knows no game by name.

    from facedown.testing import CONTRACT

Each check takes a game and raises `Broken` in a sentence; its name says what must hold.
"""

from __future__ import annotations

from facedown.testing import endings, picks, recall, records, steps
from facedown.testing.tables import Check

CONTRACT: tuple[Check, ...] = (
    *steps.CHECKS,
    *picks.CHECKS,
    *endings.CHECKS,
    *records.CHECKS,
    *recall.CHECKS,
)
"""All checks of the contract, in the order in which they are easiest to mend."""
