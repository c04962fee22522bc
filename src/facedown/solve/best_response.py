"""Best responses and exploitability: the value of a strategy against another, or against the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from facedown.core.seats import Seat
from facedown.solve.tree import Decide, Draw, End, Node, Situation, Tree

Mix: TypeAlias = Sequence[float]
"""How likely each legal pick of a situation is, in the order of the picks."""

Strategy: TypeAlias = Mapping[Situation, Mix]
"""A mix for every situation; of one seat, or of both."""


def uniform(tree: Tree) -> dict[Situation, Mix]:
    """Every pick equally likely, everywhere."""
    return {each: (1 / len(each.legal),) * len(each.legal) for each in tree.situations}


def value(node: Node, strategy: Strategy) -> float:
    """What seat 1 gains on average where both play by the strategy."""
    if isinstance(node, End):
        return float(node.payoff)
    if isinstance(node, Draw):
        return sum(float(chance) * value(branch, strategy) for chance, branch in node.branches)
    mix = strategy[node.situation]
    return sum(
        share * value(child, strategy) for share, child in zip(mix, node.children, strict=True) if share
    )


def best_response(tree: Tree, seat: Seat, strategy: Strategy) -> tuple[float, dict[Situation, Mix]]:
    """The most that a seat can gain against the other's strategy, and one way to gain it."""
    return _Responder(tree, seat, strategy).answer()


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """What best responses gain over the strategy, averaged over the two seats; 0 at an equilibrium."""
    return (best_response(tree, 1, strategy)[0] + best_response(tree, 2, strategy)[0]) / 2


class _Responder:
    """Finds the best pick of every situation, the last ones first, as far as the others' play reaches it."""

    def __init__(self, tree: Tree, seat: Seat, strategy: Strategy) -> None:
        self.tree = tree
        self.seat = seat
        self.sign = 1 if seat == 1 else -1
        self.strategy = strategy
        self.reached: dict[Situation, list[tuple[float, Decide]]] = {}
        self.chosen: dict[Situation, int] = {}

    def answer(self) -> tuple[float, dict[Situation, Mix]]:
        self.reach(self.tree.root, 1.0)
        gain = self.gain(self.tree.root)
        own = (each for each in self.tree.situations if each.seat == self.seat)
        return gain, {each: self.mix(each) for each in own}

    def mix(self, situation: Situation) -> Mix:
        best = self.best(situation) if situation in self.reached else 0
        return tuple(float(place == best) for place in range(len(situation.legal)))

    def reach(self, node: Node, probability: float) -> None:
        """How likely chance and the other seat lead to each position of this seat."""
        if isinstance(node, Draw):
            for chance, branch in node.branches:
                self.reach(branch, probability * float(chance))
        elif isinstance(node, Decide) and node.situation.seat == self.seat:
            self.reached.setdefault(node.situation, []).append((probability, node))
            for child in node.children:
                self.reach(child, probability)
        elif isinstance(node, Decide):
            for share, child in zip(self.strategy[node.situation], node.children, strict=True):
                if share:
                    self.reach(child, probability * share)

    def best(self, situation: Situation) -> int:
        if situation not in self.chosen:
            gains = [
                sum(
                    probability * self.gain(node.children[place])
                    for probability, node in self.reached[situation]
                )
                for place in range(len(situation.legal))
            ]
            self.chosen[situation] = gains.index(max(gains))
        return self.chosen[situation]

    def gain(self, node: Node) -> float:
        """What this seat gains from a position, playing its best picks from here on."""
        if isinstance(node, End):
            return float(self.sign * node.payoff)
        if isinstance(node, Draw):
            return sum(float(chance) * self.gain(branch) for chance, branch in node.branches)
        if node.situation.seat == self.seat:
            return self.gain(node.children[self.best(node.situation)])
        mix = self.strategy[node.situation]
        return sum(share * self.gain(child) for share, child in zip(mix, node.children, strict=True) if share)
