"""Goofspiel of two seats, solved: as a whole, or from a position of its own kind."""

from __future__ import annotations

from typing import Any

from facedown.core.chance import Chance
from facedown.core.errors import Illegal
from facedown.core.game import Step
from facedown.core.parts.solver import Answer, Position
from facedown.core.rules import Numbers, Option
from facedown.solve.answer import laid_out

from .game import GAME, Goofspiel, State, turn_up
from .rules import GoofspielRules

positions: tuple[Option, ...] = (
    Numbers("one", "Hand of seat 1", "The cards that it still holds.", "G3", 1, 13),
    Numbers("two", "Hand of seat 2", "The cards that it still holds.", "G3", 1, 13),
    Numbers("prizes", "Prizes", "Those that are still to be won.", "G2", 1, 13),
    Numbers("score", "Score", "What each seat has won so far. Default: 0:0.", "G5", 2, 2),
)
optional = ("score",)


class _Continued(Goofspiel):
    """The game from a position on."""

    def __init__(self, state: State) -> None:
        self.state = state

    def setup(self, rules: GoofspielRules, seats: int, chance: Chance) -> Step[State]:
        return turn_up(self.state, (), chance)


def answer(rules: GoofspielRules, position: Position | None) -> Answer:
    if position is None:
        return laid_out(GAME, rules)
    at: dict[str, Any] = {"score": (0, 0), **position}
    one, two, prizes = (tuple(map(str, sorted(at[name]))) for name in ("one", "two", "prizes"))
    if not len(one) == len(two) == len(prizes):
        raise Illegal("both hands have as many cards as there are prizes left", rule="G3")
    return laid_out(_Continued(State(rules, prizes, 0, (one, two), at["score"], (1, 2))), rules)
