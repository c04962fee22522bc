"""The chances of a card to win the coming round, given what each other seat may show.

Owns the arithmetic of one reveal (D6, D11 to D14). Must not know where the guesses come from.
"""

from __future__ import annotations

from math import prod
from typing import Final, NamedTuple

from facedown.games.davenport.bots.habits import KING, Shares

_ACE: Final = 1
_TEN: Final = 10
_JACK: Final = 11


class ValueChances(NamedTuple):
    """What comes of showing a card of each value, from 0 to 13."""

    wins: list[float]
    costs: list[float]
    """How likely it loses and draws an additional card (D12, D13)."""


def chances(shown: list[Shares], cards: list[int], held: int, *, ace_rules: bool) -> ValueChances:
    """Against seats that show these and hold these numbers of cards, for a seat that holds `held` itself."""
    kept = [_kept_down(shares, count, held) for shares, count in zip(shown, cards, strict=True)]
    wins = [prod(column) for column in zip(*kept, strict=True)]
    costs = [0.0] * len(wins)
    if not ace_rules:
        return ValueChances(wins, costs)
    aces = [shares[_ACE] for shares in shown]
    for face in range(_JACK, KING + 1):  # D12: the highest card, and yet lost where an Ace is shown
        highest = wins[face]
        wins[face] = prod([max(0.0, each[face] - ace) for each, ace in zip(kept, aces, strict=True)])
        costs[face] = highest - wins[face]
    no_face, all_aces = prod([shares[_TEN] for shares in shown]), prod(aces)
    wins[_ACE] = 1.0 - no_face + all_aces  # D11, D14
    costs[_ACE] = no_face - all_aces  # D13
    return ValueChances(wins, costs)


def _kept_down(shares: Shares, cards: int, held: int) -> Shares:
    """How likely a card of each value keeps this seat from spoiling the round.

    To share a round with a seat that has one card left is to lose the game: that seat is out (D10). Unless
    one goes out with it: then there is a playoff, which is as good as half a win.
    """
    if cards > 1:
        return shares
    lower = [0.0, *shares[:-1]]
    if held > 1:
        return lower
    return [(share + less) / 2 for share, less in zip(shares, lower, strict=True)]


def leads(shown: list[Shares]) -> list[float]:
    """How likely each of these seats shows the highest card among them; they add up to one.

    >>> leads([[0.0, 0.5, 1.0], [0.0, 0.5, 1.0]]), leads([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    ([0.5, 0.5], [1.0, 0.0])
    """
    if len(shown) == 1:
        return [1.0]
    all_below = [prod(column) for column in zip(*shown, strict=True)]
    highest: list[float] = []
    for shares in shown:
        chance = less = 0.0
        for share, below in zip(shares, all_below, strict=True):
            if share > less:
                chance += (share - less) * below / share
            less = share
        highest.append(chance)
    whole = sum(highest)
    return [chance / whole for chance in highest]
