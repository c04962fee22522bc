"""`facedown solve`: the exact value of a rule set and the best mixes, in words or as JSON."""

from __future__ import annotations

import argparse
import json

from facedown.cli.errors import Usage
from facedown.cli.progress import long_wait
from facedown.commands import explore
from facedown.core import registry
from facedown.core.parts.solver import listening
from facedown.solve.answer import answer
from facedown.terminal.lines.console import Console
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words


def run(arguments: argparse.Namespace) -> None:
    """Solve one rule set, or one position of it."""
    if arguments.habit is not None and not arguments.explore:
        raise Usage("--habit goes with --explore")
    if arguments.explore:
        explore.run(arguments)
        return
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    language = chosen_language(arguments.language)
    with long_wait(Words(language)) as reach, listening(reach):  # the proof is worked out with the words
        found = answer(game, rules, arguments.at)
        facts = found.as_json() if arguments.json else {}
        lines = [] if arguments.json else found.words(language)
    if arguments.json:
        print(json.dumps({"game": game.name, "rules": str(rules), **facts}, ensure_ascii=False))
    else:
        Console().say_lines(lines)
