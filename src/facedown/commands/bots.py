"""`facedown bots`: the machines that play each game, with one honest sentence each."""

from __future__ import annotations

import argparse
import json

from facedown.bots.find import bots_of
from facedown.cli import DONE
from facedown.core import registry


def run(arguments: argparse.Namespace) -> int:
    """List the bots of one game, or of all."""
    games = registry.names() if arguments.game is None else (registry.get(arguments.game).name,)
    if arguments.json:
        told = {
            game: [{"name": name, "says": bot.says} for name, bot in bots_of(game).items()] for game in games
        }
        print(json.dumps(told, ensure_ascii=False))
        return DONE
    for game in games:
        print(f"{registry.get(game).meta.title} ({game})")
        for name, bot in bots_of(game).items():
            print(f"  {name:<12} {bot.says}")
    return DONE
