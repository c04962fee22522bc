"""What a bot reads from the rounds of a game: which cards are out of it, and how the others like to play.

Owns the counting of cards. Must not know what to do about them.
"""

from __future__ import annotations

from typing import Final

from facedown.core.cards import DECK
from facedown.core.seats import Seat
from facedown.games.davenport.bots.habits import KING, SeatHabits, Shares
from facedown.games.davenport.notation import card_of, is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.view import DavenportRound, DavenportView, Gone, OwnChoice

_OF_EACH: Final = 4
"""Cards of each value in the deck (D1)."""


def rules_of(view: DavenportView) -> DavenportRules:
    """The rules of the table."""
    assert isinstance(view.rules, DavenportRules)
    return view.rules


class GameReading:
    """What a seat can tell from the main game so far, its own past choices included.

    It continues where it stopped, so that each round is read once; but all it says follows from the view.
    """

    __slots__ = ("_choices", "_discarded", "_history", "_rules", "_stock", "_viewer", "habits")

    def __init__(self, view: DavenportView) -> None:
        self._rules = rules_of(view)
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
        """Read the rounds that are new in this view."""
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
        """What every other seat showed."""
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
