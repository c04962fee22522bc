"""A small model of how people pick in E-Card: when the special card comes.

Owns the model and the numbers that are assumed as long as there are no games of people to fit it to.
`habit` plays by it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class PickHabits(NamedTuple):
    """A time in mind for the special card, drawn to the plays by what each is liked, factors multiplied.

    Where a round has fewer than five plays (E6), a time past its end means: not in this round.
    """

    liking: tuple[float, ...]
    """How much each play, from the first to the fifth, draws the special card."""
    again: float
    """How much of that is left at the play where it was shown last on this side."""
    won: float
    """How much more each later play draws it after a won round."""
    lost: float
    """The same after a lost one."""

    def mood(self, result: int) -> float:
        """How much more each later play draws it: the last round was won (1), lost (-1) or neither (0)."""
        return self.won if result > 0 else self.lost if result < 0 else 1.0

    def special(self, play: int, shown: int, result: int) -> float:
        """How likely the special card is in this play, from 1, if it is still held.

        `shown` is the play at which it was seen last on this side, 0 for never.
        """
        mood = self.mood(result)
        drawn = [
            liking * (self.again if at == shown else 1.0) * mood**at
            for at, liking in enumerate(self.liking, 1)
        ][play - 1 :]
        return drawn[0] / sum(drawn)


RESULTS: Final = (-1, 0, 1)
"""How a round can end for a seat: lost, without a winner, won."""

_MOOD: Final = 1.2

ASSUMED: Final = PickHabits((0.08, 0.26, 0.32, 0.22, 0.12), again=0.25, won=_MOOD, lost=1.0 / _MOOD)
"""ASSUMPTIONS, not fitted to data: made up in the direction of what is documented elsewhere. People avoid the
first and the last of several places to hide something (Rubinstein, Tversky and Heller, 1996), repeat
themselves too rarely (Wagenaar, 1972), and mind how the last round ended (Wang, Xu and Zhou, 2014)."""
