"""SQL of forgetting on SQLite: erases a person, and deletes what has not been used for long.

Events are never changed: erasing changes only the texts that they refer to.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from typing import Final

from facedown.server.store.cases import erase_in_cases
from facedown.server.store.contacts import FORGET as FORGET_CHALLENGES
from facedown.server.store.sqlite.reader import execute
from facedown.server.store.tickets import FORGET as FORGET_TICKETS
from facedown.server.store.tickets import FORGET_FAULTS
from facedown.server.store.tokens import DROP_SEAT_TOKENS
from facedown.server.store.tournaments import FORGET_TOURNAMENTS
from facedown.server.store.values import ERASED_MESSAGE, SAID, ForgetBefore, Forgotten

_OF_A_PERSON: Final = (
    *("keys", "subscriptions", "notices", "answers", "tickets", "faults", "minds", "acquaintances"),
    "moderators",
    *("code_drafts", "code_uses", "handovers", "contacts", "passkeys", "passkey_challenges"),
)
"""What is deleted with a person and with a guest."""
_KEYS: Final = "delete from keys where expires <= ? or (expires is null and used <= ?)"
_IS_UNUSED: Final = """created_at <= ?
    and not exists (select 1 from seats where seats.person = people.id)
    and not exists (select 1 from texts where texts.person = people.id)
    and not exists (select 1 from accounts where accounts.person = people.id)
    and not exists (select 1 from keys where keys.person = people.id and keys.used > ?)"""
_PAGE: Final = f"select id, {_IS_UNUSED} from people where id > ? order by id limit ?"
_GUEST: Final = f"select 1 from people where id = ? and {_IS_UNUSED}"
MOST_AT_ONCE: Final = 500
"""People in one query."""
_EMPTY: Final = """select no, id from tables where state = 'closed' and changed_at <= ?
    and not exists (select 1 from events where table_no = tables.no and kind in ('sat', 'dealt'))"""


def erase(connection: sqlite3.Connection, person: str, name: str) -> list[str]:
    """Erase a person: account, credentials, subscriptions, names and chat. Returns the tables concerned."""
    query = "select table_id from texts where person = ? union select table_id from seats where person = ?"
    tables = [table for (table,) in connection.execute(query, (person, person))]
    rename = "update texts set text = iif(slot = ?, ?, ?) where person = ?"
    connection.execute(rename, (SAID, ERASED_MESSAGE, name, person))
    for kept in (*_OF_A_PERSON, "accounts", "ratings", "standings", "played", "results", "rivals"):
        connection.execute(f"delete from {kept} where person = ?", (person,))
    connection.execute("delete from rivals where other = ?", (person,))
    connection.execute("delete from bots where person = ? or owner = ?", (person, person))
    for both in ("relations", "challenges"):
        connection.execute(f"delete from {both} where person = ? or other = ?", (person, person))
    for statement, values in erase_in_cases(person):
        execute(connection, statement, values)
    for statement in FORGET_TOURNAMENTS:
        execute(connection, statement, (person, name))
    execute(connection, DROP_SEAT_TOKENS, (person, secrets.token_bytes(32)))
    connection.execute("delete from people where id = ?", (person,))
    return tables


def unused_guests(
    connection: sqlite3.Connection, rules: ForgetBefore, after: str
) -> tuple[list[str], str | None]:
    """The guests to forget among the next people by id, and the last of these people; None after the end."""
    page = connection.execute(_PAGE, (rules.guests, rules.guests, after, MOST_AT_ONCE)).fetchall()
    return [person for person, unused in page if unused], page[-1][0] if page else None


def forget(
    connection: sqlite3.Connection, rules: ForgetBefore, candidates: Sequence[str], erased: Sequence[str]
) -> Forgotten:
    """Delete what the rules name, the candidates that are still unused, and the ratings of erased people."""
    for kept in ("ratings", "standings"):
        connection.executemany(f"delete from {kept} where person = ?", [(person,) for person in erased])
    keys = connection.execute(_KEYS, (rules.expired, rules.unused)).rowcount
    for used in ("code_drafts", "code_uses", "handovers", "passkey_challenges"):
        connection.execute(f"delete from {used} where at <= ?", (rules.expired,))
    since = (rules.guests, rules.guests)
    guests = [person for person in candidates if connection.execute(_GUEST, (person, *since)).fetchone()]
    for person in guests:
        for kept in _OF_A_PERSON:
            connection.execute(f"delete from {kept} where person = ?", (person,))
        connection.execute("delete from people where id = ?", (person,))
    answers = connection.execute("delete from answers where at <= ?", (rules.answers,)).rowcount
    for statement in (FORGET_TICKETS, FORGET_FAULTS, FORGET_CHALLENGES):
        execute(connection, statement, (rules.answers,))
    tables = connection.execute(_EMPTY, (rules.empty,)).fetchall()
    for number, table in tables:
        connection.execute("delete from tables where no = ?", (number,))
        connection.execute("delete from events where table_no = ?", (number,))
        for kept in ("texts", "invites", "seats"):
            connection.execute(f"delete from {kept} where table_id = ?", (table,))
    return Forgotten(keys, len(guests), answers, len(tables))
