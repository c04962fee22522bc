"""The machines of E-Card. Each is made from a view alone; none may see a state, a match or a ballot."""

from __future__ import annotations

from typing import Final

from facedown.games.ecard.bots.house import CHARACTERS, HOUSE, Pip
from facedown.games.ecard.bots.plain import Equilibrium, Habit, Machine, RandomECard
from facedown.games.ecard.bots.reader import Reader, Sage

__all__ = ["BOTS", "HOUSE", "SUBSTITUTE", "USUAL"]

BOTS: Final[tuple[type[Machine], ...]] = (*CHARACTERS, RandomECard, Habit, Equilibrium, Reader, Sage)
"""The house first; of the others the simple ones first, those that read last."""

USUAL: Final[type[Machine]] = Pip
"""The default opponent: the first of the house."""

SUBSTITUTE: Final[type[Machine]] = Equilibrium
"""Takes over the seat of a player who left: it gives nothing away, and reads no opponent."""
