"""The statements that save appends: compare-and-set of heads, then everything that goes with it.

Works inside the caller's transaction. Many rows go into one statement: a thread gives the interpreter away at
every step, and beside a busy loop it may wait long to get it back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from facedown.server.store.base import Append, CommandKnown, HeadMoved

MOST_AT_ONCE: Final = 256
"""Groups have 1, 2, 4 … so many rows, so that few statements have to be prepared."""

_MADE: Final = """insert into tables
    (id, head, deadline, changed_at, game, rules, state, public, created_at, about)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
_TOLD: Final = """update tables set game = ?, rules = ?, state = ?, public = ?, created_at = ?, about = ?
    where id = ?"""
_SAT: Final = """insert into seats (table_id, seat, person, token) values (?, ?, ?, ?)
    on conflict (table_id, seat)
    do update set person = excluded.person, token = excluded.token, previous = null"""
_STOOD: Final = "delete from seats where table_id = ? and seat = ?"
_ANSWERED: Final = "insert into answers (person, key, body) values (?, ?, ?) on conflict do nothing"

Head = tuple[str, int, int, int | None, int | None]
"""A table, the head it must be at, its new head, the next deadline, and when (None: as it was)."""


def save(connection: sqlite3.Connection, batches: Sequence[Append]) -> None:
    """Save all of them; raises `HeadMoved` or an SQLite error after having saved some.

    For a single batch the error says what is wrong with it; for more, only that one of them is wrong.
    """
    _move_heads(connection, batches)
    rows = [
        (batch.table, row.v, row.kind, row.at, row.seat, row.command, row.spent, row.public, row.secret)
        for batch in batches
        for row in batch.rows
    ]
    for group in _groups(rows):
        connection.execute(_inserting(len(group)), [field for row in group for field in row])
    notices = [
        (notice.person, notice.table, notice.decision, notice.kind)
        for batch in batches
        for notice in batch.notices
    ]
    for told in _groups(notices):
        connection.execute(_noticing(len(told)), [field for notice in told for field in notice])
    for batch in batches:
        if batch.summary or batch.seats or batch.invite or batch.response:
            _save_rest(connection, batch)


def _move_heads(connection: sqlite3.Connection, batches: Sequence[Append]) -> None:
    """Every table is where its append says; several of one table count on from each other."""
    heads: dict[str, Head] = {}
    for batch in batches:
        new = batch.head + len(batch.rows)
        if batch.head == 0 and batch.rows:
            _make(connection, batch)
            continue
        _, old, at, _, changed_at = heads.get(batch.table, (batch.table, batch.head, batch.head, None, None))
        if at != batch.head:
            raise _moved(batch)
        changed_at = batch.rows[-1].at if batch.rows else changed_at
        heads[batch.table] = (batch.table, old, new, batch.deadline, changed_at)
    for group in _groups(list(heads.values())):
        fields = [field for head in group for field in head]
        if connection.execute(_moving(len(group)), fields).rowcount != len(group):
            raise _moved(batches[0])


def _make(connection: sqlite3.Connection, batch: Append) -> None:
    about = batch.summary
    if about is None:
        raise ValueError(f"table {batch.table} cannot be made without a summary")
    fields = (
        *(batch.table, len(batch.rows), batch.deadline, batch.rows[-1].at),
        *(about.game, about.rules, about.state, about.public, about.created_at, about.about),
    )
    if connection.execute(_MADE, fields).rowcount != 1:
        raise _moved(batch)


def _moved(batch: Append) -> HeadMoved:
    return HeadMoved(f"table {batch.table} is not at {batch.head}: nothing was saved", text=batch.table)


def _save_rest(connection: sqlite3.Connection, batch: Append) -> None:
    """What comes seldom: a table's summary, who sits down or stands up, how it began."""
    table, about = batch.table, batch.summary
    if about is not None and batch.head:
        told = (about.game, about.rules, about.state, about.public, about.created_at, about.about, table)
        connection.execute(_TOLD, told)
    for seat in batch.seats:
        if seat.token:
            connection.execute(_SAT, (table, seat.seat, seat.person, seat.token))
        else:
            connection.execute(_STOOD, (table, seat.seat))
    if batch.invite:
        connection.execute("delete from invites where table_id = ?", (table,))
        connection.execute("insert into invites (code, table_id) values (?, ?)", (batch.invite, table))
    answer = batch.response
    if answer is None:
        return
    if connection.execute(_ANSWERED, (answer.person, answer.key, answer.body)).rowcount != 1:
        raise CommandKnown("a request with this idempotency key is saved already", text=answer.key)


def _groups(rows: Sequence[tuple[object, ...]]) -> Iterator[Sequence[tuple[object, ...]]]:
    """All rows in order, in groups of powers of two."""
    start, size = 0, MOST_AT_ONCE
    while start < len(rows):
        while size > len(rows) - start:
            size >>= 1
        yield rows[start : start + size]
        start += size


def _places(fields: int, rows: int) -> str:
    return ", ".join([f"({', '.join('?' * fields)})"] * rows)


@cache
def _moving(rows: int) -> str:
    return f"""update tables set head = n.column3, deadline = n.column4,
        changed_at = coalesce(n.column5, changed_at)
        from (values {_places(5, rows)}) as n where tables.id = n.column1 and tables.head = n.column2"""


@cache
def _inserting(rows: int) -> str:
    return f"""insert into events (table_id, v, kind, at, seat, command, spent, public, secret)
        values {_places(9, rows)}"""


@cache
def _noticing(rows: int) -> str:
    return f"""insert into notices (person, table_id, decision, kind)
        values {_places(4, rows)} on conflict do nothing"""
