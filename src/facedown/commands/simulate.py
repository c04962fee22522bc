"""`facedown simulate`: statistics of many games by bots that pick uniformly."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from typing import Any

from facedown.cli import DONE, INTERRUPTED
from facedown.cli.table_options import seats_of, seed_of_table, within
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.seats import all_seats
from facedown.files import writing
from facedown.library.arguments import MOST_GAMES
from facedown.sim.engine import choose_engine
from facedown.sim.lineup import NONE_HANDED
from facedown.sim.simulate import USUAL, SimulationPlan, simulate
from facedown.sim.statistics import Estimate, GameStatistics, mean, share
from facedown.sim.workers import MOST_JOBS, usual_jobs
from facedown.terminal.lines.progress import Progress


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print their statistics; after Ctrl-C, those of the finished games."""
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    seats = seats_of(game, arguments.seats)
    jobs = usual_jobs() if arguments.jobs is None else within("--jobs", arguments.jobs, MOST_JOBS)
    games = within("--games", arguments.games, MOST_GAMES)
    seed_text = seed_of_table(arguments.seed)
    records = arguments.records is not None
    engine = choose_engine(arguments.engine, game.name, (USUAL,), games, records=records, lineup=NONE_HANDED)
    plan = SimulationPlan(
        game.name, str(rules), seats, seed_of(seed_text), games, records=records, engine=engine
    )
    tally, partial = _play(plan, jobs, arguments.records)
    if arguments.json:
        print(json.dumps(_as_json(plan, seed_text, tally, partial)))
    else:
        print(_in_words(plan, str(game.meta.title), seed_text, tally, partial))
    return INTERRUPTED if partial else DONE


def _play(plan: SimulationPlan, jobs: int, path: str | None) -> tuple[GameStatistics, bool]:
    """The finished games, always the first ones of the plan; and whether it was interrupted."""
    tally = GameStatistics.empty(plan.seats)
    progress = Progress(plan.games, "games")
    with ExitStack() as stack:
        file = None if path is None else stack.enter_context(writing(path))
        try:
            progress.reach(0)
            for batch in simulate(plan, jobs):
                tally.add(batch.tally)
                if file is not None:
                    file.write(batch.records)
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
        **plan.engine.as_json(),
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


def _in_words(plan: SimulationPlan, title: str, seed_text: str, tally: GameStatistics, partial: bool) -> str:
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
    lines += plan.engine.in_words()
    return "\n".join(lines)


def _share(count: int, games: int) -> str:
    value, low, high = (100 * each for each in share(count, games))
    return f"{count:>10,}  {value:6.2f} %  ({low:.2f} to {high:.2f})"
