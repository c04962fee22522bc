"""Highest: a toy game that keeps every secret. Its leaky and broken sisters change one thing each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from facedown.core.chance import Chance
from facedown.core.events import Event, private, public
from facedown.core.game import RESIGN, Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome, payoffs_to_one
from facedown.core.rules import Choice, Number, Option, Preset, Rules, Switch
from facedown.core.seats import SPECTATOR, Seat, Viewer, all_seats
from facedown.core.views import Encoding, View

DECK = tuple("123456789")


@dataclass(frozen=True, slots=True)
class HighestRules(Rules):
    cards: int = 2
    placing: str = "together"
    draws: bool = True

    options: ClassVar[tuple[Option, ...]] = (
        Number("cards", "Cards", "How many cards each seat is dealt.", "T1", 1, 3),
        Choice("placing", "Placing", "Whether seats place in turn.", "T2", ("together", "in_turn")),
        Switch("draws", "Draws", "Whether equal scores are a draw, else seat 1 wins.", "T5"),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("short", "Two cards each."),
        Preset("long", "Three cards each.", {"cards": 3}),
    )

    def conflicts(self) -> tuple[str, ...]:
        odd = self.cards == 1 and self.placing == "in_turn"
        return ("cards=1 leaves nothing to decide in turn: say placing=together",) if odd else ()


class State(NamedTuple):
    rules: HighestRules
    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    score: tuple[int, ...]
    history: tuple[Joint, ...]
    standing: tuple[Seat, ...]
    outcome: Outcome | None = None
    placed: tuple[Pick, ...] = ()
    """Only leaky sisters put something here."""
    seed: str = ""
    """Likewise."""


@dataclass(frozen=True, slots=True)
class HighestView(View):
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    score: tuple[int, ...]
    history: tuple[Joint, ...]
    dealt: tuple[str, ...]
    """One's own cards as they were dealt."""


class Highest(Game[HighestRules, State, HighestView]):
    """T1: each seat is dealt cards; T3: the highest of a round scores; T4: until the hands are empty."""

    name: ClassVar[str] = "highest"
    version: ClassVar[int] = 1
    meta: ClassVar[Meta] = Meta("Highest", "The highest card scores.", 2, 3, True, False, True)
    rules = HighestRules

    def setup(self, rules: HighestRules, seats: int, chance: Chance) -> Step[State]:
        hands: list[tuple[str, ...]] = [()] * seats
        stock = list(DECK)
        for number in range(rules.cards * seats):
            card = chance.draw(stock)
            stock.remove(card)
            hands[number % seats] = tuple(sorted((*hands[number % seats], card)))
        start = State(rules, tuple(hands), tuple(stock), (0,) * seats, (), all_seats(seats))
        return Step(start, tuple(self.told_hand(seat, hand) for seat, hand in enumerate(hands, 1)))

    def told_hand(self, seat: Seat, hand: tuple[str, ...]) -> Event:
        return private(seat, "hand", ("T1",), cards=hand)

    def pending(self, state: State) -> Waves:
        if state.outcome is not None:
            return ()
        waves = state.standing
        return tuple((seat,) for seat in waves) if state.rules.placing == "in_turn" else (waves,)

    def legal(self, state: State, seat: Seat) -> tuple[Pick, ...]:
        return state.hands[seat - 1] if state.outcome is None and seat in state.standing else ()

    def picks(self, rules: HighestRules, seats: int) -> tuple[Pick, ...]:
        return DECK

    def encoding(self, rules: HighestRules, seats: int) -> Encoding | None:
        return Encoding(tuple(f"holds {card}" for card in DECK))

    def encode(self, view: HighestView) -> Sequence[float]:
        return [float(card in view.hand) for card in DECK]

    def resolve(self, state: State, joint: Joint, chance: Chance) -> Step[State]:
        if RESIGN in joint:
            return self.resign(state, joint.index(RESIGN) + 1)
        top = max(pick for pick in joint if pick is not None)
        after = state._replace(
            hands=tuple(
                tuple(card for card in hand if card != pick)
                for hand, pick in zip(state.hands, joint, strict=True)
            ),
            score=tuple(points + (pick == top) for points, pick in zip(state.score, joint, strict=True)),
            history=(*state.history, joint),
        )
        events = (public("reveal", ("T3",), cards=joint),)
        return self.end_game(after, events) if not after.hands[after.standing[0] - 1] else Step(after, events)

    def resign(self, state: State, seat: Seat) -> Step[State]:
        left = tuple(each for each in state.standing if each != seat)
        alone = tuple(RESIGN if each == seat else None for each in all_seats(len(state.hands)))
        after = state._replace(standing=left, history=(*state.history, alone))
        events = (public("resignation", (), seat=seat),)
        if len(left) > 1:
            return Step(after, events)
        return Step(after._replace(outcome=self.result(after, left[0], RESIGNATION)), events)

    def end_game(self, state: State, events: tuple[Event, ...]) -> Step[State]:
        top = max(state.score[seat - 1] for seat in state.standing)
        best = [seat for seat in state.standing if state.score[seat - 1] == top]
        winner = best[0] if len(best) == 1 or not state.rules.draws else None
        return Step(state._replace(outcome=self.result(state, winner, COMPLETED)), events)

    def result(self, state: State, winner: Seat | None, why: str) -> Outcome:
        return Outcome(winner, why, state.score, payoffs_to_one(winner, len(state.hands)))

    def view(self, state: State, viewer: Viewer) -> HighestView:
        own = () if viewer == SPECTATOR else state.hands[viewer - 1]
        played = () if viewer == SPECTATOR else tuple(joint[viewer - 1] for joint in state.history)
        return HighestView(
            viewer=viewer,
            rules=state.rules,
            waiting=self.pending(state),
            outcome=state.outcome,
            hand=own,
            counts=tuple(map(len, state.hands)),
            score=state.score,
            history=state.history,
            dealt=tuple(sorted((*own, *(card for card in played if card in DECK)))),
        )

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def standing(self, state: State) -> tuple[Seat, ...]:
        return () if state.outcome is not None else state.standing


GAME = Highest()
