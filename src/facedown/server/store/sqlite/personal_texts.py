"""SQL of personal texts: names and chat messages beside the events that refer to them, and their erasure.

Events are never changed; what is erased is only what they refer to.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final

from facedown.server.store.base import ERASED_MESSAGE, SAID, Append, EventRow, PersonalText

_INSERT: Final = "insert into texts (table_id, v, slot, person, text) values (?, ?, ?, ?, ?)"
_OF_TABLE: Final = "select v, slot, person, text from texts where table_id = ? and v > ? order by v, slot"


def save_texts(connection: sqlite3.Connection, batches: Sequence[Append]) -> None:
    """Save the texts of all appends."""
    rows = [
        (batch.table, row.v, each.slot, each.person, each.text)
        for batch in batches
        for row in batch.rows
        for each in row.texts
    ]
    if rows:
        connection.executemany(_INSERT, rows)


def with_texts(
    connection: sqlite3.Connection, table: str, after: int, found: Iterable[Sequence[Any]]
) -> list[EventRow]:
    """The events of a table with the texts that they refer to."""
    texts: dict[int, list[PersonalText]] = {}
    for v, slot, person, text in connection.execute(_OF_TABLE, (table, after)):
        texts.setdefault(v, []).append(PersonalText(slot, person, text))
    rows = [EventRow(*fields) for fields in found]
    return [row._replace(texts=tuple(texts[row.v])) if row.v in texts else row for row in rows]


def erase(connection: sqlite3.Connection, person: str, name: str) -> list[str]:
    """Erase a person: account, credentials, subscriptions, names and chat. Returns the tables concerned."""
    query = """select table_id from texts where person = ?
        union select table_id from seats where person = ?"""
    tables = [table for (table,) in connection.execute(query, (person, person))]
    renamed = "update texts set text = iif(slot = ?, ?, ?) where person = ?"
    connection.execute(renamed, (SAID, ERASED_MESSAGE, name, person))
    for kept in ("keys", "subscriptions", "notices", "answers", "ratings", "played"):
        connection.execute(f"delete from {kept} where person = ?", (person,))
    forget_relations(connection, person, name)
    drop_seat_tokens(connection, person)
    connection.execute("delete from people where id = ?", (person,))
    return tables


def forget_relations(connection: sqlite3.Connection, person: str, name: str) -> None:
    """What an erased person muted, blocked, reported or said is nobody's any more."""
    connection.execute("delete from relations where person = ? or other = ?", (person, person))
    connection.execute("update or ignore reports set reporter = '' where reporter = ?", (person,))
    connection.execute("delete from reports where reporter = ?", (person,))
    connection.execute("update or ignore reports set name = ?, text = '' where person = ?", (name, person))
    connection.execute("delete from reports where person = ? and text <> ''", (person,))


def drop_seat_tokens(connection: sqlite3.Connection, person: str) -> None:
    """Make all seat tokens of a person invalid; the seats stay theirs."""
    query = "select table_id, seat from seats where person = ?"
    changed = [(secrets.token_bytes(32), *seat) for seat in connection.execute(query, (person,)).fetchall()]
    connection.executemany(
        "update seats set token = ?, previous = null where table_id = ? and seat = ?", changed
    )
