"""The machines of E-Card. Each is made from a view alone; none may see a state, a match or a ballot."""

from __future__ import annotations

from typing import Final

from facedown.games.ecard.bots.habit import Habit
from facedown.games.ecard.bots.machine import Machine
from facedown.games.ecard.bots.master import Master
from facedown.games.ecard.bots.plain import Equilibrium, RandomECard
from facedown.games.ecard.bots.reader import Reader

__all__ = ["BOTS", "Equilibrium", "Habit", "Machine", "Master", "RandomECard", "Reader"]

BOTS: Final[tuple[type[Machine], ...]] = (RandomECard, Habit, Equilibrium, Reader, Master)
"""From the easiest to beat to the hardest."""
