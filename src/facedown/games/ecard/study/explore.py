"""The explorer of E-Card's solved states: value, mixes, what each pick costs, what may come next, and habits.

Owns what is shown about a position, and the best answer to a habit: an opponent whose special card comes with
stated chances, and who plays the equilibrium beyond them. Every number comes from the solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from facedown.core.game import Pick
from facedown.core.parts.explorer import (
    Exploration,
    HabitAnswer,
    HabitPart,
    MixTable,
    PickWorth,
    PositionField,
    SideReport,
    Way,
)
from facedown.core.parts.solver import Position
from facedown.core.rules import Choice, Numbers, Option
from facedown.core.text.translation import Message, Text, one_of
from facedown.games.ecard import message
from facedown.games.ecard.bots.worth import EVEN
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.solve.best_response import Behaviour, Habitual, best_responses
from facedown.games.ecard.solve.course import Course, FinalResult, ImpossibleState, Next, Score, Spot, spots
from facedown.games.ecard.solve.numbers import Share
from facedown.games.ecard.solve.report import AskedState, ECardPosition, at_state, start_of
from facedown.games.ecard.solve.solution import Moment, Naming, Solution, solve

# --- names -----------------------------------------------------------------------------------------------


_SMALL: Final = 100
"""Fractions with smaller denominators are written as they are."""


def card_name(card: Pick) -> Text:
    """What a card is called; a stake is its number."""
    return message(f"card.{card}") if card in CARD_NAMES else card


def side_name(side: str) -> Message:
    """What a side is called."""
    return message(f"side.{side}")


def percent(share: float) -> str:
    """A chance with one digit behind the point."""
    return f"{100 * share:.1f} %"


def share_text(share: Share) -> str:
    """A fraction where it is a small one, else in percent.

    >>> share_text(Fraction(1, 5)), share_text(0.123456)
    ('1/5', '12.3 %')
    """
    if isinstance(share, Fraction) and 1 < share.denominator < _SMALL:
        return str(share)
    return percent(float(share))


def round_name(course: Course, number: int) -> Message:
    """A round of the game, or an extra one (E12)."""
    if number > course.rules.rounds:
        return message("round.extra", number=number - course.rules.rounds)
    return message("round", number=number, rounds=course.rules.rounds)


def place_name(solution: Solution, asked: AskedState, spot: Spot) -> Message:
    """Where a position is in the game."""
    course = solution.course
    where = round_name(course, asked.round)
    if asked.play is None and course.naming(spot):
        return message("place.naming", round=where)
    plays = course.plays(spot)
    if course.naming(spot):
        return message("asked.stake", round=where, play=asked.play or 1, plays=plays, stake=asked.stake or 1)
    return message("asked.play", round=where, play=asked.play or 1, plays=plays)


_SURE: Final = 1e-12


def explore(rules: ECardRules, position: Position | None, habit: Position | None) -> Exploration:
    """One position, or the start of the game; with the best answer to a habit, where one is stated."""
    solution = solve(rules)
    asked = asked_at(solution, position)
    state = at_state(solution, asked)
    stated = None if habit is None else StatedHabit.read(habit)
    spot = solution.spot(asked.round, asked.score)
    return Exploration(
        rules=str(rules),
        at=position_text(asked),
        place=place_name(solution, asked, spot),
        say=tuple(_sentences(state, spot)),
        fields=tuple(_fields(solution, asked, spot)),
        draw=float(state.prospect.draw),
        sides=_sides(state),
        table=_table(state),
        ways=tuple(_ways(solution, asked, spot, state)),
        habit="" if stated is None else stated.text,
        habit_parts=habit_parts(stated, solution.course.free(spot)),
        answer=None if stated is None else answer_to(solution, asked, state, stated),
    )


def asked_at(solution: Solution, position: Position | None) -> AskedState:
    """A position of the game, or its start, as it is written here."""
    values: dict[str, Any] = dict(position or {})  # read by the options of the solver: each has its type
    return _usual(solution, AskedState(**values) if values else start_of(solution))


def _usual(solution: Solution, asked: AskedState) -> AskedState:
    """The position as it is written here: where no stake is named, with its play and without one."""
    if not solution.course.naming(solution.spot(asked.round, asked.score)):
        return asked._replace(play=asked.play or 1)
    if asked.stake is None:
        return asked._replace(play=None)
    return asked._replace(play=asked.play or 1)


def position_text(asked: AskedState) -> str:
    """A position as text, which `read_position` reads."""
    parts = [f"round={asked.round}", f"score={asked.score[0]}:{asked.score[1]}"]
    parts += [] if asked.play is None else [f"play={asked.play}"]
    parts += [] if asked.stake is None else [f"stake={asked.stake}"]
    return ",".join(parts)


# --- the sides -------------------------------------------------------------------------------------------


def value_for(side: str, moment: Moment | Naming, value: Share) -> float:
    """A value to the first Emperor side, as this side of the round has it."""
    return float(value) if (side == EMPEROR) == moment.first_is_emperor else 1.0 - float(value)


def _sides(state: ECardPosition) -> tuple[SideReport, ...]:
    """The Emperor side, then the Slave side."""
    return tuple(
        SideReport(
            message("side.scored", side=side_name(side), score=_score(state, side)),
            value_for(side, state.moment, state.value),
            tuple(_stakes(state.naming) if state.naming else _cards(state.moment, side))
            if state.naming is None or side == SLAVE
            else (),
        )
        for side in (EMPEROR, SLAVE)
    )


def _score(state: ECardPosition, side: str) -> int:
    return state.asked.score[0 if (side == EMPEROR) == state.moment.first_is_emperor else 1]


def worths(moment: Moment, side: str) -> dict[Pick, tuple[float, float]]:
    """What each card of a side comes to, if the other plays a Citizen and if it plays the special card."""
    emperor, slave, drawn = (
        value_for(side, moment, each) for each in (moment.if_emperor, moment.if_slave, moment.if_drawn)
    )
    return {CITIZEN: (drawn, emperor), side: (emperor, slave)}


def _cards(moment: Moment, side: str) -> Iterator[PickWorth]:
    """Both cards; in the fifth play there is only one."""
    ours, theirs = (moment.emperor, moment.slave) if side == EMPEROR else (moment.slave, moment.emperor)
    special, met = ours[0], float(theirs[0])
    if len(ours) == 1 and special == 1 and met == 1:  # E6: only the special card is left
        value = value_for(side, moment, moment.value)
        yield PickWorth(side, card_name(side), 1.0, share_text(special), value, 0.0, value)
        return
    values = {
        pick: (1 - met) * if_citizen + met * if_special
        for pick, (if_citizen, if_special) in worths(moment, side).items()
    }
    best = max(values.values())
    for pick in (side, CITIZEN):
        share = special if pick == side else 1 - special
        cost = best - values[pick]
        yield PickWorth(
            pick,
            card_name(pick),
            float(share),
            share_text(share),
            values[pick],
            cost if cost > _SURE else 0.0,
            min(worths(moment, side)[pick]),
        )


def _stakes(naming: Naming) -> Iterator[PickWorth]:
    """The stakes that the Slave side may name; the other side hears them, so that nothing is hidden."""
    values = {stake: value_for(SLAVE, naming, value) for stake, value in naming.values.items()}
    best = max(values.values())
    for stake, value in values.items():
        share = naming.stakes.get(stake, 0.0)
        cost = best - value
        name = message("stake.named", stake=stake)
        yield PickWorth(
            str(stake), name, float(share), share_text(share), value, cost if cost > _SURE else 0.0, value
        )


def _table(state: ECardPosition) -> MixTable:
    """How likely each side's special card is at this and each later play, if it is still held."""
    first = state.asked.play or 1
    moment = state.moment
    title = message("mixes.stake", stake=state.stake) if state.naming else message("mixes")
    return MixTable(
        title,
        tuple(message("play", number=first + later) for later in range(len(moment.emperor))),
        (
            (side_name(EMPEROR), tuple(map(share_text, moment.emperor))),
            (side_name(SLAVE), tuple(map(share_text, moment.slave))),
        ),
    )


def _sentences(state: ECardPosition, spot: Spot) -> Iterator[Text]:
    value, course = float(state.value), state.solution.course
    if value < _SURE or value > 1 - _SURE:
        ahead = (value > 0.5) == state.moment.first_is_emperor
        yield message("say.decided", side=side_name(EMPEROR if ahead else SLAVE))
    elif state.naming is None and course.plays(spot) > course.free(spot) and len(state.moment.emperor) == 1:
        yield message("say.forced")
    elif not (state.moment.unique if state.naming is None else state.naming.unique):
        yield message("say.several" if state.naming is None else "say.several.stake")
    yield message("say.purses" if course.named else "say.lead")
    yield message("say.exact" if state.solution.exact else "say.close")


# --- where to go -----------------------------------------------------------------------------------------


def _fields(solution: Solution, asked: AskedState, spot: Spot) -> Iterator[PositionField]:
    """Round, score, stake and play, each with positions that can occur."""
    course = solution.course
    last = max(each.round for each in solution.spots())
    rounds = tuple(
        Way(round_name(course, number), position_text(_near(solution, number, asked.score)))
        for number in range(1, last + 1)
    )
    shown = min(asked.round, last)
    yield PositionField("round", message("field.round"), rounds[shown - 1].label, rounds)
    scores = {each: score for each, score in _scores(course).items() if each.round == spot.round}
    scores[spot] = asked.score
    ways = tuple(
        Way(
            _score_text(score),
            position_text(_usual(solution, AskedState(asked.round if each == spot else spot.round, score))),
        )
        for each, score in sorted(scores.items())
    )
    yield PositionField("score", message("field.score"), _score_text(asked.score), ways)
    if course.naming(spot):
        unnamed = message("stake.unnamed")
        named = tuple(
            Way(
                message("stake.named", stake=stake),
                position_text(asked._replace(stake=stake, play=asked.play or 1)),
            )
            for stake in course.stakes(spot)
        )
        first = Way(unnamed, position_text(asked._replace(stake=None, play=None)))
        value = unnamed if asked.stake is None else named[asked.stake - 1].label
        yield PositionField("stake", message("field.stake"), value, (first, *named))
    if asked.play is not None:
        plays = tuple(
            Way(message("play", number=play), position_text(asked._replace(play=play)))
            for play in range(1, course.plays(spot) + 1)
        )
        yield PositionField("play", message("field.play"), plays[asked.play - 1].label, plays)


def _score_text(score: Score) -> str:
    return f"{score[0]} : {score[1]}"


def _near(solution: Solution, number: int, score: Score) -> AskedState:
    """The start of a round, with a score that is as near as can be."""
    lead = score[0] - score[1]
    here = {each.lead: found for each, found in _scores(solution.course).items() if each.round == number}
    nearest = min(here, key=lambda each: (abs(each - lead), abs(each)))
    return _usual(solution, AskedState(number, here[nearest]))


@lru_cache(maxsize=8)
def _scores(course: Course) -> Mapping[Spot, Score]:
    """For every start of a round a score that it can have: what follows depends on the lead alone."""
    equal = course.rules.purse if course.named else 0
    found: dict[Spot, Score] = {course.start: (equal, equal)}
    for here in spots(course):
        for spot in here:
            for stake in course.stakes(spot):
                for winner in (EMPEROR, SLAVE, None):
                    if winner is None and course.plays(spot) > course.free(spot):
                        continue
                    after = course.after(spot, stake, winner)
                    if isinstance(after, Spot) and after.round > spot.round:
                        score = _score_after(course, spot, found[spot], after)
                        found[after] = min(found.get(after, score), score, key=sum)
    return found


def _score_after(course: Course, spot: Spot, score: Score, after: Spot) -> Score:
    """The score once a round has moved the lead; the loser keeps what they have, unless purses pay."""
    if course.named:
        return course.purses(after)
    won = after.lead - spot.lead
    return (score[0] + won, score[1]) if won >= 0 else (score[0], score[1] - won)


def _ways(solution: Solution, asked: AskedState, spot: Spot, state: ECardPosition) -> Iterator[Way]:
    """What may come next; values are the Emperor side's of this round."""
    course, moment = solution.course, state.moment
    if state.naming is not None:
        for stake in state.naming.stakes:
            at = position_text(asked._replace(stake=stake, play=1))
            yield Way(message("way.stake", stake=stake), at, value_for(EMPEROR, moment, state.value))
        return
    play, stake = asked.play or 1, state.stake
    if play < course.plays(spot):
        at = position_text(asked._replace(play=play + 1))
        yield Way(message("way.citizens"), at, value_for(EMPEROR, moment, moment.if_drawn))
    elif course.plays(spot) == course.free(spot):
        yield _after(
            solution, asked, spot, course.after(spot, stake, None), "way.nobody", moment.if_drawn, moment
        )
    if course.free(spot) >= play:
        after = course.after(spot, stake, EMPEROR)
        yield _after(solution, asked, spot, after, "way.emperor", moment.if_emperor, moment)
    after = course.after(spot, stake, SLAVE)
    yield _after(solution, asked, spot, after, "way.slave", moment.if_slave, moment)


def _after(
    solution: Solution, asked: AskedState, spot: Spot, then: Next, key: str, value: Share, moment: Moment
) -> Way:
    label = message(key)
    worth = value_for(EMPEROR, moment, value)
    if isinstance(then, FinalResult):
        return Way(message("way.ends", way=label), "", worth)
    if then.round < spot.round:  # E12: each pair of extra rounds is like the first
        next_start = AskedState(then.round, _scores(solution.course)[then])
    else:
        next_start = AskedState(asked.round + 1, _score_after(solution.course, spot, asked.score, then))
    return Way(label, position_text(_usual(solution, next_start)), worth)


# --- habits ----------------------------------------------------------------------------------------------


_SIDES: Final = {"emperor": EMPEROR, "slave": SLAVE}
habits: Final[tuple[Option, ...]] = (
    Choice("side", message("habit.side"), message("habit.side.help"), "E1", tuple(_SIDES)),
    Numbers("chances", message("habit.chances"), message("habit.chances.help"), "E5", 1, DECIDED - 1),
)


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

    def behaviour(self, solution: Solution) -> Behaviour:
        """Play that has the habit, and is perfect otherwise."""
        stated = {(self.side, at): Fraction(chance, 100) for at, chance in enumerate(self.chances)}
        return Habitual(solution, stated)

    @property
    def answering(self) -> str:
        """The side that answers it."""
        return EMPEROR if self.side == SLAVE else SLAVE

    @property
    def text(self) -> str:
        side = next(name for name, side in _SIDES.items() if side == self.side)
        return f"side={side},chances={':'.join(map(str, self.chances))}"


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


def answer_to(solution: Solution, asked: AskedState, state: ECardPosition, habit: StatedHabit) -> HabitAnswer:
    """The best answer of the other side, if the habit is kept to the end of the game."""
    ours = habit.answering
    first = (ours == EMPEROR) == state.moment.first_is_emperor
    values = best_responses(solution.rules, habit.behaviour(solution), "first" if first else "other")
    usual = float(state.value) if first else 1 - float(state.value)
    spot = solution.spot(asked.round, asked.score)
    if state.naming is not None:
        return _at_naming(solution, habit, spot, values, usual)
    worth, value = _at_play(solution, habit, spot, state.stake, asked.play or 1, values)
    best = [pick for pick, each in worth.items() if value - each < EVEN]
    now = card_name(best[0]) if len(best) == 1 else message("answer.either")
    key = "answer.now" if len(worth) > 1 else "answer.only"
    return HabitAnswer(
        (*_about(habit, value, usual), message(key, card=now)),
        side_name(ours),
        value,
        usual,
        tuple(_worth(pick, card_name(pick), each, value) for pick, each in worth.items()),
    )


def _about(habit: StatedHabit, value: float, usual: float) -> tuple[Text, ...]:
    side = side_name(habit.answering)
    gain = message("answer.gain", side=side, value=percent(value), usual=percent(usual))
    if value - usual < EVEN:
        gain = message("answer.no_gain", side=side, usual=percent(usual))
    return (
        message(f"answer.habit.{habit.side}", chances=", ".join(f"{chance} %" for chance in habit.chances)),
        gain,
    )


def _worth(pick: Pick, name: Text, value: float, best: float) -> PickWorth:
    cost = best - value
    is_best = cost < EVEN
    return PickWorth(pick, name, float(is_best), "", value, 0.0 if is_best else cost, value)


def _at_play(
    solution: Solution, habit: StatedHabit, spot: Spot, stake: int, play: int, values: Mapping[Next, float]
) -> tuple[dict[Pick, float], float]:
    """What each card is worth in this play against the habit, the best one being played from then on."""
    course = solution.course
    emperor, slave = (values[course.after(spot, stake, side)] for side in (EMPEROR, SLAVE))
    ahead = values[course.after_draw(spot, stake)]
    worth: dict[Pick, float] = {habit.answering: ahead}
    chances = [float(each) for each in habit.behaviour(solution).special(spot, stake, habit.side)]
    for place in reversed(range(play - 1, course.free(spot))):
        chance = chances[place]
        now = chance * slave + (1 - chance) * emperor
        later = chance * emperor + (1 - chance) * ahead
        worth = {habit.answering: now, CITIZEN: later}
        ahead = max(now, later)
    return worth, ahead


def _at_naming(
    solution: Solution, habit: StatedHabit, spot: Spot, values: Mapping[Next, float], usual: float
) -> HabitAnswer:
    """Before the stake is named: by the one who answers the habit, or by the one who has it."""
    side = side_name(habit.answering)
    worth = {
        stake: _at_play(solution, habit, spot, stake, 1, values)[1] for stake in solution.course.stakes(spot)
    }
    if habit.answering == EMPEROR:
        value = sum(float(chance) * worth[stake] for stake, chance in solution.stakes(spot).items())
        return HabitAnswer(_about(habit, value, usual), side, value, usual, ())
    value = max(worth.values())
    best = [stake for stake, each in worth.items() if value - each < EVEN]
    say = message("answer.stake", stakes=one_of([str(stake) for stake in best]))
    picks = tuple(
        _worth(str(stake), message("stake.named", stake=stake), each, value) for stake, each in worth.items()
    )
    return HabitAnswer((*_about(habit, value, usual), say), side, value, usual, picks)
