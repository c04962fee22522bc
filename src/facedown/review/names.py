"""Names of seats from a record, made fit to be shown: a record may hold anything in them.

Default names (a seat's number, a bot's) are shown in the reader's language.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.parts.text import bot_called
from facedown.core.text.names import SEAT, seat_name
from facedown.core.text.sanitise import LONGEST_NAME, one_line
from facedown.core.text.translation import ENGLISH, Text, translate
from facedown.review import message


def shown_names(names: Sequence[str], game: str = "", language: str = ENGLISH) -> tuple[str, ...]:
    """Every seat's name: on one line, without control characters, not too long, and none of them twice.

    >>> shown_names(["Ann", "\\x1b[2J\\u202eoB", "", "A" * 99])
    ('Ann', '[2JoB', 'Seat 3', 'AAAAAAAAAAAAAAAAAAAAAAA…')
    >>> shown_names(["You", "Machine", "Ann", "", "Ann"], language="ja")
    ('あなた', '機械', 'Ann1', '席4', 'Ann2')
    """
    shown = [one_line(name, LONGEST_NAME) or f"{SEAT} {seat}" for seat, name in enumerate(names, 1)]
    texts = [translate(_text_of(game, name), language) for name in shown]
    return tuple(
        translate(message("name.numbered", name=name, number=texts[: place + 1].count(name)), language)
        if texts.count(name) > 1
        else name
        for place, name in enumerate(texts)
    )


def _text_of(game: str, name: str) -> Text:
    bot = bot_called(game, name) if game else name
    return seat_name(name) if bot == name else bot
