"""The equilibrium of a laid-out game by one linear program for each seat, over sequences of own picks."""

from __future__ import annotations

from typing import Any

from facedown.core.errors import Unsupported
from facedown.core.seats import Seat
from facedown.solve.best_response import Mix
from facedown.solve.tree import Decide, Draw, End, LastPick, Node, Situation, Tree


def solve_sequence_form(tree: Tree) -> tuple[float, dict[Situation, Mix]]:
    """The value to seat 1 and an equilibrium, as good as HiGHS is (about 1e-9)."""
    first, mixes = _best_plan(tree, 1)
    _, others = _best_plan(tree, 2)
    return first, mixes | others


class _Sequences:
    """The sequences of one seat: the empty one, and one for each pick of each situation."""

    def __init__(self, tree: Tree, seat: Seat) -> None:
        self.situations = [each for each in tree.situations if each.seat == seat]
        self.start: dict[Situation, int] = {}
        self.count = 1
        for situation in self.situations:
            self.start[situation] = self.count
            self.count += len(situation.legal)

    def of(self, choice: LastPick) -> int:
        """The number of the sequence that ends with this pick."""
        return 0 if choice is None else self.start[choice[0]] + choice[1]


def _best_plan(tree: Tree, seat: Seat) -> tuple[float, dict[Situation, Mix]]:
    """Maximise what the seat is sure of: x are its plan's weights, v what the other can hold it down to."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix, hstack

    own, other = _Sequences(tree, seat), _Sequences(tree, 3 - seat)
    gains = _gains(tree, seat, own, other)
    cells = (np.array([cell[1] for cell in gains]), np.array([cell[0] for cell in gains]))
    payoffs = coo_matrix(
        (np.array(list(gains.values())), cells),
        shape=(other.count, own.count),
    )
    # For each sequence of the other: what it is held to must not exceed what the plan gains there.
    held = _constraints(other).T
    found = linprog(
        c=np.concatenate([np.zeros(own.count), [-1.0], np.zeros(len(other.situations))]),
        A_ub=hstack([-payoffs, held]),
        b_ub=np.zeros(other.count),
        A_eq=hstack([_constraints(own), coo_matrix((1 + len(own.situations), 1 + len(other.situations)))]),
        b_eq=np.concatenate([[1.0], np.zeros(len(own.situations))]),
        bounds=[(0, None)] * own.count + [(None, None)] * (1 + len(other.situations)),
        method="highs",
    )
    if not found.success or found.x is None or found.fun is None:
        raise Unsupported(f"the linear program of this game failed: {found.message}")
    plan = found.x[: own.count].tolist()
    return -float(found.fun), {each: _mix(plan, own.start[each], each) for each in own.situations}


def _constraints(own: _Sequences) -> Any:
    """One row: the empty sequence weighs 1; one per situation: its picks share what led there."""
    import numpy as np
    from scipy.sparse import coo_matrix

    entries = [(0, 0, 1.0)]
    for row, situation in enumerate(own.situations, 1):
        entries.append((row, own.of(situation.after), -1.0))
        start = own.start[situation]
        entries.extend((row, start + place, 1.0) for place in range(len(situation.legal)))
    rows, columns, values = zip(*entries, strict=True)
    cells = (np.array(rows), np.array(columns))
    return coo_matrix((np.array(values), cells), shape=(1 + len(own.situations), own.count))


def _gains(tree: Tree, seat: Seat, own: _Sequences, other: _Sequences) -> dict[tuple[int, int], float]:
    """What the seat gains at all ends that a pair of sequences leads to, weighed by chance."""
    sign = 1 if seat == 1 else -1
    gains: dict[tuple[int, int], float] = {}

    def walk(node: Node, probability: float, mine: int, theirs: int) -> None:
        if isinstance(node, End):
            gains[mine, theirs] = gains.get((mine, theirs), 0.0) + sign * probability * node.payoff
        elif isinstance(node, Draw):
            for chance, branch in node.branches:
                walk(branch, probability * float(chance), mine, theirs)
        elif isinstance(node, Decide):
            for place, child in enumerate(node.children):
                if node.situation.seat == seat:
                    walk(child, probability, own.of((node.situation, place)), theirs)
                else:
                    walk(child, probability, mine, other.of((node.situation, place)))

    walk(tree.root, 1.0, 0, 0)
    return gains


def _mix(plan: list[float], start: int, situation: Situation) -> Mix:
    """The plan's weights at a situation as a mix; uniform where the plan never gets there."""
    weights = [max(0.0, weight) for weight in plan[start : start + len(situation.legal)]]
    total = sum(weights)
    if total <= 1e-12:
        return (1 / len(weights),) * len(weights)
    return tuple(weight / total for weight in weights)
