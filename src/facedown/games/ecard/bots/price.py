"""What a tell costs: what the best answer to a character wins, computed exactly by backward induction.

Owns the calculation. Knows a character only by what it would do in a `CharacterTurn`.
"""

from __future__ import annotations

from typing import Protocol

from facedown.games.ecard.bots.house import CharacterTurn, Past
from facedown.games.ecard.bots.worth import Place
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.solve.course import Course, Next, Spot


class KnownPolicy(Protocol):
    """A policy that goes by what a `CharacterTurn` holds: a character, or a person's habit."""

    @property
    def minds(self) -> frozenset[str]:
        """The fields of the past that it goes by."""

    def special(self, turn: CharacterTurn, /) -> float:
        """How likely its special card is."""


def price(rules: ECardRules, character: KnownPolicy) -> float:
    """What a perfect reader gets, P(win) + P(draw)/2, if the first Emperor side is drawn."""
    return (Reading(rules, character, True).value + Reading(rules, character, False).value) / 2


class Reading:
    """The best answer of one seat to a character: round by round, with what the character minds of the past.

    Pairs of extra rounds (E12) have no end, and named stakes (E13) are no part of any tell: not for these.
    """

    def __init__(self, rules: ECardRules, character: KnownPolicy, first: bool) -> None:
        self._course, self._character, self._first = Course(rules), character, first
        self._known: dict[tuple[Next, Past], float] = {}

    @property
    def value(self) -> float:
        return self._value(self._course.start, Past())

    def _value(self, then: Next, past: Past) -> float:
        if not isinstance(then, Spot):
            return then.value / 2 if self._first else 1.0 - then.value / 2
        known = self._known.get((then, past))
        if known is None:
            known = self._known[then, past] = self._round(then, past)
        return known

    def _round(self, spot: Spot, past: Past) -> float:
        """The best of both cards at each play, from the last one to the first."""
        course, character = self._course, self._character
        side = SLAVE if course.first_is_emperor(spot) == self._first else EMPEROR
        usual = Place(course.rules, spot, not self._first).round_at(1).ours
        lead = -spot.lead if self._first else spot.lead

        def after(winner: str | None, mine: int, theirs: int) -> float:
            won = 0 if winner is None else 1 if winner == side else -1
            next_past = past.after(side, mine, theirs, won)
            forgotten = {field: 0 for field in Past._fields if field not in character.minds}
            return self._value(course.after(spot, 1, winner), next_past._replace(**forgotten))

        is_decided = course.plays(spot) == DECIDED
        ahead = after(SLAVE, DECIDED, DECIDED) if is_decided else after(None, 0, 0)
        for play in range(len(usual), 0, -1):
            turn = CharacterTurn(side, play, play == len(usual), lead, past, usual[play - 1])
            chance = character.special(turn)
            special = chance * after(SLAVE, play, play) + (1.0 - chance) * after(EMPEROR, 0, play)
            citizen = chance * after(EMPEROR, play, 0) + (1.0 - chance) * ahead
            ahead = max(special, citizen)
        return ahead
