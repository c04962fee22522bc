"""The start menu: unfinished games of this machine, and the games."""

from __future__ import annotations

from itertools import islice
from typing import Final

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.text.translation import Message
from facedown.terminal.moments.effects import AnswerOption, ChosenGame, Question
from facedown.terminal.tables.savegame import unfinished_games
from facedown.terminal.tables.spec import names_said
from facedown.terminal.words import Words, message

_MOST: Final = 3
"""The most unfinished games that are offered."""


def start_menu(words: Words) -> Question:
    """What can be played on this machine; each game by its name, too."""
    answers: list[AnswerOption] = []
    for savegame in islice(unfinished_games(), _MOST):
        title = registry.get(savegame.spec.game).meta.title
        names = words.all_of(names_said(savegame.spec, words.language))
        label = words("menu.continue", title=title, names=names)
        answers.append(AnswerOption(label, ChosenGame(savegame.spec.game, savegame)))
    for name in registry.names():
        game = registry.get(name)
        label = words("menu.game", title=game.meta.title, seats=seats_in_words(game))
        answers.append(AnswerOption(label, ChosenGame(name), (name,), words.text(game.meta.summary)))
    return Question(words("menu.title"), tuple(answers))


def seats_in_words(game: AnyGame) -> Message:
    """With how many seats the game is played."""
    least, most = game.meta.least_seats, game.meta.most_seats
    if least == most:
        return message("games.seats", count=least)
    return message("games.seats_range", least=least, most=most)
