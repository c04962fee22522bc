"""The answer of `facedown solve` for E-Card: about a rule set, or about one state of it."""

from __future__ import annotations

from facedown.core.parts.solver import Answer, Asked
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.report import WholeGame, at_state
from facedown.games.ecard.solve.solution import solve


def answer(rules: ECardRules, asked: Asked | None) -> Answer:
    """What `facedown solve` says: about the rule set, or about the state that is asked for."""
    solution = solve(rules)
    return WholeGame(solution) if asked is None else at_state(solution, asked)
