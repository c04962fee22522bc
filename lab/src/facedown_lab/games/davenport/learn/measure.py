"""How strong a network is: one seat of it against a field, all seat counts and rule sets at once (JAX).

Each table plays exactly one game, so that no kind of game is counted too often.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from facedown.games.davenport.bots.network import Weights
from facedown_lab.batch.form import Array
from facedown_lab.games.davenport.batch.simulator import MixedRules
from facedown_lab.games.davenport.batch.thinking import follow
from facedown_lab.games.davenport.learn.population import (
    FIELDS,
    PAST,
    SEATS,
    KeyDraws,
    LearningTables,
    Population,
    chosen_places,
    game_of,
    look,
    sample_as_shipped,
    start,
)

_MOST_STEPS: Final = 300
_AT_ONCE: Final = 1 << 18
"""LearningTables that are played at once: one program serves every question."""


class Asked(NamedTuple):
    """One kind of game: who is the hero, against whom, with how many seats, by which rules."""

    hero: str
    """`network`, or `careful` for comparison."""
    field: int
    players: int
    ace: bool
    by_wins: bool = False


class HeroShare(NamedTuple):
    """How many games the hero won."""

    asked: Asked
    games: int
    won: float

    @property
    def error(self) -> float:
        """Half of the interval that holds the true share 95 times of 100."""
        return 1.96 * float(np.sqrt(self.won * (1 - self.won) / self.games))

    def as_json(self) -> dict[str, Any]:
        found = self.asked._asdict() | {"field": FIELDS[self.asked.field], "games": self.games}
        return found | {"won": round(self.won, 5), "error": round(self.error, 5)}


def every_kind(hero: str, fields: tuple[int, ...], seats: int = SEATS, by_wins: bool = False) -> list[Asked]:
    """Every field with every number of seats up to `seats`, with and without Ace rules."""
    return [
        Asked(hero, field, players, ace, by_wins)
        for field in fields
        for players in range(2, seats + 1)
        for ace in (False, True)
    ]


def play_out(
    seats: int, population: Population, careful: Array, weights: Weights, field: Weights, key: Array
) -> Array:
    """One game at every table, of at most `seats` seats; whether the hero won.

    The hero is `careful` where that says so, else the network, which plays as the machine that is shipped.
    """
    game = game_of(population, seats)
    count = len(population.field)
    own = (jnp.arange(seats)[:, None] == population.hero[None]).reshape(-1)
    follows = jnp.where(own, jnp.tile(careful, seats), jnp.tile(population.field != PAST, seats))

    def goes_on(now: tuple[LearningTables, Array]) -> Any:
        return (now[1] < _MOST_STEPS) & ~jnp.all(game.over(now[0].state))

    def step(now: tuple[LearningTables, Array]) -> tuple[LearningTables, Array]:
        tables, at = now
        one, two, three = jax.random.split(jax.random.fold_in(key, at + 1), 3)
        draws = KeyDraws(one, count, game.slots + seats)
        seen = look(game, tables)
        ours, theirs = sample_as_shipped(two, weights, seen), sample_as_shipped(three, field, seen)
        thought = jnp.where(follows, seen.advice, jnp.where(own, ours, theirs))
        state = game.step(tables.state, chosen_places(game, population, tables.state, thought, draws), draws)
        habits = follow(jnp, tables.habits, tables.state, state, game.switches.exchange)
        return LearningTables(state, habits), at + 1

    tables, _ = lax.while_loop(goes_on, step, (start(seats, population, key), jnp.zeros((), dtype=jnp.int32)))
    return game.winner(tables.state) == population.hero + 1


_program = jax.jit(play_out, static_argnums=0)


def measure(
    weights: Weights, field: Weights, asked: list[Asked], games: int, seed: int, at_once: int = _AT_ONCE
) -> list[HeroShare]:
    """The hero's share of that many games of each kind, the hero on each seat in turn."""
    seats = max(each.players for each in asked)
    kinds = np.repeat(np.arange(len(asked)), games)
    turns = np.tile(np.arange(games), len(asked))
    won = np.zeros(len(kinds), dtype=bool)
    for number, first in enumerate(range(0, len(kinds), at_once)):
        part = np.resize(np.arange(first, min(first + at_once, len(kinds))), at_once)
        population, careful = _measured_tables([asked[each] for each in kinds[part]], turns[part])
        key = jax.random.fold_in(jax.random.key(seed), number)
        won[part] = np.asarray(_program(seats, population, careful, weights, field, key))
    shares = won.reshape(len(asked), games).mean(axis=1)
    return [HeroShare(each, games, float(share)) for each, share in zip(asked, shares, strict=True)]


def _measured_tables(asked: list[Asked], turns: Any) -> tuple[Population, Array]:
    """The tables of these kinds of games, and where the hero is `careful`."""
    players = np.asarray([each.players for each in asked])
    rules = MixedRules(
        ace=jnp.asarray(np.asarray([each.ace for each in asked])),
        exchange=jnp.ones(len(asked), dtype=bool),
        by_wins=jnp.asarray(np.asarray([each.by_wins for each in asked])),
        players=jnp.asarray(players),
    )
    field = jnp.asarray(np.asarray([each.field for each in asked]))
    careful = jnp.asarray(np.asarray([each.hero == "careful" for each in asked]))
    return Population(rules, field, jnp.asarray(turns % players)), careful
