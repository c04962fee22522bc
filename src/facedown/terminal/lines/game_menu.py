"""A menu of the games for line mode: a numbered list, chosen from by number or name."""

from __future__ import annotations

from facedown.core import registry
from facedown.core.game import AnyGame
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


def seats_in_words(game: AnyGame) -> str:
    """With how many seats the game is played."""
    least, most = game.meta.least_seats, game.meta.most_seats
    return f"{least} seats" if least == most else f"{least} to {most} seats"
