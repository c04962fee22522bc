"""Train `expert`, from nothing to the shipped file: python -m facedown.games.davenport.learn --to FOLDER

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
from typing import Any, Final

import jax
import numpy as np

from facedown.games.davenport.learn.checkpoint import read_weights, write_weights
from facedown.games.davenport.learn.lanes import CAREFUL, FIELDS, PAST, SEATS, SIMPLE
from facedown.games.davenport.learn.measure import Asked, every_kind, measure
from facedown.games.davenport.learn.network import HIDDEN, Weights, new_weights
from facedown.games.davenport.learn.recipe import ANSWER, RECIPE, Stage
from facedown.games.davenport.learn.stages import StageRunner, stop_signals
from facedown.games.davenport.learn.train import TrainingPlan, new_learner

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells count."""
_OF_PLAN: Final = ("tables", "seats", "steps", "parts", "rate", "entropy", "fields")
"""The options that every stage takes instead of its own."""


def main(arguments: Sequence[str] | None = None, recipe: Sequence[Stage] = RECIPE) -> int:
    """Train, then measure; the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    stages = _stages(options, recipe)
    problem = _problem(options, stages) or _keep_settings(options, stages)
    if problem:
        parser.error(problem)
    field = None if options.against is None else read_weights(options.against)
    runner = StageRunner(options.to, stages, options.seconds, options.say)
    with stop_signals() as stopped:
        learner = runner.run(new_learner(_first(options, field), field), stopped)
    shipped = options.to / "weights.npz"
    write_weights(shipped, learner.slow)
    done, whole = int(learner.iteration), sum(stage.iterations for stage in stages)
    if done < whole:
        print(f"Stopped after {done:,} of {whole:,} iterations: the same command goes on.")
        return INTERRUPTED if stopped.is_set() else 0
    print(f"Trained: {shipped}")
    if options.games:
        report(options, read_weights(shipped), field)
    return 0


# --- what is trained -------------------------------------------------------------------------------------


def _stages(options: argparse.Namespace, recipe: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages that are asked for, with the options that were given in place of their own settings."""
    chosen = recipe if options.against is None else ANSWER
    if options.fields is not None:
        chosen = (Stage("own", 2_000, TrainingPlan()),)
    given = {name: getattr(options, name) for name in _OF_PLAN if getattr(options, name) is not None}
    return tuple(
        [
            Stage(
                stage.name,
                stage.iterations if options.iterations is None else options.iterations,
                replace(stage.plan, **given, seed=options.seed),
            )
            for stage in chosen
        ]
    )


def _problem(options: argparse.Namespace, stages: Sequence[Stage]) -> str:
    """What cannot be, in a sentence."""
    for stage in stages:
        if not 1 <= stage.plan.parts <= stage.plan.tables:
            return f"--tables has to be at least --parts, here {stage.plan.parts}: they learn part by part"
        if not 2 <= stage.plan.seats <= SEATS:
            return f"--seats has to be from 2 to {SEATS}"
    for path in (options.begin, options.against):
        if path is not None and not path.is_file():
            return f"there are no weights at {path}"
    return ""


def _keep_settings(options: argparse.Namespace, stages: Sequence[Stage]) -> str:
    """Write down what is trained beside it; a sentence where the folder holds another training."""
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
        return f"--to {options.to} holds a training with other settings: name another folder"
    options.to.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return ""


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
    asked = asked_of(field is not None)
    own, against = (jax.tree.map(jax.numpy.asarray, each) for each in (weights, field or weights))
    shares = measure(own, against, asked, options.games, 7, options.at_once)
    lines = [json.dumps(each.facts()) for each in shares]
    (options.to / "shares.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)


def asked_of(best_response: bool) -> list[Asked]:
    """What is measured: every field, beside what `careful` does there; a best response: its own alone."""
    if best_response:
        return every_kind("network", (PAST,))
    fields = (CAREFUL, *SIMPLE)
    asked = every_kind("network", fields) + every_kind("careful", (*fields, PAST))
    return asked + every_kind("network", (CAREFUL,), by_wins=True)


# --- the command line ------------------------------------------------------------------------------------


def fields_of(text: str) -> tuple[float, ...]:
    """The mix of fields, from words like `careful=0.5,random=0.5`; a field that is not named has no table.

    >>> fields_of("careful=1,random=0.5")
    (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.5)
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m facedown.games.davenport.learn", description=__doc__)

    def add(name: str, kind: Any, help: str, **more: Any) -> None:
        parser.add_argument(name, type=kind, help=help, **more)

    add("--to", Path, "the folder of checkpoints and results", required=True)
    add("--seed", int, "everything is drawn from it", default=1)
    add("--seconds", float, "stop after this time; the same command goes on", default=1e9)
    add("--begin", Path, "start from these weights")
    add("--against", Path, "train a best response to these weights")
    add("--fields", fields_of, "one stage with this mix: careful=0.5,random=0.5")
    add("--iterations", int, "of each stage")
    add("--tables", int, "that are played at once")
    add("--parts", int, "into which the tables are divided for learning")
    add("--seats", int, "the most that a table has")
    add("--steps", int, "at every table in an iteration")
    add("--rate", float, "how fast it learns")
    add("--entropy", float, "the bonus for mixing picks")
    add("--hidden", int, "the units of the two hidden layers", nargs=2, default=HIDDEN)
    add("--say", float, "seconds between two lines", default=10.0)
    add("--games", int, "measure with this many games of each kind", default=0)
    add("--at-once", int, "tables at once in a measurement", default=1 << 18)
    return parser


if __name__ == "__main__":
    sys.exit(main())
