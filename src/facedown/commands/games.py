"""`facedown games`, `rules` and `bots`: which games there are, their rules, and their machines."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Final

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Option, Rules, Switch, Value
from facedown.core.text.rule_page import sentences
from facedown.core.text.translation import Text, in_row
from facedown.core.views import Plain
from facedown.terminal.lines.console import Console
from facedown.terminal.moments.menu import seats_in_words
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words, message, rules_in_words

_INDENT: Final = " " * 18


def run(arguments: argparse.Namespace) -> None:
    """Print the list or the page that the command asks for."""
    pages = {"games": _list_games, "rules": _print_rules, "bots": _list_bots}
    pages[arguments.command](arguments)


# --- games -----------------------------------------------------------------------------------------------


def _list_games(arguments: argparse.Namespace) -> None:
    games = list(_installed_games())
    if arguments.json:
        print(json.dumps({"games": [as_json for _, as_json in games]}, indent=2))
    else:
        console, words = Console(), Words(chosen_language(arguments.language))
        for game, _ in games:
            _print_game(console, game, words)
            console.say()


def _installed_games() -> Iterator[tuple[AnyGame, Plain]]:
    """Every game and its JSON form; a game of another package that fails is left out."""
    for name in registry.names():
        try:
            game = registry.get(name)
            yield game, _game_as_json(game)
        except Exception as error:
            if registry.is_ours(name):
                raise
            registry.leave_out(f"the game {name!r}", registry.origin(name), error)


def _print_game(console: Console, game: AnyGame, words: Words) -> None:
    usual = game.rules.usual_preset()
    name = console.strong(game.name)
    console.say(words("games.head", name=name, title=game.meta.title, seats=seats_in_words(game)))
    console.say_wrapped(words.text(game.meta.summary), indent="  ")
    console.say(f"  {words('games.presets')}")
    for preset in game.rules.presets:
        meaning = (
            message("games.usual_preset", meaning=preset.meaning) if preset.name == usual else preset.meaning
        )
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


def _game_as_json(game: AnyGame) -> Plain:
    usual = game.rules.of()
    return {
        "name": game.name,
        "title": str(game.meta.title),
        "summary": str(game.meta.summary),
        "version": game.version,
        "seats": {"least": game.meta.least_seats, "most": game.meta.most_seats},
        "presets": [
            {"name": preset.name, "meaning": str(preset.meaning), "values": _values(game, preset.name)}
            for preset in game.rules.presets
        ],
        "options": [_option(option, usual.value(option)) for option in game.rules.options],
    }


def _values(game: AnyGame, rules: str) -> dict[str, Plain]:
    read = game.rules.read(rules)
    return {option.name: option.as_json(read.value(option)) for option in game.rules.options}


def _option(option: Option, usual: Value) -> Plain:
    return {
        "name": option.name,
        "label": str(option.label),
        "help": str(option.help),
        "rule": option.rule,
        "allowed": _allowed_values(option),
        "default": option.as_json(usual),
    }


def _allowed_values(option: Option) -> Plain:
    if isinstance(option, Number):
        return {"least": option.low, "most": option.high}
    if isinstance(option, Switch):
        return ["on", "off"]
    if isinstance(option, Choice):
        return list(option.values)
    return str(option.allowed)


# --- the rules of one game --------------------------------------------------------------------------------


def _print_rules(arguments: argparse.Namespace) -> None:
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    words = Words(chosen_language(arguments.language))
    page = rules_in_words(game, rules, words)
    if arguments.json:
        print(json.dumps(_rules_as_json(game, rules, page), indent=2))
        return
    console = Console()
    summary = words("games.summary", title=game.meta.title, summary=game.meta.summary)
    console.say_page(page.strip() or summary)
    console.say()
    console.say(console.strong(words("rules.set", rules=str(rules))))
    console.say(_options_table(rules, words))
    for note in rules.notes():
        console.say_wrapped(words.text(note), indent="  ", first="! ")


def _options_table(rules: Rules, words: Words) -> str:
    usual = type(rules).of(rules.preset)
    return "\n".join(
        f"{'*' if rules.value(option) != usual.value(option) else ' '} {option.name:<13} "
        f"{option.write(rules.value(option)):<12} "
        f"{words('rules.option', label=option.label, rule=option.rule)}"
        for option in rules.options
    )


def _rules_as_json(game: AnyGame, rules: Rules, page: str) -> dict[str, object]:
    return {
        "game": game.name,
        "rules": str(rules),
        "values": _values(game, str(rules)),
        "notes": list(map(str, rules.notes())),
        "sentences": sentences(page),
    }


# --- bots ------------------------------------------------------------------------------------------------


def _list_bots(arguments: argparse.Namespace) -> None:
    from facedown.bots.find import bots_missing, bots_of, usual_bot  # slow to import
    from facedown.bots.house import house_of

    games = registry.names() if arguments.game is None else (registry.get(arguments.game).name,)
    prices = {game: {each.bot.name: (each.price, each.error) for each in house_of(game)} for game in games}
    if arguments.json:
        listed = {
            game: [
                {"name": name, "says": str(bot.says)}
                | dict(zip(("price", "error"), prices[game].get(name, ()), strict=False))
                for name, bot in bots_of(game).items()
            ]
            for game in games
        }
        print(json.dumps(listed, ensure_ascii=False))
        return
    console, words = Console(), Words(chosen_language(arguments.language))
    for game in games:
        console.say(words("bots.game", title=registry.get(game).meta.title, game=game))
        said = {name: [words.text(bot.says)] for name, bot in bots_of(game).items()}
        said |= {name: [words("bots.missing", extra=extra)] for name, extra in bots_missing(game).items()}
        said[usual_bot(game)].append(words("bots.usual"))
        for each in house_of(game):
            key = "bots.measured" if each.error else "bots.price"
            price = words(key, price=f"{100 * each.price:.1f}", error=f"{100 * each.error:.1f}")
            said[each.bot.name].append(price)
        for name, says in said.items():
            console.say_wrapped(words.sentences(says), indent=" " * 15, first=f"  {name:<12} ")
