"""The training of `expert`: self-play at many tables, all seat counts and rule sets at once (needs JAX).

The method is PPO with a population. At some of the tables every seat is the learner; at the others one seat
is, and the field is `careful`, a past self, or one of the simple machines. The network starts near `careful`
and is paid for won games alone. One iteration is one compiled program: it plays some steps at every table and
learns from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from facedown.games.davenport.bots.network import Weights, judge
from facedown_lab.batch.form import Array
from facedown_lab.games.davenport.learn.population import (
    SEATS,
    SEATS_TAKEN,
    KeyDraws,
    LearningTables,
    Population,
    SeatsSeen,
    ThinkingSeats,
    advance,
    chosen_places,
    game_of,
    look,
    population_of,
    sample_as_shipped,
    start,
    thinking_seats,
)

_PAST_KEPT: Final = 8
_WARM: Final = 60
"""Iterations after which the rate is whole: what Adam knows about the slopes has to be gathered first."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How much is played and how it is learned from."""

    tables: int = 16384
    seats: int = SEATS
    """The most that a table has."""
    steps: int = 16
    parts: int = 8
    """Into how many parts the tables are divided for learning."""
    epochs: int = 2
    rate: float = 4e-4
    clip: float = 0.2
    entropy: float = 0.006
    leash: float = 0.0
    """What it costs to pick otherwise than the past self that was kept last: the divergence from it."""
    discount: float = 1.0
    trace: float = 0.95
    keep_every: int = 100
    """After how many iterations a past self is kept."""
    slow: float = 0.998
    """How slowly the averaged weights follow."""
    fields: tuple[float, ...] = (0.08, 0.29, 0.08, 0.06, 0.12, 0.11, 0.26, 0.0)
    """How many of the tables have each field; at the first kind every seat learns, else one."""
    seats_taken: tuple[float, ...] = SEATS_TAKEN
    """How many of the tables without simple machines have two seats, three and so on."""
    seed: int = 1

    def population(self) -> Population:
        return population_of(self.tables, self.seats, self.fields, self.seed, self.seats_taken)


class PlayedSteps(NamedTuple):
    """What was seen and done on the learner's seats: steps by rows."""

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


class NetworkRival(NamedTuple):
    """What the second network has learned, and what the optimizer remembers about it."""

    weights: Weights
    mean: Weights
    spread: Weights


class NetworkLearner(NamedTuple):
    """What was learned, and what learning needs to remember."""

    weights: Weights
    mean: Weights
    spread: Weights
    slow: Weights
    past: Weights
    """Past selves, along the first axis."""
    rival: NetworkRival
    iteration: Array


_Known = TypeVar("_Known", NetworkLearner, NetworkRival)


class TrainingTables(NamedTuple):
    """Who sits where, for the whole training."""

    population: Population
    thinking: ThinkingSeats


class PlayedPart(NamedTuple):
    """What was played on one network's seats, and what it says of where they ended."""

    steps: PlayedSteps
    last: Array


def play(
    plan: TrainingPlan, seated: TrainingTables, learner: NetworkLearner, tables: LearningTables, key: Array
) -> tuple[LearningTables, tuple[PlayedPart, PlayedPart]]:
    """Some steps at every table: what was seen and done on the seats of the learner, and of its rival."""
    population, thinking = seated
    game = game_of(population, plan.seats)
    both = ((learner.weights, thinking.learner), (learner.rival.weights, thinking.rival))
    rows = jnp.concatenate(thinking[:4])
    starts = [len(thinking[0]), len(thinking[1]), len(thinking[2])]
    cuts = [sum(starts[: number + 1]) for number in range(3)]
    which = jax.random.randint(jax.random.fold_in(key, 0), (), 0, _PAST_KEPT)
    past = jax.tree.map(lambda array: array[which], learner.past)

    def step(now: LearningTables, at: Array) -> tuple[LearningTables, list[PlayedSteps]]:
        one, two, three, four = jax.random.split(jax.random.fold_in(key, at + 1), 4)
        draws = KeyDraws(one, len(population.field), game.slots + plan.seats)
        whole = look(game, now, rows)
        parts = [SeatsSeen(*each) for each in zip(*[jnp.split(each, cuts) for each in whole], strict=True)]
        *asked, theirs, advised = parts
        said = [judge(jnp, weights, *seen) for (weights, _), seen in zip(both, asked, strict=True)]
        picks = [jax.random.categorical(by, each.scores) for by, each in zip((two, four), said, strict=True)]
        thought = jnp.concatenate([*picks, sample_as_shipped(three, past, theirs), advised.advice])
        chosen = chosen_places(game, population, now.state, thought[thinking.place], draws)
        deciding = jnp.concatenate([game.deciding(now.state, seat) for seat in range(game.seats)])
        after, won, ends = advance(game, now, chosen, draws)
        done = [
            PlayedSteps(
                seen.numbers.astype(jnp.bfloat16),
                seen.may,
                seen.advice,
                seen.playoff,
                pick,
                jnp.take_along_axis(jax.nn.log_softmax(judged.scores), pick[:, None], axis=-1)[:, 0],
                judged.value,
                deciding[own],
                won[own],
                ends[own],
            )
            for (_, own), seen, judged, pick in zip(both, asked, said, picks, strict=True)
        ]
        return after, done

    tables, batches = lax.scan(step, tables, jnp.arange(plan.steps))
    lasts = [judge(jnp, weights, *look(game, tables, own)).value for weights, own in both]
    ours, rivals = (PlayedPart(*each) for each in zip(batches, lasts, strict=True))
    return tables, (ours, rivals)


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
    weights: Weights,
    plan: TrainingPlan,
    batch: PlayedSteps,
    gain: Array,
    entropy: Array,
    magnet: Weights | None,
) -> tuple[Array, tuple[Array, ...]]:
    """What is to be made small: PPO's clipped objective, the value's error, less the entropy.

    With a magnet, also the divergence from what that would do.
    """
    flat = jax.tree.map(lambda array: array.reshape((-1, *array.shape[2:])), batch)
    gain = gain.reshape(-1)
    seen = (flat.numbers.astype(jnp.float32), flat.may, flat.advice, flat.playoff)
    said = judge(jnp, weights, *seen)
    logs = jax.nn.log_softmax(said.scores)
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
    whole = policy + 0.5 * error - entropy * mixed
    if magnet is not None:
        held = jax.nn.log_softmax(judge(jnp, magnet, *seen).scores)
        apart = jnp.where(flat.may, jnp.exp(logs) * (logs - held), 0).sum(axis=-1)
        whole = whole + plan.leash * (apart * learns).sum() / number
    return whole, (policy, error, mixed, drift)


def adam(learner: _Known, slope: Weights, rate: Array, count: Array) -> _Known:
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
    plan: TrainingPlan,
    learner: _Known,
    played: PlayedPart,
    iteration: Array,
    pace: Array,
    magnet: Weights | None = None,
) -> tuple[_Known, Array]:
    """Learn from what was played, part by part."""
    batch = played.steps
    gain = advantages(plan, batch, played.last)
    rate, entropy = plan.rate * pace, plan.entropy * pace
    parts = plan.parts
    width = len(gain[0]) // parts  # what is left over after that does not count

    def part(array: Array) -> Array:
        split = array[:, : parts * width].reshape((len(array), parts, width, *array.shape[2:]))
        return jnp.moveaxis(split, 1, 0)

    split = (jax.tree.map(part, batch), part(gain))

    def step(now: tuple[_Known, Array], of: tuple[PlayedSteps, Array]) -> tuple[tuple[_Known, Array], Array]:
        known, count = now
        slopes: Any = jax.value_and_grad(loss, has_aux=True)
        found: Any = slopes(known.weights, plan, *of, entropy, magnet)
        return (adam(known, found[1], rate, count + 1), count + 1), jnp.stack(jax.tree.leaves(found[0]))

    def epoch(now: tuple[_Known, Array], _: Array) -> tuple[tuple[_Known, Array], Array]:
        done: tuple[tuple[_Known, Array], Array] = lax.scan(step, now, split)
        return done

    count = iteration.astype(jnp.float32) * plan.epochs * parts
    ended: tuple[tuple[_Known, Array], Array] = lax.scan(epoch, (learner, count), jnp.arange(plan.epochs))
    return ended[0][0], ended[1].mean(axis=(0, 1))


def iterate(
    plan: TrainingPlan,
    seated: TrainingTables,
    learner: NetworkLearner,
    tables: LearningTables,
    key: Array,
    pace: Array,
) -> tuple[NetworkLearner, LearningTables, Array]:
    """One iteration: play, then learn. `pace` scales the rate and the entropy, from 1 down to 0."""
    key = jax.random.fold_in(key, learner.iteration)
    tables, (ours, rivals) = play(plan, seated, learner, tables, key)
    kept = (learner.iteration // plan.keep_every - 1) % _PAST_KEPT
    magnet = jax.tree.map(lambda array: array[kept], learner.past) if plan.leash else None
    learner, losses = learn(plan, learner, ours, learner.iteration, pace, magnet)
    if len(seated.thinking.rival):
        rival, _ = learn(plan, learner.rival, rivals, learner.iteration, pace)
        learner = learner._replace(rival=rival)
    slow = jax.tree.map(
        lambda old, new: plan.slow * old + (1 - plan.slow) * new, learner.slow, learner.weights
    )
    place = (learner.iteration // plan.keep_every) % _PAST_KEPT
    due = (learner.iteration + 1) % plan.keep_every == 0
    past = jax.tree.map(
        lambda kept, new: jnp.where(due, kept.at[place].set(new), kept), learner.past, learner.weights
    )
    return learner._replace(slow=slow, past=past, iteration=learner.iteration + 1), tables, losses


class Training(NamedTuple):
    """Everything that going on needs: a checkpoint."""

    learner: NetworkLearner
    tables: LearningTables
    """The games in play."""


def new_learner(weights: Weights, met: Weights | None = None) -> NetworkLearner:
    """A learner that knows these weights; its past selves are `met`, or the same."""
    weights = jax.tree.map(jnp.asarray, weights)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    past = jax.tree.map(lambda each: jnp.broadcast_to(each, (_PAST_KEPT, *each.shape)), met or weights)
    rival = NetworkRival(weights, zeros, zeros)
    return NetworkLearner(weights, zeros, zeros, weights, past, rival, jnp.zeros((), dtype=jnp.int32))


_deal = jax.jit(start, static_argnums=0)


def begin(plan: TrainingPlan, learner: NetworkLearner) -> Training:
    """The learner at tables that were just dealt: others at each iteration."""
    key = jax.random.fold_in(jax.random.fold_in(jax.random.key(plan.seed), 1 << 20), learner.iteration)
    return Training(learner, _deal(plan.seats, plan.population(), key))


@cache
def _compile(plan: TrainingPlan) -> Callable[..., tuple[NetworkLearner, LearningTables, Array]]:
    program: Callable[..., tuple[NetworkLearner, LearningTables, Array]] = jax.jit(
        partial(iterate, plan), donate_argnums=(2,)
    )
    return program


def train(plan: TrainingPlan, training: Training, first: int, last: int) -> Iterator[tuple[Training, Array]]:
    """Go on with a stage that began after `first` iterations, until `last` are done.

    After each comes where it stands and what the loss was made of. Stopped anywhere and resumed, it comes to
    the same weights as in one go. What the last step yielded is used up by the next one.
    """
    population = plan.population()
    seated = TrainingTables(population, thinking_seats(population, plan.seats))
    key = jax.random.key(plan.seed)
    go = _compile(replace(plan, seed=0, fields=(), seats_taken=()))  # which it does not look at
    for number in range(int(training.learner.iteration) - first, last - first):
        pace = jnp.float32(max(0.05, 1 - number / (last - first)) * min(1.0, (number + 1) / _WARM))
        learner, tables, losses = go(seated, *training, key, pace)
        training = Training(learner, tables)
        yield training, losses
