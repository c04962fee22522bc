"""The start menu, the form for a new table, and the settings page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual.binding import Binding, BindingType

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.text.translation import language_offered, languages
from facedown.terminal.paths import settings_file
from facedown.terminal.screens.list_page import ListEntry, ListPage, sure_dialog
from facedown.terminal.settings import CHOICES
from facedown.terminal.tables.savegame import SaveGame, unfinished_games
from facedown.terminal.tables.spec import TableSpec, bot_name, names_said
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from facedown.terminal.tables.credentials import StoredSeat

T = TypeVar("T")
_PEOPLE: Final = "people"
"""What stands for people on all seats, where bots are named."""
_SETTINGS: Final = 0
_LEAVE: Final = 1


class MenuPage(ListPage[object]):
    """The first page: saved games, the games, the settings. Going back from it leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("d,delete", "remove", show=False)]

    def heading(self) -> str:
        return self.words("menu.title")

    def __init__(self) -> None:
        super().__init__()
        self._said = ""
        """What became of the latest choice."""

    def above(self) -> Sequence[str]:
        return [self.words("menu.line"), *filter(None, [self._said])]

    async def _go_back_to(self, server: str, table: str) -> None:
        try:
            await self.shell.rejoin(server, table)
            self._said = ""
        except FacedownError as error:
            self._said = self.words("refused", why=self.words.refusal(error))
        self.show()

    def entries(self) -> Sequence[ListEntry[object]]:
        words = self.words
        found: list[ListEntry[object]] = []
        for savegame in list(unfinished_games())[:3]:
            title = words.text(registry.get(savegame.spec.game).meta.title)
            names = words.all_of(names_said(savegame.spec, words.language))
            found.append(ListEntry(words("menu.continue", title=title, names=names), savegame))
        for seat in _stored_seats()[:3]:
            title = seat.game or words("menu.some_game")
            if seat.game in registry.names():
                title = words.text(registry.get(seat.game).meta.title)
            host = seat.key.server.partition("://")[2]
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(seat.since))
            found.append(ListEntry(words("menu.server", title=title, server=host, when=when), seat))
        for name in registry.names():
            meta = registry.get(name).meta
            found.append(ListEntry(words.text(meta.title), name, note=words.text(meta.summary)))
        found.append(ListEntry(words("menu.settings"), _SETTINGS))
        found.append(ListEntry(words("menu.leave"), _LEAVE))
        return found

    def take(self, answer: object) -> None:
        self._said = ""
        if isinstance(answer, SaveGame):
            self.shell.play(answer.spec, answer)
        elif isinstance(answer, tuple):  # a stored seat
            self._said = self.words("menu.connecting")
            self.run_worker(self._go_back_to(answer[0].server, answer[0].table), exit_on_error=True)
        elif isinstance(answer, str):
            self.app.push_screen(NewTablePage(answer, self.shell.host.quick(answer)))
        elif answer == _SETTINGS:
            self.app.push_screen(SettingsPage())
        else:
            self.leave(None)

    def leave(self, answer: object | None) -> None:
        self.shell.action_leave()

    def keys(self, height: int) -> Sequence[tuple[str, str]]:
        shown = super().keys(height)
        seats = any(isinstance(each.answer, tuple) for each in self._entries)
        return (*shown[:-1], ("d", self.words("key.remove")), shown[-1]) if seats else shown

    def action_remove(self) -> None:
        """Ask whether to remove the table that is highlighted from the list: its seat's key is deleted."""
        answer = self._entries[self._list.highlighted or 0].answer
        if not isinstance(answer, tuple):
            return

        def on_choice(sure: bool | None) -> None:
            if sure:
                from facedown.terminal.tables.credentials import delete_seat_key

                delete_seat_key(answer[0])
                self._said = ""
            self.show()

        self.app.push_screen(sure_dialog(self.words, "remove"), on_choice)


@dataclass(frozen=True, slots=True)
class _Form:
    preset: str
    seats: int
    machines: tuple[str, ...]
    """By seat, from the second on; `_PEOPLE` on the first place puts people on all of them."""


class NewTablePage(ListPage[str]):
    """A new table: rules, seats, and who sits there. Enter plays, on whatever line."""

    def __init__(self, game: str, usual: TableSpec) -> None:
        from facedown.bots.find import bots_of  # slow to import, and a table that is named needs no menu

        super().__init__()
        self._game = registry.get(game)
        self._bots = bots_of(game)
        self._meanings = {each.name: each.meaning for each in self._game.rules.presets}
        self._presets = list(self._meanings)
        self._form = _Form(self._game.rules.usual_preset(), len(usual.names), usual.machines[1:])

    def heading(self) -> str:
        return self.words.text(self._game.meta.title)

    def entries(self) -> Sequence[ListEntry[str]]:
        words, form, meta = self.words, self._form, self._game.meta
        found = [
            ListEntry(words("setup.start"), "start"),
            ListEntry(words("setup.preset"), "preset", form.preset, words.text(self._meanings[form.preset])),
        ]
        if meta.least_seats != meta.most_seats:
            found.append(ListEntry(words("setup.seats"), "seats", str(form.seats)))
        if form.machines[0] == _PEOPLE:
            return [*found, ListEntry(words("setup.with"), "machine 0", words("setup.people"))]
        for place, name in enumerate(form.machines):
            label = words("setup.with") if form.seats == 2 else words("setup.machine", seat=place + 2)
            called = bot_name(self._game.name, name, words.language)
            note = words.text(self._bots[name].says) if form.seats == 2 else ""
            found.append(ListEntry(label, f"machine {place}", called, note))
        return found

    def change(self, answer: str, by: int) -> None:
        form, meta = self._form, self._game.meta
        if answer == "preset":
            self._form = replace(form, preset=_step(self._presets, form.preset, by))
        elif answer == "seats":
            seats = _step(range(meta.least_seats, meta.most_seats + 1), form.seats, by)
            filled = (form.machines + form.machines[-1:] * seats)[: seats - 1]
            self._form = replace(form, seats=seats, machines=filled)
        elif answer.startswith("machine"):
            self._change_machine(int(answer.split()[1]), by)

    def _change_machine(self, place: int, by: int) -> None:
        choices = [*self._bots, _PEOPLE] if place == 0 else [*self._bots]
        changed = list(self._form.machines)
        name = changed[place] = _step(choices, changed[place], by)
        if name != _PEOPLE:
            changed = [each if each != _PEOPLE else name for each in changed]
        self._form = replace(self._form, machines=tuple(changed))

    def take(self, answer: str) -> None:
        form, shell = self._form, self.shell
        people = form.machines[0] == _PEOPLE
        machines = ("",) * form.seats if people else ("", *form.machines)
        spec = shell.host.spec(self._game.name, form.preset, form.seats, machines)
        self.go_back()
        shell.play(spec)


def _stored_seats() -> Sequence[StoredSeat]:
    """Seats at tables on servers; none where what reaches them is not installed."""
    try:
        from facedown.terminal.tables.credentials import stored_seats
    except ImportError:
        return ()
    return stored_seats()


def _step(choices: Sequence[T], now: T, by: int) -> T:
    return choices[(choices.index(now) + by) % len(choices)]


class SettingsPage(ListPage[str]):
    """Language, theme, motion and letters; stored as they are changed."""

    def heading(self) -> str:
        return self.words("settings.title")

    def above(self) -> Sequence[str]:
        return [self.words("settings.where", path=str(settings_file()))]

    def entries(self) -> Sequence[ListEntry[str]]:
        words, settings = self.words, self.shell.settings
        return [
            ListEntry(words(f"settings.{name}"), name, _value(words, name, getattr(settings, name)))
            for name in CHOICES
        ]

    def change(self, answer: str, by: int) -> None:
        self.shell.set(self.shell.settings.next(answer, by))

    def take(self, answer: str) -> None:
        self.change(answer, 1)


def _value(words: Words, name: str, value: str) -> str:
    """What a choice is called; a language says its own name."""
    return language_offered(value) if name == "language" and value in languages() else words(f"value.{value}")
