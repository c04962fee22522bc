"""What everybody plays at a table of Davenport so that a game is soon over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Hands = Mapping[int, Sequence[str]]
"""By seat."""
Picks = dict[int, str]


def rank(card: str) -> int:
    """From 1, the Ace, to 13, the King."""
    return "A23456789TJQK".index(card[0]) + 1


def hurry(hands: Hands, winner: int) -> Picks:
    """One seat shows its highest, everybody else their lowest: soon it is out of cards."""
    return {seat: (max if seat == winner else min)(hand, key=rank) for seat, hand in hands.items()}
