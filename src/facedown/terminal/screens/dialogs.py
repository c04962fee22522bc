"""Questions before somebody goes: go on, talk, resign, get up or leave; and whether that is meant."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.terminal.screens.list_page import ListEntry, ListPage
from facedown.terminal.tables.absences import absence_sentence
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words.words import Words


def pause_page(table: TerminalTable, words: Words) -> ListPage[str]:
    """What can be done now besides playing."""
    entries = [ListEntry(words("pause.go"), "go")]
    if table.company is not None:
        entries.append(ListEntry(words("pause.talk"), "talk"))
        if any(each.asks_you or not each.machine for each in table.company.absent):
            entries.append(ListEntry(words("pause.absent"), "absent"))
    if table.started:
        entries.append(ListEntry(words("pause.resign"), "resign"))
    if table.company is not None:
        entries.append(ListEntry(words("pause.get_up"), "get up"))
    entries.append(ListEntry(words("pause.leave_remote" if table.remote else "pause.leave"), "leave"))
    return ListPage(lambda: words("pause"), lambda: entries)


def sure_page(words: Words, question: str) -> ListPage[bool]:
    """Whether that is meant; `question` is `resign` or `get_up`."""
    entries = [ListEntry(words("resign.no"), False), ListEntry(words(f"{question}.yes"), True)]
    return ListPage(lambda: words(f"{question}.sure"), lambda: entries)


def absent_page(absent: Sequence[AbsentPlayer], words: Words) -> ListPage[AbsentPlayer]:
    """What can be done about those who are missed; Escape does nothing."""
    entries = [
        ListEntry(_does(each, words), each, note=absence_sentence(each, words))
        for each in absent
        if each.asks_you or not each.machine
    ]
    return ListPage(lambda: words("absent.title"), lambda: entries)


def _does(absent: AbsentPlayer, words: Words) -> str:
    key = "absent.agree" if absent.machine else "absent.offer"
    return words(key, name=absent.name, machine=absent.machine)
