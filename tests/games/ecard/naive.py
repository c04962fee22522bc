"""E-Card solved the slow way: every state of `game` itself, one 2 × 2 game at a time. Only for tests.

Shares nothing with the solver but the rules: no leads, no closed forms, no exact numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from facedown.core.chance import Scripted
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.numbers import Share
from facedown.games.ecard.solve.solution import Moment, Naming, Solution
from facedown.games.ecard.state import ECardState

Matrix: TypeAlias = "list[list[float]]"
"""Rows: the Emperor side's picks; columns: the Slave side's; the Citizen first, as `legal` has it."""

Mix: TypeAlias = "list[float]"

SURE = 1e-13


def start(rules: ECardRules) -> ECardState:
    """A new game; if the first Emperor side would be drawn, it is seat 1."""
    return GAME.setup(rules, 2, Scripted(("1",) if rules.first == "drawn" else ())).state


def first_seat(state: ECardState) -> int:
    return state.rounds[0].emperor if state.rounds else state.emperor


def by_first(state: ECardState, pair: tuple[int, ...]) -> tuple[int, int]:
    one, two = pair
    return (one, two) if first_seat(state) == 1 else (two, one)


def moment(solution: Solution, state: ECardState) -> Moment:
    return _moment(solution, state.round, by_first(state, state.score), state.play, state.stake)


@lru_cache(maxsize=10_000)
def _moment(solution: Solution, round: int, score: tuple[int, int], play: int, stake: int | None) -> Moment:
    return solution.at(round, score, play, stake)


def naming(solution: Solution, state: ECardState) -> Naming:
    return solution.naming(state.round, by_first(state, state.score))


class Walk:
    """Backward over all states; subclasses value a play or a naming for the first Emperor side."""

    def __init__(self, rules: ECardRules) -> None:
        self.rules = rules
        self.known: dict[object, float] = {}
        self.again: float | None = None
        """What a second pair of extra rounds is worth, once it is known."""
        self.guessing = False

    def of_play(self, state: ECardState, cells: Matrix) -> float:
        raise NotImplementedError

    def of_naming(self, state: ECardState, values: dict[int, float]) -> float:
        raise NotImplementedError

    def of_outcome(self, winner: int | None, first: int) -> float:
        return 0.5 if winner is None else float(winner == first)

    def value(self, state: ECardState) -> float:
        if state.outcome is not None:
            return self.of_outcome(state.outcome.winner, first_seat(state))
        in_pairs = self.rules.tie == "pair" and state.round > self.rules.rounds
        if in_pairs and self.again is None:
            self._find_again(state)
        if in_pairs and state.round == self.rules.rounds + 3:
            assert self.again is not None
            return self.again
        last = state.rounds[-1].winner if state.extra else None
        key = (state.round, state.play, state.stake, state.score, last)
        if key not in self.known:
            self.known[key] = self._decision_value(state)
        return self.known[key]

    def _decision_value(self, state: ECardState) -> float:
        if state.stake is None:
            seat = state.slave
            values = {int(pick): self.after(state, {seat: pick}) for pick in GAME.legal(state, seat)}
            return self.of_naming(state, values)
        emperor, slave = state.emperor, state.slave
        rows, columns = GAME.legal(state, emperor), GAME.legal(state, slave)
        cells = [[self.after(state, {emperor: row, slave: column}) for column in columns] for row in rows]
        return self.of_play(state, cells)

    def after(self, state: ECardState, picks: dict[int, str]) -> float:
        return self.value(GAME.resolve(state, (picks.get(1), picks.get(2)), Scripted(())).state)

    def _find_again(self, state: ECardState) -> None:
        """Pairs go on until one is not shared: as often as it takes until more of them change nothing."""
        guess, self.again, self.guessing = 1.0, 0.5, True
        while abs(guess - self.again) > 1e-15:
            guess, self.known = self.again, {}
            self.again = self.value(state)
        self.known, self.guessing = {}, False


class BestPlay(Walk):
    """Both seats play their best."""

    def of_play(self, state: ECardState, cells: Matrix) -> float:
        return game_value(cells) if state.emperor == first_seat(state) else 1 - game_value(other_side(cells))

    def of_naming(self, state: ECardState, values: dict[int, float]) -> float:
        best = max if state.slave == first_seat(state) else min
        return best(values.values())


class Checked(BestPlay):
    """Both seats play their best, and at every state the solution is asked whether it does."""

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.rules)
        self.solution = solution
        self.states = 0

    def of_play(self, state: ECardState, cells: Matrix) -> float:
        value = super().of_play(state, cells)
        if not self.guessing:
            self._check_play(state, cells, value)
        return value

    def _check_play(self, state: ECardState, cells: Matrix, value: float) -> None:
        solved = moment(self.solution, state)
        own = cells if solved.first_is_emperor else other_side(cells)
        worth = value if solved.first_is_emperor else 1 - value
        assert abs(solved.value - value) < 1e-12
        assert min(rows_mixed(own, mix(solved.emperor[0], cells))) > worth - 1e-12
        assert max(columns_mixed(own, mix(solved.slave[0], cells))) < worth + 1e-12
        self.states += 1

    def of_naming(self, state: ECardState, values: dict[int, float]) -> float:
        value = super().of_naming(state, values)
        solved = naming(self.solution, state)
        assert set(solved.values) == set(values)
        assert all(abs(solved.values[stake] - values[stake]) < 1e-12 for stake in values)
        assert set(solved.stakes) == {stake for stake in values if abs(values[stake] - value) < SURE}
        self.states += 1
        return value


class Played(Walk):
    """Both seats keep to the solution; the result is measured by the given value of outcomes."""

    def __init__(self, solution: Solution, win: float, draw: float) -> None:
        super().__init__(solution.rules)
        self.solution = solution
        self.worth = {None: draw, True: win, False: 0.0}

    def of_outcome(self, winner: int | None, first: int) -> float:
        return self.worth[None if winner is None else winner == first]

    def of_play(self, state: ECardState, cells: Matrix) -> float:
        solved = moment(self.solution, state)
        columns = rows_mixed(cells, mix(solved.emperor[0], cells))
        return dot(columns, mix(solved.slave[0], cells))

    def of_naming(self, state: ECardState, values: dict[int, float]) -> float:
        return sum(
            float(share) * values[stake] for stake, share in naming(self.solution, state).stakes.items()
        )


class Answered(Played):
    """One seat keeps to the solution, the other gives the best answer."""

    def __init__(self, solution: Solution, first_answers: bool) -> None:
        super().__init__(solution, 1.0, 0.5)
        self.first_answers = first_answers

    def of_play(self, state: ECardState, cells: Matrix) -> float:
        solved = moment(self.solution, state)
        best = max if self.first_answers else min
        if self.first_answers == solved.first_is_emperor:
            return best(columns_mixed(cells, mix(solved.slave[0], cells)))
        return best(rows_mixed(cells, mix(solved.emperor[0], cells)))

    def of_naming(self, state: ECardState, values: dict[int, float]) -> float:
        if (state.slave == first_seat(state)) != self.first_answers:
            return super().of_naming(state, values)
        return (max if self.first_answers else min)(values.values())


# --- matrix games ----------------------------------------------------------------------------------------


def game_value(cells: Matrix) -> float:
    """The value to the row player of a game of at most two rows: the best corner of what rows assure."""
    if len(cells) == 1:
        return min(cells[0])
    one, two = cells
    corners = [0.0, 1.0]
    for left in range(len(one)):
        for right in range(left):
            slope = (one[left] - two[left]) - (one[right] - two[right])
            if slope:
                corners.append((two[right] - two[left]) / slope)
    return max(min(rows_mixed(cells, [p, 1 - p])) for p in corners if 0 <= p <= 1)


def other_side(cells: Matrix) -> Matrix:
    return [[1 - cell for cell in row] for row in cells]


def mix(special: Share, cells: Matrix) -> Mix:
    """The Citizen first; if none is left, only the special card."""
    return [float(special)] if len(cells) == 1 else [1 - float(special), float(special)]


def rows_mixed(cells: Matrix, weights: Mix) -> Mix:
    return [dot(list(column), weights) for column in zip(*cells, strict=True)]


def columns_mixed(cells: Matrix, weights: Mix) -> Mix:
    return [dot(row, weights) for row in cells]


def dot(values: Mix, weights: Mix) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True))
