"""`facedown arena` with one bot: statistics of the games that it plays on all seats."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

from facedown.bots.find import find_bot
from facedown.cli import DONE, INTERRUPTED
from facedown.cli.errors import Usage
from facedown.cli.progress import Progress
from facedown.cli.table_options import seats_of, seed_of_table, within
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.seats import all_seats
from facedown.files import writing
from facedown.library.arguments import MOST_GAMES
from facedown.sim.simulate import USUAL, GameChunk, SimulationPlan, simulate
from facedown.sim.statistics import Estimate, GameStatistics, mean, share
from facedown.sim.workers import MOST_JOBS, usual_jobs

SimulationPlayer: TypeAlias = Callable[[SimulationPlan, int], Iterator[GameChunk]]
"""Plays the games of a plan in this number of processes."""


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print their statistics; after Ctrl-C, those of the finished games."""
    plan, seed_text = read_plan(arguments)
    return show_simulation(plan, seed_text, arguments, simulate)


def read_plan(arguments: argparse.Namespace) -> tuple[SimulationPlan, str]:
    """The simulation that the options describe, and its seed as text."""
    if arguments.heroes or arguments.memory or arguments.save:
        raise Usage("--heroes, --memory and --save need two different bots or more")
    game = registry.get(arguments.game)
    bot = arguments.bots.strip()
    find_bot(game.name, bot)
    rules = game.rules.read(arguments.rules)
    seats = seats_of(game, arguments.seats)
    games = within("--games", arguments.games, MOST_GAMES)
    seed_text = seed_of_table(arguments.seed)
    records = arguments.records is not None
    bots = () if bot == USUAL else (bot,) * seats
    plan = SimulationPlan(game.name, str(rules), seats, seed_of(seed_text), games, records=records, bots=bots)
    return plan, seed_text


def show_simulation(
    plan: SimulationPlan, seed_text: str, arguments: argparse.Namespace, player: SimulationPlayer
) -> int:
    """Play the games of a plan and print their statistics; the exit status."""
    jobs = usual_jobs() if arguments.jobs is None else within("--jobs", arguments.jobs, MOST_JOBS)
    tally, partial = _play(plan, jobs, arguments.records, player)
    if arguments.json:
        print(json.dumps(_as_json(plan, seed_text, tally, partial)))
    else:
        print(_in_words(plan, seed_text, tally, partial))
    return INTERRUPTED if partial else DONE


def _play(
    plan: SimulationPlan, jobs: int, path: str | None, player: SimulationPlayer
) -> tuple[GameStatistics, bool]:
    """The finished games, always the first ones of the plan; and whether it was interrupted."""
    tally = GameStatistics.empty(plan.seats)
    progress = Progress(plan.games, "games")
    with ExitStack() as stack:
        file = None if path is None else stack.enter_context(writing(path))
        try:
            progress.reach(0)
            for chunk in player(plan, jobs):
                tally.add(chunk.tally)
                if file is not None:
                    file.write(chunk.records)
                progress.reach(tally.games)
        except KeyboardInterrupt:
            return tally, True
        finally:
            progress.close()
    return tally, False


# --- for programs ----------------------------------------------------------------------------------------


def _as_json(plan: SimulationPlan, seed_text: str, tally: GameStatistics, partial: bool) -> dict[str, Any]:
    return {
        "game": plan.game,
        "rules": plan.rules,
        "seats": plan.seats,
        "bots": list(plan.seated),
        "seed": seed_text,
        "asked": plan.games,
        "games": tally.games,
        "partial": partial,
        "decisions": tally.decisions,
        "wins": [_share_as_json(wins, tally.games) for wins in tally.wins],
        "draws": _share_as_json(tally.draws, tally.games),
        "terminations": {
            name: _share_as_json(count, tally.games) for name, count in sorted(tally.terminations.items())
        },
        "scores": [estimate._asdict() for estimate in _scores(tally)],
        "lengths": {str(length): count for length, count in sorted(tally.lengths.items())},
    }


def _share_as_json(count: int, games: int) -> dict[str, Any]:
    estimate = share(count, games) if games else Estimate(0.0, 0.0, 1.0)
    return {"count": count, "share": estimate.value, "low": estimate.low, "high": estimate.high}


def _scores(tally: GameStatistics) -> list[Estimate]:
    if not tally.games:
        return []
    sums = zip(tally.totals, tally.squares, strict=True)
    return [mean(total, squares, tally.games) for total, squares in sums]


# --- for people ------------------------------------------------------------------------------------------


def _in_words(plan: SimulationPlan, seed_text: str, tally: GameStatistics, partial: bool) -> str:
    title = registry.get(plan.game).meta.title
    done = f"{tally.games:,} of {plan.games:,} games, interrupted" if partial else f"{tally.games:,} games"
    lines = [f"{title}, {plan.rules}, {plan.seats} seats, seed {seed_text}: {done}"]
    if not tally.games:
        return lines[0]
    scores = _scores(tally)
    for seat in all_seats(plan.seats):
        score = scores[seat - 1]
        lines.append(
            f"  seat {seat} won  {_share(tally.wins[seat - 1], tally.games)}"
            f"   mean score {score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
        )
    if tally.draws:
        lines.append(f"  drawn       {_share(tally.draws, tally.games)}")
    lines.append("  how games ended")
    for name, count in tally.terminations.most_common():
        lines.append(f"  {name:<11} {_share(count, tally.games)}")
    lines.append(
        f"  decisions a game: mean {tally.decisions / tally.games:.2f}, from {min(tally.lengths)} to "
        f"{max(tally.lengths)}; half of the games at most {tally.length_below(0.5)}, 9 of 10 at most "
        f"{tally.length_below(0.9)}"
    )
    return "\n".join(lines)


def _share(count: int, games: int) -> str:
    value, low, high = (100 * each for each in share(count, games))
    return f"{count:>10,}  {value:6.2f} %  ({low:.2f} to {high:.2f})"
