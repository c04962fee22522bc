"""Facedown: the games in which everybody places a card face down and all are turned at once."""

__version__ = "0.1.0"
