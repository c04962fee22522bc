"""The options and presets of Davenport (D3, D4, D11, D16, D17, D19). `game` applies them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from facedown.core.rules import Choice, Number, Option, Preset, Rules, Switch
from facedown.core.text.translation import Text
from facedown.games.davenport import message


def _name_and_texts(name: str) -> tuple[str, Text, Text]:
    """The name, label and help of an option."""
    return name, message(f"option.{name}"), message(f"option.{name}.help")


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
    playoff_cards: int = 3

    options: ClassVar[tuple[Option, ...]] = (
        Switch(*_name_and_texts("ace"), "D11"),
        Switch(*_name_and_texts("exchange"), "D3"),
        Choice(*_name_and_texts("placing"), "D4", ("together", "in_turn")),
        Choice(*_name_and_texts("playoff"), "D17", ("elimination", "wins")),
        Number(*_name_and_texts("playoff_wins"), "D19", 1, 20),
        Number(*_name_and_texts("playoff_cards"), "D16", 1, 5),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("davenport", message("preset.davenport")),
        Preset("aces", message("preset.aces"), {"ace": True}),
        Preset("pointed", message("preset.pointed"), {"ace": True, "playoff": "wins"}),
    )

    def notes(self) -> tuple[Text, ...]:
        if self.playoff == "elimination" and self.playoff_wins != 3:
            return (message("rules.idle_wins"),)
        return ()
