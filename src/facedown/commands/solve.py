"""`facedown solve`: the exact value of a rule set and the best mixes, in words or as JSON; with `--explore`
its positions, one after the other.
"""

from __future__ import annotations

import argparse
import json

from facedown.cli.errors import Usage
from facedown.cli.progress import long_wait
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.game import AnyGame
from facedown.core.parts.explorer import Exploration
from facedown.core.parts.solver import listening
from facedown.core.rules import Rules
from facedown.core.text.translation import translate
from facedown.solve.answer import answer
from facedown.study.explore import as_json, explore, lines
from facedown.terminal.lines.console import Console, InputEnded
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words


def run(arguments: argparse.Namespace) -> None:
    """Solve one rule set, or one position of it."""
    if arguments.habit is not None and not arguments.explore:
        raise Usage("--habit goes with --explore")
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    words = Words(chosen_language(arguments.language))
    if arguments.explore:
        _show_positions(arguments, game, rules, words)
        return
    with long_wait(words) as reach, listening(reach):  # the proof is worked out with the words
        found = answer(game, rules, arguments.at)
        facts = found.as_json() if arguments.json else {}
        said = [] if arguments.json else found.words(words.language)
    if arguments.json:
        print(json.dumps({"game": game.name, "rules": str(rules), **facts}, ensure_ascii=False))
    else:
        Console().say_lines(said)


# --- positions, one after the other ------------------------------------------------------------------------


def _show_positions(arguments: argparse.Namespace, game: AnyGame, rules: Rules, words: Words) -> None:
    """Show one position; at a terminal, walk on from there."""
    found = _explore(game, rules, arguments.at or "", arguments.habit or "", words)
    if arguments.json:
        print(json.dumps({"game": game.name, **as_json(found, words.language)}, ensure_ascii=False))
        return
    console = Console()
    console.say_lines(lines(found, words.language))
    if console.typed and console.seen:
        _walk(console, game, rules, found, words)


def _explore(game: AnyGame, rules: Rules, at: str, habit: str, words: Words) -> Exploration:
    with long_wait(words) as reach, listening(reach):
        return explore(game, rules, at, habit)


def _walk(console: Console, game: AnyGame, rules: Rules, found: Exploration, words: Words) -> None:
    behind: list[str] = []
    while True:
        console.say()
        try:
            typed = console.ask(f"{words('explore.ask')} ").strip()
        except InputEnded:
            return
        if not typed:
            return
        at, habit = _target(typed, found, behind)
        if at is None:
            console.say_wrapped(words("explore.unclear"))
            continue
        try:
            after = _explore(game, rules, at, habit, words)
        except FacedownError as error:
            console.say_wrapped(translate(error.message, words.language))
            continue
        if typed != "b" and after.at != found.at:
            behind.append(found.at)
        found = after
        console.say()
        console.say_lines(lines(found, words.language))


def _target(typed: str, found: Exploration, behind: list[str]) -> tuple[str | None, str]:
    """The position and habit that a line asks for: a number of a way, `b`, a position or a habit."""
    if typed == "b":
        return (behind.pop() if behind else None), found.habit
    if typed.isdigit():
        ways = dict(enumerate(found.ways, 1))
        return (ways[int(typed)].at or None if int(typed) in ways else None), found.habit
    if "=" in typed:
        parts = {part.name for part in found.habit_parts}
        is_habit = any(each.partition("=")[0].strip() in parts for each in typed.split(","))
        return (found.at, typed) if is_habit else (typed, found.habit)
    return None, found.habit
