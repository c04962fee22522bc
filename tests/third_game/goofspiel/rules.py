"""The options and presets of Goofspiel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from facedown.core.rules import Choice, Number, Option, Preset, Rules, Switch


@dataclass(frozen=True, slots=True)
class GoofspielRules(Rules):
    """One rule set of Goofspiel."""

    cards: int = 13
    tie: str = "discard"
    order: str = "random"
    early: bool = False

    options: ClassVar[tuple[Option, ...]] = (
        Number("cards", "Cards", "How many cards each seat, and the prizes, have.", "G1", 2, 13),
        Choice("tie", "Equal bids", "What becomes of a prize that nobody wins.", "G4", ("discard", "carry")),
        Choice("order", "Prizes", "How the prizes come up.", "G2", ("random", "rising", "falling")),
        Switch("early", "Early end", "Whether the game ends once nobody can catch up.", "G7"),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("goofspiel", "Thirteen prizes in random order."),
        Preset("quick", "Five prizes from the lowest to the highest.", {"cards": 5, "order": "rising"}),
    )
