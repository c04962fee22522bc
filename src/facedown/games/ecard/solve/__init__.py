"""E-Card solved exactly: the value of every rule set and the equilibrium at every state of it.

This is the game's part `solve` (`core.parts.solver`): what a position is made of, and the answer about it.
"""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.solver import Answer, Position
from facedown.core.rules import Number, Numbers, Option
from facedown.core.text.translation import Text
from facedown.games.ecard import message
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.course import Course, ImpossibleState
from facedown.games.ecard.solve.report import AskedState, ECardAnswer, at_state
from facedown.games.ecard.solve.solution import solve

__all__ = ["answer", "impossible", "optional", "positions", "solve"]

_MOST: Final = 999_999_999
positions: Final[tuple[Option, ...]] = (
    Number("round", message("position.round"), message("position.round.help"), "E8", 1, _MOST),
    Numbers("score", message("position.score"), message("position.score.help"), "E11", 2, 2),
    Number("play", message("position.play"), message("position.play.help"), "E5", 1, _MOST),
    Number("stake", message("position.stake"), message("position.stake.help"), "E13", 1, _MOST),
)
optional: Final = ("play", "stake")


def impossible(rules: ECardRules, values: Position) -> list[Text]:
    """What cannot be about the values of an unfinished position."""
    number = values.get("round")
    try:
        if isinstance(number, int):
            Course(rules).check_round(number)
    except ImpossibleState as error:
        return [error.message]
    return []


def answer(rules: ECardRules, position: Position | None) -> Answer:
    """The answer about the rule set, or about one position of it."""
    solution = solve(rules)
    if position is None:
        return ECardAnswer(solution)
    values: dict[str, Any] = dict(position)  # read by the options above, so each has the type of its field
    return at_state(solution, AskedState(**values))
