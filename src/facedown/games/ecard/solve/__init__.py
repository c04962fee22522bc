"""E-Card solved exactly: the value of every rule set and the equilibrium at every state of it.

This is the game's part `solve`; `answer` is what `facedown solve` calls.
"""

from facedown.games.ecard.solve.answer import answer
from facedown.games.ecard.solve.solution import solve

__all__ = ["answer", "solve"]
