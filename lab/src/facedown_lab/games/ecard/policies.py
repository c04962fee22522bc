"""The machines of E-Card that go by a `CharacterTurn` alone: attacks price them, many tables look them up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from facedown.core.parts.bot import AnyBot
from facedown.games.ecard.bots.house import CHARACTERS, CharacterTurn
from facedown.games.ecard.bots.people import ASSUMED
from facedown.games.ecard.bots.plain import Equilibrium, Habit, RandomECard, liked_stakes
from facedown.games.ecard.rules import DECIDED


class TurnPolicy(NamedTuple):
    """A machine as functions of what it goes by."""

    special: Callable[[CharacterTurn], float]
    """How likely its special card is."""
    minds: frozenset[str] = frozenset()
    """The fields of the past that this depends on."""
    stakes: Callable[[int, int], Sequence[float]] | None = None
    """How likely each stake from 1 is, by the highest and by the last result; None: as in the solution."""


KNOWN: Final[dict[type[AnyBot], TurnPolicy]] = {
    **{each: TurnPolicy(each.special, each.minds) for each in CHARACTERS},
    Equilibrium: TurnPolicy(lambda turn: turn.usual),
    RandomECard: TurnPolicy(
        lambda turn: 1.0 / (DECIDED + 1 - turn.play), stakes=lambda most, result: [1.0 / most] * most
    ),
    Habit: TurnPolicy(
        lambda turn: ASSUMED.special(turn.play, turn.past.last_shown(turn.side), turn.past.won),
        frozenset({"emperor", "slave", "won"}),
        liked_stakes,
    ),
}
"""Every machine that is known in this form; all but those that read their opponent."""
