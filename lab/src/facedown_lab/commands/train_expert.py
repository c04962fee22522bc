"""`facedown train-expert`: the training of a game's network."""

from __future__ import annotations

import argparse
from typing import Any, Final

HELP: Final = "train a network that plays a game, from nothing, by self-play"
OPTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("game", {"metavar": "GAME", "help": "the name of a game"}),
    (
        "--to",
        {
            "metavar": "FOLDER",
            "help": "for checkpoints and weights; the same command continues (default: GAME-expert)",
        },
    ),
    (
        "--minutes",
        {"metavar": "N", "type": int, "help": "stop after this time (default: until it is trained)"},
    ),
    (
        "--tables",
        {
            "metavar": "N",
            "type": int,
            "help": "how many are played at once (default: as for the shipped weights)",
        },
    ),
    ("--seed", {"metavar": "N", "type": int, "default": 1, "help": "everything is drawn from it"}),
)


def run(arguments: argparse.Namespace) -> int:
    """Train until it is done, or the time is over."""
    from facedown.cli.extras import is_installed  # slow to import, and `--help` needs none of these
    from facedown.core import registry
    from facedown.core.errors import Unsupported
    from facedown_lab.parts import missing_extra, part_of

    game = registry.get(arguments.game).name
    if part_of(game, "learn") is None:
        raise Unsupported(f"{game} has no network to train")
    if not is_installed("jax"):
        raise missing_extra("training needs", "jax")
    program: Any = part_of(game, "learn.__main__")
    options = ["--to", arguments.to or f"{game}-expert", "--seed", str(arguments.seed)]
    if arguments.minutes is not None:
        options += ["--seconds", str(60 * arguments.minutes)]
    if arguments.tables is not None:
        options += ["--tables", str(arguments.tables)]
    status: int = program.main(options)
    return status
