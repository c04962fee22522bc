"""What everybody plays at a table of E-Card: a script of rounds, read beside what the page shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.web.whole.players import Seen


@dataclass(frozen=True, slots=True)
class Script:
    """Rounds as words of two letters, one for each play: the Emperor side's card, then the Slave side's.

    `Script("EC", "CC CC CC", "CC ES")`: the Emperor wins the first, no side the second, the Slave the third.
    """

    rounds: Sequence[str]
    stakes: Mapping[int, int]

    def __init__(self, *rounds: str, stakes: Mapping[int, int] | None = None) -> None:
        object.__setattr__(self, "rounds", rounds)
        object.__setattr__(self, "stakes", stakes or {})

    def __call__(self, seen: Mapping[int, Seen]) -> dict[int, str]:
        """Everybody's pick of the decision that is open."""
        for seat, each in seen.items():
            if each.stake:
                return {seat: str(self.stakes.get(_round(each), 1))}
        return {seat: self.pick(each) for seat, each in seen.items() if each.hand}

    def pick(self, seen: Seen) -> str:
        """One seat's card: which side it is on, its own hand says."""
        plays = self.rounds[_round(seen) - 1].split()
        both = plays[5 - len(seen.hand)]
        return both[0] if "E" in seen.hand else both[1]


def special_first(seen: Mapping[int, Seen]) -> dict[int, str]:
    """Everybody plays the Emperor or the Slave at once, which ends a round whatever the other side plays."""
    return {seat: "E" if "E" in each.hand else "S" for seat, each in seen.items() if each.hand}


def _round(seen: Seen) -> int:
    found = re.search(r"\d+", seen.place)
    assert found, seen
    return int(found[0])
