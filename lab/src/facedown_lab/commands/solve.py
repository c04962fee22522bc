"""`facedown solve` with a picture of the answer."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

OPTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("--plot", {"metavar": "FILE", "help": "draw values and mixes (.svg, .png, .pdf)"}),
)


def run(arguments: argparse.Namespace) -> None:
    """Solve one rule set, or one position of it; draw it if asked to."""
    from facedown.cli.errors import Usage  # slow to import, and `--help` needs none of these
    from facedown.commands import solve
    from facedown.core import registry
    from facedown.solve.answer import answer
    from facedown_lab.plot import check_picture, draw_answer

    if arguments.plot is not None:
        if arguments.explore:
            raise Usage("--plot draws what `solve` says without --explore")
        check_picture(arguments.plot)
    solve.run(arguments)
    if arguments.plot is not None:
        game = registry.get(arguments.game)
        found = answer(game, game.rules.read(arguments.rules), arguments.at)
        draw_answer(Path(arguments.plot), game, found)
