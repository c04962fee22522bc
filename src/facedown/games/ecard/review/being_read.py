"""Being read: what the timing of a seat's special card gave to the opponent who was there.

In equilibrium both cards are worth the same, so no single pick of a habit costs anything; what costs is that
the opponent can know it. Owns the estimate of the seat's policy and how well the opponent's picks fit an
answer to it. Which habit stands out is found in `habits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import log2, sqrt
from typing import Final, NamedTuple

from facedown.core.parts.judge import BeingRead
from facedown.games.ecard.bots.reader import sureness
from facedown.games.ecard.bots.worth import RoundWorth, best_answer, blend

_PRIOR: Final = 2.0
"""How many rounds it takes until what was seen counts as much as what was expected before."""
_SLIP: Final = 0.1
"""How often a reader is thought to play as if it had read nothing."""
_LEAST_BITS: Final = 1.0
"""How much better the opponent's picks must fit a reader's than the equilibrium's: twice as likely."""
_CLEAR: Final = 2.0
"""Standard errors by which what is claimed must lie below 0."""


class CardPlayed(NamedTuple):
    """One decision between the special card and a Citizen."""

    decision: int
    round: int
    side: str
    """The seat's."""
    at: int
    """The play, from 0."""
    special: bool
    """Whether the seat's card was the special one."""
    met: bool
    """Whether the opponent's was."""
    worth: RoundWorth | None
    """The round as the seat sees it; None where nothing hung on being unreadable."""

    @property
    def usual(self) -> float:
        """How likely the special card is in equilibrium."""
        return 0.0 if self.worth is None else self.worth.ours[self.at]

    @property
    def difference(self) -> float:
        """What the special card is worth more than a Citizen, against the card that the opponent played."""
        assert self.worth is not None
        worth = self.worth
        return worth.slave - worth.emperor if self.met else worth.emperor - worth.before[self.at + 1]


class _Estimate(NamedTuple):
    """How likely a special card is somewhere, as far as the other rounds show; and the variance of that."""

    chance: float
    variance: float


@dataclass(slots=True)
class ReadingOpponent:
    """Collects a seat's cards and the opponent's, and says what was lost by being read."""

    cards: list[CardPlayed] = field(default_factory=list)
    bits: float = 0.0
    """How much better a reader's answer foretold the opponent's cards than the equilibrium did."""

    def add(self, card: CardPlayed, expected: Sequence[float]) -> None:
        """Count a card; `expected` is what a reader of the earlier rounds could expect of this round."""
        self.cards.append(card)
        if card.worth is None:
            return
        theirs = seen_by_the_other(card.worth)
        answer = best_answer(theirs, expected)
        reading = blend(theirs, answer.special, sureness(theirs, answer))[card.at]
        usual = theirs.ours[card.at]
        if not 0 < usual < 1:
            return
        reading = (1 - _SLIP) * reading + _SLIP * usual
        self.bits += log2(reading / usual) if card.met else log2((1 - reading) / (1 - usual))

    def finding(self) -> BeingRead | None:
        """What the pattern gave away; None unless it is clearly below 0 and seems to have been read."""
        if self.bits < _LEAST_BITS:
            return None
        value = sum(self.shares().values())
        error = sqrt(sum(self._variances()))
        return BeingRead(value, error, 2.0**self.bits) if value + _CLEAR * error < 0 else None

    def shares(self) -> dict[int, float]:
        """What the pattern gave at each decision: to the card that was met, against the equilibrium's.

        The policy is estimated from all other rounds, so that the round's own luck stays luck.
        """
        return {
            card.decision: (self._estimate(card).chance - card.usual) * card.difference
            for card in self._live()
        }

    def _live(self) -> Iterator[CardPlayed]:
        return (card for card in self.cards if card.worth is not None)

    def _estimate(self, card: CardPlayed) -> _Estimate:
        """From the rounds of the same side; the others, and those of which nothing hung, are its prior."""
        others = [each for each in self.cards if each.round != card.round and each.at == card.at]
        own = [each for each in others if each.side == card.side and each.worth is not None]
        wide = [each for each in others if each.side != card.side or each.worth is None]
        prior = _shrink(wide, card.usual)
        chance = _shrink(own, prior)
        return _Estimate(chance, chance * (1 - chance) / (len(own) + _PRIOR + 1))

    def _variances(self) -> Iterator[float]:
        """The variance of what was given at each side and play: one policy, wrong everywhere alike."""
        places: dict[tuple[str, int], list[CardPlayed]] = {}
        for card in self._live():
            places.setdefault((card.side, card.at), []).append(card)
        for cards in places.values():
            yield sum(sqrt(self._estimate(card).variance) * card.difference for card in cards) ** 2


def _shrink(cards: Iterable[CardPlayed], expected: float) -> float:
    """How often the special card came among these, drawn to what was expected."""
    seen = [card.special for card in cards]
    return (sum(seen) + _PRIOR * expected) / (len(seen) + _PRIOR)


def seen_by_the_other(worth: RoundWorth) -> RoundWorth:
    """A round as the other seat sees it."""
    return replace(
        worth,
        emperor=1 - worth.emperor,
        slave=1 - worth.slave,
        before=tuple(1 - value for value in worth.before),
        ours=worth.theirs,
        theirs=worth.ours,
    )
