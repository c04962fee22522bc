"""A menu of the games for line mode: a numbered list, chosen from by number or name."""

from __future__ import annotations

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.text.translation import Message
from facedown.terminal.lines.console import Console, InputEnded
from facedown.terminal.words.words import Words, message


def chosen_game(words: Words) -> str | None:
    """The game chosen by number or name; None for none."""
    console = Console()
    names = registry.names()
    console.say(console.strong("Facedown"))
    for number, name in enumerate(names, 1):
        game = registry.get(name)
        title, summary = game.meta.title, game.meta.summary
        told = words("welcome.game", title=title, seats=seats_in_words(game), summary=summary)
        console.say_wrapped(told, indent="     ", first=f"  {number}  ")
    console.say(words("welcome.more"))
    while True:
        try:
            answer = console.ask(words("welcome.which")).strip().lower()
        except InputEnded:
            return None
        if not answer or answer in ("quit", "exit", "q"):
            return None
        if answer in names:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:3]) <= len(names):
            return names[int(answer) - 1]
        console.say(words("welcome.unknown", name=repr(answer[:20])))


def seats_in_words(game: AnyGame) -> Message:
    """With how many seats the game is played."""
    least, most = game.meta.least_seats, game.meta.most_seats
    if least == most:
        return message("games.seats", count=least)
    return message("games.seats_range", least=least, most=most)
