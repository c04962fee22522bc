"""The tables of a training: who sits there, by which rules, what every seat sees, and one step at all.

Owns the population. Must not know how anything is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from facedown.games.davenport.bots.network import Weights, allowed_picks, inputs, judge, without_unlikely
from facedown.games.davenport.rules import DavenportRules
from facedown_lab.batch.form import Array, BatchPolicy, index_below
from facedown_lab.games.davenport.batch.bots import POLICIES, place_of_pick
from facedown_lab.games.davenport.batch.simulator import DavenportBatch, MixedRules
from facedown_lab.games.davenport.batch.state import DavenportTables
from facedown_lab.games.davenport.batch.thinking import HabitTables, first_habits, follow
from facedown_lab.games.davenport.learn.sight import sight_of

SEATS: Final = 7
"""The most that a table has."""
FIELDS: Final = ("self", "careful", "past", "playout", "highest", "lowest", "random", "rival")
"""Who can sit on the seats that are not the learner's: itself, `careful`, a past self, a simple machine, or a
second network that learns against it alone."""
SELF, CAREFUL, PAST, PLAYOUT, HIGHEST, LOWEST, RANDOM, RIVAL = range(len(FIELDS))
SIMPLE: Final = (PLAYOUT, HIGHEST, LOWEST, RANDOM)
SEATS_TAKEN: Final = (0.31, 0.14, 0.22, 0.09, 0.09, 0.15)
"""How many of the tables have two seats, three and so on."""
_SEATS_TAKEN_SIMPLE: Final = (0.24, 0.25, 0.23, 0.14, 0.07, 0.07)
"""The same with simple machines: with few seats it takes the most to be as good as `careful` there."""
_SEATS_TAKEN_RANDOM: Final = (0.40, 0.24, 0.17, 0.06, 0.06, 0.07)
"""The same with `random`."""
_ACE_RULES: Final = 0.5
_ACE_RULES_PAIR: Final = 0.7
"""How many of the tables play with Ace rules; with two seats, one of them `random`."""


class Population(NamedTuple):
    """What is played at each table, for the whole training."""

    rules: MixedRules
    field: Array
    hero: Array
    """The learner's seat, from 0, where the field is another's."""


def population_of(
    tables: int, seats: int, fields: Sequence[float], seed: int, seats_taken: Sequence[float] = SEATS_TAKEN
) -> Population:
    """All kinds of tables, mixed by chance: neighbours differ, so that every part holds all kinds.

    `seats_taken` is for the tables without simple machines.
    """
    random = np.random.default_rng(seed)
    field = random.choice(len(fields), tables, p=np.asarray(fields) / sum(fields))
    shares = (_SEATS_TAKEN_RANDOM, _SEATS_TAKEN_SIMPLE, seats_taken)
    taken = [_seats_drawn(random, each[: seats - 1], tables) for each in shares]
    players = np.select([field == RANDOM, np.isin(field, SIMPLE)], taken[:2], taken[2])
    ace = np.where((field == RANDOM) & (players == 2), _ACE_RULES_PAIR, _ACE_RULES)
    rules = MixedRules(
        ace=jnp.asarray(random.random(tables) < ace),
        exchange=jnp.asarray(random.random(tables) < 0.93),
        by_wins=jnp.asarray(random.random(tables) < 0.25),
        players=jnp.asarray(players),
    )
    hero = random.integers(0, 1 << 30, tables) % players
    return Population(rules, jnp.asarray(field), jnp.asarray(hero))


def _seats_drawn(random: np.random.Generator, shares: Sequence[float], tables: int) -> Array:
    """How many seats are taken at each table, from two on, by these shares."""
    return random.choice(np.arange(2, len(shares) + 2), tables, p=np.asarray(shares) / sum(shares))


class ThinkingSeats(NamedTuple):
    """The seats that think: the rows of `seats by tables` that the network decides, table by table."""

    learner: Array
    rival: Array
    past: Array
    careful: Array
    place: Array
    """The index of each row's pick among those of the four; arbitrary for seats that do not think."""


def thinking_seats(population: Population, seats: int) -> ThinkingSeats:
    """Who thinks at these tables. The other seats play by simple machines, or are not taken."""
    field, hero = np.asarray(population.field), np.asarray(population.hero)
    numbers = np.arange(seats)[:, None]
    taken = numbers < np.asarray(population.rules.players)
    own = taken & ((field == SELF) | (numbers == hero))
    others = taken & ~own
    kinds = [_rows(own), *[_rows(others & (field == each)) for each in (RIVAL, PAST, CAREFUL)]]
    rows = np.concatenate(kinds)
    place = np.zeros(seats * len(field), dtype=np.int32)
    place[rows] = np.arange(len(rows))
    return ThinkingSeats(*[jnp.asarray(each) for each in (*kinds, place)])


def _rows(which: Array) -> Array:
    """The rows of the seats, table by table, of an array of seats by tables."""
    table, seat = np.nonzero(which.T)
    return (seat * which.shape[1] + table).astype(np.int32)


def game_of(population: Population, seats: int) -> DavenportBatch:
    """The simulator of these tables, which have at most `seats` seats."""
    return DavenportBatch(jnp, DavenportRules.read(""), seats, population.rules)


class KeyDraws:
    """Draws from JAX's own generator, a word for each slot."""

    def __init__(self, key: Array, tables: int, slots: int) -> None:
        self._words = jax.random.bits(key, (slots, tables), dtype=jnp.uint32)

    def below(self, slot: int, count: Array, used: Array) -> Array:
        return index_below(self._words[slot], count)

    def unit(self, slot: int, used: Array) -> Array:
        return (self._words[slot] >> 8).astype(jnp.float32) * 2.0**-24

    def at(self, tables: Array) -> Any:
        """Not needed: JAX computes all tables."""
        raise NotImplementedError


class LearningTables(NamedTuple):
    """The tables in play."""

    state: DavenportTables
    habits: HabitTables


def start(seats: int, population: Population, key: Array) -> LearningTables:
    """All tables dealt."""
    game = game_of(population, seats)
    count = len(population.field)
    state = game.init(count, KeyDraws(key, count, game.slots))
    return LearningTables(state, first_habits(jnp, count, seats))


class SeatsSeen(NamedTuple):
    """The network's inputs, a row for each seat that is asked."""

    numbers: Array
    may: Array
    advice: Array
    playoff: Array


def look(game: DavenportBatch, tables: LearningTables, rows: Array | None = None) -> SeatsSeen:
    """What the network sees in these rows of `seats by tables`, or in all of them."""
    sight = sight_of(game, tables.state, tables.habits, range(game.seats), rows)
    return SeatsSeen(inputs(jnp, sight), allowed_picks(jnp, sight), sight.advice, sight.playoff)


def sample_as_shipped(key: Array, weights: Weights, seen: SeatsSeen) -> Array:
    """A pick as `expert` draws it."""
    return jax.random.categorical(key, without_unlikely(jnp, judge(jnp, weights, *seen).scores))


def chosen_places(
    game: DavenportBatch, population: Population, state: DavenportTables, thought: Array, draws: Any
) -> tuple[Array, ...]:
    """What every seat picks, as places in the alphabet; `thought` is what the thinking seats do, by rows."""
    thought = thought.reshape(game.seats, -1)
    chosen = []
    for seat in range(game.seats):
        pick = place_of_pick(game, state, seat, thought[seat])
        for field in SIMPLE:
            policy: BatchPolicy = POLICIES[FIELDS[field]]
            theirs = policy.pick(game, state, (), seat, draws)
            pick = jnp.where((population.field == field) & (population.hero != seat), theirs, pick)
        chosen.append(pick)
    return tuple(chosen)


def advance(
    game: DavenportBatch, tables: LearningTables, picks: tuple[Array, ...], draws: Any
) -> tuple[LearningTables, Array, Array]:
    """One step: the tables after it, who has won, and for whom the game has ended (by rows)."""
    state, payoffs, over = game.go_on(tables.state, picks, draws)
    habits = follow(jnp, tables.habits, tables.state, state, game.switches.exchange)
    ends = jnp.concatenate([over | ~each for each in state.seats_in])
    return LearningTables(state, habits), (payoffs > 0).T.reshape(-1), ends
