"""Kuhn and Leduc poker as games of `core.game`: small games whose solutions are known. For tests only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from facedown.core.chance import Chance
from facedown.core.game import Game, Joint, Meta, Pick, Step, Waves
from facedown.core.outcome import COMPLETED, Outcome
from facedown.core.rules import Preset, Rules
from facedown.core.seats import Seat, Viewer
from facedown.core.views import View


@dataclass(frozen=True, slots=True)
class PokerRules(Rules):
    presets: ClassVar[tuple[Preset, ...]] = (Preset("poker", "As the books have it."),)


class Table(NamedTuple):
    """Cards by seat, the card on the table, and what was bet in each of the rounds."""

    cards: tuple[str, str]
    board: str
    bets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PokerView(View):
    card: str
    board: str
    bets: tuple[str, ...]


class Poker(Game[PokerRules, Table, PokerView]):
    """What the two have in common: one card each, and seats that bet in turn."""

    version: ClassVar[int] = 1
    rules = PokerRules
    deck: ClassVar[tuple[str, ...]]

    def setup(self, rules: PokerRules, seats: int, chance: Chance) -> Step[Table]:
        first = chance.draw(self.deck)
        second = chance.draw(tuple(card for card in self.deck if card != first))
        return Step(Table((first, second), "", ("",)), ())

    def mover(self, state: Table) -> Seat:
        return len(state.bets[-1]) % 2 + 1

    def pending(self, state: Table) -> Waves:
        return () if self.outcome(state) else ((self.mover(state),),)

    def view(self, state: Table, viewer: Viewer) -> PokerView:
        card = state.cards[viewer - 1] if viewer else ""
        rules = PokerRules.of()
        return PokerView(
            viewer, rules, self.pending(state), self.outcome(state), card, state.board, state.bets
        )

    def resolve(self, state: Table, joint: Joint, chance: Chance) -> Step[Table]:
        pick = joint[self.mover(state) - 1] or ""
        return Step(state._replace(bets=(*state.bets[:-1], state.bets[-1] + pick)), ())


def outcome_of(first_gains: int) -> Outcome:
    winner = None if first_gains == 0 else 1 if first_gains > 0 else 2
    return Outcome(winner, COMPLETED, (first_gains, -first_gains), (first_gains, -first_gains))


class Kuhn(Poker):
    """Three cards; pass or bet one."""

    name: ClassVar[str] = "kuhn"
    meta: ClassVar[Meta] = Meta("Kuhn poker", "Three cards, one bet.", 2, 2, True, True, True)
    deck: ClassVar[tuple[str, ...]] = ("0", "1", "2")

    def legal(self, state: Table, seat: Seat) -> tuple[Pick, ...]:
        return ("p", "b")

    def outcome(self, state: Table) -> Outcome | None:
        better = 1 if state.cards[0] > state.cards[1] else -1
        gains = {"pp": better, "bp": 1, "pbp": -1, "bb": 2 * better, "pbb": 2 * better}
        gain = gains.get(state.bets[0])
        return None if gain is None else outcome_of(gain)


class Leduc(Poker):
    """Three ranks twice; two rounds of betting with at most two raises each, a card on the table between."""

    name: ClassVar[str] = "leduc"
    meta: ClassVar[Meta] = Meta("Leduc poker", "Six cards, two rounds.", 2, 2, True, True, True)
    deck: ClassVar[tuple[str, ...]] = ("0", "1", "2", "3", "4", "5")

    def legal(self, state: Table, seat: Seat) -> tuple[Pick, ...]:
        bets = state.bets[-1]
        facing = bets.endswith("r")
        return (("f",) if facing else ()) + ("c",) + (("r",) if bets.count("r") < 2 else ())

    def resolve(self, state: Table, joint: Joint, chance: Chance) -> Step[Table]:
        after = super().resolve(state, joint, chance).state
        closed = after.bets[-1].endswith("c") and len(after.bets[-1]) >= 2
        if not closed or after.board:
            return Step(after, ())
        board = chance.draw(tuple(card for card in self.deck if card not in after.cards))
        return Step(after._replace(board=board, bets=(*after.bets, "")), ())

    def outcome(self, state: Table) -> Outcome | None:
        last = state.bets[-1]
        paid = [1, 1]
        for bets, raised in zip(state.bets, (2, 4), strict=False):
            for place, bet in enumerate(bets):
                if bet in "cr":
                    paid[place % 2] = max(paid) + (raised if bet == "r" else 0)
        if last.endswith("f"):
            folded = (len(last) - 1) % 2
            return outcome_of(-paid[0] if folded == 0 else paid[1])
        if not state.board or not (last.endswith("c") and len(last) >= 2):
            return None
        one, two = (self._strength(card, state.board) for card in state.cards)
        return outcome_of(0 if one == two else paid[1] if one > two else -paid[0])

    @staticmethod
    def _strength(card: str, board: str) -> tuple[bool, int]:
        rank = int(card) // 2
        return rank == int(board) // 2, rank
