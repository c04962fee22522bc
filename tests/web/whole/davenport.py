"""What everybody plays at a table of Davenport so that a game ends as a test wants it.

Looks into all hands at once, as they are read from the pages; it computes itself what wins a round (D6, D11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

Hands = Mapping[int, Sequence[str]]
"""By seat."""
Picks = dict[int, str]

_ORDER: Final = "A23456789TJQK"
_ANY: Final = tuple(f"{sign}S" for sign in _ORDER)
_WISHED: Final = 100.0
_MANY: Final = 2
"""Exchanges that are thought through; with more of them a round is left to chance."""


def rank(card: str) -> int:
    """From 1, the Ace, to 13, the King."""
    return _ORDER.index(card[0]) + 1


def hurry(hands: Hands, winner: int) -> Picks:
    """One seat shows its highest, everybody else their lowest: soon it is out of cards."""
    return {seat: (max if seat == winner else min)(hand, key=rank) for seat, hand in hands.items()}


def sure(hands: Hands, *, ace: bool = False) -> bool:
    """Whether `share` comes to its end in this round, whatever is drawn."""
    return _worth(hands, share(hands, ace=ace), ace) == _WISHED


def share(hands: Hands, *, ace: bool = False) -> Picks:
    """Towards a round in which two or more get rid of their last card together, and no seat alone before."""
    return max(_ways(hands), key=lambda picks: _worth(hands, picks, ace))


def _ways(hands: Hands) -> Iterator[Picks]:
    """For every rank: who holds it shows it, the others something lower; those who cannot exchange."""
    for value in range(1, 14):
        shown = {seat: _under(hand, value) for seat, hand in hands.items()}
        yield shown
        for seat, hand in hands.items():  # the same, but only one of the holders shows it
            lowest = min(hand, key=rank)
            if rank(shown[seat][-2:]) == value and rank(lowest) < value:
                yield {**shown, seat: lowest}


def _under(hand: Sequence[str], value: int) -> str:
    for card in hand:
        if rank(card) == value:
            return card
    lowest = min(hand, key=rank)
    return lowest if rank(lowest) < value else f"x{lowest}"


def _worth(hands: Hands, picks: Picks, ace: bool) -> float:
    exchanged = [seat for seat, pick in picks.items() if pick.startswith("x")]
    if len(exchanged) > _MANY:
        return -_WISHED
    ends = [
        _end(hands, {**picks, **dict(zip(exchanged, drawn, strict=True))}, ace)
        for drawn in product(_ANY, repeat=len(exchanged))
    ]
    return sum(ends) / len(ends)


def _end(hands: Hands, shown: Picks, ace: bool) -> float:
    winners = _winners(shown, ace)
    out = [seat for seat in winners if len(hands[seat]) == 1]
    if len(out) > 1:
        return _WISHED
    if out:
        return -_WISHED
    wasted = max(map(rank, shown.values()))  # high cards are needed later, against another seat's last one
    return len(winners) - wasted / 5


def winners(hands: Hands, *, ace: bool = False) -> list[int]:
    """Who wins the round if all do as `share` says."""
    return _winners(share(hands, ace=ace), ace)


def _winners(shown: Picks, ace: bool) -> list[int]:
    best = max(map(rank, shown.values()))
    if ace and best > 10 and 1 in map(rank, shown.values()):
        best = 1
    return [seat for seat, card in shown.items() if rank(card) == best]
