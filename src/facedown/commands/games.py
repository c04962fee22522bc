"""`facedown games`: which games there are, with their presets and options."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Final

from facedown.cli import DONE
from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Option, Switch, Value
from facedown.core.text.translation import Text, in_row
from facedown.core.views import Plain
from facedown.terminal.lines.console import Console
from facedown.terminal.lines.run import seats_in_words
from facedown.terminal.settings import chosen_language
from facedown.terminal.words.words import Words, message

_INDENT: Final = " " * 18


def run(arguments: argparse.Namespace) -> int:
    """List the games, for people or for programs."""
    games = list(_listed())
    if arguments.json:
        print(json.dumps({"games": [facts for _, facts in games]}, indent=2))
    else:
        console, words = Console(), Words(chosen_language(arguments.language))
        for game, _ in games:
            _say(console, game, words)
            console.say()
    return DONE


def _listed() -> Iterator[tuple[AnyGame, Plain]]:
    """Every game, and what programs are told of it; one of another package that fails is left out."""
    for name in registry.names():
        try:
            game = registry.get(name)
            yield game, _as_json(game)
        except Exception as error:
            if registry.is_ours(name):
                raise
            registry.leave_out(f"the game {name!r}", registry.origin(name), error)


# --- for people ------------------------------------------------------------------------------------------


def _say(console: Console, game: AnyGame, words: Words) -> None:
    usual = game.rules.presets[0]
    name = console.strong(game.name)
    console.say(words("games.head", name=name, title=game.meta.title, seats=seats_in_words(game)))
    console.say_wrapped(words.text(game.meta.summary), indent="  ")
    console.say(f"  {words('games.presets')}")
    for preset in game.rules.presets:
        meaning = message("games.usual_preset", meaning=preset.meaning) if preset is usual else preset.meaning
        console.say_wrapped(words.text(meaning), indent=_INDENT, first=f"    {preset.name:<14}")
    console.say(f"  {words('games.options')}")
    for option in game.rules.options:
        line = words(
            "games.option",
            label=option.label,
            allowed=option.allowed,
            usual=_usual(game, option),
            help=option.help,
            rule=option.rule,
        )
        console.say_wrapped(line, indent=_INDENT, first=f"    {option.name:<14}")


def _usual(game: AnyGame, option: Option) -> Text:
    """The option's value in the first preset, and where other presets have another one."""
    rules = [game.rules.of(preset.name) for preset in game.rules.presets]
    usual = option.write(rules[0].value(option))
    others = [
        f"{each.preset} {option.write(each.value(option))}"
        for each in rules[1:]
        if option.write(each.value(option)) != usual
    ]
    return message("games.usual", usual=usual, others=in_row(others)) if others else usual


# --- for programs ----------------------------------------------------------------------------------------


def _as_json(game: AnyGame) -> Plain:
    usual = game.rules.of()
    return {
        "name": game.name,
        "title": str(game.meta.title),
        "summary": str(game.meta.summary),
        "version": game.version,
        "seats": {"least": game.meta.least_seats, "most": game.meta.most_seats},
        "presets": [
            {
                "name": preset.name,
                "meaning": str(preset.meaning),
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
        "label": str(option.label),
        "help": str(option.help),
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
    return str(option.allowed)
