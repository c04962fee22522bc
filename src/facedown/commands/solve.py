"""`facedown solve` and `exploit`: the exact value of a rule set and the best mixes, in words, as JSON, as a
picture; and what an opponent that was made for a machine wins on it."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Final

from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.core import registry
from facedown.core.parts.solver import Answer, listening
from facedown.files import check_writable, naming_errors
from facedown.solve.answer import answer
from facedown.terminal.lines.console import Console
from facedown.terminal.lines.progress import Progress, long_wait
from facedown.terminal.settings import chosen_language
from facedown.terminal.tables.spec import fresh_seed
from facedown.terminal.words import Words

_PICTURES: Final = (".svg", ".png", ".pdf")
_MOST_SECONDS: Final = 7 * 24 * 3600


def run(arguments: argparse.Namespace) -> None:
    """Solve one rule set, or one position of it; or attack one machine."""
    if arguments.command == "exploit":
        _exploit(arguments)
        return
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    if arguments.plot is not None:
        _check_picture(arguments.plot)
    language = chosen_language(arguments.language)
    with long_wait(Words(language)) as reach, listening(reach):  # the proof is worked out with the words
        found = answer(game, rules, arguments.at)
        facts = found.as_json() if arguments.json else {}
        lines = [] if arguments.json else found.words(language)
    if arguments.plot is not None:
        _draw(found, arguments.plot)
    if arguments.json:
        print(json.dumps({"game": game.name, "rules": str(rules), **facts}, ensure_ascii=False))
    else:
        Console().say_lines(lines)


# --- the picture -----------------------------------------------------------------------------------------


def _check_picture(path: str) -> None:
    check_writable(path)
    if Path(path).suffix.lower() not in _PICTURES:
        raise Usage(f"--plot {path}: the name of a picture ends with one of {', '.join(_PICTURES)}")
    check_extra("pictures need", "plot", "matplotlib")


def _draw(found: Answer, path: str) -> None:
    """Draw, then write: a picture that fails leaves no file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    kind = Path(path).suffix.lower().removeprefix(".")
    figure, drawn = Figure(layout="constrained"), io.BytesIO()
    found.picture(figure)
    with mpl.rc_context({"svg.hashsalt": "facedown"}):  # the same answer gives the same file
        figure.savefig(drawn, format=kind, metadata=None if kind == "png" else {_DATES[kind]: None})
    with naming_errors(path):
        Path(path).write_bytes(drawn.getvalue())


_DATES: Final = {"svg": "Date", "pdf": "CreationDate"}
"""The metadata with the date of a picture, which is left out."""


# --- attacks ---------------------------------------------------------------------------------------------


def _exploit(arguments: argparse.Namespace) -> None:
    from facedown.sim.bot_specs import read_bot  # slow to import, and `solve` needs neither
    from facedown.study.exploit import METHODS, SECONDS, AttackBudget, exploit

    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    if arguments.seconds is not None and arguments.games is not None:
        raise Usage("--seconds and --games are two ways to say how long: give one of them")
    seconds = int(SECONDS) if arguments.seconds is None else arguments.seconds
    if not 1 <= seconds <= _MOST_SECONDS:
        raise Usage(f"--seconds {seconds}: from 1 to {_MOST_SECONDS:,}")
    if arguments.games == 0:
        raise Usage("--games 0: at least one game")
    name, machine = read_bot(game, arguments.machine)
    whole = seconds if arguments.games is None else arguments.games
    progress = Progress(whole, "s" if arguments.games is None else "games")
    try:
        found = exploit(
            game,
            rules,
            name,
            machine,
            seats=game.meta.least_seats if arguments.seats is None else arguments.seats,
            budget=AttackBudget(seconds, arguments.games),
            seed=arguments.seed or fresh_seed(),
            method=arguments.method or METHODS[0],
            report=lambda used, share: progress.reach(int(used * whole)),
        )
    finally:
        progress.close()
    if arguments.json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        Console().say_lines(found.words(chosen_language(arguments.language)))
