"""Games that are nothing but what a test needs: a matrix, and games that no solver may accept. For tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from facedown.core.chance import Chance
from facedown.core.game import Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, Outcome
from facedown.core.rules import Preset, Rules
from facedown.core.seats import Seat, Viewer
from facedown.core.views import View


def meta(title: str, seats: int = 2, zero_sum: bool = True) -> Meta:
    return Meta(title, "A toy.", seats, seats, hidden_hands=False, chance=False, zero_sum=zero_sum)


@dataclass(frozen=True, slots=True)
class ToyRules(Rules):
    presets: ClassVar[tuple[Preset, ...]] = (Preset("toy", "As it is."),)


class Played(NamedTuple):
    """The picks of every decision so far."""

    picks: tuple[Joint, ...] = ()


@dataclass(frozen=True, slots=True)
class ToyView(View):
    picks: tuple[Joint, ...]


class Toy(Game[ToyRules, Played, ToyView]):
    """Two seats pick `a` or `b` at once, forever; a subclass decides when it ends."""

    name: ClassVar[str] = "toy"
    version: ClassVar[int] = 1
    meta: ClassVar[Meta] = meta("Toy")
    rules = ToyRules

    def setup(self, rules: ToyRules, seats: int, chance: Chance) -> Step[Played]:
        return Step(Played(), ())

    def pending(self, state: Played) -> Waves:
        return () if self.outcome(state) else ((1, 2),)

    def legal(self, state: Played, seat: Seat) -> tuple[Pick, ...]:
        return ("a", "b")

    def resolve(self, state: Played, joint: Joint, chance: Chance) -> Step[Played]:
        return Step(Played((*state.picks, joint)), ())

    def view(self, state: Played, viewer: Viewer) -> ToyView:
        return ToyView(viewer, ToyRules.of(), self.pending(state), self.outcome(state), state.picks)

    def outcome(self, state: Played) -> Outcome | None:
        return None


def outcome_of(payoff: int) -> Outcome:
    """Seat 1 gains this, and seat 2 loses it."""
    return Outcome(None, COMPLETED, (payoff, -payoff), (payoff, -payoff))


class Matrix(Toy):
    """One decision: seat 1 picks a row, seat 2 a column, and the number is what seat 1 gains."""

    def __init__(self, payoffs: Sequence[Sequence[int]]) -> None:
        self.payoffs = payoffs

    def legal(self, state: Played, seat: Seat) -> tuple[Pick, ...]:
        return tuple(str(place) for place in range(len(self.payoffs if seat == 1 else self.payoffs[0])))

    def outcome(self, state: Played) -> Outcome | None:
        if not state.picks:
            return None
        row, column = state.picks[0]
        return outcome_of(self.payoffs[int(row or 0)][int(column or 0)])


class Forgetful(Toy):
    """Two decisions; at the second a seat does not see what it did at the first."""

    meta: ClassVar[Meta] = meta("Lethe")

    def view(self, state: Played, viewer: Viewer) -> ToyView:
        blank: tuple[Joint, ...] = ((None, None),) * len(state.picks)
        return ToyView(viewer, ToyRules.of(), self.pending(state), self.outcome(state), blank)

    def outcome(self, state: Played) -> Outcome | None:
        return outcome_of(0) if len(state.picks) == 2 else None


class Endless(Toy):
    """Goes on while both pick the same."""

    meta: ClassVar[Meta] = meta("Endless")

    def legal(self, state: Played, seat: Seat) -> tuple[Pick, ...]:
        return ("a",)


class ForThree(Toy):
    """A game of three seats."""

    meta: ClassVar[Meta] = meta("Trio", seats=3)


class Generous(Toy):
    """A game in which no seat pays what others gain."""

    meta: ClassVar[Meta] = meta("Gift", zero_sum=False)


class Dealt(Toy):
    """A card for seat 1 out of very many; counts how often it was dealt."""

    meta: ClassVar[Meta] = meta("Wide")

    def __init__(self) -> None:
        self.deals = 0

    def setup(self, rules: ToyRules, seats: int, chance: Chance) -> Step[Played]:
        self.deals += 1
        chance.draw([str(card) for card in range(1000)])
        chance.draw([str(card) for card in range(1000)])
        return Step(Played(), ())
