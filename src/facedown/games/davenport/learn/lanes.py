"""The tables of a training: who sits there, by which rules, what every seat is told, and one step at all.

Owns the population. Must not know how anything is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from facedown.core.parts.batch import Array, BatchPolicy, index_below
from facedown.games.davenport.batch.bots import POLICIES, place_of_pick
from facedown.games.davenport.batch.habits import HabitTables, first_habits, followed
from facedown.games.davenport.batch.simulator import DavenportBatch, MixedRules
from facedown.games.davenport.batch.state import DavenportTables
from facedown.games.davenport.learn.inputs import allowed, inputs
from facedown.games.davenport.learn.network import Judgement, Weights, judge
from facedown.games.davenport.learn.sight import sight_of
from facedown.games.davenport.rules import DavenportRules

SEATS: Final = 7
"""The most that a table has."""
SELF, CAREFUL, PAST, PLAYOUT, HIGHEST, LOWEST, RANDOM = range(7)
"""The fields: who sits on the seats that are not the learner's."""
_SEATS_TAKEN: Final = (0.31, 0.14, 0.22, 0.09, 0.09, 0.15)
"""How many of the tables have two seats, three and so on."""
_FIELDS: Final = {PLAYOUT: "playout", HIGHEST: "highest", LOWEST: "lowest", RANDOM: "random"}


class TrainingLanes(NamedTuple):
    """What is played at each table, for the whole training."""

    rules: MixedRules
    field: Array
    hero: Array
    """The learner's seat, from 0, where the field is another's."""


def lanes_of(tables: int, seats: int, fields: Sequence[float], seed: int) -> TrainingLanes:
    """All kinds of tables, mixed by chance: neighbours differ, so that every part holds all kinds."""
    random = np.random.default_rng(seed)
    shares = np.asarray(_SEATS_TAKEN[: seats - 1])
    players = random.choice(np.arange(2, seats + 1), tables, p=shares / shares.sum())
    rules = MixedRules(
        ace=jnp.asarray(random.random(tables) < 0.5),
        exchange=jnp.asarray(random.random(tables) < 0.93),
        by_wins=jnp.asarray(random.random(tables) < 0.25),
        players=jnp.asarray(players),
    )
    field = random.choice(len(fields), tables, p=np.asarray(fields) / sum(fields))
    hero = random.integers(0, 1 << 30, tables) % players
    return TrainingLanes(rules, jnp.asarray(field), jnp.asarray(hero))


def game_of(lanes: TrainingLanes, seats: int) -> DavenportBatch:
    """The simulator of these tables, which have at most so many seats."""
    return DavenportBatch(jnp, DavenportRules.read(""), seats, lanes.rules)


class KeyDraws:
    """Draws from JAX's own generator, a word for each slot."""

    def __init__(self, key: Array, tables: int, slots: int) -> None:
        self._words = jax.random.bits(key, (slots, tables), dtype=jnp.uint32)

    def below(self, slot: int, count: Array, used: Array) -> Array:
        """The part of the count that the slot's word stands for."""
        return index_below(self._words[slot], count)

    def unit(self, slot: int, used: Array) -> Array:
        """A number from 0 to below 1."""
        return (self._words[slot] >> 8).astype(jnp.float32) * 2.0**-24

    def at(self, tables: Array) -> Any:
        """Not needed: JAX computes all tables."""
        raise NotImplementedError


class LearningTables(NamedTuple):
    """The tables in play."""

    state: DavenportTables
    habits: HabitTables


def start(seats: int, lanes: TrainingLanes, key: Array) -> LearningTables:
    """All tables dealt."""
    game = game_of(lanes, seats)
    count = len(lanes.field)
    state = game.init(count, KeyDraws(key, count, game.slots))
    return LearningTables(state, first_habits(jnp, count, seats))


class SeatsSeen(NamedTuple):
    """The network's inputs for every seat."""

    numbers: Array
    may: Array
    advice: Array
    playoff: Array


def look(game: DavenportBatch, tables: LearningTables) -> SeatsSeen:
    """What the network is told on every seat: seats by tables."""
    sight = sight_of(game, tables.state, tables.habits, range(game.seats))
    found = SeatsSeen(inputs(jnp, sight), allowed(jnp, sight), sight.advice, sight.playoff)
    split: SeatsSeen = jax.tree.map(lambda array: array.reshape((game.seats, -1, *array.shape[1:])), found)
    return split


def judged(weights: Weights, seen: SeatsSeen) -> Judgement:
    """What the network says on every seat."""
    said: Judgement = jax.vmap(partial(judge, jnp, weights))(*seen)
    return said


def likelihood(scores: Array) -> Array:
    """The logarithm of how likely each pick is."""
    return jax.nn.log_softmax(scores, axis=-1)


def drawn(key: Array, scores: Array) -> Array:
    """A pick by its likelihood."""
    return jax.random.categorical(key, scores, axis=-1)


def places(game: DavenportBatch, state: DavenportTables, picks: Array) -> tuple[Array, ...]:
    """From the network's picks, seats by tables, to places in the alphabet."""
    found = []
    for seat in range(game.seats):
        found.append(place_of_pick(game, state, seat, picks[seat]))
    return tuple(found)


def field_picks(
    game: DavenportBatch,
    lanes: TrainingLanes,
    tables: LearningTables,
    seen: SeatsSeen,
    past: Array,
    draws: Any,
) -> tuple[Array, ...]:
    """What the seats that are not the learner's pick: places in the alphabet."""
    advised = places(game, tables.state, jnp.where((lanes.field == PAST)[None], past, seen.advice))
    chosen = []
    for seat in range(game.seats):
        pick = advised[seat]
        for field, name in _FIELDS.items():
            policy: BatchPolicy = POLICIES[name]
            theirs = policy.pick(game, tables.state, (), seat, draws)
            pick = jnp.where(lanes.field == field, theirs, pick)
        chosen.append(pick)
    return tuple(chosen)


def advance(
    game: DavenportBatch, lanes: TrainingLanes, tables: LearningTables, picks: tuple[Array, ...], draws: Any
) -> tuple[LearningTables, Array, Array]:
    """One step: the tables after it, who has won, and for whom the game has ended (seats by tables)."""
    state, payoffs, over = game.go_on(tables.state, picks, draws)
    habits = followed(jnp, tables.habits, tables.state, state, game.switches.exchange)
    won = (payoffs > 0).T
    ends = jnp.stack([over | ~each for each in state.seats_in])
    return LearningTables(state, habits), won, ends


def learning_seats(lanes: TrainingLanes, seats: int) -> Array:
    """Which seats are the learner's: seats by tables."""
    numbers = jnp.arange(seats)[:, None]
    return (lanes.field == SELF)[None] | (numbers == lanes.hero[None])
