"""Wins that may be given away: lists for the operator of unusual pairs, and of wins over newcomers.

A person who feeds another one loses to them far more often than to everybody else; two accounts that trade
wins hardly play anyone else; one who makes guests to beat them wins against no one else. Friends, and people
who welcome newcomers, may look the same: the lists alone prove nothing.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

from facedown.server.store.values import MetPair, WinsOverNewcomers

LEAST_GAMES: Final = 10
"""Games of a pair; fewer say nothing."""
RARE: Final = 0.001
"""A result that is less likely than this by luck is listed."""
CLOSED_GAMES: Final = 20
CLOSED_SHARE: Final = 0.8
"""A pair with this number of games, and this share of the games of one of them, is listed as well."""


LEAST_WINS: Final = 10
"""Wins of a person; fewer say nothing."""
FEW_GAMES: Final = 5
"""A person with fewer rated games is new."""
EASY_SHARE: Final = 0.8
"""A person with this share of their wins over new people is listed."""


class UnusualPair(NamedTuple):
    """A pair with the reason for listing it."""

    pair: MetPair
    share: float
    """The part of the games of the one who plays less that they played with the other one."""
    chance: float
    """How likely such a result is by luck, if each plays here as against others."""


def unusual_pairs(pairs: list[MetPair]) -> list[UnusualPair]:
    """The pairs to look at, the least likely first."""
    found = []
    for pair in pairs:
        share = pair.games / min(pair.one_games, pair.other_games)
        chance = chance_of(pair)
        if chance < RARE or (pair.games >= CLOSED_GAMES and share >= CLOSED_SHARE):
            found.append(UnusualPair(pair, share, chance))
    return sorted(found, key=lambda each: (each.chance, -each.share))


def easy_winners(people: list[WinsOverNewcomers]) -> list[WinsOverNewcomers]:
    """The people whose wins are over new people, those with the most first."""
    found = [each for each in people if each.easy >= EASY_SHARE * each.wins]
    return sorted(found, key=lambda each: (-each.easy, each.person))


def chance_of(pair: MetPair) -> float:
    """How likely the more successful one wins at least as often by luck: the larger of two chances, so that
    a strong player and a weak one are not listed for what they are.

    >>> fair = MetPair("a", "Ann", "b", "Ben", 20, 11, 60, 31, 60, 29)
    >>> fed = MetPair("a", "Ann", "b", "Ben", 20, 20, 60, 40, 60, 20)
    >>> strong = MetPair("a", "Ann", "b", "Ben", 20, 20, 60, 58, 60, 20)
    >>> chance_of(fair) > 0.1, chance_of(fed) < 0.001, chance_of(strong) > 0.1
    (True, True, True)
    """
    lost = pair.games - pair.wins
    one = _tail(pair.wins, pair.games, pair.one_wins, pair.one_games)
    other = _tail(lost, pair.games, pair.other_wins, pair.other_games)
    if pair.wins >= lost:
        return max(one, 1 - other + _point(lost, pair.games, pair.other_wins, pair.other_games))
    return max(other, 1 - one + _point(pair.wins, pair.games, pair.one_wins, pair.one_games))


def _point(wins: int, games: int, all_wins: int, all_games: int) -> float:
    """The chance of just this number of wins in these games of all, as in Fisher's exact test; of two who
    play no one else, that of a coin."""
    if games == all_games:
        return comb(games, wins) / (1 << games)
    return comb(all_wins, wins) * comb(all_games - all_wins, games - wins) / comb(all_games, games)


def _tail(wins: int, games: int, all_wins: int, all_games: int) -> float:
    """The chance of at least that many wins."""
    most = games if games == all_games else min(games, all_wins)
    return sum(_point(more, games, all_wins, all_games) for more in range(wins, most + 1))
