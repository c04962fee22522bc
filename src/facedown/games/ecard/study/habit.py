"""The best answer to a stated habit: an opponent whose special card comes with known chances.

Owns what a habit is made of, and its answer. Beyond what is stated the opponent plays the equilibrium.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, cast

from facedown.core.game import Pick
from facedown.core.parts.explorer import HabitAnswer, HabitPart, PickWorth
from facedown.core.parts.solver import Position
from facedown.core.rules import Choice, Numbers, Option
from facedown.core.text.translation import Text, one_of
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED
from facedown.games.ecard.solve.best_response import best_responses
from facedown.games.ecard.solve.course import ImpossibleState, Next, Spot
from facedown.games.ecard.solve.numbers import Share
from facedown.games.ecard.solve.report import AskedState, OneState
from facedown.games.ecard.solve.solution import Solution
from facedown.games.ecard.study.words import card_name, message, percent, side_name

_SIDES: Final = {"emperor": EMPEROR, "slave": SLAVE}
HABITS: Final[tuple[Option, ...]] = (
    Choice("side", message("habit.side"), message("habit.side.help"), "E1", tuple(_SIDES)),
    Numbers("chances", message("habit.chances"), message("habit.chances.help"), "E5", 1, DECIDED - 1),
)
_EVEN: Final = 1e-9


class StatedHabit(NamedTuple):
    """Whose special card comes how likely at each play, from the first on, if it is still held."""

    side: str
    chances: tuple[int, ...]
    """In percent; at later plays the equilibrium's."""

    @classmethod
    def read(cls, habit: Position) -> StatedHabit:
        chances = cast(tuple[int, ...], habit["chances"])
        if max(chances) > 100:
            raise ImpossibleState(f"a chance of {max(chances)} % cannot be: from 0 to 100")
        return cls(_SIDES[str(habit["side"])], chances)

    @property
    def text(self) -> str:
        side = next(name for name, side in _SIDES.items() if side == self.side)
        return f"side={side},chances={':'.join(map(str, self.chances))}"


class _Habitual(NamedTuple):
    """The behaviour of an opponent with a habit."""

    solution: Solution
    habit: StatedHabit

    def special(self, spot: Spot, stake: int, side: str) -> Sequence[Share]:
        usual = self.solution.special(spot, stake, side)
        if side != self.habit.side:
            return usual
        stated = [Fraction(chance, 100) for chance in self.habit.chances][: len(usual)]
        return (*stated, *usual[len(stated) :])

    def stakes(self, spot: Spot) -> Mapping[int, Share]:
        return self.solution.stakes(spot)


def habit_parts(stated: StatedHabit | None, free: int) -> tuple[HabitPart, ...]:
    """What a habit is made of, as it can be stated at a position."""
    side = "slave" if stated is None or stated.side == SLAVE else "emperor"
    chances = () if stated is None else stated.chances
    slots = tuple(message("play", number=play) for play in range(1, max(free, len(chances)) + 1))
    return (
        HabitPart(
            "side",
            message("habit.side"),
            tuple((name, message(f"habit.side.{letter}")) for name, letter in _SIDES.items()),
            side,
        ),
        HabitPart("chances", message("habit.chances"), (), ":".join(map(str, chances)), slots),
    )


def answer_to(solution: Solution, asked: AskedState, state: OneState, habit: StatedHabit) -> HabitAnswer:
    """The best answer of the other side, if the habit is kept to the end of the game."""
    ours = EMPEROR if habit.side == SLAVE else SLAVE
    first = (ours == EMPEROR) == state.moment.first_is_emperor
    behaviour = _Habitual(solution, habit)
    values = best_responses(solution.rules, behaviour, "first" if first else "other")
    usual = float(state.value) if first else 1 - float(state.value)
    spot = solution.spot(asked.round, asked.score)
    if state.naming is not None:
        return _at_naming(solution, spot, habit, behaviour, values, usual)
    worth, value = _at_play(solution, spot, state.stake, asked.play or 1, behaviour, values, habit)
    best = [pick for pick, each in worth.items() if value - each < _EVEN]
    now = card_name(best[0]) if len(best) == 1 else message("answer.either")
    key = "answer.now" if len(worth) > 1 else "answer.only"
    return HabitAnswer(
        (*_about(habit, ours, value, usual), message(key, card=now)),
        side_name(ours),
        value,
        usual,
        tuple(_worth(pick, card_name(pick), each, value) for pick, each in worth.items()),
    )


def _about(habit: StatedHabit, ours: str, value: float, usual: float) -> tuple[Text, ...]:
    gain = message("answer.gain", side=side_name(ours), value=percent(value), usual=percent(usual))
    if value - usual < _EVEN:
        gain = message("answer.no_gain", side=side_name(ours), usual=percent(usual))
    return (
        message(f"answer.habit.{habit.side}", chances=", ".join(f"{chance} %" for chance in habit.chances)),
        gain,
    )


def _worth(pick: Pick, name: Text, value: float, best: float) -> PickWorth:
    cost = best - value
    is_best = cost < _EVEN
    return PickWorth(pick, name, float(is_best), "", value, 0.0 if is_best else cost, value)


def _at_play(
    solution: Solution,
    spot: Spot,
    stake: int,
    play: int,
    behaviour: _Habitual,
    values: Mapping[Next, float],
    habit: StatedHabit,
) -> tuple[dict[Pick, float], float]:
    """What each card is worth in this play against the habit, the best one being played from then on."""
    course = solution.course
    emperor, slave = (values[course.after(spot, stake, side)] for side in (EMPEROR, SLAVE))
    ahead = values[course.after_draw(spot, stake)]
    ours = EMPEROR if habit.side == SLAVE else SLAVE
    worth: dict[Pick, float] = {ours: ahead}
    chances = [float(each) for each in behaviour.special(spot, stake, habit.side)]
    for place in reversed(range(play - 1, course.free(spot))):
        chance = chances[place]
        now = chance * slave + (1 - chance) * emperor
        later = chance * emperor + (1 - chance) * ahead
        worth = {ours: now, CITIZEN: later}
        ahead = max(now, later)
    return worth, ahead


def _at_naming(
    solution: Solution,
    spot: Spot,
    habit: StatedHabit,
    behaviour: _Habitual,
    values: Mapping[Next, float],
    usual: float,
) -> HabitAnswer:
    """Before the stake is named: by the one who answers the habit, or by the one who has it."""
    course = solution.course
    ours = EMPEROR if habit.side == SLAVE else SLAVE
    worth = {
        stake: _at_play(solution, spot, stake, 1, behaviour, values, habit)[1]
        for stake in course.stakes(spot)
    }
    if ours == EMPEROR:
        value = sum(float(chance) * worth[stake] for stake, chance in behaviour.stakes(spot).items())
        return HabitAnswer(_about(habit, ours, value, usual), side_name(ours), value, usual, ())
    value = max(worth.values())
    best = [stake for stake, each in worth.items() if value - each < _EVEN]
    say = message("answer.stake", stakes=one_of([str(stake) for stake in best]))
    picks = tuple(
        _worth(str(stake), message("stake", stake=stake), each, value) for stake, each in worth.items()
    )
    return HabitAnswer((*_about(habit, ours, value, usual), say), side_name(ours), value, usual, picks)
