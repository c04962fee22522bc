"""The judge of E-Card, which is the game's part `review`."""

from facedown.games.ecard.review.judge import judge

__all__ = ["judge"]
