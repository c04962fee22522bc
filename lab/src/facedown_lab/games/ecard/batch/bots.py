"""The machines of E-Card at many tables at once: each picks for one seat of all of them.

They draw as their namesakes in `bots` draw: in NumPy, with the same draws, they pick the same. A machine is
asked once for everything that it can go by, and then looked up.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from facedown.games.ecard.bots.house import CharacterTurn, Past
from facedown.games.ecard.bots.people import RESULTS
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED
from facedown_lab.batch.form import Array, BatchPolicy, Draws, at_tables
from facedown_lab.games.ecard.batch.simulator import (
    CHOICES,
    CITIZEN_PLACE,
    EMPEROR_PLACE,
    SLAVE_PLACE,
    STAKE_PLACE,
    ECardTables,
)
from facedown_lab.games.ecard.batch.solved import usual_special, usual_stakes
from facedown_lab.games.ecard.policies import KNOWN, TurnPolicy


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


# --- what was seen ---------------------------------------------------------------------------------------


_LEADS: Final = (-1, 0, 1)
_SEEN: Final = range(DECIDED + 1)
"""The play at which a card was last seen; 0 for never."""
_PAST: Final = {"emperor": _SEEN, "slave": _SEEN, "theirs": _SEEN, "won": RESULTS}


class PastTables(NamedTuple):
    """When special cards were last seen at every table, by seat: a play, from 1, or 0."""

    emperor: tuple[Array, Array]
    slave: tuple[Array, Array]
    either: tuple[Array, Array]


def _past_after(game: Any, past: PastTables, before: ECardTables, state: ECardTables) -> PastTables:
    """After a step: a special card that was turned is counted in the state, so it has just been shown."""
    xp, new = game.xp, (state.round == 1) & (state.play == 1)

    def later(last: Array, turned: Array) -> Array:
        return xp.where(new, 0, xp.where(turned, before.play, last))

    emperor, slave = (
        tuple(before.fallen[seat][card] != state.fallen[seat][card] for seat in (0, 1)) for card in (0, 1)
    )
    return PastTables(
        (later(past.emperor[0], emperor[0]), later(past.emperor[1], emperor[1])),
        (later(past.slave[0], slave[0]), later(past.slave[1], slave[1])),
        (later(past.either[0], emperor[0] | slave[0]), later(past.either[1], emperor[1] | slave[1])),
    )


def _last_result(game: Any, state: ECardTables, seat: int) -> Array:
    """How the last round ended for the seat: its place in `RESULTS`."""
    xp, winner = game.xp, state.round_winner
    return xp.where(winner == 0, 1, xp.where(winner == seat + 1, 2, 0))


# --- the machines ----------------------------------------------------------------------------------------


class BatchMachine(BatchPolicy):
    """A machine that goes by a `CharacterTurn`; one number is drawn for a pick (NumPy only)."""

    exact = True

    def __init__(self, name: str, policy: TurnPolicy) -> None:
        self.name = name
        self._policy = policy
        self._remembers = bool(policy.minds - {"won"})

    def start(self, game: Any, tables: int) -> PastTables | tuple[()]:
        never = game.xp.zeros(tables, dtype=game.xp.int32)
        return PastTables(*((never, never),) * 3) if self._remembers else ()

    def after(self, game: Any, memory: Any, before: ECardTables, state: ECardTables) -> Any:
        return _past_after(game, memory, before, state) if self._remembers else ()

    def pick(self, game: Any, state: ECardTables, memory: Any, seat: int, draws: Draws) -> Array:
        """Drawn by the chances; where there is no choice, nothing is drawn."""
        xp = game.xp
        names = state.stake == 0
        choice = state.play < DECIDED
        if game.named:
            choice = xp.where(names, game.most(state, seat) > 1, choice)
        unit = draws.unit(game.slots + seat, game.deciding(state, seat) & choice)
        citizen = unit < 1.0 - self._special(game, state, memory, seat)
        cards = card_picks(game, state, seat, ~citizen)
        if not game.named:
            return cards
        rows = xp.flatnonzero(names)
        if len(rows):
            part = at_tables(state, rows)
            chances = self._stakes(game, part, seat)
            cards[rows] = _drawn_stake(xp, unit[rows], chances, game.most(part, seat)) + (STAKE_PLACE - 1)
        return cards

    def _special(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        """How likely the special card is at each table; looked at only where there is a choice.

        A machine's answer may depend on the exact solution only as a mix does, and on its lead only by who
        is ahead.
        """
        xp = game.xp
        place = self._place(game, state, memory, seat)
        known = _chances(self._policy)
        never = known.never[place]
        if not known.by_solution:
            return never
        always = known.always[place]
        usual = usual_special(game, state, seat)
        return xp.where(never == always, never, always * usual + never * (1.0 - usual))

    def _place(self, game: Any, state: ECardTables, memory: Any, seat: int) -> Array:
        """Where the turn of each table is among those of `_turns`."""
        xp, rules = game.xp, game.rules
        last = xp.where(state.round > rules.rounds, CHOICES, min(rules.plays, CHOICES))
        score = game.score(state)
        place = xp.where(game.emperor(state) == seat, 0, 1)
        place = place * CHOICES + xp.minimum(state.play, CHOICES) - 1
        place = place * 2 + (state.play == last)
        place = place * len(_LEADS) + xp.sign(score[seat] - score[1 - seat]) + 1
        past = {"won": _last_result(game, state, seat)}
        if self._remembers:
            past |= {"emperor": memory.emperor[seat], "slave": memory.slave[seat]}
            past |= {"theirs": memory.either[1 - seat]}
        for field, values in _PAST.items():
            if field in self._policy.minds:
                place = place * len(values) + past[field]
        return place

    def _stakes(self, game: Any, state: ECardTables, seat: int) -> list[Array]:
        """How likely each stake is, from 1: an array each."""
        if self._policy.stakes is None:
            return usual_stakes(game, state, seat)
        chances = _stake_chances(self._policy, game.most_stake)
        rows = chances[game.most(state, seat), _last_result(game, state, seat)]
        return [rows[:, stake] for stake in range(game.most_stake)]


def _drawn_stake(xp: Any, unit: Array, chances: list[Array], most: Array) -> Array:
    """The stake that a number from 0 to 1 stands for; what rounding has left over belongs to the highest."""
    picked = xp.zeros_like(most)
    left = unit
    for stake, chance in enumerate(chances, 1):
        picked = xp.where((picked == 0) & (stake <= most) & (left < chance), stake, picked)
        left = left - chance
    return xp.where(picked == 0, most, picked)


# --- what machines answer --------------------------------------------------------------------------------


class _TurnChances(NamedTuple):
    """How likely the special card is at each turn, if it never and if it always comes in the solution."""

    never: Any
    always: Any
    by_solution: bool
    """Whether they differ."""


def _turns(minds: frozenset[str], usual: float) -> list[CharacterTurn]:
    """Every turn that differs in what a machine that minds these fields can go by."""
    seen = [found if field in minds else (0,) for field, found in _PAST.items()]
    pasts = [Past(*values) for values in product(*seen)]
    sides, plays = (EMPEROR, SLAVE), range(1, CHOICES + 1)
    return [
        CharacterTurn(side, play, is_last, lead, past, usual)
        for side, play, is_last, lead, past in product(sides, plays, (False, True), _LEADS, pasts)
    ]


@lru_cache(maxsize=len(KNOWN))
def _chances(policy: TurnPolicy) -> _TurnChances:
    import numpy as np

    never, always = (
        np.asarray([policy.special(turn) for turn in _turns(policy.minds, usual)]) for usual in (0.0, 1.0)
    )
    return _TurnChances(never, always, not np.array_equal(never, always))


@lru_cache(maxsize=8)
def _stake_chances(policy: TurnPolicy, most_stake: int) -> Any:
    """By the highest stake that may be named, the last result, and the stake."""
    import numpy as np

    assert policy.stakes is not None, "this machine has chances of its own"
    found = np.zeros((most_stake + 1, len(RESULTS), most_stake))
    for most in range(1, most_stake + 1):
        for place, result in enumerate(RESULTS):
            found[most, place, :most] = policy.stakes(most, result)
    return found


POLICIES: Final[dict[str, BatchPolicy]] = {
    "uniform": BatchUniform(),
    **{bot.name: BatchMachine(bot.name, policy) for bot, policy in KNOWN.items()},
}
"""Every machine that has a batch form, by name."""
