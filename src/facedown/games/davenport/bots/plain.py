"""The machines of Davenport that look at nothing but their own hand: `random`, `highest` and `lowest`."""

from __future__ import annotations

from typing import ClassVar

from facedown.core.cards import Card
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Bot, Memory
from facedown.games.davenport.view import DavenportView


class Random(Bot[DavenportView]):
    """Draws its pick blindly."""

    name: ClassVar[str] = "random"
    says: ClassVar[str] = "Plays or exchanges any of its cards, all picks equally often."

    def __init__(self, memory: Memory | None = None) -> None:
        """It keeps no notes: a memory makes no difference."""

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """Any of the legal picks, all equally likely."""
        return legal[stream.below(len(legal))]


class Highest(Bot[DavenportView]):
    """Plays the highest card of its hand; of several, the one it has held longest."""

    name: ClassVar[str] = "highest"
    says: ClassVar[str] = "Always plays the highest card of its hand, and never exchanges."

    def __init__(self, memory: Memory | None = None) -> None:
        """It keeps no notes: a memory makes no difference."""

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """The highest card in hand."""
        return max(view.hand, key=_value)


class Lowest(Bot[DavenportView]):
    """Plays the lowest card of its hand; of several, the one it has held longest."""

    name: ClassVar[str] = "lowest"
    says: ClassVar[str] = "Always plays the lowest card of its hand, and never exchanges: high cards gather."

    def __init__(self, memory: Memory | None = None) -> None:
        """It keeps no notes: a memory makes no difference."""

    def pick(self, view: DavenportView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """The lowest card in hand."""
        return min(view.hand, key=_value)


def _value(card: Card) -> int:
    return card.value
