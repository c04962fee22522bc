"""The answer about a rule set: by the game's own solver, or from the whole game tree of a small game.

Owns the choice between the two and the words of the second. Knows no game by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, cast

from facedown.core import registry
from facedown.core.errors import Unsupported, missing_extra
from facedown.core.game import AnyGame
from facedown.core.parts.solver import Answer, JsonValue, Solver, read_position
from facedown.core.rules import Rules
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH, Domain, Message, Slot, Text, translate
from facedown.solve.best_response import Mix, Strategy, exploitability
from facedown.solve.parts import PartTooLarge, solve_parts
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Decide, Situation, Tree, lay_out

message: Final = Domain("facedown.core")

MOST_POSITIONS: Final = 100_000
"""Some seconds' work; larger games need a solver of their own."""


def answer(game: AnyGame, rules: Rules, position: str | None = None) -> Answer:
    """The answer of the game's own `solve`; without one, that of the game laid out.

    `position` is text such as `round=5,score=6:5`, read as the game's solver declares; None: the whole game.
    """
    part = registry.part(game.name, "solve")
    solver = None if part is None else cast(Solver, part)
    if position is not None and (solver is None or not solver.positions):
        raise Unsupported(f"{game.meta.title} is solved as a whole only, not at single positions")
    if solver is None:
        return laid_out(game, rules)
    return solver.answer(rules, None if position is None else read_position(solver, position, rules))


def laid_out(game: AnyGame, rules: Rules, most_positions: int = MOST_POSITIONS) -> LaidOut:
    """Any small zero-sum game of two seats, solved; `Unsupported` says why another is not."""
    tree = lay_out(game, rules, most_positions)
    try:
        value, equilibrium = solve_parts(tree)
    except PartTooLarge:
        if find_spec("scipy") is None:
            raise missing_extra("solving this game needs", "solve") from None
        value, equilibrium = solve_sequence_form(tree)
    return LaidOut(str(game.meta.title), rules, tree, value + 0.0, equilibrium)  # no -0.0


@dataclass(frozen=True, slots=True)
class LaidOut(Answer):
    """A small game, solved on its whole tree."""

    title: str
    rules: Rules
    tree: Tree
    value: float
    """What seat 1 gains on average, in the game's own payoffs."""
    equilibrium: Strategy

    def as_json(self) -> dict[str, JsonValue]:
        """The value and its proof, the size, and how each seat opens."""
        return {
            "value": self.value,
            "exploitability": self.exploitability,
            "favoured": {"seat": self.favoured} if self.favoured else None,
            "positions": self.tree.nodes,
            "situations": len(self.tree.situations),
            "opening": [
                {"seat": situation.seat, "mix": dict(_by_pick(situation, self.equilibrium[situation]))}
                for situation in self.openings()
            ],
        }

    def words(self, language: str = ENGLISH) -> list[str]:
        """The same in sentences."""
        size: dict[str, Slot] = {"positions": self.tree.nodes, "situations": len(self.tree.situations)}
        lines: list[Text] = [
            message("title", title=self.title, rules=str(self.rules), **size),
            self._favoured_words(),
            message("exploitability", gained=self.exploitability),
        ]
        for situation in self.openings():
            picks = _by_pick(situation, self.equilibrium[situation])
            lines += ["", message("opening", seat=situation.seat)]
            lines += [f"  {pick:<10} {100 * share:6.2f} %" for pick, share in picks if share > 0]
        return [translate(line, language) for line in lines]

    @property
    def exploitability(self) -> float:
        """What best responses gain, averaged over the seats; at most rounding errors."""
        return max(0.0, exploitability(self.tree, self.equilibrium))

    @property
    def favoured(self) -> Seat | None:
        """The seat that gains in equilibrium; None where neither does, but for rounding errors."""
        return None if abs(self.value) < 1e-9 else 1 if self.value > 0 else 2

    def openings(self) -> list[Situation]:
        """Each seat's first decision, where it is the same however the cards were dealt."""
        if not isinstance(self.tree.root, Decide):
            return []
        return list(_first_decisions(self.tree.root))

    def _favoured_words(self) -> Message:
        if self.favoured is None:
            return message("even")
        return message("favoured", seat=self.favoured, gained=abs(self.value))


def _first_decisions(root: Decide) -> Iterator[Situation]:
    """The situation at the root and, where the other seat picks at the same time, that one's."""
    yield root.situation
    below = {child.situation for child in root.children if isinstance(child, Decide)}
    if len(below) == 1 and (other := below.pop()).after is None and other.seat != root.situation.seat:
        yield other


def _by_pick(situation: Situation, mix: Mix) -> list[tuple[str, float]]:
    return list(zip(situation.legal, mix, strict=True))
