"""`facedown games`: which games there are, with their presets and options."""

from __future__ import annotations

import argparse
import json
from typing import Final

from facedown.cli import DONE
from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Option, Switch, Value
from facedown.core.views import Plain
from facedown.terminal.lines.console import Console
from facedown.terminal.lines.game_menu import seats_in_words

_INDENT: Final = " " * 17


def run(arguments: argparse.Namespace) -> int:
    """List the games, for people or for programs."""
    games = [registry.get(name) for name in registry.names()]
    if arguments.json:
        print(json.dumps({"games": [_as_json(game) for game in games]}, indent=2))
    else:
        console = Console()
        for game in games:
            _say(console, game)
            console.say()
    return DONE


# --- for people ------------------------------------------------------------------------------------------


def _say(console: Console, game: AnyGame) -> None:
    usual = game.rules.presets[0]
    console.say(f"{console.strong(game.name)}: {game.meta.title}, {seats_in_words(game)}")
    console.say_wrapped(game.meta.summary, indent="  ")
    console.say("  presets")
    for preset in game.rules.presets:
        meaning = f"{preset.meaning}{' (the usual one)' if preset is usual else ''}"
        console.say_wrapped(meaning, indent=_INDENT, first=f"    {preset.name:<13}")
    console.say("  options")
    for option in game.rules.options:
        words = (
            f"{option.label}: {option.allowed}; usually {_usual(game, option)}. {option.help} ({option.rule})"
        )
        console.say_wrapped(words, indent=_INDENT, first=f"    {option.name:<13}")


def _usual(game: AnyGame, option: Option) -> str:
    """The option's value in the first preset, and where other presets have another one."""
    rules = [game.rules.of(preset.name) for preset in game.rules.presets]
    usual = option.write(rules[0].value(option))
    others = [
        f"{each.preset} {option.write(each.value(option))}"
        for each in rules[1:]
        if option.write(each.value(option)) != usual
    ]
    return f"{usual} ({', '.join(others)})" if others else usual


# --- for programs ----------------------------------------------------------------------------------------


def _as_json(game: AnyGame) -> Plain:
    usual = game.rules.of()
    return {
        "name": game.name,
        "title": game.meta.title,
        "summary": game.meta.summary,
        "version": game.version,
        "seats": {"least": game.meta.least_seats, "most": game.meta.most_seats},
        "presets": [
            {
                "name": preset.name,
                "meaning": preset.meaning,
                "values": values(game, preset.name),
            }
            for preset in game.rules.presets
        ],
        "options": [_option(option, usual.value(option)) for option in game.rules.options],
    }


def values(game: AnyGame, rules: str) -> dict[str, Plain]:
    """Every option's value in a rule set, as rules text and JSON write it."""
    read = game.rules.read(rules)
    return {option.name: option.as_json(read.value(option)) for option in game.rules.options}


def _option(option: Option, usual: Value) -> Plain:
    return {
        "name": option.name,
        "label": option.label,
        "help": option.help,
        "rule": option.rule,
        "allowed": _allowed(option),
        "default": option.as_json(usual),
    }


def _allowed(option: Option) -> Plain:
    if isinstance(option, Number):
        return {"least": option.low, "most": option.high}
    if isinstance(option, Switch):
        return ["on", "off"]
    if isinstance(option, Choice):
        return list(option.values)
    return option.allowed
