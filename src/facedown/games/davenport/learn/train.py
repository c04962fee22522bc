"""The training of `expert`: self-play at many tables, all seat counts and rule sets at once (needs JAX).

The method is PPO with a population. At some of the tables every seat is the learner; at the others one seat
is, and the field is `careful`, a past self, or one of the simple machines. The network starts near `careful`
and is paid for won games alone. One iteration is one compiled program: it plays some steps at every table and
learns from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from facedown.core.parts.batch import Array, BatchPolicy
from facedown.games.davenport.batch.bots import POLICIES, place_of_pick
from facedown.games.davenport.batch.habits import HabitTables, first_habits, followed
from facedown.games.davenport.batch.simulator import DavenportBatch, MixedRules
from facedown.games.davenport.batch.state import DavenportTables
from facedown.games.davenport.learn.inputs import allowed, inputs
from facedown.games.davenport.learn.network import Judgement, Weights, judge
from facedown.games.davenport.learn.sight import sight_of
from facedown.games.davenport.rules import DavenportRules

SEATS: Final = 7
SELF, CAREFUL, PAST, PLAYOUT, HIGHEST, LOWEST, RANDOM = range(7)
"""The fields: who sits on the seats that are not the learner's."""
_FIELDS: Final = {PLAYOUT: "playout", HIGHEST: "highest", LOWEST: "lowest", RANDOM: "random"}
_PAST_KEPT: Final = 8


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How much is played and how it is learned from."""

    tables: int = 16384
    steps: int = 16
    parts: int = 8
    """Into how many parts the tables are divided for learning."""
    epochs: int = 2
    rate: float = 4e-4
    clip: float = 0.2
    entropy: float = 0.006
    discount: float = 1.0
    trace: float = 0.95
    keep_every: int = 100
    """After how many iterations a past self is kept."""
    slow: float = 0.998
    """How slowly the averaged weights follow."""
    fields: tuple[float, ...] = (0.23, 0.28, 0.08, 0.05, 0.12, 0.12, 0.12)
    """How many of the tables have each field."""
    seed: int = 1


class TrainingLanes(NamedTuple):
    """What is played at each table, for the whole training."""

    rules: MixedRules
    field: Array
    hero: Array
    """The learner's seat, from 0, where the field is another's."""


class PlayedSteps(NamedTuple):
    """What was seen and done: steps by seats by tables."""

    numbers: Array
    may: Array
    advice: Array
    playoff: Array
    action: Array
    likely: Array
    value: Array
    learns: Array
    reward: Array
    ends: Array


class NetworkLearner(NamedTuple):
    """Everything that a checkpoint holds, besides the tables in play."""

    weights: Weights
    mean: Weights
    spread: Weights
    slow: Weights
    past: Weights
    """Past selves, along the first axis."""
    iteration: Array


def lanes_of(plan: TrainingPlan) -> TrainingLanes:
    """All kinds of tables, mixed by chance: neighbours differ, so that every part holds all kinds."""
    random = np.random.default_rng(plan.seed)
    tables = plan.tables
    players = random.choice(np.arange(2, 8), tables, p=(0.31, 0.14, 0.22, 0.09, 0.09, 0.15))
    rules = MixedRules(
        ace=jnp.asarray(random.random(tables) < 0.5),
        exchange=jnp.asarray(random.random(tables) < 0.93),
        by_wins=jnp.asarray(random.random(tables) < 0.25),
        players=jnp.asarray(players),
    )
    field = random.choice(len(plan.fields), tables, p=np.asarray(plan.fields) / sum(plan.fields))
    hero = random.integers(0, 1 << 30, tables) % players
    return TrainingLanes(rules, jnp.asarray(field), jnp.asarray(hero))


def game_of(lanes: TrainingLanes) -> DavenportBatch:
    """The simulator of these tables."""
    return DavenportBatch(jnp, DavenportRules.read(""), SEATS, lanes.rules)


class KeyDraws:
    """Draws from JAX's own generator, a word for each slot."""

    def __init__(self, key: Array, tables: int, slots: int) -> None:
        self._words = jax.random.bits(key, (slots, tables), dtype=jnp.uint32)

    def below(self, slot: int, count: Array, used: Array) -> Array:
        """The part of the count that the slot's word stands for."""
        from facedown.core.parts.batch import index_below

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


def start(lanes: TrainingLanes, key: Array) -> LearningTables:
    """All tables dealt."""
    game = game_of(lanes)
    count = len(lanes.field)
    state = game.init(count, KeyDraws(key, count, game.slots))
    return LearningTables(state, first_habits(jnp, count, SEATS))


class SeatsSeen(NamedTuple):
    """The network's inputs for every seat."""

    numbers: Array
    may: Array
    advice: Array
    playoff: Array


def look(game: DavenportBatch, tables: LearningTables) -> SeatsSeen:
    """What the network is told on every seat: seats by tables."""
    sight = sight_of(game, tables.state, tables.habits, range(SEATS))
    found = SeatsSeen(inputs(jnp, sight), allowed(jnp, sight), sight.advice, sight.playoff)
    split: SeatsSeen = jax.tree.map(lambda array: array.reshape((SEATS, -1, *array.shape[1:])), found)
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
    for seat in range(SEATS):
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
    for seat in range(SEATS):
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


def learning_seats(lanes: TrainingLanes) -> Array:
    """Which seats are the learner's: seats by tables."""
    seats = jnp.arange(SEATS)[:, None]
    return (lanes.field == SELF)[None] | (seats == lanes.hero[None])


def play(
    plan: TrainingPlan, lanes: TrainingLanes, learner: NetworkLearner, tables: LearningTables, key: Array
) -> tuple[LearningTables, PlayedSteps, Array]:
    """Some steps at every table: what was seen and done, and what the network says of where it ended."""
    game = game_of(lanes)
    count = len(lanes.field)
    own = learning_seats(lanes)
    which = jax.random.randint(jax.random.fold_in(key, 0), (), 0, _PAST_KEPT)
    past = jax.tree.map(lambda array: array[which], learner.past)

    def step(now: LearningTables, at: Array) -> tuple[LearningTables, PlayedSteps]:
        one, two, three = jax.random.split(jax.random.fold_in(key, at + 1), 3)
        draws = KeyDraws(one, count, game.slots + SEATS)
        seen = look(game, now)
        said = judged(learner.weights, seen)
        picks = drawn(two, said.scores)
        likely = jnp.take_along_axis(likelihood(said.scores), picks[..., None], axis=-1)[..., 0]
        theirs = field_picks(game, lanes, now, seen, drawn(three, judged(past, seen).scores), draws)
        ours = places(game, now.state, picks)
        chosen = tuple([jnp.where(own[seat], ours[seat], theirs[seat]) for seat in range(SEATS)])
        deciding = jnp.stack([game.deciding(now.state, seat) for seat in range(SEATS)])
        after, won, ends = advance(game, lanes, now, chosen, draws)
        numbers = seen.numbers.astype(jnp.bfloat16)
        done = PlayedSteps(
            numbers, seen.may, seen.advice, seen.playoff, picks, likely, said.value, own & deciding, won, ends
        )
        return after, done

    tables, batch = lax.scan(step, tables, jnp.arange(plan.steps))
    return tables, batch, judged(learner.weights, look(game, tables)).value


def advantages(plan: TrainingPlan, batch: PlayedSteps, last: Array) -> Array:
    """How much better each pick turned out than foretold (generalized advantage estimation)."""

    def back(carry: tuple[Array, Array], now: tuple[Array, Array, Array]) -> tuple[Any, Array]:
        gained, ahead = carry
        value, reward, ends = now
        goes_on = 1.0 - ends.astype(jnp.float32)
        surprise = reward + plan.discount * ahead * goes_on - value
        gained = surprise + plan.discount * plan.trace * goes_on * gained
        return (gained, value), gained

    ways = (batch.value, batch.reward.astype(jnp.float32), batch.ends)
    return lax.scan(back, (jnp.zeros_like(last), last), ways, reverse=True)[1]


def loss(
    weights: Weights, plan: TrainingPlan, batch: PlayedSteps, gain: Array, entropy: Array
) -> tuple[Array, tuple[Array, ...]]:
    """What is to be made small: PPO's clipped objective, the value's error, less the entropy."""
    flat = jax.tree.map(lambda array: array.reshape((-1, *array.shape[3:])), batch)
    gain = gain.reshape(-1)
    said = judge(jnp, weights, flat.numbers.astype(jnp.float32), flat.may, flat.advice, flat.playoff)
    logs = likelihood(said.scores)
    likely = jnp.take_along_axis(logs, flat.action[:, None], axis=-1)[:, 0]
    learns = flat.learns.astype(jnp.float32)
    number = jnp.maximum(learns.sum(), 1)
    mean = (gain * learns).sum() / number
    spread = jnp.sqrt((((gain - mean) ** 2) * learns).sum() / number + 1e-8)
    better = (gain - mean) / spread
    ratio = jnp.exp(likely - flat.likely)
    clipped = jnp.clip(ratio, 1 - plan.clip, 1 + plan.clip)
    policy = -(jnp.minimum(ratio * better, clipped * better) * learns).sum() / number
    target = flat.value + gain
    error = (((said.value - target) ** 2) * learns).sum() / number
    mixed = -(jnp.where(flat.may, jnp.exp(logs) * logs, 0).sum(axis=-1) * learns).sum() / number
    drift = ((flat.likely - likely) * learns).sum() / number
    return policy + 0.5 * error - entropy * mixed, (policy, error, mixed, drift)


def adam(learner: NetworkLearner, slope: Weights, rate: Array, count: Array) -> NetworkLearner:
    """One step of Adam, its gradient's norm held below one half."""
    norm = jnp.sqrt(sum(jnp.sum(each**2) for each in slope))
    slope = jax.tree.map(lambda each: each * jnp.minimum(1.0, 0.5 / (norm + 1e-8)), slope)
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, learner.mean, slope)
    spread = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new**2, learner.spread, slope)
    one, two = 1 - 0.9**count, 1 - 0.999**count
    weights = jax.tree.map(
        lambda weight, first, second: weight - rate * (first / one) / (jnp.sqrt(second / two) + 1e-8),
        learner.weights,
        mean,
        spread,
    )
    return learner._replace(weights=weights, mean=mean, spread=spread)


def learn(
    plan: TrainingPlan, learner: NetworkLearner, batch: PlayedSteps, gain: Array, rate: Array, entropy: Array
) -> tuple[NetworkLearner, Array]:
    """Learn from what was played, part by part."""
    parts = plan.parts
    width = plan.tables // parts

    def part(array: Array) -> Array:
        steps, seats = array.shape[:2]
        split = array.reshape((steps, seats, parts, width, *array.shape[3:]))
        return jnp.moveaxis(split, 2, 0)

    split = (jax.tree.map(part, batch), part(gain))

    def step(
        now: tuple[NetworkLearner, Array], of: tuple[PlayedSteps, Array]
    ) -> tuple[tuple[NetworkLearner, Array], Array]:
        known, count = now
        (whole, told), slope = jax.value_and_grad(loss, has_aux=True)(known.weights, plan, *of, entropy)
        return (adam(known, slope, rate, count + 1), count + 1), jnp.stack([whole, *told])

    def epoch(now: tuple[NetworkLearner, Array], _: Array) -> tuple[tuple[NetworkLearner, Array], Array]:
        done: tuple[tuple[NetworkLearner, Array], Array] = lax.scan(step, now, split)
        return done

    count = learner.iteration.astype(jnp.float32) * plan.epochs * parts
    (learner, _), told = lax.scan(epoch, (learner, count), jnp.arange(plan.epochs))
    return learner, told.mean(axis=(0, 1))


def iterate(
    plan: TrainingPlan,
    lanes: TrainingLanes,
    learner: NetworkLearner,
    tables: LearningTables,
    key: Array,
    pace: Array,
) -> tuple[NetworkLearner, LearningTables, Array]:
    """One iteration: play, then learn. `pace` scales the rate and the entropy, from 1 down to 0."""
    key = jax.random.fold_in(key, learner.iteration)
    tables, batch, last = play(plan, lanes, learner, tables, key)
    gain = advantages(plan, batch, last)
    learner, told = learn(plan, learner, batch, gain, plan.rate * pace, plan.entropy * pace)
    slow = jax.tree.map(
        lambda old, new: plan.slow * old + (1 - plan.slow) * new, learner.slow, learner.weights
    )
    place = (learner.iteration // plan.keep_every) % _PAST_KEPT
    due = learner.iteration % plan.keep_every == 0
    past = jax.tree.map(
        lambda kept, new: jnp.where(due, kept.at[place].set(new), kept), learner.past, learner.weights
    )
    return (
        NetworkLearner(learner.weights, learner.mean, learner.spread, slow, past, learner.iteration + 1),
        tables,
        told,
    )


def new_learner(weights: Weights) -> NetworkLearner:
    """A learner that knows these weights."""
    weights = jax.tree.map(jnp.asarray, weights)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    past = jax.tree.map(lambda each: jnp.broadcast_to(each, (_PAST_KEPT, *each.shape)), weights)
    return NetworkLearner(weights, zeros, zeros, weights, past, jnp.zeros((), dtype=jnp.int32))


def train(
    plan: TrainingPlan, learner: NetworkLearner, iterations: int
) -> Iterator[tuple[NetworkLearner, Array]]:
    """Go on for this many iterations; after each, the learner and what the loss was made of."""
    lanes = lanes_of(plan)
    key = jax.random.key(plan.seed)
    tables = jax.jit(start)(lanes, jax.random.fold_in(key, 1 << 20))
    go = jax.jit(partial(iterate, plan), donate_argnums=(2,))
    first = int(learner.iteration)
    for number in range(first, iterations):
        pace = jnp.float32(max(0.05, 1 - number / iterations))
        learner, tables, told = go(lanes, learner, tables, key, pace)
        yield learner, told
