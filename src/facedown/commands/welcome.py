"""`facedown play` without a game, at a terminal without a full screen: a small menu of the games."""

from __future__ import annotations

from facedown.commands.games import seats_in_words
from facedown.core import registry
from facedown.terminal.lines.console import Console, InputEnded


def chosen_game() -> str | None:
    """The game that somebody chooses by number or name; None for none."""
    console = Console()
    names = registry.names()
    console.say(console.strong("Facedown"))
    for number, name in enumerate(names, 1):
        game = registry.get(name)
        words = f"{game.meta.title} ({seats_in_words(game)}). {game.meta.summary}"
        console.say_wrapped(words, indent="     ", first=f"  {number}  ")
    console.say("`facedown --help` tells what else there is.")
    while True:
        try:
            answer = console.ask("Which one? (a number; Enter leaves) ").strip().lower()
        except InputEnded:
            return None
        if not answer or answer in ("quit", "exit", "q"):
            return None
        if answer in names:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:3]) <= len(names):
            return names[int(answer) - 1]
        console.say(f"There is no game {answer[:20]!r} here.")
