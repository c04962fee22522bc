"""`facedown bots`: the bots of each game, with one honest sentence each."""

from __future__ import annotations

import argparse
import json

from facedown.bots.find import bots_missing, bots_of
from facedown.cli import DONE
from facedown.core import registry
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words


def run(arguments: argparse.Namespace) -> int:
    """List the bots of one game, or of all."""
    games = registry.names() if arguments.game is None else (registry.get(arguments.game).name,)
    if arguments.json:
        listed = {
            game: [{"name": name, "says": str(bot.says)} for name, bot in bots_of(game).items()]
            for game in games
        }
        print(json.dumps(listed, ensure_ascii=False))
        return DONE
    words = Words(chosen_language(arguments.language))
    for game in games:
        print(words("bots.game", title=registry.get(game).meta.title, game=game))
        for name, bot in bots_of(game).items():
            print(f"  {name:<12} {words.text(bot.says)}")
        for name, extra in bots_missing(game).items():
            print(f"  {name:<12} {words('bots.missing', extra=extra)}")
    return DONE
