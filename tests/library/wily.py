"""Wily, a bot for Facedown: `facedown arena ecard --bots wily:Wily,uniform` in this folder."""

from __future__ import annotations

import facedown


class Wily(facedown.Bot[facedown.ECardView]):
    """Takes any of its legal picks, all equally often."""

    game = "ecard"

    def __init__(self, memory: facedown.Memory | None = None) -> None:
        """`memory` holds the notes of earlier games with the same opponent; None if there are none."""
        self.notes = [] if memory is None else list(memory)

    def pick(
        self, view: facedown.ECardView, legal: tuple[facedown.Pick, ...], stream: facedown.Stream
    ) -> facedown.Pick:
        """One of the legal picks; `print(view)` shows everything in it."""
        return legal[stream.below(len(legal))]

    def note(self, view: facedown.ECardView) -> facedown.Plain:
        """What to remember of a finished game, as plain JSON values; None to keep nothing."""
        return None
