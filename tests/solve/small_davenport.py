"""Davenport with a few cards: small enough to be solved whole, the rules otherwise untouched. For tests.

Also what its bots do in every situation of such a deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from facedown.core.cards import Card
from facedown.core.chance import Chance, Stream, Text, seed_of
from facedown.core.game import Joint, Step
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot
from facedown.games.davenport.game import Davenport
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import BY_PLAYOFF, MAIN, PLAYOFF, DavenportState
from facedown.solve.best_response import Mix, Strategy
from facedown.solve.sequence_form import solve_sequence_form
from facedown.solve.tree import Situation, Tree, lay_out


class SmallDavenport(Davenport):
    """A deck of these cards, `each` for each of two seats. A playoff, being fair, counts as a draw."""

    def __init__(self, deck: str, each: int) -> None:
        self.deck = tuple(map(Card, deck.split()))
        self.each = each

    def setup(self, rules: DavenportRules, seats: int, chance: Chance) -> Step[DavenportState]:
        """All deals are equally likely; the order in which a hand was dealt is not part of a deal."""
        one, two = (tuple(map(Card, hand.split())) for hand in chance.draw(self.deals()).split("|"))
        stock = tuple(card for card in self.deck if card not in one + two)
        start = DavenportState(
            rules=rules,
            phase=MAIN,
            round=1,
            seats_in=(1, 2),
            hands=(one, two),
            stock=stock,
            discards=(),
            wins=(0, 0),
            history=(),
            choices=((), ()),
            outcome=None,
        )
        return Step(start, ())

    def deals(self) -> list[str]:
        return [
            f"{' '.join(one)}|{' '.join(two)}"
            for one in combinations(self.deck, self.each)
            for two in combinations([card for card in self.deck if card not in one], self.each)
        ]

    def resolve(self, state: DavenportState, joint: Joint, chance: Chance) -> Step[DavenportState]:
        return super().resolve(state, joint, _NoPlayoff(chance, len(self.deck)))

    def outcome(self, state: DavenportState) -> Outcome | None:
        if state.phase == PLAYOFF:
            return Outcome(None, BY_PLAYOFF, (0, 0), (0, 0))
        return state.outcome


class _NoPlayoff:
    """Chance that does not branch over the fresh deck of a playoff, which is never played."""

    def __init__(self, chance: Chance, deck: int) -> None:
        self._chance = chance
        self._deck = deck
        self.drawn = chance.drawn

    def draw(self, options: Sequence[Text], /) -> Text:
        return options[0] if len(options) > self._deck else self._chance.draw(options)


# --- decks, solved ---------------------------------------------------------------------------------------

STREAMS = 40
SURE = 4
"""Picks sampled from a bot at one position; if all are the same, that is its pure strategy."""


class Small(NamedTuple):
    """A deck, the cards for each seat, and the rules."""

    deck: str
    each: int
    rules: str


THREE_RANKS = Small("4H 4D 9C 9D KC KD", 1, "davenport")


class Solved(NamedTuple):
    tree: Tree
    value: float
    equilibrium: dict[Situation, Mix]


@cache
def solve_small(small: Small) -> Solved:
    game = SmallDavenport(small.deck, small.each)
    tree = lay_out(game, DavenportRules.read(small.rules))
    return Solved(tree, *solve_sequence_form(tree))


def of_seat(strategy: Strategy, seat: int) -> dict[Situation, Mix]:
    return {situation: mix for situation, mix in strategy.items() if situation.seat == seat}


@cache
def policy(small: Small, bot: type[AnyBot]) -> dict[Situation, Mix]:
    """What a bot does in every situation, asked with many streams."""
    return {situation: _mix(situation, bot) for situation in solve_small(small).tree.situations}


def _mix(situation: Situation, bot: type[AnyBot]) -> Mix:
    picks: Counter[str] = Counter()
    for number in range(STREAMS):
        if number == SURE and len(picks) == 1:
            break
        stream = Stream(seed_of(str(number)), f"bot/{situation.seat}")
        picks[bot(None).pick(situation.view, situation.legal, stream)] += 1
    assert set(picks) <= set(situation.legal), "a bot keeps to the legal picks"
    return [picks[pick] / picks.total() for pick in situation.legal]
