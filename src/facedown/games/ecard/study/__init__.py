"""E-Card for people who study it: the explorer of its solved states, and the trainer.

This is the game's part `study` (`core.parts.explorer`, `core.parts.trainer`).
"""

from facedown.games.ecard.solve import impossible, optional, positions
from facedown.games.ecard.study.explore import explore, habits
from facedown.games.ecard.study.train import ask, mark, mind

__all__ = [
    "ask",
    "explore",
    "habits",
    "impossible",
    "mark",
    "mind",
    "optional",
    "positions",
]
