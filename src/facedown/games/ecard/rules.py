"""The options and presets of E-Card (E6 to E13). What they do stands in `game`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from facedown.core.rules import Choice, Number, Option, Preset, Rules
from facedown.games.ecard.phrases import say

DECIDED: Final = 5
"""Plays after which a round is always decided: five cards a hand, and the last ones are the special ones."""


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
        Number(
            "plays", "Plays in a round", "After so many draws a round ends with no winner.", "E6", 1, DECIDED
        ),
        Choice(
            "placing",
            "Placing",
            "Whether the two place one after the other or at any time.",
            "E7",
            ("alternate", "together"),
        ),
        Number(
            "slave_pays",
            "The Slave's win pays",
            "Units for a round won on the Slave side; the Emperor side's pays 1.",
            "E10",
            1,
            100,
        ),
        Choice(
            "victory", "Victory", "What wins the game: winnings or rounds won.", "E11", ("winnings", "rounds")
        ),
        Choice(
            "tie",
            "Equal at the end",
            "A draw, one extra round, or fair pairs of extra rounds.",
            "E12",
            ("draw", "extra", "pair"),
        ),
        Choice(
            "first",
            "Emperor side first",
            "The seat that starts as the Emperor side.",
            "E9",
            ("1", "2", "drawn"),
        ),
        Choice(
            "stakes",
            "Stakes",
            "Always 1, or named by the Slave side out of its purse.",
            "E13",
            ("fixed", "named"),
        ),
        Number("rounds", "Rounds", "How many rounds a game has.", "E8", 1, 60),
        Number("group", "Rounds in a group", "After so many rounds the seats swap sides.", "E8", 1, 60),
        Number("purse", "Purse", "What each seat starts with when stakes are named.", "E13", 1, 1000),
        Number("max_stake", "Highest stake", "The most that may be named.", "E13", 1, 1000),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("classic", "Three plays a round, the Slave's win pays five, the higher winnings win."),
        Preset("victories", "Three plays a round; the most rounds won wins the game.", {"victory": "rounds"}),
        Preset(
            "decisive",
            "Every round is played until somebody wins it, and counts one.",
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
            "The Slave side names what each round is worth; an empty purse loses.",
            {"plays": 5, "tie": "pair", "first": "drawn", "stakes": "named"},
        ),
    )

    def conflicts(self) -> tuple[str, ...]:
        if self.group > self.rounds:
            return (say("group", group=self.group, rounds=self.rounds),)
        return ()

    def notes(self) -> tuple[str, ...]:
        """What makes a rule set uneven or an option idle (E8: said, not forbidden)."""
        uneven = self.rounds % (2 * self.group) != 0
        idle_victory = self.stakes == "named" and self.victory == "rounds"
        notes = (
            (uneven, say("uneven", rounds=self.rounds, group=self.group)),
            (self.tie == "extra", say("extra")),
            (idle_victory, say("idle_victory")),
        )
        return tuple(note for holds, note in notes if holds)
