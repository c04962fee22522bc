"""The solver part of E-Card: what a position is made of, and the answer about a rule set or a position."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.parts.solver import Answer, Position
from facedown.core.rules import Number, Numbers, Option
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.report import AskedState, WholeGame, at_state
from facedown.games.ecard.solve.solution import solve

_MOST: Final = 999_999_999
positions: Final[tuple[Option, ...]] = (
    Number("round", "Round", "The round, from 1; extra rounds count on.", "E8", 1, _MOST),
    Numbers(
        "score",
        "Score",
        "What decides the game, when the round begins: of the first Emperor side, then of the other.",
        "E11",
        2,
        2,
    ),
    Number("play", "Play", "The play of the round; those before it were drawn. Default: 1.", "E5", 1, _MOST),
    Number("stake", "Stake", "The stake, where one is named. Default: the best one.", "E13", 1, _MOST),
)
optional: Final = ("play", "stake")


def answer(rules: ECardRules, position: Position | None) -> Answer:
    """The answer about the rule set, or about one position of it."""
    solution = solve(rules)
    if position is None:
        return WholeGame(solution)
    values: dict[str, Any] = dict(position)  # read by the options above, so each has the type of its field
    return at_state(solution, AskedState(**values))
