"""Exact answers: a rule set of a game, solved, and single positions of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from facedown.core.game import AnyGame
from facedown.core.parts.explorer import Exploration
from facedown.core.parts.solver import Answer, JsonValue
from facedown.core.rules import Rules, Value
from facedown.core.text.translation import ENGLISH
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game
from facedown.library.named import ECardName
from facedown.solve.answer import answer

if TYPE_CHECKING:
    from facedown.library.named import ECardAnswer, ECardPosition

W = TypeVar("W", bound=Answer)
P = TypeVar("P", bound=Answer)


class SolvedGame(Generic[W, P]):
    """A solved rule set: `print` shows it as text, `as_json` hands it out, `at` solves one position."""

    rules: Rules
    """The rules that are solved."""
    answer: W
    """What the game's own solver has found."""

    def __init__(self, game: AnyGame, rules: Rules, whole: W) -> None:
        self._game = game
        self.rules = rules
        self.answer = whole

    @property
    def value(self) -> float:
        """The value of the game; each game's solver documents whose it is, and its unit."""
        value = self.as_json()["value"]
        assert isinstance(value, int | float), "the value of an answer is a number"
        return value

    def as_json(self) -> dict[str, JsonValue]:
        """Everything as plain values: what `facedown solve --json` prints."""
        return self.answer.as_json()

    def words(self, language: str = ENGLISH) -> list[str]:
        """Everything in words, line by line."""
        return self.answer.words(language)

    def at(self, position: str = "", /, **values: Value) -> P:
        """The answer about one position: text such as `round=5,score=6:5`, or its parts as values.

        The game defines the parts; raises `UnreadablePosition` with all problems at once.
        """
        parts = [position, *(f"{name}={_written(value)}" for name, value in values.items())]
        return cast(P, answer(self._game, self.rules, ",".join(filter(None, parts))))

    def __str__(self) -> str:
        return "\n".join(self.words())

    def __repr__(self) -> str:
        return f"facedown.solve({self._game.name!r}, {str(self.rules)!r})"


@overload
def solve(game: ECardName, rules: RulesLike = "") -> SolvedGame[ECardAnswer, ECardPosition]: ...
@overload
def solve(game: GameLike, rules: RulesLike = "") -> SolvedGame[Any, Any]: ...
def solve(game: GameLike, rules: RulesLike = "") -> SolvedGame[Any, Any]:
    """The exact solution of a rule set: by the game's own solver, else from the whole tree of a small game.

    Raises `Unsupported` if a game is too large, or needs the extra `solve` and it is not installed.

    >>> import facedown
    >>> solved = facedown.solve("ecard", "classic")
    >>> solved.at(round=12, score=(0, 0)).emperor
    (0.2, 0.25, 0.3333333333333333)
    """
    found = find_game(game)
    read = read_rules(found, rules)
    return SolvedGame(found, read, answer(found, read))


def explore(game: GameLike, rules: RulesLike = "", at: str = "", *, habit: str = "") -> Exploration:
    """One position of a solved rule set: its value, its mixes, what picks cost, and where it leads.

    `at` is text such as `round=5,score=6:5,play=2`; empty: the start. `habit` is one to be answered, such as
    `side=slave,chances=40`. Raises `Unsupported` for a game without an explorer.

    >>> import facedown
    >>> start = facedown.explore("ecard", "decisive")
    >>> round(start.sides[0].value, 4), round(start.sides[1].value, 4)
    (0.4128, 0.5872)
    """
    from facedown.study.explore import explore as explore_position

    found = find_game(game)
    return explore_position(found, read_rules(found, rules), at, habit)


def _written(value: object) -> str:
    """The value of a part of a position as text has it."""
    return ":".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
