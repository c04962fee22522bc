"""`reader` and `sage` at many tables at once (NumPy): what they make of what `reading` expects.

The same arithmetic as in `bots.reader`, `bots.sage` and `bots.answer`, in the same order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from facedown.core.parts.batch import Array, at_tables
from facedown.games.ecard.batch.bots import BatchEquilibrium, BatchMachine
from facedown.games.ecard.batch.reading import (
    ReadTables,
    first_reading,
    is_finished,
    is_new,
    predict,
    read_after,
    special_shown,
)
from facedown.games.ecard.batch.simulator import CHOICES
from facedown.games.ecard.batch.solved import (
    BEFORE,
    COUNT,
    EMPEROR_WINS,
    OURS,
    SLAVE_WINS,
    THEIRS,
    VALUE,
    rounds_of,
)
from facedown.games.ecard.batch.state import ECardTables
from facedown.games.ecard.bots.answer import BOLDNESS, EVEN
from facedown.games.ecard.bots.reader import SURE


class RoundTables(NamedTuple):
    """The round of each table, solved, as one seat sees it; lists are by play."""

    emperor: Array
    slave: Array
    before: list[Array]
    """Before each play, and after the last one at which there is a choice."""
    ours: list[Array]
    theirs: list[Array]
    value: Array
    choices: Array

    @classmethod
    def of(cls, rows: Array) -> RoundTables:
        """From the rows of `solved`."""

        def columns(first: int, count: int) -> list[Array]:
            return [rows[:, first + place] for place in range(count)]

        return cls(
            rows[:, EMPEROR_WINS],
            rows[:, SLAVE_WINS],
            columns(BEFORE, CHOICES + 1),
            columns(OURS, CHOICES),
            columns(THEIRS, CHOICES),
            rows[:, VALUE],
            rows[:, COUNT],
        )

    def shares_if_met(self, place: int, special: Array) -> tuple[Array, Array]:
        """What playing the special card with this chance is worth if they play theirs, and if they do not."""
        both = special * self.slave + (1.0 - special) * self.emperor
        return both, special * self.emperor + (1.0 - special) * self.before[place + 1]


def best_answers(xp: Any, worth: RoundTables, chances: list[Array]) -> tuple[list[Array], Array]:
    """The best answer at each play to these chances, and what it is worth."""
    special: list[Array] = [None] * CHOICES
    ahead = worth.before[CHOICES]
    for place in reversed(range(CHOICES)):
        chance = chances[place]
        now = chance * worth.slave + (1.0 - chance) * worth.emperor
        later = chance * worth.emperor + (1.0 - chance) * ahead
        even = xp.abs(now - later) < EVEN
        special[place] = xp.where(even, worth.ours[place], (now > later).astype(xp.float64))
        ahead = xp.where(place < worth.choices, xp.maximum(now, later), ahead)
    return special, ahead


def blend(xp: Any, worth: RoundTables, special: list[Array], part: Array) -> list[Array]:
    """This answer in that part of all rounds, and the equilibrium in the others."""
    found = []
    answering, usually = part, 1.0 - part
    for answer, usual in zip(special, worth.ours, strict=True):
        held = answering + usually
        mixed = (answering * answer + usually * usual) / xp.where(held > 0, held, 1.0)
        found.append(xp.where(held > 0, mixed, usual))
        answering = answering * (1.0 - answer)
        usually = usually * (1.0 - usual)
    return found


def at_play(xp: Any, by_play: list[Array], play: Array) -> Array:
    """The entry of the play that each table is at."""
    found = by_play[0]
    for place in range(1, CHOICES):
        found = xp.where(play - 1 == place, by_play[place], found)
    return found


class BatchReader(BatchMachine):
    """`reader`: predicts the opponent, and plays the best answer to the prediction."""

    name = "reader"

    def start(self, game: Any, tables: int) -> ReadTables:
        """Nothing was counted."""
        return first_reading(game, tables)

    def after(self, game: Any, memory: ReadTables, before: ECardTables, state: ECardTables) -> ReadTables:
        """Rounds that ended are counted."""
        return read_after(game, memory, before, state)

    def special(self, game: Any, state: ECardTables, memory: ReadTables, seat: int) -> Array:
        """The best answer, as far as it is sure enough."""
        xp = game.xp
        worth = RoundTables.of(rounds_of(game, state, seat))
        answer, value = best_answers(xp, worth, predict(game, state, memory, 1 - seat, worth.theirs))
        advantage = value - worth.before[0]
        at_stake = xp.maximum(
            xp.abs(worth.emperor - worth.slave), xp.abs(worth.emperor - worth.before[CHOICES])
        )
        matters = advantage >= EVEN
        sure = xp.minimum(1.0, advantage / xp.where(matters, SURE * at_stake, 1.0))
        return at_play(xp, blend(xp, worth, answer, xp.where(matters, sure, 0.0)), state.play)

    def stakes(self, game: Any, state: ECardTables, memory: ReadTables, seat: int) -> list[Array]:
        """All alike that are best if the prediction is right."""
        xp = game.xp
        most = xp.maximum(game.most(state, seat), 1)
        values = []
        for stake in range(1, game.most_stake + 1):
            named = state._replace(stake=xp.minimum(stake, most))
            worth = RoundTables.of(rounds_of(game, named, seat))
            expected = predict(game, state, memory, 1 - seat, worth.theirs)
            values.append(xp.where(stake <= most, best_answers(xp, worth, expected)[1], -xp.inf))
        highest = values[0]
        for value in values[1:]:
            highest = xp.maximum(highest, value)
        best = [highest - value < EVEN for value in values]
        count = best[0].astype(xp.int32)
        for each in best[1:]:
            count = count + each
        return [xp.where(each, 1.0 / count, 0.0) for each in best]


class SageTables(NamedTuple):
    """What `sage` remembers."""

    reading: ReadTables
    banks: tuple[Array, Array]
    """By the seat that it would sit on."""


class BatchSage(BatchMachine):
    """`sage`: predicts like the reader, and strays from the equilibrium only as far as its bank pays for it.

    What it wants of each bet is raised to a power, which NumPy may round differently from Python.
    """

    name = "sage"
    exact = False

    def start(self, game: Any, tables: int) -> SageTables:
        """Nothing was counted, and nothing is in the bank."""
        nothing = game.xp.zeros(tables)
        return SageTables(first_reading(game, tables), (nothing, nothing))

    def after(self, game: Any, memory: SageTables, before: ECardTables, state: ECardTables) -> SageTables:
        """What a round has brought goes to the bank."""
        xp = game.xp
        reading = read_after(game, memory.reading, before, state)
        rows = xp.flatnonzero(is_finished(game, before, state))
        if not len(rows):
            return memory._replace(reading=reading)
        then, now, knew = at_tables((before, state, memory), rows)
        banks = []
        for seat in (0, 1):
            bank = memory.banks[seat].copy()
            bank[rows] = self._after_round(game, knew, then, now, seat)
            bank[is_new(state)] = 0.0
            banks.append(bank)
        return SageTables(reading, (banks[0], banks[1]))

    def _after_round(
        self, game: Any, memory: SageTables, before: ECardTables, state: ECardTables, seat: int
    ) -> Array:
        xp = game.xp
        worth = RoundTables.of(rounds_of(game, before, seat))
        special = self._plan(game, before, memory, seat, worth)
        bank = self._bank(game, before, memory, seat, worth)
        shown = special_shown(before, state, 1 - seat)
        for play in range(1, CHOICES + 1):
            if_shown, if_not = worth.shares_if_met(play - 1, special[play - 1])
            brought = xp.where(shown & (before.play == play), if_shown, if_not) - worth.before[play - 1]
            bank = xp.where(before.play >= play, bank + brought, bank)
        return xp.maximum(0.0, bank)

    def special(self, game: Any, state: ECardTables, memory: SageTables, seat: int) -> Array:
        """What the bank can pay for."""
        worth = RoundTables.of(rounds_of(game, state, seat))
        return at_play(game.xp, self._plan(game, state, memory, seat, worth), state.play)

    def stakes(self, game: Any, state: ECardTables, memory: SageTables, seat: int) -> list[Array]:
        """The solution's: no bet is placed on a stake."""
        return BatchEquilibrium().stakes(game, state, (), seat)

    def _bank(
        self, game: Any, state: ECardTables, memory: SageTables, seat: int, worth: RoundTables
    ) -> Array:
        """The bank once the stake is named: if they have named a bad one, that is a gift too."""
        xp, bank = game.xp, memory.banks[seat]
        gift = bank + xp.maximum(0.0, worth.before[0] - worth.value)
        return xp.where(game.emperor(state) == seat, gift, bank)

    def _plan(
        self, game: Any, state: ECardTables, memory: SageTables, seat: int, worth: RoundTables
    ) -> list[Array]:
        """What the bank can pay for in each play, after plays in which they have shown Citizens."""
        xp = game.xp
        expected = predict(game, state, memory.reading, 1 - seat, worth.theirs)
        times, held = [], xp.ones(len(state.round))
        for place, chance in enumerate(expected):
            there = place < worth.choices
            times.append(xp.where(there, held * chance, 0.0))
            held = xp.where(there, held * (1.0 - chance), held)
        bank = self._bank(game, state, memory, seat, worth)
        special = []
        for place in range(CHOICES):
            chance = bets(xp, worth, place, [*times, held], xp.maximum(0.0, bank))
            special.append(chance)
            bank = bank + worth.shares_if_met(place, chance)[1] - worth.before[place]
        return special


def bets(xp: Any, worth: RoundTables, place: int, times: list[Array], bank: Array) -> Array:
    """How likely the special card should be in this play: `bots.answer.bet` at every table.

    The last of the times is that of no play at all.
    """
    swing, at_end = worth.slave - worth.emperor, worth.before[CHOICES] - worth.emperor
    fixed = (xp.minimum(swing, at_end) < EVEN) & (xp.maximum(swing, at_end) > -EVEN)
    swings = [xp.where(fixed, 1.0, swing)] * CHOICES + [xp.where(fixed, 1.0, at_end)]
    spare = bank + worth.emperor - worth.before[place]
    left = [(time < worth.choices) & ~fixed for time in range(CHOICES)] + [~fixed]
    slots = range(place, CHOICES + 1)
    wanted = {time: (times[time] * xp.abs(swings[time])) ** BOLDNESS for time in slots}
    usual = worth.ours[place]
    found, open_ = usual, ~fixed
    for _ in slots:
        any_wanted = xp.zeros_like(open_)
        inverse = weighed = xp.zeros_like(spare)
        for time in slots:
            any_wanted = any_wanted | (left[time] & (wanted[time] != 0))
            inverse = inverse + xp.where(left[time], 1.0 / swings[time], 0.0)
            weighed = weighed + xp.where(left[time], wanted[time] / swings[time], 0.0)
        open_ = open_ & any_wanted
        if not open_.any():
            break
        scale = xp.maximum(0.0, (1.0 + spare * inverse) / xp.where(weighed != 0, weighed, 1.0))
        chances = {time: (scale * wanted[time] - spare) / swings[time] for time in slots}
        fits = open_
        for time in slots:
            fits = fits & (~left[time] | (chances[time] >= 0.0))
        first = xp.where(left[place], xp.minimum(1.0, chances[place]), 0.0)
        found = xp.where(fits, first, found)
        open_ = open_ & ~fits
        for time in slots:
            left[time] = left[time] & (chances[time] >= 0.0)
    return found
