"""Davenport with a few cards: small enough to be solved whole, the rules otherwise untouched. For tests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from facedown.core.cards import Card
from facedown.core.chance import Chance, Text
from facedown.core.game import Joint, Step
from facedown.core.outcome import Outcome
from facedown.games.davenport.game import Davenport
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import BY_PLAYOFF, MAIN, PLAYOFF, DavenportState


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
