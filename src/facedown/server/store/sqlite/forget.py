"""SQL of forgetting: deletes credentials, guests, saved responses and empty tables that nobody uses any more.

Which of them, and when, is up to the caller's rules; docs/operators.md says them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from facedown.server.store.base import ForgetBefore, Forgotten

_KEYS: Final = "delete from keys where expires <= ? or (expires is null and used <= ?)"
_IS_UNUSED: Final = """created_at <= ?
    and not exists (select 1 from seats where seats.person = people.id)
    and not exists (select 1 from texts where texts.person = people.id)
    and not exists (select 1 from keys where keys.person = people.id and keys.used > ?)"""
_PAGE: Final = f"select id, {_IS_UNUSED} from people where id > ? order by id limit ?"
_GUEST: Final = f"select 1 from people where id = ? and {_IS_UNUSED}"
MOST_AT_ONCE: Final = 500
"""People who are looked at in one query: others want to read as well."""
_EMPTY: Final = """select no, id from tables where state = 'closed' and changed_at <= ?
    and not exists (select 1 from events where table_no = tables.no and kind in ('sat', 'dealt'))"""


def unused_guests(
    connection: sqlite3.Connection, rules: ForgetBefore, after: str
) -> tuple[list[str], str | None]:
    """The guests to forget among the next people by id, and the last of these; None where there is none."""
    page = connection.execute(_PAGE, (rules.guests, rules.guests, after, MOST_AT_ONCE)).fetchall()
    return [person for person, unused in page if unused], page[-1][0] if page else None


def forget(
    connection: sqlite3.Connection, rules: ForgetBefore, asked: Sequence[str], erased: Sequence[str]
) -> Forgotten:
    """Delete all of it in this transaction: of the guests that are asked for, those who are still unused; and
    the ratings of people who are erased."""
    connection.executemany("delete from ratings where person = ?", [(person,) for person in erased])
    keys = connection.execute(_KEYS, (rules.expired, rules.unused)).rowcount
    still = (rules.guests, rules.guests)
    guests = [person for person in asked if connection.execute(_GUEST, (person, *still)).fetchone()]
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
