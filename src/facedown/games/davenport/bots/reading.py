"""What a bot reads from the rounds of a game: which cards are out of it, and how the others like to play.

Owns the counting of cards. Must not know what to do about them.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from facedown.core.cards import DECK
from facedown.core.seats import Seat
from facedown.games.davenport.notation import card_of, is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.view import DavenportRound, DavenportView, Gone, OwnChoice

# --- what a seat shows next ------------------------------------------------------------------------------


KING: Final = 13

Shares: TypeAlias = "list[float]"
"""At each value from 0 to 13, how much of something lies at this value or below it."""

GOOD: Final = 9
"""From here on a picky player plays its highest card."""
FIRM: Final = 0.9
"""How much of the time a picky player does as it should."""
FAINT: Final = 0.01
"""A habit less likely than this is not worth a thought."""


def mirror(shares: Shares) -> Shares:
    """The same with high and low changed about: what lies at 14 minus a value or above it.

    >>> mirror([0.0, 0.5, 0.5, 1.0])
    [0.0, 0.5, 0.5, 1.0]
    >>> mirror([0.0, 0.25, 0.5, 1.0])
    [0.0, 0.5, 0.75, 1.0]
    """
    return [1.0 - share for share in reversed(shares)]


class Ceilings:
    """How high each hidden card of a seat can be, if it always parts with its highest.

    What it showed is then a ceiling for every card it kept; only what it drew afterwards can be higher.

    >>> hidden = Ceilings(3)
    >>> hidden.shows(8)
    >>> hidden.draws(1)
    >>> round(hidden.highest_is(13), 4), hidden.highest_is(8) > hidden.highest_is(9)
    (0.0769, True)
    """

    __slots__ = ("_cards",)

    def __init__(self, cards: int) -> None:
        self._cards = [KING] * cards

    def shows(self, value: int) -> None:
        """A card was shown: one that could be so high is gone, and the others are no higher."""
        cards = self._cards
        cards.remove(max(cards))
        self._cards = [ceiling if ceiling < value else value for ceiling in cards]

    def loses(self) -> None:
        """A card was exchanged unseen: hardly the highest."""
        self._cards.remove(min(self._cards))

    def draws(self, cards: int) -> None:
        self._cards += [KING] * cards

    def none_above(self, value: int) -> float:
        """The chance that no hidden card is higher, all values being alike."""
        chance = 1.0
        for ceiling in self._cards:
            if ceiling > value:
                chance *= value / ceiling
        return chance

    def highest_is(self, value: int) -> float:
        """The chance that this is the highest hidden card, all values being alike."""
        return self.none_above(value) - self.none_above(value - 1)

    def highest(self, unseen: Shares) -> Shares:
        """How high the highest hidden card is, given which cards are unseen."""
        shares = [1.0] * (KING + 1)
        for ceiling in set(self._cards):
            whole = unseen[ceiling]
            cards = self._cards.count(ceiling)
            for value in range(ceiling):
                shares[value] *= (unseen[value] / whole) ** cards if whole else 1.0
        return shares


class SeatHabits:
    """One seat, as its cards so far tell it: blind, fond of its highest or its lowest card, or picky.

    A picky player plays its highest card if it is a good one, and exchanges another if not. Before anything
    is shown all four are equally likely.
    """

    __slots__ = ("_exchanges", "_high", "_low", "_weights")

    def __init__(self, cards: int, rules: DavenportRules) -> None:
        self._exchanges = 0.5 if rules.exchange else 0.0
        self._high = Ceilings(cards)
        self._low = Ceilings(cards)  # mirrored: an Ace counts 13, a King 1
        self._weights = (0.25, 0.25, 0.25, 0.25)

    def follow(self, value: int, *, exchanged: bool, drew: int) -> None:
        """One round more: what the seat showed, whether that came from the stock, and how much it drew."""
        high, low = self._high, self._low
        if exchanged:
            poor = high.none_above(GOOD - 1)
            self._weigh(self._exchanges, 0.0, 0.0, FIRM * poor + (1.0 - FIRM) * self._exchanges)
            high.loses()
            low.loses()
        else:
            blind = (1.0 - self._exchanges) / KING
            highest, lowest = high.highest_is(value), low.highest_is(KING + 1 - value)
            picky = FIRM * highest if value >= GOOD else 0.0
            self._weigh(blind, highest, lowest, picky + (1.0 - FIRM) * blind)
            high.shows(value)
            low.shows(KING + 1 - value)
        high.draws(drew)
        low.draws(drew)

    def _weigh(self, *likely: float) -> None:
        """Each habit as likely as before, times how likely it makes what was seen."""
        blind, high, low, picky = (
            weight * chance for weight, chance in zip(self._weights, likely, strict=True)
        )
        whole = blind + high + low + picky
        self._weights = (blind / whole, high / whole, low / whole, picky / whole)

    @property
    def weights(self) -> tuple[float, float, float, float]:
        """How likely each habit is: blind, highest, lowest, picky."""
        return self._weights

    def next_shown(self, unseen: Shares) -> Shares:
        """How likely the next card that this seat shows is to be of each value or below it."""
        _, high, low, picky = (weight if weight > FAINT else 0.0 for weight in self._weights)
        blind = 1.0 - high - low - picky
        shown = [blind * share for share in unseen]
        if high or picky:
            highest = self._high.highest(unseen)
            poor = highest[GOOD - 1]
            for value, share in enumerate(highest):
                good = share - poor if value >= GOOD else 0.0
                shown[value] += high * share + picky * (good + poor * unseen[value])
        if low:
            lowest = mirror(self._low.highest(mirror(unseen)))
            for value, share in enumerate(lowest):
                shown[value] += low * share
        return shown


# --- what a game shows -----------------------------------------------------------------------------------


_OF_EACH: Final = 4
"""Cards of each value in the deck (D1)."""


class GameReading:
    """What a seat can tell from the main game so far, its own past choices included.

    It continues where it stopped, so that each round is read once; but all it says follows from the view.
    """

    __slots__ = ("_choices", "_discarded", "_history", "_rules", "_stock", "_viewer", "habits")

    def __init__(self, view: DavenportView) -> None:
        self._rules = view.rules
        self._viewer = view.viewer
        self._history: tuple[DavenportRound | Gone, ...] = ()
        self._choices: tuple[OwnChoice, ...] = ()
        dealt = _dealt(view)
        self._stock = len(DECK) - sum(dealt)
        self._discarded = [0] * (KING + 1)
        self.habits: dict[Seat, SeatHabits] = {
            seat: SeatHabits(cards, self._rules) for seat, cards in enumerate(dealt, 1) if seat != view.viewer
        }

    def belongs_to(self, view: DavenportView) -> bool:
        """Whether everything read so far is part of this view."""
        return (
            bool(self._history)
            and self._history == view.history[: len(self._history)]
            and self._choices == view.choices[: len(self._choices)]
            and (self._viewer, self._rules) == (view.viewer, view.rules)
        )

    def go_on(self, view: DavenportView) -> None:
        rounds = (entry for entry in view.history[len(self._history) :] if isinstance(entry, DavenportRound))
        for finished, choice in zip(rounds, view.choices[len(self._choices) :], strict=True):
            self._count(finished, choice)
            self._watch(finished)
        self._history = view.history
        self._choices = view.choices

    def _count(self, finished: DavenportRound, choice: OwnChoice) -> None:
        """Which cards lie in the discards: the shown ones, and those that this seat exchanged itself."""
        taken = sum(finished.drew) + sum(finished.exchanged)
        shuffled = self._stock - taken != finished.stock
        self._stock = finished.stock
        if shuffled:  # D9: what lay there can come again
            self._discarded = [0] * (KING + 1)
        elif is_exchange(choice.pick):
            self._discarded[card_of(choice.pick).value] += 1
        if not finished.discards:  # D8: shuffled for the draws, after this round's cards had gone there
            return
        for card in finished.shown:
            if card is not None:
                self._discarded[card.value] += 1

    def _watch(self, finished: DavenportRound) -> None:
        for seat, habits in self.habits.items():
            card = finished.shown[seat - 1]
            if card is not None:
                exchanged, drew = finished.exchanged[seat - 1], finished.drew[seat - 1]
                habits.follow(card.value, exchanged=exchanged, drew=drew)

    def unseen(self, view: DavenportView) -> list[int]:
        """Of each value, how many cards may still be in the stock or in another seat's hand."""
        unseen = [_OF_EACH - gone for gone in self._discarded]
        unseen[0] = 0
        for card in view.hand:
            unseen[card.value] -= 1
        return unseen


def shares_of(cards: list[int]) -> Shares:
    """From the number of cards of each value to the share of cards at or below it.

    >>> shares_of([0, 1, 0, 3])
    [0.0, 0.25, 0.25, 1.0]
    """
    whole = sum(cards)
    shares: Shares = []
    below = 0
    for count in cards:
        below += count
        shares.append(below / whole)
    return shares


def _dealt(view: DavenportView) -> tuple[int, ...]:
    """How many cards each seat held before the first round."""
    for entry in view.history:
        if isinstance(entry, DavenportRound):
            after = zip(entry.hands, entry.shown, entry.drew, strict=True)
            return tuple(cards + (shown is not None) - drew for cards, shown, drew in after)
    return view.hands
