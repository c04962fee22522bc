"""Simulation: many games of one kind, played by bots. The n-th game comes from the seed and its id n alone.

Knows no game by name and no bot's thoughts; a bot gets its own view, its legal picks and its own stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from facedown.bots.uniform import Uniform
from facedown.core import registry
from facedown.core.chance import Seeded, deal_key
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.replay import AnyMatch
from facedown.core.seats import all_seats
from facedown.sim.statistics import GameStatistics
from facedown.sim.workers import spread

_BATCH: Final = 100
"""Games in a batch: long enough that handing it over costs nothing, short enough for progress reports."""


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """A simulation run: everything that a worker needs, as plain values."""

    game: str
    rules: str
    seats: int
    seed: bytes
    games: int
    records: bool = False
    """Whether every game is to be written down."""


class Batch(NamedTuple):
    """Some games of a plan, finished: what they add up to, and their records, a line each."""

    tally: GameStatistics
    records: str


def simulate(plan: SimulationPlan, jobs: int) -> Iterator[Batch]:
    """The plan's games in batches, in the order of the games; the same whatever `jobs` is."""
    starts = range(1, plan.games + 1, _BATCH)
    return spread(partial(_play_batch, plan), starts, min(jobs, len(starts)))


def play_game(plan: SimulationPlan, number: int) -> AnyMatch:
    """One game of the plan, to its end: it can be played alone, without those before it."""
    game = registry.get(plan.game)
    key = deal_key(plan.seed, str(number))
    names = [f"Machine {seat}" for seat in all_seats(plan.seats)]
    match = Match(game, game.rules.read(plan.rules), names, Seeded(key))
    bot = Uniform()
    streams = {seat: bot_stream(key, seat) for seat in all_seats(plan.seats)}
    while waves := match.pending:
        deciding = {seat for wave in waves for seat in wave}
        match.decide(
            tuple(
                bot.pick(match.view(seat), match.legal(seat), stream) if seat in deciding else None
                for seat, stream in streams.items()
            )
        )
    return match


def _play_batch(plan: SimulationPlan, first: int) -> Batch:
    tally = GameStatistics.empty(plan.seats)
    lines: list[str] = []
    for number in range(first, min(first + _BATCH, plan.games + 1)):
        match = play_game(plan, number)
        outcome = match.outcome
        assert outcome is not None, "nobody has to pick: the game is over"
        tally.count(outcome, len(match.picks))
        if plan.records:
            lines.append(match.record(game_id=str(number), seed=plan.seed).write() + "\n")
    return Batch(tally, "".join(lines))
