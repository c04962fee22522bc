"""The mixes of E-Card's own solver on a laid-out game. For tests."""

from __future__ import annotations

from facedown.games.ecard.notation import CITIZEN
from facedown.games.ecard.solve.solution import Solution
from facedown.games.ecard.view import ECardView
from facedown.solve.best_response import Mix
from facedown.solve.tree import Situation, Tree


def mixes_of_solution(tree: Tree, solution: Solution) -> dict[Situation, Mix]:
    """What the solution does in every situation; stakes must be fixed."""
    return {situation: _mix(situation, solution) for situation in tree.situations}


def _mix(situation: Situation, solution: Solution) -> Mix:
    view = situation.view
    assert isinstance(view, ECardView)
    first = view.rounds[0].emperor if view.rounds else view.emperor
    ours, theirs = view.score
    score = (ours, theirs) if first == 1 else (theirs, ours)
    moment = solution.at(view.round, score, view.play)
    special = float((moment.emperor if view.emperor == situation.seat else moment.slave)[0])
    return [1 - special if pick == CITIZEN else special for pick in situation.legal]
