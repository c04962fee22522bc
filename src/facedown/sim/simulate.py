"""Simulation: many games of one kind, played by bots. The n-th game comes from the seed and its id n alone.

Knows no game by name and no bot's thoughts; a bot gets its own view, its legal picks and its own stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from facedown.core.chance import Seeded, deal_key
from facedown.core.errors import FacedownError
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.replay import AnyMatch
from facedown.core.seats import all_seats
from facedown.sim.lineup import NONE_HANDED, BotFactory, BotFault, Lineup, describe_fault
from facedown.sim.statistics import GameStatistics
from facedown.sim.workers import spread

USUAL: Final = "uniform"
_CHUNK: Final = 100
"""Games in a chunk: long enough that handing it over costs nothing, short enough for progress reports."""


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
    bots: tuple[str, ...] = ()
    """The bot of each seat; none: all seats pick uniformly."""
    names: tuple[str, ...] = ()
    """The names of the seats in records; none: Machine 1, Machine 2 and so on."""
    lineup: Lineup = NONE_HANDED

    @property
    def seated(self) -> tuple[str, ...]:
        return self.bots or (USUAL,) * self.seats


class GameChunk(NamedTuple):
    """Some games of a plan, finished: what they add up to, and their records, a line each."""

    tally: GameStatistics
    records: str


def simulate(plan: SimulationPlan, jobs: int) -> Iterator[GameChunk]:
    """The plan's games in chunks, in the order of the games; the same whatever `jobs` is."""
    starts = range(1, plan.games + 1, _CHUNK)
    return spread(partial(_play_chunk, plan), starts, min(jobs, len(starts)))


def play_game(plan: SimulationPlan, number: int) -> AnyMatch:
    """One game of the plan, to its end: it can be played alone, without those before it."""
    game = plan.lineup.game(plan.game)
    key = deal_key(plan.seed, str(number))
    names = plan.names or [f"Machine {seat}" for seat in all_seats(plan.seats)]
    rules = game.rules.read(plan.rules)
    match = Match(game, rules, names, Seeded(key), game_id=str(number), seed=plan.seed)
    play_out(match, plan.lineup.factories(plan.game, plan.seated), key)
    return match


def play_out(match: AnyMatch, factories: Sequence[BotFactory], key: bytes) -> None:
    """Play a match to its end, a bot on each seat; raises `BotFault` where one fails."""
    thinking = 1
    try:
        bots: list[AnyBot] = []
        for factory in factories:
            thinking = len(bots) + 1
            bots.append(factory(None))
        streams = [bot_stream(key, seat) for seat in all_seats(len(bots))]
        while waves := match.pending:
            for wave in waves:
                for thinking in wave:
                    view, legal = match.view(thinking), match.legal(thinking)
                    match.seal(thinking, bots[thinking - 1].pick(view, legal, streams[thinking - 1]))
    except Exception as error:  # a stranger's bot may raise anything
        what = error.message if isinstance(error, FacedownError) else describe_fault(match, thinking, error)
        fault = BotFault(f"{match.names[thinking - 1]} failed in game {match.id}: {what}")
        raise fault.at(decision=match.decision, seat=thinking) from error


def _play_chunk(plan: SimulationPlan, first: int) -> GameChunk:
    tally = GameStatistics.empty(plan.seats)
    lines: list[str] = []
    for number in range(first, min(first + _CHUNK, plan.games + 1)):
        match = play_game(plan, number)
        outcome = match.outcome
        assert outcome is not None, "no seat has to pick: the game is over"
        tally.count(outcome, len(match.picks))
        if plan.records:
            lines.append(match.record().write() + "\n")
    return GameChunk(tally, "".join(lines))
