"""The equilibrium of a laid-out game by one linear program for each seat, over sequences of own picks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from facedown.core.errors import Unsupported, missing_extra
from facedown.core.seats import Seat
from facedown.solve.best_response import Mix, Strategy
from facedown.solve.tree import Decide, Draw, End, LastPick, Node, Situation, Tree


def solve_sequence_form(tree: Tree) -> tuple[float, dict[Situation, Mix]]:
    """The value to seat 1 and an equilibrium, as good as HiGHS is (about 1e-9)."""
    first, mixes = _best_plan(tree, 1)
    _, others = _best_plan(tree, 2)
    return first, mixes | others


def restricted_response(
    tree: Tree,
    seat: Seat,
    model: Strategy,
    *,
    weight: float = 0.0,
    trust: Callable[[Situation], float] = lambda _: 0.0,
) -> dict[Situation, Mix]:
    """The best plan against an opponent that follows a model in part, and is at its worst otherwise.

    With a `weight` it follows the model in that part of all games (the restricted Nash response of Johanson,
    Zinkevich and Bowling, 2007); by its `trust` in a situation, in that part of the times it gets there (the
    data-biased response of Johanson and Bowling, 2009). Nothing of either: the equilibrium; all: the best
    response.
    """
    return _best_plan(tree, seat, _Restricted(model, weight, trust))[1]


class _Restricted(NamedTuple):
    """How far the other seat is known."""

    model: Strategy
    weight: float
    trust: Callable[[Situation], float]


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


def _best_plan(
    tree: Tree, seat: Seat, known: _Restricted | None = None
) -> tuple[float, dict[Situation, Mix]]:
    """Maximise what the seat is sure of: x are its plan's weights, v what the other can hold it down to.

    Where something is known of the other, u are the prices of the least that it does by that.
    """
    try:
        import numpy as np
        from scipy.optimize import linprog
        from scipy.sparse import coo_matrix, csr_matrix, hstack
    except ModuleNotFoundError:
        raise missing_extra("linear programs need", "solve") from None

    own, other = _Sequences(tree, seat), _Sequences(tree, 3 - seat)
    gains = _gains(tree, seat, own, other)
    cells = (np.array([cell[1] for cell in gains]), np.array([cell[0] for cell in gains]))
    payoffs = coo_matrix(
        (np.array(list(gains.values())), cells),
        shape=(other.count, own.count),
    )
    # For each sequence of the other: what it is held to must not exceed what the plan gains there.
    held = _constraints(other).T
    weight, by_model = 0.0, np.zeros(own.count)
    least: Any = csr_matrix((other.count, 0))
    if known is not None:
        weight, by_model = known.weight, payoffs.T @ np.array(_plan(other, known.model))
        least = _least(other, known).T
    values = 1 + len(other.situations)
    priced = values + least.shape[1]
    found = linprog(
        c=np.concatenate([-weight * by_model, [weight - 1.0], np.zeros(priced - 1)]),
        A_ub=hstack([-payoffs, held, least]),
        b_ub=np.zeros(other.count),
        A_eq=hstack([_constraints(own), coo_matrix((1 + len(own.situations), priced))]),
        b_eq=np.concatenate([[1.0], np.zeros(len(own.situations))]),
        bounds=[(0, None)] * own.count + [(None, None)] * values + [(0, None)] * least.shape[1],
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


def _plan(other: _Sequences, model: Strategy) -> list[float]:
    """How likely the other's own picks lead to the end of each sequence, by the model."""
    plan = [1.0] * other.count
    for situation in other.situations:
        here = plan[other.of(situation.after)]
        for place, share in enumerate(model[situation]):
            plan[other.start[situation] + place] = here * share
    return plan


def _least(other: _Sequences, known: _Restricted) -> Any:
    """One row for each trusted pick: what it weighs, less what it weighs at least by the model."""
    import numpy as np
    from scipy.sparse import csr_matrix

    entries, row = [], 0
    for situation in other.situations:
        trust = known.trust(situation)
        for place, share in enumerate(known.model[situation]):
            if trust * share > 0:
                entries.append((row, other.start[situation] + place, 1.0))
                entries.append((row, other.of(situation.after), -trust * share))
                row += 1
    if not entries:
        return csr_matrix((0, other.count))
    rows, columns, values = zip(*entries, strict=True)
    return csr_matrix((np.array(values), (np.array(rows), np.array(columns))), shape=(row, other.count))


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
