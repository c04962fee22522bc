"""Names of seats from a record, made fit to be shown: a record may hold anything in them.

Names that nobody chose (a seat's number, a bot's) are shown in the reader's language.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import registry
from facedown.core.text.messages import ENGLISH, Domain, Text, translate
from facedown.core.text.names import SEAT, called
from facedown.core.text.sanitise import LONGEST_NAME, one_line
from facedown.review import message


def shown_names(names: Sequence[str], game: str = "", language: str = ENGLISH) -> tuple[str, ...]:
    """Every seat's name: on one line, without control characters, not too long, and none of them twice.

    >>> shown_names(["Ann", "\\x1b[2J\\u202eoB", "", "A" * 99])
    ('Ann', '[2JoB', 'Seat 3', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    >>> shown_names(["You", "Machine", "Ann", "", "Ann"], language="ja")
    ('あなた', '機械', 'Ann1', '席4', 'Ann2')
    """
    shown = [one_line(name, LONGEST_NAME) or f"{SEAT} {seat}" for seat, name in enumerate(names, 1)]
    texts = [translate(bot_name(game, name) if game else called(name), language) for name in shown]
    return tuple(
        translate(message("name.numbered", name=name, number=texts[: place + 1].count(name)), language)
        if texts.count(name) > 1
        else name
        for place, name in enumerate(texts)
    )


def bot_name(game: str, name: str) -> Text:
    """What a bot is called in the words of its game; any other name as it is."""
    own = messages_of(game)
    return own(f"bot.{name}") if own.has(f"bot.{name}") else called(name)


def messages_of(game: str) -> Domain:
    """The messages of a game."""
    found = registry.part(game, "game")
    return Domain(str(found and found.__package__))
