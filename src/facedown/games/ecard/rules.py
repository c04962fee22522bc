"""The options and presets of E-Card (E6 to E13). `game` applies them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from facedown.core.rules import Choice, Number, Option, Preset, Rules
from facedown.core.text.translation import Text
from facedown.games.ecard import message

DECIDED: Final = 5
"""Plays after which a round is always decided: five cards a hand, and the last ones are the special ones."""


def _name_and_texts(name: str) -> tuple[str, Text, Text]:
    """The name, label and help of an option."""
    return name, message(f"option.{name}"), message(f"option.{name}.help")


@dataclass(frozen=True, slots=True)
class ECardRules(Rules):
    """One rule set of E-Card.

    >>> str(ECardRules.read(" classic ( tie = pair ) "))
    'classic(tie=pair)'
    """

    plays: int = 3
    placing: str = "alternate"
    slave_pays: int = 5
    victory: str = "winnings"
    tie: str = "draw"
    first: str = "1"
    stakes: str = "fixed"
    rounds: int = 12
    group: int = 3
    purse: int = 30
    max_stake: int = 10

    options: ClassVar[tuple[Option, ...]] = (
        Number(*_name_and_texts("plays"), "E6", 1, DECIDED),
        Choice(*_name_and_texts("placing"), "E7", ("alternate", "together")),
        Number(*_name_and_texts("slave_pays"), "E10", 1, 100),
        Choice(*_name_and_texts("victory"), "E11", ("winnings", "rounds")),
        Choice(*_name_and_texts("tie"), "E12", ("draw", "extra", "pair")),
        Choice(*_name_and_texts("first"), "E9", ("1", "2", "drawn")),
        Choice(*_name_and_texts("stakes"), "E13", ("fixed", "named")),
        Number(*_name_and_texts("rounds"), "E8", 1, 60),
        Number(*_name_and_texts("group"), "E8", 1, 60),
        Number(*_name_and_texts("purse"), "E13", 1, 1000),
        Number(*_name_and_texts("max_stake"), "E13", 1, 1000),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("classic", message("preset.classic")),
        Preset("short", message("preset.short"), {"rounds": 6}),
        Preset("victories", message("preset.victories"), {"victory": "rounds"}),
        Preset(
            "decisive",
            message("preset.decisive"),
            {
                "plays": 5,
                "placing": "together",
                "slave_pays": 1,
                "victory": "rounds",
                "tie": "extra",
                "first": "drawn",
            },
        ),
        Preset(
            "purse",
            message("preset.purse"),
            {"plays": 5, "tie": "pair", "first": "drawn", "stakes": "named"},
        ),
    )

    usual: ClassVar[str] = "short"

    def conflicts(self) -> tuple[Text, ...]:
        if self.group > self.rounds:
            return (message("rules.group", group=self.group, rounds=self.rounds),)
        return ()

    def notes(self) -> tuple[Text, ...]:
        """What makes a rule set uneven or an option idle (E8: said, not forbidden)."""
        uneven = self.rounds % (2 * self.group) != 0
        idle_victory = self.stakes == "named" and self.victory == "rounds"
        notes = (
            (uneven, message("rules.uneven", rounds=self.rounds, group=self.group)),
            (self.tie == "extra", message("rules.extra")),
            (idle_victory, message("rules.idle_victory")),
        )
        return tuple(note for holds, note in notes if holds)
