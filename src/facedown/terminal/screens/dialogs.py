"""Questions before somebody goes: go on, talk, resign, get up or leave; and whether that is meant."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.terminal.screens.list_page import Entry, ListPage
from facedown.terminal.tables.absences import told_of_absent
from facedown.terminal.tables.table import Absent, Sitting
from facedown.terminal.words.words import Words


def pause_page(sitting: Sitting, words: Words) -> ListPage[str]:
    """What can be done now besides playing."""
    entries = [Entry(words("pause_go"), "go")]
    if sitting.company is not None:
        entries.append(Entry(words("pause_talk"), "talk"))
        if any(each.asks_you or not each.machine for each in sitting.company.absent):
            entries.append(Entry(words("pause_absent"), "absent"))
    if sitting.started:
        entries.append(Entry(words("pause_resign"), "resign"))
    if sitting.company is not None:
        entries.append(Entry(words("pause_get_up"), "get up"))
    entries.append(Entry(words("pause_leave_remote" if sitting.remote else "pause_leave"), "leave"))
    return ListPage(lambda: words("pause"), lambda: entries)


def sure_page(words: Words, question: str) -> ListPage[bool]:
    """Whether that is meant; `question` is `resign` or `get_up`."""
    entries = [Entry(words("resign_no"), False), Entry(words(f"{question}_yes"), True)]
    return ListPage(lambda: words(f"{question}_sure"), lambda: entries)


def absent_page(absent: Sequence[Absent], words: Words) -> ListPage[Absent]:
    """What can be done about those who are missed; Escape does nothing."""
    entries = [
        Entry(_does(each, words), each, note=told_of_absent(each, words))
        for each in absent
        if each.asks_you or not each.machine
    ]
    return ListPage(lambda: words("absent_title"), lambda: entries)


def _does(absent: Absent, words: Words) -> str:
    key = "absent_agree" if absent.machine else "absent_offer"
    return words(key, name=absent.name, machine=absent.machine)
