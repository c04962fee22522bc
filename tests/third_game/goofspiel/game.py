"""Goofspiel, rule by rule: state, view and game. All there is to it besides its rules and its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from facedown.core.chance import Chance
from facedown.core.events import Event, public
from facedown.core.game import RESIGN, Citations, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome, payoffs_to_one
from facedown.core.seats import SPECTATOR, Seat, Viewer, all_seats
from facedown.core.views import View

from .rules import GoofspielRules

BEYOND_REACH = "beyond_reach"
"""An end that only this game has: no seat can catch up any more (G7)."""


class State(NamedTuple):
    rules: GoofspielRules
    prizes: tuple[str, ...]
    """Not turned up yet, in rising order: a set."""
    prize: int
    """On the table, with what was carried over."""
    hands: tuple[tuple[str, ...], ...]
    score: tuple[int, ...]
    standing: tuple[Seat, ...]
    history: tuple[tuple[int, Joint], ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class GoofspielView(View):
    hand: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    prize: int
    score: tuple[int, ...]
    history: tuple[tuple[int, Joint], ...]


class Goofspiel(Game[GoofspielRules, State, GoofspielView]):
    name: ClassVar[str] = "goofspiel"
    version: ClassVar[int] = 1
    meta: ClassVar[Meta] = Meta("Goofspiel", "Bid your cards for prizes.", 2, 5, False, True, True)
    citations: ClassVar[Citations] = Citations(picking="G3", once="G3", resigning="G6")
    terminations: ClassVar[tuple[str, ...]] = (COMPLETED, BEYOND_REACH, RESIGNATION)
    rules = GoofspielRules

    def setup(self, rules: GoofspielRules, seats: int, chance: Chance) -> Step[State]:
        cards = tuple(str(card) for card in range(1, rules.cards + 1))  # G1
        return turn_up(State(rules, cards, 0, (cards,) * seats, (0,) * seats, all_seats(seats)), (), chance)

    def pending(self, state: State) -> Waves:
        return () if state.outcome else (state.standing,)

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return state.hands[seat - 1] if seat in self.standing(state) else ()

    def picks(self, rules: GoofspielRules, seats: int) -> tuple[Pick, ...]:
        return tuple(str(card) for card in range(1, rules.cards + 1))

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        noted = state._replace(history=(*state.history, (state.prize, joint)))
        if RESIGN in joint:
            return _resign(noted, joint.index(RESIGN) + 1)
        bids = {seat: int(pick) for seat, pick in enumerate(joint, 1) if pick}
        best = [seat for seat in bids if bids[seat] == max(bids.values())]
        winner = best[0] if len(best) == 1 else None  # G4
        left = [
            tuple(card for card in hand if card != pick)
            for hand, pick in zip(state.hands, joint, strict=True)
        ]
        after = noted._replace(
            hands=tuple(left),  # G3
            score=tuple(had + state.prize * (seat == winner) for seat, had in enumerate(state.score, 1)),
            prize=state.prize if winner is None and state.rules.tie == "carry" else 0,
        )
        events = (public("bids", ("G3", "G4"), bids=joint, prize=state.prize, winner=winner),)
        if state.rules.early and state.prizes and _beyond_reach(after):
            return _end_by_score(after, events, BEYOND_REACH)
        return turn_up(after, events, chance) if state.prizes else _end_by_score(after, events, COMPLETED)

    def view(self, state: State, viewer: Viewer) -> GoofspielView:
        hand = () if viewer == SPECTATOR else state.hands[viewer - 1]
        shown = (hand, state.hands, state.prize, state.score, state.history)
        return GoofspielView(viewer, state.rules, self.pending(state), state.outcome, *shown)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def standing(self, state: State) -> tuple[Seat, ...]:
        return () if state.outcome else state.standing


GAME = Goofspiel()


def turn_up(state: State, events: tuple[Event, ...], chance: Chance) -> Step[State]:
    """G2: the next prize, added to what was carried over."""
    order, left = state.rules.order, state.prizes
    card = chance.draw(left) if order == "random" else left[0] if order == "rising" else left[-1]
    after = state._replace(prizes=tuple(each for each in left if each != card), prize=state.prize + int(card))
    return Step(after, (*events, public("prize", ("G2",), prize=after.prize)))


def _resign(state: State, seat: Seat) -> Step[State]:
    left = tuple(each for each in state.standing if each != seat)  # G6
    after, events = state._replace(standing=left), (public("resignation", ("G6",), seat=seat),)
    return Step(after, events) if len(left) > 1 else _end(after, events, left[0], RESIGNATION)


def _beyond_reach(state: State) -> bool:
    second, first = sorted(state.score[seat - 1] for seat in state.standing)[-2:]
    return first - second > state.prize + sum(map(int, state.prizes))  # G7


def _end_by_score(state: State, events: tuple[Event, ...], why: str) -> Step[State]:
    top = max(state.score[seat - 1] for seat in state.standing)  # G5
    best = [seat for seat in state.standing if state.score[seat - 1] == top]
    return _end(state, events, best[0] if len(best) == 1 else None, why)


def _end(state: State, events: tuple[Event, ...], winner: Seat | None, why: str) -> Step[State]:
    outcome = Outcome(winner, why, state.score, payoffs_to_one(winner, len(state.hands)))
    return Step(
        state._replace(outcome=outcome), (*events, public("end", ("G5",), winner=winner, termination=why))
    )
