"""Train `expert`, from nothing to the shipped file: python -m facedown_lab.games.davenport.learn --to FOLDER

All stages of the recipe, one after the other. A checkpoint is written every minute, at the end of a stage and
on Ctrl-C; the same command goes on from it. `--begin FILE` starts from weights as they are shipped, `--fields
MIX` trains one stage with a mix of your own. `--against FILE` trains a best response to such weights instead:
every other seat plays these. `--games N` plays the games that say how strong the result is. What is not given
of the other options is as the recipe says, in every stage.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import jax
import numpy as np

from facedown.games.davenport.bots.network import Weights
from facedown_lab.games.davenport.learn.measure import Asked, every_kind, measure
from facedown_lab.games.davenport.learn.population import CAREFUL, FIELDS, PAST, SEATS, SIMPLE
from facedown_lab.games.davenport.learn.stages import (
    ANSWER,
    RECIPE,
    StageRunner,
    TrainingStage,
    read_weights,
    stop_signals,
    write_weights,
)
from facedown_lab.games.davenport.learn.train import TrainingPlan, new_learner
from facedown_lab.games.davenport.learn.weights import HIDDEN, new_weights

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells count."""
_OF_PLAN: Final = (
    *("tables", "seats", "steps", "parts", "rate"),
    *("entropy", "leash", "keep_every", "fields", "seats_taken"),
)
"""The options that every stage takes instead of its own."""


def main(arguments: Sequence[str] | None = None, recipe: Sequence[TrainingStage] = RECIPE) -> int:
    """Train, then measure; the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    stages = _stages(options, recipe)
    _check(parser, options, stages)
    _keep_settings(parser, options, stages)
    field = None if options.against is None else read_weights(options.against)
    runner = StageRunner(options.to, stages, options.seconds, options.say)
    with stop_signals() as stopped:
        learner = runner.run(new_learner(_first(options, field), field), stopped)
    shipped = options.to / "weights.npz"
    write_weights(shipped, learner.slow)
    if not runner.tell_end(learner):
        return INTERRUPTED if stopped.is_set() else 0
    if options.games:
        report(options, read_weights(shipped), field)
    return 0


# --- what is trained -------------------------------------------------------------------------------------


def _stages(options: argparse.Namespace, recipe: Sequence[TrainingStage]) -> tuple[TrainingStage, ...]:
    chosen = recipe if options.against is None else ANSWER
    if options.fields is not None:
        chosen = (TrainingStage("own", 2_000, TrainingPlan()),)
    given = {name: getattr(options, name) for name in _OF_PLAN if getattr(options, name) is not None}
    return tuple(
        [
            TrainingStage(
                stage.name,
                stage.iterations if options.iterations is None else options.iterations,
                replace(stage.plan, **given, seed=options.seed),
            )
            for stage in chosen
        ]
    )


def _check(
    parser: argparse.ArgumentParser, options: argparse.Namespace, stages: Sequence[TrainingStage]
) -> None:
    for plan in [stage.plan for stage in stages]:
        if not 1 <= plan.parts <= plan.tables:
            parser.error(f"--tables has to be at least --parts, here {plan.parts}: they learn part by part")
        if not 2 <= plan.seats <= SEATS:
            parser.error(f"--seats has to be from 2 to {SEATS}")
    for path in (options.begin, options.against):
        if path is not None and not path.is_file():
            parser.error(f"there are no weights at {path}")


def _keep_settings(
    parser: argparse.ArgumentParser, options: argparse.Namespace, stages: Sequence[TrainingStage]
) -> None:
    """Write down what is trained beside it; end with a sentence where the folder holds another training."""
    settings = {
        "seed": options.seed,
        "hidden": list(options.hidden),
        "begin": _digest(options.begin),
        "against": _digest(options.against),
        "stages": [asdict(stage) for stage in stages],
    }
    text = json.dumps(settings, indent=1) + "\n"
    path = options.to / "settings.json"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        parser.error(f"--to {options.to} holds a training with other settings: name another folder")
    options.to.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _digest(path: Path | None) -> str | None:
    return None if path is None else sha256(path.read_bytes()).hexdigest()


def _first(options: argparse.Namespace, field: Weights | None) -> Weights:
    """The weights to begin with: those that were named, those of the field, or untrained ones."""
    if options.begin is not None:
        return read_weights(options.begin)
    return new_weights(np, options.seed, tuple(options.hidden)) if field is None else field


# --- how strong it is ------------------------------------------------------------------------------------


def report(options: argparse.Namespace, weights: Weights, field: Weights | None) -> None:
    """Play the games that say how strong the network is, and write down the shares."""
    asked = asked_of(field is not None, options.seats or SEATS)
    own, against = (jax.tree.map(jax.numpy.asarray, each) for each in (weights, field or weights))
    shares = measure(own, against, asked, options.games, 7, options.at_once)
    lines = [json.dumps(each.as_json()) for each in shares]
    (options.to / "shares.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)


def asked_of(best_response: bool, seats: int = SEATS) -> list[Asked]:
    """What is measured: every field, beside what `careful` does there; a best response: its own alone."""
    if best_response:
        return every_kind("network", (PAST,), seats)
    fields = (CAREFUL, *SIMPLE)
    asked = every_kind("network", fields, seats) + every_kind("careful", (*fields, PAST), seats)
    return asked + every_kind("network", (CAREFUL,), seats, by_wins=True)


# --- the command line ------------------------------------------------------------------------------------


def fields_of(text: str) -> tuple[float, ...]:
    """The mix of fields, from words like `careful=0.5,random=0.5`; a field that is not named has no table.

    >>> fields_of("careful=1,random=0.5")
    (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0)
    """
    shares = dict.fromkeys(FIELDS, 0.0)
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in shares or not share.replace(".", "", 1).isdigit():
            raise argparse.ArgumentTypeError(f"{part!r} is not one of {', '.join(FIELDS)} with its share")
        shares[name] = float(share)
    if not sum(shares.values()):
        raise argparse.ArgumentTypeError("every share is nothing")
    return tuple(shares.values())


def seats_of(text: str) -> tuple[float, ...]:
    """How many tables have two seats, three and so on, from numbers like `5,1,1,1,1,1`."""
    shares = text.split(",")
    if len(shares) != SEATS - 1 or not all(share.replace(".", "", 1).isdigit() for share in shares):
        raise argparse.ArgumentTypeError(f"{text!r} is not {SEATS - 1} shares, for 2 to {SEATS} seats")
    return tuple(float(share) for share in shares)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m facedown_lab.games.davenport.learn", description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="the folder of checkpoints and results")
    parser.add_argument("--seed", type=int, default=1, help="everything is drawn from it")
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="stop after this time; the same command goes on"
    )
    parser.add_argument("--begin", type=Path, help="start from these weights")
    parser.add_argument("--against", type=Path, help="train a best response to these weights")
    parser.add_argument("--fields", type=fields_of, help="one stage with this mix: careful=0.5,random=0.5")
    parser.add_argument(
        "--seats-taken", type=seats_of, help="the shares of tables with 2 to 7 seats: 5,1,1,1,1,1"
    )
    parser.add_argument("--iterations", type=int, help="of each stage")
    parser.add_argument("--tables", type=int, help="that are played at once")
    parser.add_argument("--parts", type=int, help="into which the tables are divided for learning")
    parser.add_argument("--seats", type=int, help="the most that a table has")
    parser.add_argument("--steps", type=int, help="at every table in an iteration")
    parser.add_argument("--rate", type=float, help="how fast it learns")
    parser.add_argument("--entropy", type=float, help="the bonus for mixing picks")
    parser.add_argument("--leash", type=float, help="the price of leaving the past self that was kept last")
    parser.add_argument("--keep-every", type=int, help="iterations after which a past self is kept")
    parser.add_argument(
        "--hidden", type=int, nargs=2, default=HIDDEN, help="the units of the two hidden layers"
    )
    parser.add_argument("--say", type=float, default=10.0, help="seconds between two lines")
    parser.add_argument("--games", type=int, default=0, help="measure with this many games of each kind")
    parser.add_argument("--at-once", type=int, default=1 << 18, help="tables at once in a measurement")
    return parser


if __name__ == "__main__":
    sys.exit(main())
