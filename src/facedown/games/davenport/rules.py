"""The options and presets of Davenport (D3, D4, D11, D17, D19). What they do stands in `game`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from facedown.core.rules import Choice, Number, Option, Preset, Rules, Switch
from facedown.games.davenport.phrases import say


@dataclass(frozen=True, slots=True)
class DavenportRules(Rules):
    """One rule set of Davenport.

    >>> str(DavenportRules.read("davenport( playoff=wins, ace=on )"))
    'davenport(ace=on,playoff=wins)'
    """

    ace: bool = False
    exchange: bool = True
    placing: str = "together"
    playoff: str = "elimination"
    playoff_wins: int = 3

    options: ClassVar[tuple[Option, ...]] = (
        Switch("ace", "Ace rules", "An Ace beats Jack, Queen and King, and costs a card otherwise.", "D11"),
        Switch("exchange", "Exchange", "Once a round a card may be swapped for the top of the stock.", "D3"),
        Choice(
            "placing",
            "Placing",
            "Whether seats place at any time or one after the other.",
            "D4",
            ("together", "in_turn"),
        ),
        Choice(
            "playoff",
            "Playoff",
            "Seats that go out together: the lowest card leaves, or wins are counted.",
            "D17",
            ("elimination", "wins"),
        ),
        Number("playoff_wins", "Wins in a playoff", "How many wins end a playoff by wins.", "D19", 1, 20),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("davenport", "The highest card wins the round; who runs out of cards first wins."),
        Preset("aces", "An Ace beats the faces and is punished by the rest.", {"ace": True}),
        Preset("pointed", "Ace rules, and a playoff goes to three wins.", {"ace": True, "playoff": "wins"}),
    )

    def notes(self) -> tuple[str, ...]:
        if self.playoff == "elimination" and self.playoff_wins != 3:
            return (say("idle_wins"),)
        return ()
