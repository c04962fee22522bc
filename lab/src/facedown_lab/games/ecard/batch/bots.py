"""The machines of E-Card at many tables at once: each picks for one seat of all of them.

They draw as their namesakes in `bots` draw: in NumPy, with the same draws, they pick the same.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any, Final, NamedTuple

from facedown.games.ecard.bots.people import ASSUMED, RESULTS
from facedown.games.ecard.bots.plain import liked_stakes
from facedown.games.ecard.bots.reader import SURE
from facedown.games.ecard.bots.reading import TRUST
from facedown.games.ecard.bots.worth import BOLDNESS, EVEN
from facedown.games.ecard.rules import DECIDED
from facedown_lab.batch.form import Array, BatchPolicy, Draws, at_tables, is_numpy
from facedown_lab.games.ecard.batch.simulator import (
    CHOICES,
    CITIZEN_PLACE,
    EMPEROR_PLACE,
    SLAVE_PLACE,
    STAKE_PLACE,
    ECardTables,
)
from facedown_lab.games.ecard.batch.solved import (
    BEFORE,
    COUNT,
    EMPEROR_WINS,
    NUMBER,
    OURS,
    SLAVE_WINS,
    THEIRS,
    VALUE,
    rounds_of,
)


def card_picks(game: Any, state: ECardTables, seat: int, special: Array) -> Array:
    """The special card of the seat's side where `special` holds or nothing else is left; else a Citizen."""
    xp = game.xp
    own = xp.where(game.emperor(state) == seat, EMPEROR_PLACE, SLAVE_PLACE)
    return xp.where(special | (state.play >= DECIDED), own, CITIZEN_PLACE).astype(xp.int32)


class BatchUniform(BatchPolicy):
    """`uniform`: any of the legal picks."""

    name = "uniform"
    exact = True

    def pick(self, game: Any, state: ECardTables, memory: Any, seat: int, draws: Draws) -> Array:
        xp = game.xp
        choices = xp.where(state.play < DECIDED, 2, 1)
        names = state.stake == 0
        if game.named:
            choices = xp.where(names, game.most(state, seat), choices)
        choices = xp.maximum(choices, 1).astype(xp.uint32)
        number = draws.below(game.slots + seat, choices, game.deciding(state, seat)).astype(xp.int32)
        cards = card_picks(game, state, seat, number == 1)
        return xp.where(names, number + STAKE_PLACE, cards) if game.named else cards


class BatchMachine(BatchPolicy):
    """A machine that says how likely its special card is, and each stake; one number is drawn for a pick."""

    name = ""
    exact = True

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
        return 1.0 / (DECIDED + 1 - state.play)

    def stakes(self, game: Any, state: ECardTables, memory: Any, seat: int) -> list[Array]:
        each = 1.0 / game.xp.maximum(game.most(state, seat), 1)
        return [each] * game.most_stake


class BatchEquilibrium(BatchMachine):
    """`equilibrium`: the exact solution at every state."""

    name = "equilibrium"

    def special(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        return of_play(game, rounds_of(game, state, seat), OURS, state.play)

    def stakes(self, game: Any, state: ECardTables, memory: Any, seat: int) -> list[Array]:
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
        return never_shown(game, tables)

    def after(self, game: Any, memory: ShownLast, before: ECardTables, state: ECardTables) -> ShownLast:
        return shown_after(game, memory, before, state)

    def special(self, game: Any, state: ECardTables, memory: ShownLast, seat: int) -> Array:
        xp = game.xp
        shown = memory.on_side(game, state, seat)
        place = (shown * len(RESULTS) + last_result(game, state, seat)) * DECIDED + state.play - 1
        return xp.asarray(_special_chances())[place]

    def stakes(self, game: Any, state: ECardTables, memory: ShownLast, seat: int) -> list[Array]:
        xp = game.xp
        chances = xp.asarray(_stake_chances(game.most_stake))
        rows = chances[game.most(state, seat), last_result(game, state, seat)]
        return [rows[:, stake] for stake in range(game.most_stake)]


def last_result(game: Any, state: ECardTables, seat: int) -> Array:
    """How the last round ended for the seat: 0 lost, 1 no winner, 2 won, the places of `RESULTS`."""
    xp, winner = game.xp, state.round_winner
    return xp.where(winner == 0, 1, xp.where(winner == seat + 1, 2, 0))


@lru_cache(maxsize=1)
def _special_chances() -> Any:
    """By the play in which it was last shown (0: never), the last result, and the play."""
    import numpy as np

    return np.asarray(
        [
            ASSUMED.special(play, shown, result)
            for shown in range(DECIDED + 1)
            for result in RESULTS
            for play in range(1, DECIDED + 1)
        ]
    )


@lru_cache(maxsize=8)
def _stake_chances(most_stake: int) -> Any:
    """By the highest stake that may be named, the last result, and the stake."""
    import numpy as np

    found = np.zeros((most_stake + 1, len(RESULTS), most_stake))
    for most in range(1, most_stake + 1):
        for place, result in enumerate(RESULTS):
            found[most, place, :most] = liked_stakes(most, result)
    return found


# --- reading an opponent ---------------------------------------------------------------------------------


_RESULTS: Final = 3
_LASTS: Final = DECIDED + 1
_SIZES: Final = (1, 2, 2 * _RESULTS, 4 * _RESULTS, 4 * _RESULTS * _LASTS)
"""Contexts of a play, from the widest to the narrowest."""
_STARTS: Final = tuple(CHOICES * sum(_SIZES[:width]) for width in range(len(_SIZES)))
_CONTEXTS: Final = CHOICES * sum(_SIZES)


class ShownLast(NamedTuple):
    """When each seat's special card was last shown on each side: a play, from 1, or 0."""

    plays: tuple[tuple[Array, Array], tuple[Array, Array]]
    """By seat; as the Emperor side, then as the Slave side."""

    def on_side(self, game: Any, state: ECardTables, seat: int) -> Array:
        """When the seat's card was last shown on the side that it has in this round."""
        as_emperor, as_slave = self.plays[seat]
        return game.xp.where(game.emperor(state) == seat, as_emperor, as_slave)


def never_shown(game: Any, tables: int) -> ShownLast:
    """Before the first round."""
    never = game.xp.zeros(tables, dtype=game.xp.int32)
    return ShownLast(((never, never), (never, never)))


def is_new(state: ECardTables) -> Array:
    """Whether no card of the game has been turned."""
    return (state.round == 1) & (state.play == 1)


def shown_after(game: Any, last: ShownLast, before: ECardTables, state: ECardTables) -> ShownLast:
    """After a step: a special card that was turned is counted in the state, so it has just been shown."""
    xp, new = game.xp, is_new(state)

    def later(last: Array, old: Array, now: Array) -> Array:
        return xp.where(new, 0, xp.where(old != now, before.play, last))

    one, two = (
        (later(of_seat[0], old[0], now[0]), later(of_seat[1], old[1], now[1]))
        for of_seat, old, now in zip(last.plays, before.fallen, state.fallen, strict=True)
    )
    return ShownLast((one, two))


class ReadTables(NamedTuple):
    """What was counted at every table."""

    shown: tuple[Array, Array]
    """By the seat that is read: how often its special card came in each context; tables by contexts."""
    seen: tuple[Array, Array]
    """How often it could have come."""
    last: ShownLast


def first_reading(game: Any, tables: int) -> ReadTables:
    """Nothing was counted."""
    nothing = game.xp.zeros((tables, _CONTEXTS), dtype=game.xp.uint8)
    return ReadTables((nothing, nothing), (nothing, nothing), never_shown(game, tables))


def contexts(game: Any, state: ECardTables, last: ShownLast, seat: int, play: int) -> list[Array]:
    """The places of the contexts of a play, from 1, of the seat that is read."""
    xp = game.xp
    shown = last.on_side(game, state, seat)
    again = (shown == play).astype(xp.int32)
    side = (game.emperor(state) != seat).astype(xp.int32)
    narrower = again * _RESULTS + last_result(game, state, seat)
    own = (xp.zeros_like(again), again, narrower, narrower * 2 + side, (narrower * 2 + side) * _LASTS + shown)
    return [
        start + (play - 1) * size + place for start, size, place in zip(_STARTS, _SIZES, own, strict=True)
    ]


def is_finished(game: Any, before: ECardTables, state: ECardTables) -> Array:
    """Where a round has just ended."""
    return (state.round != before.round) | (game.over(state) & ~game.over(before))


def read_after(game: Any, reading: ReadTables, before: ECardTables, state: ECardTables) -> ReadTables:
    """After a step: rounds that ended are counted."""
    xp = game.xp
    rows = xp.flatnonzero(is_finished(game, before, state))
    last = shown_after(game, reading.last, before, state)
    if not len(rows):
        return reading._replace(last=last)
    shown, seen = [], []
    for seat in (0, 1):
        came, could = reading.shown[seat].copy(), reading.seen[seat].copy()
        special = special_shown(before, state, seat)
        for play in range(1, CHOICES + 1):
            had_choice = rows[before.play[rows] >= play]
            now = (special & (before.play == play))[had_choice].astype(xp.uint8)
            for place in contexts(game, before, reading.last, seat, play):
                came[had_choice, place[had_choice]] += now
                could[had_choice, place[had_choice]] += xp.uint8(1)
        new = is_new(state)
        came[new], could[new] = 0, 0
        shown.append(came)
        seen.append(could)
    return ReadTables((shown[0], shown[1]), (seen[0], seen[1]), last)


def special_shown(before: ECardTables, state: ECardTables, seat: int) -> Array:
    """Whether the seat's special card was turned in this step."""
    old, now = before.fallen[seat], state.fallen[seat]
    return (old[0] != now[0]) | (old[1] != now[1])


def predict(game: Any, state: ECardTables, reading: ReadTables, seat: int, usual: list[Array]) -> list[Array]:
    """How likely the special card of the seat that is read is at each play, if it is still held.

    `usual` is what an unknown opponent is expected to do: the equilibrium.
    """
    xp = game.xp
    rows = xp.arange(len(state.round))
    found = []
    for play in range(1, CHOICES + 1):
        chance = usual[play - 1]
        known = xp.ones(len(rows), dtype=bool)
        for place, trust in zip(contexts(game, state, reading.last, seat, play), TRUST, strict=True):
            shown, seen = reading.shown[seat][rows, place], reading.seen[seat][rows, place]
            known = known & (seen > 0)
            chance = xp.where(known, (shown + trust * chance) / (seen + trust), chance)
        found.append(chance)
    return found


# --- the machines ----------------------------------------------------------------------------------------


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
    numpy_only = True

    def start(self, game: Any, tables: int) -> ReadTables:
        return first_reading(game, tables)

    def after(self, game: Any, memory: ReadTables, before: ECardTables, state: ECardTables) -> ReadTables:
        return read_after(game, memory, before, state)

    def special(self, game: Any, state: ECardTables, memory: ReadTables, seat: int) -> Array:
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
    numpy_only = True

    def start(self, game: Any, tables: int) -> SageTables:
        nothing = game.xp.zeros(tables)
        return SageTables(first_reading(game, tables), (nothing, nothing))

    def after(self, game: Any, memory: SageTables, before: ECardTables, state: ECardTables) -> SageTables:
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


POLICIES: Final[dict[str, BatchPolicy]] = {
    each.name: each
    for each in (BatchUniform(), BatchBlind(), BatchEquilibrium(), BatchHabit(), BatchReader(), BatchSage())
}
"""Every machine here, by name."""
