"""The start menu: unfinished games of this machine, and the games."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import registry
from facedown.terminal.screens.list_page import ListEntry, ListPage
from facedown.terminal.tables.savegame import SaveGame, unfinished_games
from facedown.terminal.tables.spec import names_said


class MenuPage(ListPage[SaveGame | str]):
    """The first page. Going back from it leaves."""

    def heading(self) -> str:
        return self.words("menu.title")

    def entries(self) -> Sequence[ListEntry[SaveGame | str]]:
        words = self.words
        found: list[ListEntry[SaveGame | str]] = []
        for savegame in list(unfinished_games())[:3]:
            title = words.text(registry.get(savegame.spec.game).meta.title)
            names = words.all_of(names_said(savegame.spec, words.language))
            found.append(ListEntry(words("menu.continue", title=title, names=names), savegame))
        for name in registry.names():
            meta = registry.get(name).meta
            found.append(ListEntry(words.text(meta.title), name, words.text(meta.summary)))
        return found

    def leave(self, answer: SaveGame | str | None) -> None:
        host = self.shell.host
        if answer is None:
            self.shell.action_leave()
        elif isinstance(answer, SaveGame):
            self.shell.sit(host.open(answer.spec, self.words, answer))
        else:
            self.shell.sit(host.open(host.usual_table(answer), self.words))
