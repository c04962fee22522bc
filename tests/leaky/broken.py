"""The broken sisters of `Highest`: each breaks one sentence of the contract."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick
from facedown.core.game import Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.seats import Seat, Viewer
from tests.leaky.honest import DECK, Highest, HighestRules, HighestView, State


class UsesGlobalRandom(Highest):
    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        step = super().setup(rules, seats, chance)
        return Step(step.state._replace(score=(random.randrange(9),) * seats), step.events)


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


class ReadsItsPicksDifferently(Highest):
    def read_pick(self, text: str) -> Pick:
        return f"card {text}"


class AsksAStranger(Highest):
    def pending(self, state: State) -> Waves:
        waves = super().pending(state)
        return (*waves, (9,)) if waves else ()

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return ("1",) if seat == 9 else super().legal(state, seat)


class CrashesOnNonsense(Highest):
    def refusal(self, state: State, seat: Seat, pick: Pick) -> IllegalPick:
        return IllegalPick(f"{DECK.index(pick)} is not yours")


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


class SaysWhoeverIsWaiting(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), waiting=())


class StaysAfterResigning(Highest):
    def resign(self, state: State, seat: Seat) -> Step[State]:
        step = super().resign(state, seat)
        return Step(step.state._replace(standing=state.standing, outcome=None), step.events)


class ForgetsWhatItSaw(Highest):
    def view(self, state: State, viewer: Viewer) -> HighestView:
        return replace(super().view(state, viewer), history=(), score=(), dealt=())


class RemembersInItself(Highest):
    """Plays a record of its own game differently: it counts the decisions it has ever resolved."""

    resolved = 0

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        self.resolved += 1
        step = super().resolve(state, joint, chance)
        return Step(step.state._replace(seed=str(self.resolved)), step.events)


class StammeringRules(HighestRules):
    def __str__(self) -> str:
        return f"{self.preset}(cards={self.cards})"


class StammersItsRules(Highest):
    rules = StammeringRules


class SeatsForNobody(Highest):
    """Is played with any number of seats, even with none."""

    meta: ClassVar[Meta] = replace(Highest.meta, least_seats=0)


class OffersAPickItDoesNotName(Highest):
    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return DECK[1:]


class EncodesTooLittle(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return super().encode(view)[1:]


class EncodesTooMuch(Highest):
    def encode(self, view: HighestView) -> Sequence[float]:
        return [each * 52 for each in super().encode(view)]
