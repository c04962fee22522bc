"""SQL of forgetting: deletes credentials, guests, saved responses and empty tables that nobody uses any more.

Which of them, and when, is up to the caller's rules; docs/operators.md says them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from facedown.server.store.base import ForgetBefore, Forgotten

_KEYS: Final = "delete from keys where expires <= ? or (expires is null and used <= ?)"
_GUESTS: Final = """select id from people where created_at <= ?
    and not exists (select 1 from seats where seats.person = people.id)
    and not exists (select 1 from texts where texts.person = people.id)
    and not exists (select 1 from keys where keys.person = people.id and keys.used > ?)"""
_EMPTY: Final = """select no, id from tables where state = 'closed' and changed_at <= ?
    and not exists (select 1 from events where table_no = tables.no and kind in ('sat', 'dealt'))"""


def forget(connection: sqlite3.Connection, rules: ForgetBefore, erased: Sequence[str]) -> Forgotten:
    """Delete all of it in this transaction, and the ratings of people who are erased."""
    connection.executemany("delete from ratings where person = ?", [(person,) for person in erased])
    keys = connection.execute(_KEYS, (rules.expired, rules.unused)).rowcount
    guests = [each for (each,) in connection.execute(_GUESTS, (rules.guests, rules.guests))]
    for person in guests:
        for kept in ("keys", "subscriptions", "notices", "answers"):
            connection.execute(f"delete from {kept} where person = ?", (person,))
        connection.execute("delete from people where id = ?", (person,))
    answers = connection.execute("delete from answers where at <= ?", (rules.answers,)).rowcount
    tables = connection.execute(_EMPTY, (rules.empty,)).fetchall()
    for number, table in tables:
        connection.execute("delete from tables where no = ?", (number,))
        connection.execute("delete from events where table_no = ?", (number,))
        for kept in ("texts", "invites", "seats"):
            connection.execute(f"delete from {kept} where table_id = ?", (table,))
    return Forgotten(keys, len(guests), answers, len(tables))
