"""The start menu, the sheet for a new table, and the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from facedown.core import registry
from facedown.core.parts.text import bot_called
from facedown.core.text.translation import language_called, languages
from facedown.terminal.screens.list_page import ListEntry, ListPage
from facedown.terminal.settings import CHOICES, settings_file
from facedown.terminal.tables.savegame import SaveGame, unfinished_games
from facedown.terminal.words.words import Words

if TYPE_CHECKING:
    from facedown.terminal.app import TerminalApp

T = TypeVar("T")
_PEOPLE = "people"
"""What stands for people on all seats, where machines are named."""


def menu_page(app: TerminalApp) -> ListPage[object]:
    """Unfinished games, the games, the settings."""

    def entries() -> Sequence[ListEntry[object]]:
        words = app.words
        found: list[ListEntry[object]] = []
        for savegame in list(unfinished_games())[:3]:
            title = words.text(registry.get(savegame.spec.game).meta.title)
            names = words.listed(words.names(savegame.spec.names))
            found.append(ListEntry(words("menu.continue", title=title, names=names), savegame))
        for name in registry.names():
            meta = registry.get(name).meta
            found.append(ListEntry(words.text(meta.title), name, note=words.text(meta.summary)))
        found.append(ListEntry(words("menu.settings"), 0))
        found.append(ListEntry(words("menu.leave"), 1))
        return found

    def take(answer: object) -> bool:
        if isinstance(answer, SaveGame):
            app.play(answer.spec, answer)
        elif isinstance(answer, str):
            app.push_screen(setup_page(app, answer))
        elif answer == 0:
            app.push_screen(settings_page(app))
        else:
            app.exit("left")
        return False

    return _Menu(lambda: app.words("menu.title"), entries, None, take, lambda: [app.words("menu.line")])


class _Menu(ListPage[object]):
    """The first page: going back from it leaves."""

    def leave(self, answer: object | None) -> None:
        self.app.exit("left")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table that is being chosen."""

    preset: str
    seats: int
    machines: tuple[str, ...]
    """By seat, from the second on; `_PEOPLE` on the first place puts people on all of them."""


def setup_page(app: TerminalApp, game: str) -> ListPage[str]:
    """A new table: rules, seats, and who sits there. Enter plays, on whatever line."""
    from facedown.bots.find import bots_of  # slow to import, and a table that is named needs no menu

    played = registry.get(game)
    meanings = {each.name: each.meaning for each in played.rules.presets}
    presets = list(meanings)
    machines = [*bots_of(game), _PEOPLE]
    spec = app.host.quick(game)
    sheet = [_Sheet(presets[0], len(spec.names), spec.machines[1:])]

    def entries() -> Sequence[ListEntry[str]]:
        words, now = app.words, sheet[0]
        found = [
            ListEntry(words("setup.start"), "start"),
            ListEntry(words("setup.preset"), "preset", now.preset, words.text(meanings[now.preset])),
        ]
        if played.meta.least_seats != played.meta.most_seats:
            found.append(ListEntry(words("setup.seats"), "seats", str(now.seats)))
        if now.machines[0] == _PEOPLE:
            return [*found, ListEntry(words("setup.with"), "machine 0", words("setup.people"))]
        for place, name in enumerate(now.machines):
            label = words("setup.with") if now.seats == 2 else words("setup.machine", seat=place + 2)
            called, says = words.text(bot_called(game, name)), words.text(bots_of(game)[name].says)
            found.append(ListEntry(label, f"machine {place}", called, says if now.seats == 2 else ""))
        return found

    def change(answer: str, by: int) -> None:
        now = sheet[0]
        if answer == "preset":
            sheet[0] = replace(now, preset=_stepped(presets, now.preset, by))
        elif answer == "seats":
            counts = list(range(played.meta.least_seats, played.meta.most_seats + 1))
            seats = _stepped(counts, now.seats, by)
            filled = (now.machines + now.machines[-1:] * seats)[: seats - 1]
            sheet[0] = replace(now, seats=seats, machines=filled)
        elif answer.startswith("machine"):
            place = int(answer.split()[1])
            choices = machines if place == 0 else machines[:-1]
            name = _stepped(choices, now.machines[place], by)
            changed = list(now.machines)
            changed[place] = name
            if name != _PEOPLE:
                changed = [each if each != _PEOPLE else name for each in changed]
            sheet[0] = replace(now, machines=tuple(changed))

    def take(answer: str) -> bool:
        now = sheet[0]
        people = now.machines[0] == _PEOPLE
        seated = ("",) * now.seats if people else ("", *now.machines)
        app.pop_screen()
        app.play(app.host.spec(game, now.preset, now.seats, seated))
        return False

    return ListPage(lambda: app.words.text(played.meta.title), entries, change, take)


def _stepped(choices: Sequence[T], now: T, by: int) -> T:
    return choices[(choices.index(now) + by) % len(choices)]


def _value(words: Words, name: str, value: str) -> str:
    """What a choice is called; a language says its own name."""
    return language_called(value) if name == "language" and value in languages() else words(f"value.{value}")


def settings_page(app: TerminalApp) -> ListPage[str]:
    """Language, colours, the reveal, letters; kept as they are changed."""

    def entries() -> Sequence[ListEntry[str]]:
        words = app.words
        return [
            ListEntry(words(f"settings.{name}"), name, _value(words, name, getattr(app.settings, name)))
            for name in CHOICES
        ]

    def change(answer: str, by: int) -> None:
        app.set(app.settings.next(answer, by))

    def take(answer: str) -> bool:
        change(answer, 1)
        return False

    def where() -> Sequence[str]:
        return [app.words("settings.where", path=str(settings_file()))]

    return ListPage(lambda: app.words("settings.title"), entries, change, take, where)
