"""CFR+ and best responses on a deck laid out as arrays (`lab.scripts.decks`): plans, by the sequence form.

A plan is a weight for every sequence: how likely a seat's own picks lead to its end. What a seat gains by
each sequence against a plan is one product with the sparse matrix of gains; regrets follow level by level.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from lab.scripts.decks import LaidOutDeck, Level

_STEP: Final = 25
"""Rounds between two looks at what can be gained."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A level as the solver uses it: its place among the sequences, and who owns them."""

    level: Level
    begin: int
    end: int
    count: int
    picks: Any
    """How many picks each situation has."""


class Plans:
    """CFR+ in self-play: regrets of two seats, in turn; the average of both is one plan for either."""

    def __init__(self, laid: LaidOutDeck, xp: Any, sparse: Any) -> None:
        self.laid, self.xp = laid, xp
        rows, columns, values = laid.gains
        self.gains = sparse.coo_matrix((values, (rows, columns)), shape=(laid.sequences,) * 2).tocsr()
        self.parts = [
            _Part(
                level,
                level.first,
                level.first + len(level.slots),
                len(level.parent),
                xp.bincount(level.owner, minlength=len(level.parent)),
            )
            for level in laid.levels
        ]
        self.rounds = 0
        self._regrets = [xp.zeros(laid.sequences) for _ in range(2)]
        self._current = [self.plan(self.mix_of(regrets)) for regrets in self._regrets]
        self._sum = xp.zeros(laid.sequences)

    # --- learning ----------------------------------------------------------------------------------------

    def run(self, rounds: int) -> None:
        """More rounds of learning, each for both seats; later ones weigh more."""
        for _ in range(rounds):
            self.rounds += 1
            for seat in range(2):
                mix = self.mix_of(self._regrets[seat])
                self._learn(seat, mix, self.gains @ self._current[1 - seat])
                self._current[seat] = self.plan(self.mix_of(self._regrets[seat]))
                self._sum += self.rounds * self._current[seat]

    def average(self) -> Any:
        """The plan learnt so far."""
        return self._sum / self._sum[0]

    def _learn(self, seat: int, mix: Any, gains: Any) -> None:
        xp, regrets = self.xp, self._regrets[seat]
        for part in reversed(self.parts):
            here, owner = slice(part.begin, part.end), part.level.owner
            value = xp.bincount(owner, weights=mix[here] * gains[here], minlength=part.count)
            regrets[here] = xp.maximum(0.0, regrets[here] + gains[here] - value[owner])
            self._hand_up(part, gains, value)

    def _hand_up(self, part: _Part, gains: Any, value: Any) -> None:
        """What the situations of a level are worth, added to the sequences that lead to them."""
        low = int(part.level.parent.min())
        more = self.xp.bincount(part.level.parent - low, weights=value)
        gains[low : low + len(more)] += more

    def mix_of(self, weights: Any) -> Any:
        """A mix of every situation, in proportion to the weights; uniform where there are none."""
        xp, mix = self.xp, self.xp.ones(self.laid.sequences)
        for part in self.parts:
            here, owner = slice(part.begin, part.end), part.level.owner
            whole = xp.bincount(owner, weights=weights[here], minlength=part.count)[owner]
            mix[here] = xp.where(
                whole > 0, weights[here] / xp.where(whole > 0, whole, 1), 1 / part.picks[owner]
            )
        return mix

    def plan(self, mix: Any) -> Any:
        """The plan of a mix."""
        plan = self.xp.ones(self.laid.sequences)
        for part in self.parts:
            plan[part.begin : part.end] = (
                mix[part.begin : part.end] * plan[part.level.parent[part.level.owner]]
            )
        return plan

    # --- what it is worth --------------------------------------------------------------------------------

    def best_response(self, plan: Any) -> float:
        """The most that can be gained on a plan."""
        xp, gains = self.xp, self.gains @ plan
        for part in reversed(self.parts):
            value = xp.full(part.count, -xp.inf)
            xp.maximum.at(value, part.level.owner, gains[part.begin : part.end])
            self._hand_up(part, gains, value)
        return float(gains[0])

    def meet(self, one: Any, two: Any) -> float:
        """What one plan gains on another."""
        return float(one @ (self.gains @ two))


class CurvePoint(NamedTuple):
    """How exploitable the plan was: what best responses gained after these rounds and seconds."""

    rounds: int
    seconds: float
    gain: float


def learn(plans: Plans, seconds: float, enough: float) -> list[CurvePoint]:
    """Learn until best responses gain no more than `enough`, or the time is up."""
    curve: list[CurvePoint] = []
    began = time.monotonic()
    while not curve or (curve[-1].gain > enough and curve[-1].seconds < seconds):
        plans.run(_STEP)
        gain = plans.best_response(plans.average())
        curve.append(CurvePoint(plans.rounds, time.monotonic() - began, gain))
    return curve
