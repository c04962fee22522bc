"""CFR+ on a laid-out game: regrets that never fall below zero, seats in turn, later rounds weigh more."""

from __future__ import annotations

from facedown.core.seats import Seat
from facedown.solve.best_response import Mix
from facedown.solve.tree import Decide, Draw, End, Node, Situation, Tree


class Learner:
    """Learns an equilibrium by playing against itself.

    `run` may be called again and again; `average` is the strategy so far, and converges.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.rounds = 0
        self._regrets = {each: [0.0] * len(each.legal) for each in tree.situations}
        self._sums = {each: [0.0] * len(each.legal) for each in tree.situations}
        self._now: dict[Situation, Mix] = {}

    def run(self, rounds: int) -> None:
        """More rounds of learning, each for both seats."""
        for _ in range(rounds):
            self.rounds += 1
            for seat in (1, 2):
                self._now = {each: _regret_matching(regrets) for each, regrets in self._regrets.items()}
                self._learn(self.tree.root, seat, 1.0, 1.0)
                self._keep_positive(seat)

    def average(self) -> dict[Situation, Mix]:
        """The strategy learnt so far."""
        return {each: _regret_matching(sums) for each, sums in self._sums.items()}

    def _keep_positive(self, seat: Seat) -> None:
        for situation, regrets in self._regrets.items():
            if situation.seat == seat:
                self._regrets[situation] = [max(0.0, regret) for regret in regrets]

    def _learn(self, node: Node, seat: Seat, own: float, others: float) -> float:
        """What the seat gains here; on the way, its regrets and its average move."""
        if isinstance(node, End):
            return float(node.payoff if seat == 1 else -node.payoff)
        if isinstance(node, Draw):
            return sum(
                float(chance) * self._learn(branch, seat, own, others * float(chance))
                for chance, branch in node.branches
            )
        mix = self._now[node.situation]
        if node.situation.seat != seat:
            return sum(
                share * self._learn(child, seat, own, others * share)
                for share, child in zip(mix, node.children, strict=True)
                if share
            )
        return self._learn_own(node, seat, mix, own, others)

    def _learn_own(self, node: Decide, seat: Seat, mix: Mix, own: float, others: float) -> float:
        gains = [
            self._learn(child, seat, own * share, others)
            for share, child in zip(mix, node.children, strict=True)
        ]
        gain = sum(share * each for share, each in zip(mix, gains, strict=True))
        regrets, sums = self._regrets[node.situation], self._sums[node.situation]
        for place, each in enumerate(gains):
            regrets[place] += others * (each - gain)
            sums[place] += self.rounds * own * mix[place]
        return gain


def _regret_matching(weights: list[float]) -> Mix:
    """A mix in proportion to what is positive; uniform where nothing is."""
    kept = [max(0.0, weight) for weight in weights]
    total = sum(kept)
    if total <= 0.0:
        return (1 / len(weights),) * len(weights)
    return tuple(weight / total for weight in kept)
