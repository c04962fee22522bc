"""The broken sisters of `Highest`: each breaks one sentence of the contract."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.events import Event, public
from facedown.core.game import RESIGN, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.rules import Number, Option
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Encoding
from tests.leaky.honest import DECK, Highest, HighestRules, HighestView, State


class UsesGlobalRandom(Highest):
    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        return Step(step.state._replace(score=(random.randrange(9),) * seats), step.events)


_shuffle = random.shuffle


class UsesRandomByAnotherName(Highest):
    """The function was imported before it could be forbidden; its stream differs every time."""

    def told_hand(self, seat: Seat, hand: tuple[str, ...]) -> Event:
        cards = list(hand + DECK)
        _shuffle(cards)
        return public("hand", (), cards=tuple(cards))


class CountsItsGames(Highest):
    """What happens depends on how often the game was played in this process."""

    games = itertools.count()

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        return Step(step.state._replace(score=(next(self.games),) * seats), step.events)


class WritesIntoTheState(Highest):
    """One list for all states of a game: what happens later changes what was before."""

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        return Step(step.state._replace(history=cast(Any, [])), step.events)

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        history = cast("list[Joint]", state.history)
        step = super().resolve(state, joint, chance)
        history.append(joint)
        return Step(step.state._replace(history=cast(Any, history)), step.events)


class ActsWhenAsked(Highest):
    """Asking what is legal changes the views."""

    asked = 0

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        self.asked += 1
        return super().legal(state, seat)

    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), counts=(self.asked,))


class ChangesWhenSeen(Highest):
    """No two looks at the table are alike."""

    looks = 0

    def view(self, state: State, viewer: Viewer) -> HighestView:
        self.looks += 1
        return replace(super().view(state, viewer), counts=(self.looks,))


class HidesItsChance(Highest):
    """Says that nothing is drawn after the set-up, and draws."""

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        chance.draw(("heads", "tails"))
        return super().resolve(state, joint, chance)


class HidesItsHands(Highest):
    """Declares that everything is open, and shows some things to one seat only."""

    meta: ClassVar[Meta] = replace(Highest.meta, hidden_hands=False)


class LeavesNothingToPick(Highest):
    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return super().legal(state, seat) if seat == 1 else ()


class ListsAPickTwice(Highest):
    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return super().legal(state, seat) * 2


class ListsResigning(Highest):
    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return (*super().legal(state, seat), RESIGN)


class ReadsItsPicksDifferently(Highest):
    def read_pick(self, text: str) -> Pick:
        return f"card {text}"


class AsksASeatTwice(Highest):
    def pending(self, state: State) -> Waves:
        return super().pending(state) * 2


class AsksNobodyFirst(Highest):
    def pending(self, state: State) -> Waves:
        waves = super().pending(state)
        return ((), *waves) if waves else ()


class AsksAStranger(Highest):
    def pending(self, state: State) -> Waves:
        waves = super().pending(state)
        return (*waves, (9,)) if waves else ()

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return ("1",) if seat == 9 else super().legal(state, seat)


class CrashesOnNonsense(Highest):
    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        return IllegalPick(f"{DECK.index(pick)} is not yours")


class RefusesInManyWords(Highest):
    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        return IllegalPick("not yours\nand not nice")


class TakesAnything(Highest):
    """Any text is a legal pick, even a card that is not in the hand."""

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return (*super().legal(state, seat), "?") if seat in state.standing else ()


class NeverEnds(Highest):
    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        return Step(state._replace(score=(state.score[0] + 1, *state.score[1:])), ())


class AsksAfterTheEnd(Highest):
    def pending(self, state: State) -> Waves:
        return (state.standing,)


class PaysFromNowhere(Highest):
    def result(self, state: State, winner: Seat | None, why: str) -> Outcome:
        return replace(super().result(state, winner, why), payoffs=(1,) * len(state.hands))


class PaysTooFew(Highest):
    def result(self, state: State, winner: Seat | None, why: str) -> Outcome:
        return replace(super().result(state, winner, why), payoffs=())


class ChoosesAStranger(Highest):
    def result(self, state: State, winner: Seat | None, why: str) -> Outcome:
        return replace(super().result(state, winner, why), winner=8)


class EndsInWordsItNeverNamed(Highest):
    def result(self, state: State, winner: Seat | None, why: str) -> Outcome:
        return replace(super().result(state, winner, why), termination="because")


class SaysWhoeverIsWaiting(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), waiting=())


class StaysAfterResigning(Highest):
    def resign(self, state: State, seat: Seat) -> Step[State]:
        step = super().resign(state, seat)
        return Step(step.state._replace(standing=state.standing, outcome=None), step.events)


class StandsAfterTheEnd(Highest):
    def standing(self, state: State) -> tuple[Seat, ...]:
        return state.standing


class ForgetsWhatItSaw(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), history=(), score=(), dealt=())


class ForgetsItsPicks(Highest):
    """Knows which cards are gone from the hand, but not in which order they went."""

    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), history=())


class RemembersInItself(Highest):
    """Plays a record of its own game differently: it counts the decisions it has ever resolved."""

    resolved = 0

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        self.resolved += 1
        step = super().resolve(state, joint, chance)
        return Step(step.state._replace(seed=str(self.resolved)), step.events)


class MumblingRules(HighestRules):
    options: ClassVar[tuple[Option, ...]] = (
        Number("cards", "Cards", "", "T1", 1, 3),
        *HighestRules.options[1:],
    )


class MumblesItsRules(Highest):
    rules = MumblingRules


class TwiceTheRules(Highest):
    class Twice(HighestRules):
        options: ClassVar[tuple[Option, ...]] = HighestRules.options + HighestRules.options[:1]

    rules = Twice


class StammeringRules(HighestRules):
    def __str__(self) -> str:
        return f"{self.preset}(cards={self.cards})"


class StammersItsRules(Highest):
    rules = StammeringRules


class SeatsForNobody(Highest):
    """Is played with any number of seats, even with none."""

    meta: ClassVar[Meta] = replace(Highest.meta, least_seats=0)


class NamesNoPicks(Highest):
    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return Game.picks(self, rules, seats)


class OffersAPickItDoesNotName(Highest):
    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return DECK[1:]


class NamesAPickTwice(Highest):
    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return (*DECK, DECK[0])


class NamesResigning(Highest):
    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return (*DECK, RESIGN)


class EncodesTooLittle(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return super().encode(view)[1:]


class EncodesNothingAtAll(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return Game.encode(self, view)


class EncodesNoNumber(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return [float("nan"), *super().encode(view)[1:]]


class EncodesTooMuch(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return [each * 52 for each in super().encode(view)]


class CallsTwoEntriesTheSame(Highest):
    def encoding(self, rules: HighestRules, seats: int) -> Encoding | None:
        return Encoding(("holds",) * len(DECK))
