"""E-Card for OpenSpiel as a game in extensive form: rounds that are always decided, with sides that swap.

Read by OpenSpiel's own parser, so that its solvers walk it at the speed of C++. A rival for `bench/solve.py`,
and an oracle for the tests of our solver; it shares no code with either.
"""

from __future__ import annotations

from typing import Any

CITIZENS = 4


def load(rounds: int = 1) -> Any:
    """The game: a number of rounds, of which each pays its winner 1; who has won more gains 1."""
    import pyspiel

    return pyspiel.load_efg_game(written(rounds))


def written(rounds: int) -> str:
    """The same in Gambit's format: a prologue, then all nodes in the order in which they are reached."""
    return "\n".join([f'EFG 2 R "E-Card, {rounds} rounds" {{ "one" "two" }} ""', *_Writer(rounds).lines()])


class _Writer:
    """Numbers information sets and outcomes on the way."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.sets: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.ends = 0

    def lines(self) -> list[str]:
        return self.round(1, 0, "")

    def round(self, number: int, lead: int, seen: str) -> list[str]:
        """A round from its start; `seen` is what both saw."""
        if number > self.rounds:
            return [self.end(lead)]
        return self.play(number, CITIZENS, lead, seen)

    def play(self, number: int, citizens: int, lead: int, seen: str) -> list[str]:
        """Player one places, then player two, who does not see it; then both cards are turned."""
        emperor = 1 if number % 2 else 2
        special = ("E", "S") if emperor == 1 else ("S", "E")
        hands = [["C", card] if citizens else [card] for card in special]
        lines = [self.place(1, seen, hands[0])]
        for one in hands[0]:
            lines.append(self.place(2, seen, hands[1]))
            for two in hands[1]:
                shown = f"{seen}{one}{two} "
                if one == two:
                    lines += self.play(number, citizens - 1, lead, shown)
                else:
                    winner = emperor if "C" in (one, two) else 3 - emperor
                    lines += self.round(number + 1, lead + (1 if winner == 1 else -1), shown)
        return lines

    def place(self, player: int, seen: str, hand: list[str]) -> str:
        known = self.sets[player - 1]
        number = known.setdefault(seen, len(known) + 1)
        cards = " ".join(f'"{card}"' for card in hand)
        return f'p "" {player} {number} "{player}: {seen}" {{ {cards} }} 0'

    def end(self, lead: int) -> str:
        self.ends += 1
        gain = (lead > 0) - (lead < 0)
        return f't "" {self.ends} "" {{ {gain} {-gain} }}'
