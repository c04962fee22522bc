"""What everybody plays: a script of rounds of E-Card, read beside what the page shows; a short Davenport."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tests.web.whole.players import Seen


class Script:
    """Rounds as words of two letters, one for each play: the Emperor side's card, then the Slave side's.

    `Script("EC", "CC CC CC", "CC ES")`: the Emperor wins the first, no side the second, the Slave the third.
    """

    def __init__(self, *rounds: str) -> None:
        self._rounds = rounds

    def __call__(self, seen: Mapping[int, Seen]) -> dict[int, str]:
        """Everybody's pick of the decision that is open."""
        return {seat: self._pick(each) for seat, each in seen.items() if each.hand}

    def _pick(self, seen: Seen) -> str:
        """One seat's card: which side it is on, its own hand says."""
        found = re.search(r"\d+", seen.place)
        assert found, seen
        both = self._rounds[int(found[0]) - 1].split()[5 - len(seen.hand)]
        return both[0] if "E" in seen.hand else both[1]


def rank(card: str) -> int:
    """From 1, the Ace, to 13, the King."""
    return "A23456789TJQK".index(card[0]) + 1


def hurry(hands: Mapping[int, Sequence[str]], winner: int) -> dict[int, str]:
    """Davenport: one seat shows its highest, everybody else their lowest, so that it is soon out of cards."""
    return {seat: (max if seat == winner else min)(hand, key=rank) for seat, hand in hands.items()}
