"""The first page of the full screen."""

from __future__ import annotations

from facedown.terminal.moments.effects import AnswerOption, ChosenGame, Question
from facedown.terminal.moments.menu import start_menu
from facedown.terminal.screens.list_page import ListPage


class MenuPage(ListPage):
    """The start menu; going back from it leaves."""

    def __init__(self) -> None:
        super().__init__(Question("", ()))

    def show(self) -> None:
        self.question = start_menu(self.words)
        super().show()

    def leave(self, answer: AnswerOption | None) -> None:
        host = self.shell.host
        match None if answer is None else answer.effect:
            case ChosenGame(_, savegame) if savegame is not None:
                self.shell.sit(host.open(savegame.spec, self.words, savegame))
            case ChosenGame(game, _):
                self.shell.sit(host.open(host.usual_table(game), self.words))
            case _:
                self.shell.action_leave()
