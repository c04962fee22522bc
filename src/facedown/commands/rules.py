"""`facedown rules`: a game's page, with what one rule set says filled in."""

from __future__ import annotations

import argparse
import json

from facedown.cli import DONE
from facedown.commands.games import values
from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.rules import Rules
from facedown.core.text.rule_page import fill_in, sentences
from facedown.terminal.lines.console import Console
from facedown.terminal.settings import chosen_language
from facedown.terminal.words.words import Words


def run(arguments: argparse.Namespace) -> int:
    """Print the page, then the options of this rule set and what is worth knowing about it."""
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    words = Words(chosen_language(arguments.language))
    page = fill_in(registry.page(game.name, words.language), rules)
    if arguments.json:
        print(json.dumps(_as_json(game, rules, page), indent=2))
        return DONE
    console = Console()
    console.say_page(page.strip() or _summary(game, words))
    console.say()
    console.say(console.strong(words("rules.set", rules=str(rules))))
    console.say(_table(rules, words))
    for note in rules.notes():
        console.say_wrapped(words.text(note), indent="  ", first="! ")
    return DONE


def _summary(game: AnyGame, words: Words) -> str:
    return words("games.summary", title=game.meta.title, summary=game.meta.summary)


def _table(rules: Rules, words: Words) -> str:
    """Every option with its value; what differs from the preset is marked."""
    usual = type(rules).of(rules.preset)
    return "\n".join(
        f"{'*' if rules.value(option) != usual.value(option) else ' '} {option.name:<13} "
        f"{option.write(rules.value(option)):<12} "
        f"{words('rules.option', label=option.label, rule=option.rule)}"
        for option in rules.options
    )


def _as_json(game: AnyGame, rules: Rules, page: str) -> dict[str, object]:
    return {
        "game": game.name,
        "rules": str(rules),
        "values": values(game, str(rules)),
        "notes": list(map(str, rules.notes())),
        "sentences": sentences(page),
    }
