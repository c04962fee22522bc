"""The keys that the bottom line of a table offers: what can be done now, what can be asked, how to leave."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.parts.scene import Held
from facedown.terminal.tables.recorded import RecordedTable
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words.words import Words

Keys = tuple[tuple[str, str], ...]
"""Keys and what they do."""


def table_keys(table: TerminalTable, words: Words, held: Sequence[Held] | None, unread: int) -> Keys:
    """The keys of a table; `held` is the hand of the seat whose turn it is, None where it is not asked."""
    common = (*chat_key(table, words, unread), ("w", words("key.why")), ("l", words("key.log")))
    if not table.remote:  # where there is chat, there is no room for one more
        common = (*common, ("r", words("key.rules")))
    if table.outcome is not None:
        again: Keys = (("v", words("key.review")),)
        if table.people:
            again = (*again, ("n", words("key.rematch" if table.remote else "key.again")))
        return (*again, *common, ("Esc", words("key.leave")))
    if table.company is not None and table.company.replaced_by:
        common = (("b", words("key.take_back")), *common)
    if replaceable(table):
        common = (("m", words("key.machine")), *common)
    ends = (("?", words("key.keys")), ("Esc", words("key.menu")))
    if held is None:
        return (*common, *ends)
    also = {key: word for each in held for key, _, word in each.also}
    asked = (("←→", words("key.choose")), ("Enter", words("key.seal")), *also.items())
    return (*asked, *common, *ends)


def chat_key(table: TerminalTable, words: Words, unread: int) -> Keys:
    """The key of the chat, with the number of unread remarks; nothing where there is no chat."""
    if table.company is None:
        return ()
    return (("t", f"{words('key.talk')} {unread}" if unread > 0 else words("key.talk")),)


def replay_keys(table: RecordedTable, words: Words) -> Keys:
    """The keys of a recorded game."""
    keys: Keys = (
        ("←→", words("key.step")),
        ("w", words("key.why")),
        ("l", words("key.log")),
        ("r", words("key.rules")),
    )
    if table.over:
        keys = (*keys, (f"0-{len(table.names)}", words("key.eyes")), ("v", words("key.review")))
    return (*keys, ("Esc", words("key.leave")))


def replaceable(table: TerminalTable) -> Sequence[AbsentPlayer]:
    """Absent players for whom this screen's person may offer a bot now, or agree to one."""
    if table.company is None or not table.people:
        return ()
    return [each for each in table.company.absent if each.asks_you or not each.machine]
