"""What the machines of a game are called in the terminal."""

from __future__ import annotations

from facedown.core.parts.text import about
from facedown.terminal.words.words import Words


def machine_called(game: str, machine: str, words: Words) -> str:
    """What a machine is called: in the game's words, or in the terminal's for the one of every game."""
    if machine == "uniform":
        return words("uniform")
    return about(game, words.language).get(f"machine.{machine}", machine)
