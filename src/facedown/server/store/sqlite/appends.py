"""SQL that saves appends: compare-and-set of table heads, then rows, notices, seats and summaries.

Runs inside the caller's transaction. Many rows go into one statement: the thread releases the interpreter at
every statement, and beside a busy event loop it may wait long to get it back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from facedown.core.chance import chain_link
from facedown.server.store.base import Append, CommandKnown, HeadMoved
from facedown.server.store.sqlite.personal_texts import save_texts

MOST_AT_ONCE: Final = 256
"""Rows are grouped by powers of two up to this size, so that few statements have to be prepared."""

_INSERT_TABLE: Final = """insert into tables
    (id, head, deadline, wake_at, changed_at, game, rules, state, public, created_at, about)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
_UPDATE_SUMMARY: Final = """update tables
    set game = ?, rules = ?, state = ?, public = ?, created_at = ?, about = ?
    where id = ?"""
_UPSERT_SEAT: Final = """insert into seats (table_id, seat, person, token) values (?, ?, ?, ?)
    on conflict (table_id, seat)
    do update set person = excluded.person, token = excluded.token, previous = null, seen_at = 0"""
_DELETE_SEAT: Final = "delete from seats where table_id = ? and seat = ?"
_INSERT_END: Final = "insert into ended (table_id, at) values (?, ?) on conflict do nothing"
_INSERT_RESPONSE: Final = """insert into answers (person, key, body, digest, at) values (?, ?, ?, ?, ?)
    on conflict do nothing"""

Head = tuple[str, int, int, int | None, int | None, int | None, bool]
"""A table, its expected head, its new head, the next deadline, when to look at it, the time of the change or
None, and whether its clocks are owed nothing any more."""


def save(connection: sqlite3.Connection, batches: Sequence[Append]) -> None:
    """Save all appends; raises `HeadMoved` or an SQLite error after having saved some of them.

    For a single append the error says what is wrong with it; for more, only that one of them failed.
    """
    _move_heads(connection, batches)
    rows = [
        (
            *(batch.table, row.v, row.kind, row.at, row.seat),
            *(row.command, row.spent, row.public, row.secret, row.digest),
        )
        for batch in batches
        for row in batch.rows
    ]
    for group in _groups(rows):
        connection.execute(_inserting_rows(len(group)), [field for row in group for field in row])
    save_texts(connection, batches)
    ends = [(batch.table, row.at) for batch in batches for row in batch.rows if row.kind == "over"]
    if ends:
        connection.executemany(_INSERT_END, ends)
    notices = [
        (notice.person, notice.table, notice.decision, notice.kind)
        for batch in batches
        for notice in batch.notices
    ]
    for some in _groups(notices):
        connection.execute(_inserting_notices(len(some)), [field for notice in some for field in notice])
    for batch in batches:
        if batch.summary or batch.seats or batch.invite or batch.response:
            _save_rest(connection, batch)


def _move_heads(connection: sqlite3.Connection, batches: Sequence[Append]) -> None:
    """Move every table from the head that its append expects; appends of one table follow each other."""
    heads: dict[str, Head] = {}
    for batch in batches:
        new = batch.head + len(batch.rows)
        if batch.head == 0 and batch.rows:
            _create(connection, batch)
            continue
        start: Head = (batch.table, batch.head, batch.head, None, None, None, False)
        _, old, at, _, _, changed_at, even = heads.get(batch.table, start)
        if at != batch.head:
            raise _moved(batch)
        changed_at = batch.rows[-1].at if batch.rows else changed_at
        even = even or batch.settles_outage
        heads[batch.table] = (batch.table, old, new, batch.deadline, batch.wake_at, changed_at, even)
    for group in _groups(list(heads.values())):
        fields = [field for head in group for field in head]
        if connection.execute(_moving_heads(len(group)), fields).rowcount != len(group):
            raise _moved(batches[0])


def _create(connection: sqlite3.Connection, batch: Append) -> None:
    about = batch.summary
    if about is None:
        raise ValueError(f"table {batch.table} cannot be created without a summary")
    fields = (
        *(batch.table, len(batch.rows), batch.deadline, batch.wake_at, batch.rows[-1].at),
        *(about.game, about.rules, about.state, about.public, about.created_at, about.about),
    )
    if connection.execute(_INSERT_TABLE, fields).rowcount != 1:
        raise _moved(batch)
    if batch.promise:
        last = connection.execute("select link from promises order by n desc limit 1").fetchone()
        link = chain_link(bytes(32) if last is None else last[0], batch.promise)
        connection.execute("insert into promises (promise, link) values (?, ?)", (batch.promise, link))


def _moved(batch: Append) -> HeadMoved:
    return HeadMoved(f"table {batch.table} is not at {batch.head}: nothing was saved", text=batch.table)


def _save_rest(connection: sqlite3.Connection, batch: Append) -> None:
    """Save the rare parts of an append: summary, seats, invite, idempotent response."""
    table, about = batch.table, batch.summary
    if about is not None and batch.head:
        fields = (about.game, about.rules, about.state, about.public, about.created_at, about.about, table)
        connection.execute(_UPDATE_SUMMARY, fields)
    for seat in batch.seats:
        if seat.token:
            connection.execute(_UPSERT_SEAT, (table, seat.seat, seat.person, seat.token))
        else:
            connection.execute(_DELETE_SEAT, (table, seat.seat))
    if batch.invite:
        connection.execute("delete from invites where table_id = ?", (table,))
        connection.execute("insert into invites (code, table_id) values (?, ?)", (batch.invite, table))
    response = batch.response
    if response is None:
        return
    at = batch.rows[-1].at if batch.rows else 0
    saved = (response.person, response.key, response.body, response.digest, at)
    if connection.execute(_INSERT_RESPONSE, saved).rowcount != 1:
        raise CommandKnown("a request with this idempotency key is saved already", text=response.key)


def _groups(rows: Sequence[tuple[object, ...]]) -> Iterator[Sequence[tuple[object, ...]]]:
    """All rows in order, in groups whose sizes are powers of two."""
    start, size = 0, MOST_AT_ONCE
    while start < len(rows):
        while size > len(rows) - start:
            size >>= 1
        yield rows[start : start + size]
        start += size


def _places(fields: int, rows: int) -> str:
    return ", ".join([f"({', '.join('?' * fields)})"] * rows)


@cache
def _moving_heads(rows: int) -> str:
    return f"""update tables set head = n.column3, deadline = n.column4, wake_at = n.column5,
        changed_at = coalesce(n.column6, changed_at), owed = iif(n.column7, 0, owed), claimed_until = null
        from (values {_places(7, rows)}) as n where tables.id = n.column1 and tables.head = n.column2"""


@cache
def _inserting_rows(rows: int) -> str:
    return f"""insert into events (table_id, v, kind, at, seat, command, spent, public, secret, digest)
        values {_places(10, rows)}"""


@cache
def _inserting_notices(rows: int) -> str:
    return f"""insert into notices (person, table_id, decision, kind)
        values {_places(4, rows)} on conflict do nothing"""
