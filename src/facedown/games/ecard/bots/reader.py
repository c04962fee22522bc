"""The machine that reads its opponent: it predicts from what they did, and plays the best answer to that.

Owns how a game is followed, round by round. Must not know anything that the view and the notes do not say.
"""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from facedown.core.game import Pick
from facedown.core.parts.bot import Expectation, Level, Memory
from facedown.core.text.translation import Text
from facedown.core.views import Plain
from facedown.games.ecard import message
from facedown.games.ecard.bots.plain import Machine, PickMix, cards_mix, stakes_mix
from facedown.games.ecard.bots.reading import Note, OpponentReading, OpponentRound, bits, notes_of, write_note
from facedown.games.ecard.bots.worth import (
    EVEN,
    BestReply,
    Place,
    RoundWorth,
    best_answer,
    bet,
    blend,
    opening,
    start_of,
    times_of,
    winning_side,
)
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.view import ECardView

SURE: Final = 0.05
"""The advantage, as a share of what is at stake, with which it always plays its answer. With less it does so
in some rounds, and plays the equilibrium in the others: who has seen little should not be easy to read."""


class RoundPlan(NamedTuple):
    """What to do in a round: a chance for each play with a choice, if the card is still held then."""

    expected: tuple[float, ...]
    """Of the opponent's special card."""
    special: tuple[float, ...]
    """Of one's own."""


class Reader(Machine):
    """Predicts the opponent, and plays the best answer to the prediction."""

    name: ClassVar[str] = "reader"
    says: ClassVar[Text] = message("bot.reader.says")
    level: ClassVar[Level] = "hard"
    sure: ClassVar[float] = SURE

    _place: Place
    _plans: dict[int, RoundPlan]
    """Those of this round, by stake."""
    _bits: float
    _reading: OpponentReading

    def __init__(self, memory: Memory | None = None) -> None:
        super().__init__(memory)
        self._game: tuple[object, ...] = ()
        self._followed: tuple[object, ...] = ()

    def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
        self._follow(view)
        side = SLAVE if view.emperor == view.viewer else EMPEROR
        if view.stake is None:
            return stakes_mix(legal, self._stakes(side, legal))
        if len(legal) == 1:
            return {legal[0]: 1.0}
        return cards_mix(legal, self._plan_of(side, view.stake).special[view.play - 1])

    def note(self, view: ECardView) -> Plain:
        self._follow(view)
        return write_note(view, self._bits)

    def explain(self, view: ECardView, legal: tuple[Pick, ...]) -> Expectation | None:
        """How likely the opponent's special card seemed, what they had shown, and what was made of it."""
        if view.stake is None or len(legal) == 1:
            return None
        self._follow(view)
        side = SLAVE if view.emperor == view.viewer else EMPEROR
        plan, place, worth = self._plan_of(side, view.stake), view.play - 1, self._place.round_at(view.stake)
        if worth.at_stake < EVEN:  # nothing hangs on this round any more
            return None
        usual = worth.theirs[place]
        own = EMPEROR if side == SLAVE else SLAVE
        return Expectation(
            side,
            plan.expected[place],
            usual,
            (
                message(f"expects.{side}", chance=_percent(plan.expected[place]), usual=_percent(usual)),
                because(self._reading, side, view.play),
                message(f"expects.so.{own}", chance=_percent(plan.special[place])),
                *self._besides(side, view.stake),
            ),
        )

    def _besides(self, side: str, stake: int) -> tuple[Text, ...]:
        """What else moved it, in sentences."""
        return ()

    # --- following a game ----------------------------------------------------------------------------

    def _follow(self, view: ECardView) -> None:
        """Take in the rounds that are new in this view; all of them where it is not of the game followed."""
        game = (view.rules, view.viewer, opening(view), tuple(self.memory))
        if game != self._game or view.rounds[: len(self._followed)] != self._followed:
            self._game, self._followed = game, ()
            self._start(view, notes_of(self.memory, view.rules))
        for each in view.rounds[len(self._followed) :]:
            seen = OpponentRound.of(3 - view.viewer, each.emperor, each.plays, each.cards, each.winner)
            self._finish(seen, each.stake)
            self._place = self._place.after(each.stake, winning_side(each.emperor, each.winner))
            self._plans.clear()
        self._followed = view.rounds

    def _start(self, view: ECardView, notes: list[Note]) -> None:
        self._place = start_of(view)
        self._plans = {}
        self._bits = 0.0
        self._reading = OpponentReading()
        for note in notes:
            self._reading.remember(note)

    def _finish(self, seen: OpponentRound, stake: int) -> None:
        usual = self._place.round_at(stake).theirs
        self._bits += bits(seen, self._plan_of(seen.side, stake).expected, usual)
        self._reading.see(seen)

    # --- what to do; `side` is always the opponent's -------------------------------------------------

    def _plan_of(self, side: str, stake: int) -> RoundPlan:
        plan = self._plans.get(stake)
        if plan is None:
            plan = self._plans[stake] = self._plan(side, stake)
        return plan

    def _plan(self, side: str, stake: int) -> RoundPlan:
        worth = self._place.round_at(stake)
        expected = self._prediction(side, worth)
        answer = best_answer(worth, expected)
        return RoundPlan(expected, blend(worth, answer.special, sureness(worth, answer, self.sure)))

    def _prediction(self, side: str, worth: RoundWorth) -> tuple[float, ...]:
        """How likely the opponent's special card is at each play of the round, if it is still held."""
        return self._reading.chances(side, worth.theirs)

    def _stakes(self, side: str, legal: tuple[Pick, ...]) -> dict[int, float]:
        """How likely each stake is: all alike that are best if the prediction is right."""
        values = {int(pick): self._value(side, int(pick)) for pick in legal}
        most = max(values.values())
        best = [stake for stake, value in values.items() if most - value < EVEN]
        return dict.fromkeys(best, 1.0 / len(best))

    def _value(self, side: str, stake: int) -> float:
        worth = self._place.round_at(stake)
        return best_answer(worth, self._prediction(side, worth)).value


def because(reading: OpponentReading, side: str, play: int) -> Text:
    """What a prediction goes by, in a sentence: the narrowest counts that there are."""
    counts = reading.narrowest(side, play)
    if counts is None:
        return message("expects.unknown")
    width, shown, count = counts
    return message(f"expects.because.{width}", shown=shown, count=count)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def sureness(worth: RoundWorth, answer: BestReply, sure: float = SURE) -> float:
    """In which part of all rounds to play the answer."""
    advantage = answer.value - worth.before[0]
    if advantage < EVEN:
        return 0.0
    return min(1.0, advantage / (sure * worth.at_stake))


# --- sage ------------------------------------------------------------------------------------------------


OUTLAY: Final = 0.003
"""What it lays out itself, as a chance to win the game."""

READABLE: Final = 2000
"""How many millibits have to be foretold in the games remembered for an outlay."""


class Sage(Reader):
    """Predicts like the reader, and strays from the equilibrium only as far as the bank pays for it.

    After each play the bank grows by what one's mix was worth against the card that the opponent has shown,
    less what the play was worth before: by what they gave away, luck left out. (This is "risk what you have
    won in expectation", from Ganzfried and Sandholm, Safe opponent exploitation.) No mix is chosen with which
    the bank could fall below nothing, whichever card is shown. So the game is always worth at least its value
    less the bank: what a play brings on average and what it adds to the bank are the same.

    What is never right fills the bank: cards where the score makes one side's choice clear, as in `classic`,
    and stakes badly named. But where every round is decided and counts, as in `decisive`, the equilibrium
    makes every card as good as any other: no opponent ever gives anything away against it, and a bot
    that risks nothing could play nothing else. So against an opponent who was readable in the
    games remembered, there is a small outlay in the bank at the start.
    """

    says: ClassVar[Text] = message("bot.sage.says")
    level: ClassVar[Level] = "hard"
    outlay: ClassVar[float] = OUTLAY

    _bank: float

    def _start(self, view: ECardView, notes: list[Note]) -> None:
        """A game starts: with an outlay against a readable opponent."""
        super()._start(view, notes)
        self._bank = self.outlay if sum(note["millibits"] for note in notes) >= READABLE else 0.0

    def _finish(self, seen: OpponentRound, stake: int) -> None:
        worth = self._place.round_at(stake)
        special = self._plan_of(seen.side, stake).special
        bank = self._bank_at(seen.side, stake)
        for play in seen.choices:
            if_shown, if_not = worth.shares_if_met(play - 1, special[play - 1])
            bank += (if_shown if seen.showed_special(play) else if_not) - worth.before[play - 1]
        super()._finish(seen, stake)
        self._bank = max(0.0, bank)

    def _bank_at(self, side: str, stake: int) -> float:
        """The bank once the stake is named: if they have named a bad one, that is a gift too."""
        if side != SLAVE:
            return self._bank
        return self._bank + max(0.0, self._place.round_at(stake).before[0] - self._place.value)

    def _plan(self, side: str, stake: int) -> RoundPlan:
        """What the bank can pay for in each play, after plays in which they have shown Citizens."""
        worth = self._place.round_at(stake)
        expected = self._prediction(side, worth)
        times = times_of(expected)
        bank = self._bank_at(side, stake)
        special: list[float] = []
        for place in range(worth.choices):
            chance = bet(worth, place, times[place:], max(0.0, bank))
            special.append(chance)
            bank += worth.shares_if_met(place, chance)[1] - worth.before[place]
        return RoundPlan(expected, tuple(special))

    def _besides(self, side: str, stake: int) -> tuple[Text, ...]:
        bank = self._bank_at(side, stake)
        if bank < EVEN:
            return (message("expects.bank.empty"),)
        return (message("expects.bank", bank=f"{100 * bank:.1f}"),)

    def _stakes(self, side: str, legal: tuple[Pick, ...]) -> dict[int, float]:
        """The solution's: no bet is placed on a stake."""
        return self._place.stakes()
