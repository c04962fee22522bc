"""Davenport for programs that learn: the alphabet of picks, and a view as numbers.

Made from rules and views alone; seats are in table order from the viewer's own (the spectator: from
seat 1). `discarded` counts what this viewer has seen go to the discards since they last became the stock.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from facedown.core.cards import DECK, RANKS, Card
from facedown.core.game import Pick
from facedown.core.seats import Seat, Viewer
from facedown.core.views import Encoding, share
from facedown.games.davenport.notation import EXCHANGE, card_of
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import CARDS_EACH, MAIN, PLAYOFF, DavenportRound, Gone
from facedown.games.davenport.view import DavenportView

_OF_A_RANK: Final = 4
_MOST_DRAWN: Final = 2
_ALPHABET: Final = tuple(map(str, DECK))


def alphabet(rules: DavenportRules) -> tuple[Pick, ...]:
    """D1, D3: the deck, clubs to spades and Ace to King; then every exchange, in the same order.

    >>> picks = alphabet(DavenportRules.of())
    >>> len(picks), picks[6], picks[52 + 6]
    (104, '7C', 'x7C')
    """
    return _ALPHABET + tuple(EXCHANGE.values()) if rules.exchange else _ALPHABET


@lru_cache(maxsize=16)
def encoding(seats: int) -> Encoding:
    """71 entries about the table and one's own cards, then 7 for each seat."""
    around = ("own", *(f"+{places}" for places in range(1, seats)))
    return Encoding(
        (
            "to pick",
            "over",
            "payoff",
            "playoff",
            "stock",
            "discards",
            *(f"discarded {rank}" for rank in RANKS),
            *(f"holds {card}" for card in DECK),
            *(f"{who} {what}" for who in around for what in _ABOUT_A_SEAT),
        )
    )


_ABOUT_A_SEAT: Final = ("in", "cards", "wins", "showed", "exchanged", "drew", "won")


def encode(view: DavenportView) -> list[float]:
    """The view as numbers, in the order of `encoding`."""
    own = view.viewer or 1
    held = set(view.hand)
    payoff = 0 if view.outcome is None else view.outcome.payoffs[own - 1]
    return [
        float(any(view.viewer in wave for wave in view.waiting)),
        float(view.outcome is not None),
        share(payoff, view.seats - 1),
        float(view.phase == PLAYOFF),
        share(view.stock, len(DECK)),
        share(view.discards, len(DECK)),
        *(share(count, _OF_A_RANK) for count in _discard_counts(view)),
        *(float(card in held) for card in DECK),
        *_seats_around(view, own),
    ]


def _seats_around(view: DavenportView, own: Seat) -> list[float]:
    """Each seat from one's own on: whether it is in, its cards, its wins, and what it did last."""
    last = next((each for each in reversed(view.history) if isinstance(each, DavenportRound)), None)
    entries: list[float] = []
    for places in range(view.seats):
        seat = (own - 1 + places) % view.seats + 1
        entries += (
            float(seat in view.seats_in),
            share(view.hands[seat - 1], len(DECK)),
            share(view.wins[seat - 1], view.rules.playoff_wins),
        )
        shown = None if last is None else last.shown[seat - 1]
        if last is None or shown is None:
            entries += (0.0, 0.0, 0.0, 0.0)
            continue
        entries += (
            share(shown.value, len(RANKS)),
            float(last.exchanged[seat - 1]),
            share(last.drew[seat - 1], _MOST_DRAWN),
            float(seat in last.winners),
        )
    return entries


# --- what lies in the discards ---------------------------------------------------------------------------


class _Piles:
    """Stock and discards as a viewer can follow them: their sizes, and the ranks that it saw discarded."""

    def __init__(self, hands: list[int]) -> None:
        self.hands = hands
        self.stock = len(DECK) - sum(hands)
        self.discards = 0
        self.seen = [0] * len(RANKS)

    def add(self, card: Card | None) -> None:
        """A card goes to the discards; None: one that the viewer has not seen."""
        self.discards += 1
        if card is not None:
            self.seen[card.value - 1] += 1

    def draw(self) -> None:
        """D9: where the stock is empty the discards become it."""
        if self.stock == 0:
            self.stock, self.discards = self.discards, 0
            self.seen = [0] * len(RANKS)
        self.stock -= 1

    def play(self, finished: DavenportRound, own: Viewer, pick: Pick | None) -> None:
        """D3, D5, D7, D8: the exchanges in seat order, then all shown cards, then the draws."""
        for seat, exchanged in enumerate(finished.exchanged, 1):
            if exchanged:
                self.add(card_of(pick) if pick is not None and seat == own else None)
                self.draw()
        for card in finished.shown:
            if card is not None:
                self.add(card)
        for _ in range(sum(finished.drew)):
            self.draw()
        self.hands = list(finished.hands)
        self.discards = finished.discards  # with the hands of those who left (D18)

    def leave(self, seat: Seat) -> None:
        """D20: the hand goes to the discards, unseen."""
        self.discards += self.hands[seat - 1]
        self.hands[seat - 1] = 0


def _discard_counts(view: DavenportView) -> list[int]:
    """By rank, Ace first: the shown cards, and one's own exchanged ones, that lie in the discards."""
    own_picks = (choice.pick for choice in view.choices)
    piles = _Piles([CARDS_EACH] * view.seats)
    for entry in view.history:
        if isinstance(entry, Gone):
            if entry.seat == view.viewer:
                next(own_picks)  # the resignation
            piles.leave(entry.seat)
            continue
        was_in = [card is not None for card in entry.shown]
        piles.play(entry, view.viewer, next(own_picks) if view.viewer and was_in[view.viewer - 1] else None)
        out = [each and not cards for each, cards in zip(was_in, entry.hands, strict=True)]
        if entry.phase == MAIN and sum(out) > 1:  # D10, D16: a playoff, with a fresh deck
            piles = _Piles([view.rules.playoff_cards * each for each in out])
    return piles.seen
