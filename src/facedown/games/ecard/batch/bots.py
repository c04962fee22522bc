"""The machines of E-Card at many tables at once: each picks for one seat of all of them.

They draw as their namesakes in `bots` draw: in NumPy, with the same draws, they pick the same.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any, Final

from facedown.core.parts.batch import Array, BatchPolicy, Draws, at_tables, is_numpy
from facedown.games.ecard.batch.reading import ShownLast, never_shown, shown_after
from facedown.games.ecard.batch.simulator import (
    CHOICES,
    CITIZEN_PLACE,
    EMPEROR_PLACE,
    SLAVE_PLACE,
    STAKE_PLACE,
)
from facedown.games.ecard.batch.solved import NUMBER, OURS, rounds_of
from facedown.games.ecard.batch.state import ECardTables
from facedown.games.ecard.bots.habit import MOODS, liked_stakes, special_now
from facedown.games.ecard.rules import DECIDED


def card_picks(game: Any, state: ECardTables, seat: int, special: Array) -> Array:
    """The special card of the seat's side where `special` holds or nothing else is left; else a Citizen."""
    xp = game.xp
    own = xp.where(game.emperor(state) == seat, EMPEROR_PLACE, SLAVE_PLACE)
    return xp.where(special | (state.play >= DECIDED), own, CITIZEN_PLACE).astype(xp.int32)


class BatchUniform:
    """`uniform`: any of the legal picks."""

    name = "uniform"
    exact = True

    def start(self, game: Any, tables: int) -> Any:
        """Nothing to remember."""
        return ()

    def after(self, game: Any, memory: Any, before: Any, state: Any) -> Any:
        """Nothing to remember."""
        return ()

    def pick(self, game: Any, state: ECardTables, memory: Any, seat: int, draws: Draws) -> Array:
        """A Citizen or the special card; any stake."""
        xp = game.xp
        choices = xp.where(state.play < DECIDED, 2, 1)
        names = state.stake == 0
        if game.named:
            choices = xp.where(names, game.most(state, seat), choices)
        choices = xp.maximum(choices, 1).astype(xp.uint32)
        number = draws.below(game.slots + seat, choices, game.deciding(state, seat)).astype(xp.int32)
        cards = card_picks(game, state, seat, number == 1)
        return xp.where(names, number + STAKE_PLACE, cards) if game.named else cards


class BatchMachine:
    """A machine that says how likely its special card is, and each stake; one number is drawn for a pick."""

    name = ""
    exact = True

    def start(self, game: Any, tables: int) -> Any:
        """Nothing to remember."""
        return ()

    def after(self, game: Any, memory: Any, before: Any, state: Any) -> Any:
        """Nothing to remember."""
        return ()

    @abstractmethod
    def special(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        """How likely the special card is at each table; looked at only where there is a choice."""

    @abstractmethod
    def stakes(self, game: Any, state: ECardTables, memory: Any, seat: int) -> list[Array]:
        """How likely each stake is, from 1: an array each."""

    def pick(self, game: Any, state: ECardTables, memory: Any, seat: int, draws: Draws) -> Array:
        """Drawn by the chances; where there is no choice, nothing is drawn."""
        xp = game.xp
        names = state.stake == 0
        choice = state.play < DECIDED
        if game.named:
            choice = xp.where(names, game.most(state, seat) > 1, choice)
        unit = draws.unit(game.slots + seat, game.deciding(state, seat) & choice)
        citizen = unit < 1.0 - self.special(game, state, memory, seat)
        cards = card_picks(game, state, seat, ~citizen)
        if not game.named:
            return cards
        if not is_numpy(xp):
            stake = drawn_stake(xp, unit, self.stakes(game, state, memory, seat), game.most(state, seat))
            return xp.where(names, stake + (STAKE_PLACE - 1), cards)
        rows = xp.flatnonzero(names)
        if len(rows):
            part, remembered = at_tables((state, memory), rows)
            chances = self.stakes(game, part, remembered, seat)
            cards[rows] = drawn_stake(xp, unit[rows], chances, game.most(part, seat)) + (STAKE_PLACE - 1)
        return cards


def drawn_stake(xp: Any, unit: Array, chances: list[Array], most: Array) -> Array:
    """The stake that a number from 0 to 1 stands for; what rounding has left over belongs to the highest."""
    picked = xp.zeros_like(most)
    left = unit
    for stake, chance in enumerate(chances, 1):
        picked = xp.where((picked == 0) & (stake <= most) & (left < chance), stake, picked)
        left = left - chance
    return xp.where(picked == 0, most, picked)


class BatchBlind(BatchMachine):
    """`random`: any card of the hand, and any stake."""

    name = "random"

    def special(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        """Of five cards one is the special one."""
        return 1.0 / (DECIDED + 1 - state.play)

    def stakes(self, game: Any, state: ECardTables, memory: Any, seat: int) -> list[Array]:
        """All alike."""
        each = 1.0 / game.xp.maximum(game.most(state, seat), 1)
        return [each] * game.most_stake


class BatchEquilibrium(BatchMachine):
    """`equilibrium`: the exact solution at every state."""

    name = "equilibrium"

    def special(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        """The solution's mix."""
        return of_play(game, rounds_of(game, state, seat), OURS, state.play)

    def stakes(self, game: Any, state: ECardTables, memory: Any, seat: int) -> list[Array]:
        """The solution's stakes."""
        rows = rounds_of(game, state, seat)
        return [rows[:, NUMBER + stake] for stake in range(game.most_stake)]


def of_play(game: Any, rows: Array, first: int, play: Array) -> Array:
    """The number of this play, of those that begin at a place in each row."""
    xp = game.xp
    place = first + xp.minimum(play, CHOICES) - 1
    return xp.take_along_axis(rows, place[:, None], axis=1)[:, 0]


class BatchHabit(BatchMachine):
    """`habit`: likes the middle, avoids repeating itself, and minds the last result."""

    name = "habit"

    def start(self, game: Any, tables: int) -> ShownLast:
        """Nothing was shown."""
        return never_shown(game, tables)

    def after(self, game: Any, memory: ShownLast, before: ECardTables, state: ECardTables) -> ShownLast:
        """When special cards were shown."""
        return shown_after(game, memory, before, state)

    def special(self, game: Any, state: ECardTables, memory: ShownLast, seat: int) -> Array:
        """The chance of the special card now, if its time has not come yet."""
        xp = game.xp
        shown = memory.on_side(game, state, seat)
        place = (shown * len(MOODS) + self._mood(game, state, seat)) * DECIDED + state.play - 1
        return xp.asarray(_special_chances())[place]

    def stakes(self, game: Any, state: ECardTables, memory: ShownLast, seat: int) -> list[Array]:
        """In the middle, and higher after a won round."""
        xp = game.xp
        chances = xp.asarray(_stake_chances(game.most_stake))
        rows = chances[game.most(state, seat), self._mood(game, state, seat)]
        return [rows[:, stake] for stake in range(game.most_stake)]

    def _mood(self, game: Any, state: ECardTables, seat: int) -> Array:
        """The place of the mood among `MOODS`."""
        xp = game.xp
        lost, won = 0, 2
        return xp.where(state.round_winner == 0, 1, xp.where(state.round_winner == seat + 1, won, lost))


@lru_cache(maxsize=1)
def _special_chances() -> Any:
    """By the play in which it was last shown (0: never), the mood, and the play."""
    import numpy as np

    return np.asarray(
        [
            special_now(shown, mood, play)
            for shown in range(DECIDED + 1)
            for mood in MOODS.values()
            for play in range(1, DECIDED + 1)
        ]
    )


@lru_cache(maxsize=8)
def _stake_chances(most_stake: int) -> Any:
    """By the highest stake that may be named, the mood, and the stake."""
    import numpy as np

    found = np.zeros((most_stake + 1, len(MOODS), most_stake))
    for most in range(1, most_stake + 1):
        for place, mood in enumerate(MOODS.values()):
            found[most, place, :most] = liked_stakes(most, mood)
    return found


POLICIES: Final[dict[str, BatchPolicy]] = {
    each.name: each for each in (BatchUniform(), BatchBlind(), BatchEquilibrium(), BatchHabit())
}
"""Every machine that has a batch form, by name."""
