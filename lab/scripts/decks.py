"""Davenport at two seats with small decks or few cards, as arrays: every situation and every meeting of two.

Owns the enumeration. Suits mean nothing to the play (D1), so that hands are counts of values, and both seats
are alike while the stock lasts (D5 draws in seat order, but no seat draws better cards): one table of
situations serves both. A playoff, being fair, counts as a draw. Runs on NumPy, or on CuPy for large decks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, Final, NamedTuple

from facedown.core.cards import RANKS, SUITS, Card
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import MAIN, DavenportRound, OwnChoice
from facedown.games.davenport.view import DavenportView

_ACE: Final = 1
_JACK: Final = 11


class Deck(NamedTuple):
    """A deck: its ranks, the number of suits, the cards for each seat, and the rules."""

    ranks: str
    suits: int
    each: int
    exchange: bool
    ace: bool = False

    @property
    def values(self) -> list[int]:
        return [RANKS.index(rank) + 1 for rank in self.ranks]

    @property
    def cards(self) -> int:
        return len(self.ranks) * self.suits

    @property
    def rules(self) -> DavenportRules:
        options = ",".join(
            name for name, on in (("ace=on", self.ace), ("exchange=off", not self.exchange)) if on
        )
        return DavenportRules.read(f"davenport({options})" if options else "davenport")


class Level(NamedTuple):
    """The situations of one round; each array has an entry for each."""

    parent: Any
    """The sequence that led here; 0 for the deal."""
    before: Any
    """The situation of the round before it, in its level; and what came of it (`_Codes`)."""
    code: Any
    hand: Any
    """The number of cards of each rank."""
    received: Any
    """The number of cards of each rank that ever came to the seat."""
    other: Any
    """How many cards the other seat holds."""
    first: int
    """The number of the level's first sequence."""
    slots: Any
    """The sequences of the level: which pick each is, and by which situation it is made."""
    owner: Any


@dataclass(frozen=True, slots=True)
class LaidOutDeck:
    """The whole game: its levels, and what seat 1 gains where two sequences meet."""

    deck: Deck
    levels: list[Level]
    sequences: int
    gains: tuple[Any, Any, Any]
    """Rows, columns and values of a matrix of sequences; weighed by chance."""

    @property
    def situations(self) -> int:
        """The situations in which there is something to choose."""
        return sum(int(((level.hand > 0).sum(1) * self.ways > 1).sum()) for level in self.levels)

    @property
    def ways(self) -> int:
        return 1 + self.deck.exchange


class _Codes:
    """What a round shows to a seat, as one number: its pick and card, the other's, and what it drew."""

    def __init__(self, ranks: int) -> None:
        self.ranks = ranks
        self.count = 2 * ranks * ranks * 2 * ranks * (ranks + 1)

    def code(self, slot: int, own: int, exchanged: bool, other: int, drew: int) -> int:
        return (
            ((slot * self.ranks + own) * 2 * self.ranks + exchanged * self.ranks + other) * (self.ranks + 1)
            + drew
            + 1
        )

    def read(self, code: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Slot, own card, whether the other exchanged, its card, what was drawn (-1: nothing)."""
        rest, drew = code // (self.ranks + 1), code % (self.ranks + 1)
        rest, theirs = rest // (2 * self.ranks), rest % (2 * self.ranks)
        return rest // self.ranks, rest % self.ranks, theirs // self.ranks, theirs % self.ranks, drew - 1


def winner(one: int, two: int, ace: bool) -> int:
    """D6, D11: 1 where the first value wins, -1 where the second does, 0 where they share the round."""
    if ace and max(one, two) >= _JACK and _ACE in (one, two):
        return 1 if one == _ACE else -1
    return (one > two) - (one < two)


def lay_out_deck(deck: Deck, xp: Any, most: int = 1 << 62) -> LaidOutDeck:
    """Every situation, level by level; `OverflowError` where a round would have more meetings than `most`."""
    if deck.ace and deck.each > 1:
        raise ValueError("with Ace rules a game has no longest course, but with one card each")
    level, rows = _dealt(deck, xp)
    levels: list[Level] = []
    gains: list[tuple[Any, Any, Any]] = []
    while len(rows[0]):
        levels.append(level)
        if len(rows[0]) > most:
            raise OverflowError(f"{len(rows[0]):,} meetings")
        after = _Round(deck, xp, level, rows)
        gains += after.gains
        level, rows = after.next_level()
    last = levels[-1]
    whole = tuple(xp.concatenate([part[at] for part in gains]) for at in range(3))
    return LaidOutDeck(deck, levels, last.first + len(last.slots), (whole[0], whole[1], whole[2]))


def _level(
    deck: Deck, xp: Any, first: int, parent: Any, before: Any, code: Any, hand: Any, received: Any, other: Any
) -> Level:
    may = xp.concatenate([hand > 0] * (1 + deck.exchange), axis=1)
    owner, slots = xp.nonzero(may)
    return Level(parent, before, code, hand, received, other, first, slots, owner)


def _dealt(deck: Deck, xp: Any) -> tuple[Level, tuple[Any, Any, Any]]:
    ranks = len(deck.ranks)
    hands = [
        tuple(hand.count(rank) for rank in range(ranks))
        for hand in combinations_with_replacement(range(ranks), deck.each)
        if max(hand.count(rank) for rank in range(ranks)) <= deck.suits
    ]
    whole = comb(deck.cards, deck.each) * comb(deck.cards - deck.each, deck.each)
    rows = [
        (one, two, ways / whole)
        for one, mine in enumerate(hands)
        for two, theirs in enumerate(hands)
        if (
            ways := prod(
                comb(deck.suits, a) * comb(deck.suits - a, b) for a, b in zip(mine, theirs, strict=True)
            )
        )
    ]
    held = xp.asarray(hands, dtype=xp.int8)
    nothing = xp.zeros(len(hands), dtype=xp.int64)
    level = _level(deck, xp, 1, nothing, nothing, nothing, held, held, nothing.astype(xp.int8) + deck.each)
    return level, (
        xp.asarray([row[0] for row in rows]),
        xp.asarray([row[1] for row in rows]),
        xp.asarray([row[2] for row in rows]),
    )


class _Round:
    """A round between all pairs of situations that can meet: what it ends, and what it leads to."""

    def __init__(self, deck: Deck, xp: Any, level: Level, rows: tuple[Any, Any, Any]) -> None:
        self.deck, self.xp, self.level, self.rows = deck, xp, level, rows
        self.codes = _Codes(len(deck.ranks))
        ranks, slots = len(deck.ranks), len(deck.ranks) * (1 + deck.exchange)
        self.number = xp.full((len(level.hand), slots), -1, dtype=xp.int64)
        self.number[level.owner, level.slots] = level.first + xp.arange(len(level.slots))
        self.gains: list[tuple[Any, Any, Any]] = []
        self.keys: list[tuple[Any, Any, Any]] = []
        one, two, _ = rows
        self.left = deck.suits - level.received[one] - level.received[two]
        self.stock = self.left.sum(1).astype(xp.float64)
        self.held = (level.hand.sum(1)[one], level.hand.sum(1)[two])
        for mine in range(slots):
            for theirs in range(slots):
                may = xp.nonzero((level.hand[one, mine % ranks] > 0) & (level.hand[two, theirs % ranks] > 0))[
                    0
                ]
                if len(may):
                    self._meet(mine, theirs, may)

    def _meet(self, mine: int, theirs: int, at: Any) -> None:
        """These two picks, in all rows where both can be made."""
        xp, ranks, values = self.xp, len(self.deck.ranks), self.deck.values
        one, two, weight = (column[at] for column in self.rows)
        held = self.held[0][at], self.held[1][at]
        left, stock = self.left[at], self.stock[at]
        gained = xp.zeros(len(at))
        for own, other in self._shown(mine, theirs):
            chance, now, rest = weight, left, stock
            for rank, slot in ((own, mine), (other, theirs)):
                if slot >= ranks:  # D3: it comes from the stock
                    if float(rest.min()) < 1:
                        raise ValueError("the stock does not last")
                    chance = chance * now[:, rank] / rest
                    now = now.copy()
                    now[:, rank] -= 1
                    rest = rest - 1
            won = winner(values[own], values[other], self.deck.ace)
            out = (held[0] == 1) & (won >= 0), (held[1] == 1) & (won <= 0)
            gained += chance * (out[0].astype(xp.int8) - out[1].astype(xp.int8))
            on = xp.nonzero(~(out[0] | out[1]) & (chance > 0))[0]
            if len(on):
                shown = (mine, own, theirs, other, won)
                self._go_on(shown, one[on], two[on], chance[on], now[on], rest[on])
        real = xp.nonzero(gained)[0]
        if len(real):
            rows, columns = self.number[one[real], mine], self.number[two[real], theirs]
            self.gains.append((rows, columns, gained[real]))

    def _shown(self, mine: int, theirs: int) -> Iterator[tuple[int, int]]:
        ranks = len(self.deck.ranks)
        for own in [mine] if mine < ranks else range(ranks):
            for other in [theirs] if theirs < ranks else range(ranks):
                yield own, other

    def _go_on(
        self, shown: tuple[int, int, int, int, int], one: Any, two: Any, chance: Any, left: Any, stock: Any
    ) -> None:
        """The game continues: the loser, if there is one, draws (D7)."""
        xp, ranks = self.xp, len(self.deck.ranks)
        mine, own, theirs, other, won = shown
        if won and float(stock.min()) < 1:
            raise ValueError("the stock does not last")
        for drawn in range(ranks) if won else [-1]:
            comes = chance * left[:, drawn] / stock if won else chance
            real = xp.nonzero(comes > 0)[0]
            if not len(real):
                continue
            drew = (drawn if won < 0 else -1, drawn if won > 0 else -1)
            codes = (
                self.codes.code(mine, own, theirs >= ranks, other, drew[0]),
                self.codes.code(theirs, other, mine >= ranks, own, drew[1]),
            )
            self.keys.append(
                (
                    one[real] * self.codes.count + codes[0],
                    two[real] * self.codes.count + codes[1],
                    comes[real],
                )
            )

    def next_level(self) -> tuple[Level, tuple[Any, Any, Any]]:
        """The situations of the next round, and the pairs of them that can meet."""
        xp, level, ranks = self.xp, self.level, len(self.deck.ranks)
        if not self.keys:
            return level, (xp.zeros(0),) * 3
        ones, twos, chance = (xp.concatenate([part[at] for part in self.keys]) for at in range(3))
        self.keys.clear()
        known = xp.unique(ones)  # both seats can be in the same situations
        before, code = known // self.codes.count, known % self.codes.count
        slot, own, _, _, drew = self.codes.read(code)
        everything = xp.arange(len(known))
        hand, received = level.hand[before].copy(), level.received[before].copy()
        hand[everything, slot % ranks] -= 1
        for table in (hand, received):
            some = xp.nonzero(drew >= 0)[0]
            table[some, drew[some]] += 1
        some = xp.nonzero(slot >= ranks)[0]
        received[some, own[some]] += 1
        lost = drew >= 0
        theirs = self.codes.read(code)[3]
        other = level.other[before] - (lost | (own == theirs)).astype(xp.int8)
        first = level.first + len(level.slots)
        parent = self.number[before, slot]
        following = _level(self.deck, xp, first, parent, before, code, hand, received, other)
        return following, (xp.searchsorted(known, ones), xp.searchsorted(known, twos), chance)


# --- the views -------------------------------------------------------------------------------------------


def view_of(laid: LaidOutDeck, depth: int, number: int) -> tuple[DavenportView, dict[int, str]]:
    """What seat 1 sees in a situation, and a pick of it for each slot; the levels have to be NumPy's."""
    deck, codes = laid.deck, _Codes(len(laid.deck.ranks))
    steps = []
    at = number
    for level in laid.levels[depth:0:-1]:
        before = int(level.before[at])
        steps.append((before, codes.read(int(level.code[at]))))
        at = before
    history: list[DavenportRound] = []
    choices: list[OwnChoice] = []
    sizes, stock, discards = [deck.each, deck.each], deck.cards - 2 * deck.each, 0
    for place, (before, (slot, own, exchanged, other, _)) in enumerate(reversed(steps)):
        hand, picks = _hand(laid, place, before)
        exchanges = slot >= len(deck.ranks)
        won = winner(deck.values[own], deck.values[other], deck.ace)
        winners = (1, 2) if won == 0 else (1,) if won > 0 else (2,)
        drawn = (int(won < 0), int(won > 0))
        sizes = [size - 1 + more for size, more in zip(sizes, drawn, strict=True)]
        stock -= int(exchanges) + int(exchanged) + sum(drawn)
        discards += 2 + int(exchanges) + int(exchanged)
        shown = (Card(deck.ranks[own] + SUITS[0]), Card(deck.ranks[other] + SUITS[1]))
        seen = (exchanges, bool(exchanged))
        choices.append(OwnChoice(hand, picks[slot]))
        history.append(
            DavenportRound(
                MAIN, place + 1, shown, seen, winners, drawn, (), (sizes[0], sizes[1]), stock, discards
            )
        )
    hand, picks = _hand(laid, depth, number)
    view = DavenportView(
        viewer=1,
        rules=deck.rules,
        waiting=((1, 2),),
        outcome=None,
        seats=2,
        phase=MAIN,
        round=depth + 1,
        seats_in=(1, 2),
        hand=hand,
        hands=(sizes[0], sizes[1]),
        stock=stock,
        discards=discards,
        wins=(0, 0),
        history=tuple(history),
        choices=tuple(choices),
    )
    return view, picks


def _hand(laid: LaidOutDeck, depth: int, number: int) -> tuple[tuple[Card, ...], dict[int, str]]:
    deck, counts = laid.deck, laid.levels[depth].hand[number].tolist()
    by_rank = [
        [Card(rank + suit) for suit in SUITS[:count]] for rank, count in zip(deck.ranks, counts, strict=True)
    ]
    picks: dict[int, str] = {}
    for place, cards in enumerate(by_rank):
        if cards:
            picks[place] = cards[0]
            if deck.exchange:
                picks[len(deck.ranks) + place] = EXCHANGE[cards[0]]
    return tuple(card for cards in by_rank for card in cards), picks
