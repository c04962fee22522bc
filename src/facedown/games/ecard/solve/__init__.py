"""E-Card solved exactly: the value of every rule set and the equilibrium at every state of it.

This is the game's part `solve` (`core.parts.solver`).
"""

from facedown.games.ecard.solve.answer import answer, optional, positions
from facedown.games.ecard.solve.solution import solve

__all__ = ["answer", "optional", "positions", "solve"]
