"""Dialogs at a table: pause, resign or get up, and what to do about absent players."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.terminal.screens.list_page import Dialog, ListEntry
from facedown.terminal.tables.absences import absence_sentence
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words.words import Words


def pause_dialog(table: TerminalTable, words: Words) -> Dialog[str]:
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
    return Dialog(words("pause"), entries)


def sure_dialog(words: Words, question: str) -> Dialog[bool]:
    """Whether that is meant; `question` is `resign` or `get_up`."""
    entries = [ListEntry(words("resign.no"), False), ListEntry(words(f"{question}.yes"), True)]
    return Dialog(words(f"{question}.sure"), entries)


def absence_dialog(absent: Sequence[AbsentPlayer], words: Words) -> Dialog[AbsentPlayer]:
    """What can be done about absent players; Escape does nothing."""
    entries = [
        ListEntry(_does(each, words), each, note=absence_sentence(each, words))
        for each in absent
        if each.asks_you or not each.machine
    ]
    return Dialog(words("absent.title"), entries)


def _does(absent: AbsentPlayer, words: Words) -> str:
    key = "absent.agree" if absent.machine else "absent.offer"
    return words(key, name=absent.name, machine=absent.machine)
