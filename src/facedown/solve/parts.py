"""The equilibrium of a laid-out game part by part, without a library.

A part of a tree is closed if no situation in it is also outside: both seats know that they are there. Closed
parts are solved from the ends on and replaced by their values, so that a game in which everything placed is
turned over falls into matrix games of a few rows. A part is solved by the double oracle: the equilibrium of
the plans found so far, to which each seat adds its best response until none gains (McMahan and others, 2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from facedown.core.seats import Seat
from facedown.solve.best_response import Mix, best_response
from facedown.solve.matrix import Payoff, solve_matrix
from facedown.solve.tree import Decide, Draw, End, Node, Situation, Tree

LARGEST_PART: Final = 100
"""Situations in a closed part: with more, the plans become too many to solve them in seconds."""
_GAIN: Final = 1e-12
"""What best responses gain together at an equilibrium, for rounding errors."""
_NOWHERE: Final = 1 << 62

_Plan: TypeAlias = dict[Situation, int]
"""A seat's pick in each of its situations, by place."""


class PartTooLarge(Exception):
    """A closed part has too many situations."""


def solve_parts(tree: Tree) -> tuple[float, dict[Situation, Mix]]:
    """The value to seat 1 and an equilibrium; raises `PartTooLarge` if a closed part is."""
    return _Parts(tree).solve()


class _Reduced(NamedTuple):
    """A position whose closed parts are replaced, and where the first and the last of its situations are."""

    node: Node
    first: int = _NOWHERE
    last: int = -1


class _Parts:
    """Replaces the closed parts of a tree by their values, the last ones first."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.mixes: dict[Situation, Mix] = {}
        self.first: dict[Situation, int] = {}
        self.last: dict[Situation, int] = {}
        for place, node in enumerate(_walk(tree.root)):
            if isinstance(node, Decide):
                self.first.setdefault(node.situation, place)
                self.last[node.situation] = place
        self.place = -1

    def solve(self) -> tuple[float, dict[Situation, Mix]]:
        whole = self._reduce(self.tree.root).node
        assert isinstance(whole, End), "the whole tree is closed"
        return float(whole.payoff), self.mixes

    def _reduce(self, node: Node) -> _Reduced:
        """The position with its closed parts replaced; itself, if it begins one."""
        self.place += 1
        begin = self.place
        if isinstance(node, End):
            return _Reduced(node)
        below = [self._reduce(child) for child in _children(node)]
        first, last = min(each.first for each in below), max(each.last for each in below)
        reduced: Node
        if isinstance(node, Draw):
            branches = zip(
                (chance for chance, _ in node.branches), (each.node for each in below), strict=True
            )
            reduced = Draw(tuple(branches))
        else:
            reduced = Decide(node.situation, tuple(each.node for each in below))
            first, last = min(first, self.first[node.situation]), max(last, self.last[node.situation])
        if first < begin or last > self.place:
            return _Reduced(reduced, first, last)
        return _Reduced(End(self._solve_part(reduced)))

    def _solve_part(self, root: Node) -> float:
        inside = {node.situation for node in _walk(root) if isinstance(node, Decide)}
        if len(inside) > LARGEST_PART:
            raise PartTooLarge
        part = Tree(root, tuple(sorted(inside, key=lambda each: each.number)), 0)
        value, mixes = _solve_closed(part)
        self.mixes |= mixes
        return value


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in _children(node):
        yield from _walk(child)


def _children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Draw):
        return tuple(branch for _, branch in node.branches)
    return node.children if isinstance(node, Decide) else ()


# --- one part --------------------------------------------------------------------------------------------


def _solve_closed(part: Tree) -> tuple[float, dict[Situation, Mix]]:
    """The double oracle: matrix games over ever more plans, until no best response gains."""
    plans: tuple[list[_Plan], list[_Plan]] = ([_first_plan(part, 1)], [_first_plan(part, 2)])
    table = [[_payoff(part.root, plans[0][0] | plans[1][0])]]
    while True:
        value, rows, columns = solve_matrix(table)
        mixes = _mixes(part, 1, plans[0], rows) | _mixes(part, 2, plans[1], columns)
        gained, own = best_response(part, 1, mixes)
        paid, other = best_response(part, 2, mixes)
        if gained + paid < _GAIN:
            return float(value), mixes
        if gained - float(value) > _GAIN / 2:
            plan = _plan(own)
            plans[0].append(plan)
            table.append([_payoff(part.root, plan | each) for each in plans[1]])
        if paid + float(value) > _GAIN / 2:
            plan = _plan(other)
            plans[1].append(plan)
            for row, each in zip(table, plans[0], strict=True):
                row.append(_payoff(part.root, each | plan))


def _first_plan(part: Tree, seat: Seat) -> _Plan:
    return {each: 0 for each in part.situations if each.seat == seat}


def _plan(response: dict[Situation, Mix]) -> _Plan:
    return {situation: mix.index(1.0) for situation, mix in response.items()}


def _payoff(node: Node, plans: _Plan) -> float:
    """What seat 1 gains on average if both seats follow their plans."""
    while isinstance(node, Decide):
        node = node.children[plans[node.situation]]
    if isinstance(node, End):
        return float(node.payoff)
    return sum(float(chance) * _payoff(branch, plans) for chance, branch in node.branches)


def _mixes(part: Tree, seat: Seat, plans: Sequence[_Plan], weights: Sequence[Payoff]) -> dict[Situation, Mix]:
    """The weighed plans of a seat as a mix for every situation; uniform if none gets there."""
    getting: dict[Situation, list[tuple[float, _Plan]]] = {}
    chosen = [(float(weight), plan) for weight, plan in zip(weights, plans, strict=True) if weight > 0]
    mixes: dict[Situation, Mix] = {}
    for situation in (each for each in part.situations if each.seat == seat):
        here = chosen
        if situation.after is not None and (before := getting.get(situation.after[0])) is not None:
            here = [each for each in before if each[1][situation.after[0]] == situation.after[1]]
        getting[situation] = here
        shares = [0.0] * len(situation.legal)
        for weight, plan in here:
            shares[plan[situation]] += weight
        whole = sum(shares)
        mixes[situation] = (
            tuple(each / whole for each in shares) if whole else (1 / len(shares),) * len(shares)
        )
    return mixes
