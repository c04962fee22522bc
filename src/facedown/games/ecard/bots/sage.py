"""The machine that plays the solution, and bets on what it reads in the opponent only what is in its bank.

Owns the bank, and with it the promise that no opponent can bring a game below its value less `OUTLAY`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from facedown.core.game import Pick
from facedown.core.text.translation import Text
from facedown.games.ecard import message
from facedown.games.ecard.bots.answer import EVEN, bet, times_of
from facedown.games.ecard.bots.reader import Reader, RoundPlan
from facedown.games.ecard.bots.reading import Note, OpponentRound
from facedown.games.ecard.notation import SLAVE
from facedown.games.ecard.view import ECardView

OUTLAY: Final = 0.003
"""What it lays out itself, as a chance to win the game."""

READABLE: Final = 2000
"""How many millibits have to be foretold in the games remembered for an outlay."""


class Sage(Reader):
    """Predicts like the reader, and strays from the equilibrium only as far as the bank pays for it.

    After each play the bank grows by what one's mix was worth against the card that the opponent has shown,
    less what the play was worth before: by what they gave away, luck left out. (This is "risk what you have
    won in expectation", from Ganzfried and Sandholm, Safe opponent exploitation.) No mix is chosen with which
    the bank could fall below nothing, whichever card is shown. So the game is always worth at least its value
    less the bank: what a play brings on average and what it adds to the bank are the same.

    What is never right fills the bank: cards where the score makes one side's choice clear, as in `classic`,
    and stakes badly named. But where every round is decided and counts, as in `decisive`, the equilibrium
    makes every card as good as any other: no opponent ever gives anything away against it, and a bot
    that risks nothing could play nothing else. So against an opponent who was readable in the
    games remembered, there is a small outlay in the bank at the start.
    """

    name: ClassVar[str] = "sage"
    says: ClassVar[Text] = message("bot.sage.says")

    _bank: float

    def _start(self, view: ECardView, notes: list[Note]) -> None:
        """A game starts: with an outlay against a readable opponent."""
        super()._start(view, notes)
        self._bank = OUTLAY if sum(note["millibits"] for note in notes) >= READABLE else 0.0

    def _finish(self, seen: OpponentRound, stake: int) -> None:
        """A round is over: what it has brought goes to the bank."""
        worth = self._place.round_at(stake)
        special = self._plan_of(seen.side, stake).special
        bank = self._bank_at(seen.side, stake)
        for play in seen.choices:
            if_shown, if_not = worth.shares_if_met(play - 1, special[play - 1])
            bank += (if_shown if seen.showed(play) else if_not) - worth.before[play - 1]
        super()._finish(seen, stake)
        self._bank = max(0.0, bank)

    def _bank_at(self, side: str, stake: int) -> float:
        """The bank once the stake is named: if they have named a bad one, that is a gift too."""
        if side != SLAVE:
            return self._bank
        return self._bank + max(0.0, self._place.round_at(stake).before[0] - self._place.value)

    def _plan(self, side: str, stake: int) -> RoundPlan:
        """What the bank can pay for in each play, after plays in which they have shown Citizens."""
        worth = self._place.round_at(stake)
        expected = self._reading.chances(side, worth.theirs)
        times = times_of(expected)
        bank = self._bank_at(side, stake)
        special: list[float] = []
        for place in range(worth.choices):
            chance = bet(worth, place, times[place:], max(0.0, bank))
            special.append(chance)
            bank += worth.shares_if_met(place, chance)[1] - worth.before[place]
        return RoundPlan(expected, tuple(special))

    def _besides(self, side: str, stake: int) -> tuple[Text, ...]:
        """What there is in the bank to stray from the solution with."""
        bank = self._bank_at(side, stake)
        if bank < EVEN:
            return (message("expects.bank.empty"),)
        return (message("expects.bank", bank=f"{100 * bank:.1f}"),)

    def _stakes(self, side: str, legal: tuple[Pick, ...]) -> dict[int, float]:
        """The solution's: no bet is placed on a stake."""
        return self._place.stakes()
