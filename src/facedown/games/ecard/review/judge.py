"""The exact judge of a game of E-Card: chances, what picks cost, and what a reader of them could have known.

Owns the judge. The habits of a seat are found in `habits`; their words are those of `facedown.review`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from facedown.core.chance import Scripted
from facedown.core.game import FORFEIT, RESIGN, Joint, Pick
from facedown.core.parts.judge import (
    Appraisal,
    BeingRead,
    Chances,
    Foretold,
    Judged,
    JudgedRound,
    Pattern,
    ReaderReport,
)
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.text.translation import Message, Text, sentences
from facedown.games.ecard import message
from facedown.games.ecard.bots import reading as bots
from facedown.games.ecard.bots.worth import EVEN, Place, RoundWorth, best_answer, place_of, start_of
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.review.being_read import CardPlayed, ReadingOpponent
from facedown.games.ecard.review.habits import CountedAt, SpecialCardHabits
from facedown.games.ecard.rules import DECIDED
from facedown.games.ecard.shown import ECardRound
from facedown.games.ecard.solve.best_response import Habitual, best_response
from facedown.games.ecard.solve.course import Course, FinalResult, Next, Spot
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.study.train import position_of

_SOME_ROUNDS: Final = 3
"""A card that was kept back in fewer rounds is not worth a sentence."""
_MANY_TIMES: Final = 100
"""What fits better than this many times is said without a number."""


def judge(turns: Sequence[ReplayedTurn], seat: Seat) -> Judged:
    """What the exact solution says about this seat's play."""
    judge = _Judge(seat)
    for number, turn in enumerate(turns, 1):
        judge.see(number, turn)
    habits = judge.habits
    pattern = _pattern(judge)
    read = judge.opponent.finding() if pattern is not None or _always_kept_back(judge) else None
    return Judged(
        judge=message("judge.who"),
        adviser=message("judge.adviser"),
        chances=tuple(judge.chances if read is None else _with_reading(judge.chances, judge.opponent)),
        appraisals=tuple(judge.appraisals),
        reading=ReaderReport(message("judge.reader"), message("judge.dice"), tuple(judge.foretold)),
        rounds=_rounds(turns, seat),
        timing=habits.timing(),
        exposure=habits.exposure(),
        habit=_habit_in_words(judge, pattern, read) if habits.shown else None,
        pattern=pattern,
        being_read=read,
    )


def _with_reading(chances: Sequence[Chances], opponent: ReadingOpponent) -> Iterator[Chances]:
    """The chances, with losses from being read separated from luck."""
    shares = opponent.shares()
    for each in chances:
        read = shares.get(each.decision, 0.0)
        yield each._replace(luck=each.luck - read, read=read)


def _pattern(judge: _Judge) -> Pattern | None:
    """The habit that stands out, with what it comes to against an opponent who knows it."""
    found = judge.habits.striking()
    if found is None:
        return None
    return replace(judge.habits.describe(found), known=_if_known(judge, found.where))


def _if_known(judge: _Judge, where: CountedAt) -> Message:
    """How often the seat wins with its habit, and otherwise perfect play, against the best answer to both."""
    assert judge.start is not None, "a habit has rounds"
    rules, _, first = judge.start
    habitual = Habitual(solve(rules), judge.habits.policy(where))
    chance = 1 - best_response(rules, habitual, "other" if first else "first")
    return message("habit.known", share=100 * chance, usual=100 * judge.start.value)


def _habit_in_words(judge: _Judge, pattern: Pattern | None, read: BeingRead | None) -> Text:
    """The habit, how sure so few rounds are of it, and whether this opponent made use of it."""
    if pattern is not None:
        slots = {"low": 100 * pattern.low, "high": 100 * pattern.high, "usual": 100 * pattern.usual}
        habit, known = message("habit", pattern=pattern.say, **slots), pattern.known
    elif _always_kept_back(judge):
        chance, rounds = judge.habits.kept_back(), len(judge.habits.rounds())
        habit, known = (
            message("habit.never", chance=100 * (chance or 0.0), count=rounds),
            _if_known(judge, (None, None)),
        )
    else:
        return message("habit.none")
    used = message("habit.used", times=_as_many_times(read.fits)) if read else message("habit.unused")
    return sentences([habit, used, *([known] if known else [])])


def _always_kept_back(judge: _Judge) -> bool:
    """Whether the special card never came: plain to see, even if chance may explain it."""
    return judge.habits.kept_back() is not None and len(judge.habits.rounds()) >= _SOME_ROUNDS


def _as_many_times(factor: float) -> Message:
    return message("habit.times.many") if factor >= _MANY_TIMES else message("habit.times", times=factor)


_NO_CARDS: Final = (RESIGN, FORFEIT)
"""Picks in place of a card or a stake."""


class _Judge:
    """Goes through a game once, and reads both seats on the way as each could have read the other."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.other: Seat = 3 - seat
        self.chances: list[Chances] = []
        self.appraisals: list[Appraisal] = []
        self.foretold: list[Foretold] = []
        self.habits = SpecialCardHabits()
        self.opponent = ReadingOpponent()
        self.start: Place | None = None
        self._read = {1: bots.OpponentReading(), 2: bots.OpponentReading()}

    def see(self, number: int, turn: ReplayedTurn) -> None:
        before, after = turn.before, turn.step.state
        self.start = self.start or start_of(GAME.view(before, self.seat))
        place = _place_in_words(before, turn.joint)
        mine, theirs = turn.joint[self.seat - 1], turn.joint[self.other - 1]
        cost = gift = 0.0
        if mine is not None:
            cost = _given_away(before, self.seat, mine)
            missed = None if mine in _NO_CARDS else self._loss(before, mine)
            advice = {} if mine in _NO_CARDS else _advice(before, self.seat)
            forced = len(GAME.legal(before, self.seat)) == 1
            decided = "" if mine in _NO_CARDS else _verdict(before, self.seat)
            if decided in ("decided", "lost"):  # every pick is as good as any other
                advice = {}
            self.appraisals.append(
                Appraisal(number, place, mine, advice, cost, missed, forced=forced, decided=decided)
            )
        if theirs is not None:
            gift = _given_away(before, self.other, theirs)
        value, then = _value(before, self.seat), _value(after, self.seat)
        self.chances.append(
            Chances(number, place, value, then, gift, luck=then - value + cost - gift, at=position_of(before))
        )
        if mine in CARD_NAMES:
            self._foretell(number, before, mine != CITIZEN, theirs in CARD_NAMES and theirs != CITIZEN)
        for finished in after.rounds[len(before.rounds) :]:
            for seat, reading in self._read.items():
                reading.see(bots.OpponentRound.of(seat, *finished[:4]))

    def _loss(self, before: ECardState, pick: Pick) -> float:
        """What the best answer would have gained on the pick, if the other plays as they can be read."""
        side = _side(before, self.other)
        read = _worths(before, self.seat, lambda worth: self._read[self.other].chances(side, worth.theirs))
        return max(read.values()) - read[pick]

    def _foretell(self, number: int, before: ECardState, special: bool, met: bool) -> None:
        """What a reader of this seat's earlier rounds would have said to the card that now comes."""
        if before.play == DECIDED:
            self.habits.time(before.play - 1, special, 1.0)
            return
        worth, at, side = _round_worth(before, self.seat), before.play - 1, _side(before, self.seat)
        usual = worth.ours
        matters = has_to_mix(worth)
        self.habits.time(at, special, usual[at])
        expected = self._read[self.seat].chances(side, usual)
        card = CardPlayed(number, before.round, side, at, special, met, worth if matters else None)
        self.opponent.add(card, expected)
        if not matters:
            self.habits.add_idle(before.round, side, special)
            return
        chances = (expected[at], usual[at]) if special else (1 - expected[at], 1 - usual[at])
        self.foretold.append(Foretold(before.round, *chances))
        self.habits.add(before.round, (side, before.last_play == DECIDED), usual, special)


# --- what things are worth -------------------------------------------------------------------------------


def _value(state: ECardState, seat: Seat) -> float:
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.5 if winner is None else float(winner == seat)
    if state.stake is None:
        return _place(state, seat).value
    return _round_worth(state, seat).before[state.play - 1]


def _given_away(before: ECardState, seat: Seat, pick: Pick) -> float:
    """What a seat's pick costs it against an opponent who plays the equilibrium."""
    if pick == RESIGN:
        return _value(before, seat)
    if pick == FORFEIT:  # the other seat's card does not matter
        others = [GAME.legal(before, each) for each in (1, 2)]
        joint = tuple(FORFEIT if each == seat else next(iter(others[each - 1]), None) for each in (1, 2))
        return _value(before, seat) - _value(GAME.forfeit(before, joint, Scripted(())).state, seat)
    worths = _worths(before, seat, lambda worth: worth.theirs)
    return max(worths.values()) - worths[pick]


def _worths(
    before: ECardState, seat: Seat, expected: Callable[[RoundWorth], Sequence[float]]
) -> dict[Pick, float]:
    """What each pick is worth to the seat, if the other's special card comes as expected and it answers well.

    From the next round on both play the equilibrium.
    """
    legal = GAME.legal(before, seat)
    if before.stake is None:
        rounds = {pick: _place(before, seat).round_at(int(pick)) for pick in legal}
        return {pick: best_answer(worth, expected(worth)).value for pick, worth in rounds.items()}
    if len(legal) == 1:
        return {legal[0]: 0.0}
    worth, at = _round_worth(before, seat), before.play - 1
    chances = expected(worth)
    rest = replace(
        worth, before=worth.before[at + 1 :], ours=worth.ours[at + 1 :], theirs=worth.theirs[at + 1 :]
    )
    ahead = best_answer(rest, chances[at + 1 :]).value
    citizen = chances[at] * worth.emperor + (1 - chances[at]) * ahead
    special = chances[at] * worth.slave + (1 - chances[at]) * worth.emperor
    return {pick: citizen if pick == CITIZEN else special for pick in legal}


def _advice(before: ECardState, seat: Seat) -> dict[Pick, float]:
    """How likely each pick is in equilibrium."""
    if before.stake is None:
        return {str(stake): chance for stake, chance in _place(before, seat).stakes().items()}
    legal = GAME.legal(before, seat)
    if len(legal) == 1:
        return {legal[0]: 1.0}
    special = _round_worth(before, seat).ours[before.play - 1]
    return {pick: 1 - special if pick == CITIZEN else special for pick in legal}


def has_to_mix(worth: RoundWorth) -> bool:
    """Whether neither side may be predictable in a round: else one card is good whatever comes."""
    win, draw = worth.emperor - worth.slave, worth.emperor - worth.before[-1]
    return min(win, draw) > EVEN or max(win, draw) < -EVEN


def _verdict(before: ECardState, seat: Seat) -> str:
    """Whether the game is decided, or lost or won with best play; empty if it is open."""
    value = _value(before, seat)
    if EVEN < value < 1 - EVEN:
        return ""
    return "decided" if _has_one_result(before, seat) else "lost" if value < 0.5 else "won"


def _has_one_result(before: ECardState, seat: Seat) -> bool:
    """Whether nothing that anybody plays, well or badly, can change the result of the game any more."""
    place = _place(before, seat)
    course = Course(place.rules)
    stakes = course.stakes(place.spot) if before.stake is None else [before.stake]
    ahead = {each for stake in stakes for each in _after_round(course, place.spot, stake)}
    seen: set[Next] = set()
    while ahead:
        seen |= ahead
        if len(seen.intersection(FinalResult)) > 1:
            return False
        named = [(spot, stake) for spot in ahead if isinstance(spot, Spot) for stake in course.stakes(spot)]
        ahead = {end for spot, stake in named for end in _after_round(course, spot, stake)} - seen
    return True


def _after_round(course: Course, spot: Spot, stake: int) -> tuple[Next, ...]:
    return (
        course.after(spot, stake, EMPEROR),
        course.after(spot, stake, SLAVE),
        course.after_draw(spot, stake),
    )


def _place(state: ECardState, seat: Seat) -> Place:
    return place_of(GAME.view(state, seat))


def _round_worth(state: ECardState, seat: Seat) -> RoundWorth:
    assert state.stake is not None, "the stake is named before a card is placed"
    return _place(state, seat).round_at(state.stake)


# --- where things are ------------------------------------------------------------------------------------


def _side(state: ECardState, seat: Seat) -> str:
    return EMPEROR if state.emperor == seat else SLAVE


def _round_in_words(state: ECardState) -> Message:
    if state.extra:
        return message("place.extra", number=state.round - state.rules.rounds)
    return message("place.round", number=state.round)


def _place_in_words(state: ECardState, joint: Joint) -> Message:
    where = _round_in_words(state)
    if RESIGN in joint:
        return message("place.resignation", round=where)
    if state.stake is None:
        return message("place.stake", round=where)
    return message("place.play", round=where, number=state.play)


def _rounds(turns: Sequence[ReplayedTurn], seat: Seat) -> tuple[JudgedRound, ...]:
    """The rounds as they ended for this seat; the last one may not have."""
    rounds = []
    decisions = 0
    for turn in turns:
        decisions += 1
        before, after = turn.before, turn.step.state
        if len(after.rounds) > len(before.rounds):
            rounds.append(_round(before, decisions, after.rounds[-1], seat))
            decisions = 0
    if decisions:
        before, joint = turns[-1].before, turns[-1].joint
        given_up = RESIGN in joint
        won = joint[seat - 1] != RESIGN if given_up else None
        result = message("round.result.resigned" if given_up else "round.result.unfinished")
        rounds.append(JudgedRound(_label(before), decisions, None, None, won, result))
    return tuple(rounds)


def _round(before: ECardState, decisions: int, finished: ECardRound, seat: Seat) -> JudgedRound:
    ours, theirs = finished.cards[seat - 1], finished.cards[2 - seat]
    if finished.winner is None:
        return JudgedRound(_label(before), decisions, ours, theirs, None, message("round.result.nobody"))
    return JudgedRound(_label(before), decisions, ours, theirs, finished.winner == seat, f"+{finished.paid}")


def _label(state: ECardState) -> Text:
    if state.extra:
        return message("round.label.extra", number=state.round - state.rules.rounds)
    return str(state.round)
