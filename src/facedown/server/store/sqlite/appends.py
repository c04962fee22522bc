"""SQL that saves appends: compare-and-set of table heads, then rows, notices, seats and summaries.

Runs inside the caller's transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, TypeVar, final

from facedown.core.merkle import leaf_hash
from facedown.server.store.failures import CommandKnown, HeadMoved
from facedown.server.store.outages import ALL_OUTAGES, OWED
from facedown.server.store.sqlite.reader import execute
from facedown.server.store.steps import Many, Steps
from facedown.server.store.values import Append

T = TypeVar("T")

_MOST_NUMBERS: Final = 50_000

_INSERT_TABLE: Final = f"""insert into tables
    (id, head, deadline, wake_at, changed_at, game, rules, state, public, created_at, about, credited)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {ALL_OUTAGES}) on conflict do nothing"""
_MOVE_HEAD: Final = f"""update tables set head = ?, deadline = ?, wake_at = ?,
    changed_at = coalesce(?, changed_at), owed = iif(?, 0, max({OWED} - ?, 0)),
    credited = {ALL_OUTAGES}, claimed_until = null where no = ? and head = ?"""
_INSERT_EVENT: Final = """insert into events
    (table_no, v, kind, at, seat, command, spent, public, secret, digest)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TEXT: Final = "insert into texts (table_id, v, slot, person, text, at) values (?, ?, ?, ?, ?, ?)"
_INSERT_END: Final = "insert into ended (table_id, at) values (?, ?) on conflict do nothing"
_INSERT_NOTICE: Final = """insert into notices (person, table_id, decision, kind)
    values (?, ?, ?, ?) on conflict do nothing"""
_UPDATE_SUMMARY: Final = """update tables
    set game = ?, rules = ?, state = ?, public = ?, created_at = ?, about = ?
    where id = ?"""
_UPSERT_SEAT: Final = """insert into seats (table_id, seat, person, token, session)
    values (?, ?, ?, ?, coalesce((select id from keys where hash = ?), ''))
    on conflict (table_id, seat) do update set person = excluded.person, token = excluded.token,
        session = excluded.session, previous = null, seen_at = 0"""
_DELETE_SEAT: Final = "delete from seats where table_id = ? and seat = ?"
_INSERT_RESPONSE: Final = """insert into answers (person, key, body, digest, at) values (?, ?, ?, ?, ?)
    on conflict do nothing"""
_INSERT_FAULT: Final = """insert into faults (person, at, table_id, kind)
    select id, ?2, ?3, ?4 from people where id = ?1 on conflict do nothing"""
_INSERT_LOG_ENTRY: Final = "insert into log_entries (entry, hash) values (?, ?) on conflict do nothing"


@final
class TableNumbers:
    """A cache of the numbers of tables; cleared after every rollback."""

    __slots__ = ("_by_table",)

    def __init__(self) -> None:
        self._by_table: dict[str, int] = {}

    def of(self, connection: sqlite3.Connection, batch: Append) -> int:
        """The number of the table of an append; raises `HeadMoved` if there is no such table."""
        number = self._by_table.get(batch.table)
        if number is not None:
            return number
        found = connection.execute("select no from tables where id = ?", (batch.table,)).fetchone()
        if found is None:
            raise HeadMoved.of(batch)
        return self.add(batch.table, found[0])

    def add(self, table: str, number: int) -> int:
        if len(self._by_table) >= _MOST_NUMBERS:
            self._by_table.clear()
        self._by_table[table] = number
        return number

    def forget(self) -> None:
        """Clear the cache: the creation of a table may have been rolled back."""
        self._by_table.clear()


def save(connection: sqlite3.Connection, batches: Sequence[Append], numbers: TableNumbers) -> None:
    """Save all appends; raises `CallerGone`, `HeadMoved` or an SQLite error after having saved some of them.

    For a single append the error says what is wrong with it; for more, only that one of them failed.
    """
    for batch in batches:
        for caller in batch.callers:
            run_steps(connection, caller.check())
    _move_heads(connection, batches, numbers)
    events: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    ends: list[tuple[str, int]] = []
    notices: list[tuple[object, ...]] = []
    for batch in batches:
        number = numbers.of(connection, batch)
        for row in batch.rows:
            v, kind, at, public, secret, seat, command, spent, digest, personal = row
            events.append((number, v, kind, at, seat, command, spent, public, secret, digest))
            if personal:
                texts += [(batch.table, v, each.slot, each.person, each.text, at) for each in personal]
            if kind == "over":
                ends.append((batch.table, at))
        if batch.notices:
            notices += [(each.person, each.table, each.decision, each.kind) for each in batch.notices]
    for statement, rows in (
        (_INSERT_EVENT, events),
        (_INSERT_TEXT, texts),
        (_INSERT_END, ends),
        (_INSERT_NOTICE, notices),
    ):
        if rows:
            connection.executemany(statement, rows)
    for batch in batches:
        if (
            batch.summary
            or batch.seats
            or batch.invite
            or batch.response
            or batch.log_entries
            or batch.faults
        ):
            _save_rest(connection, batch)


def run_steps(connection: sqlite3.Connection, steps: Steps[T]) -> T:
    """Run steps; what they return."""
    rows: list[Any] | None = None
    while True:
        try:
            step = steps.send(rows)  # type: ignore[arg-type]  # the first step receives nothing
        except StopIteration as done:
            result: T = done.value
            return result
        if isinstance(step, Append | list):
            save(connection, step if isinstance(step, list) else (step,), TableNumbers())
            rows = []
        elif isinstance(step, Many):
            for values in step.rows:
                execute(connection, step.statement, values)
            rows = []
        else:
            rows = execute(connection, *step).fetchall()


def _move_heads(connection: sqlite3.Connection, batches: Sequence[Append], numbers: TableNumbers) -> None:
    """Create new tables, and move the others from the heads that their appends expect."""
    moves = []
    for batch in batches:
        if batch.head == 0 and batch.rows:
            numbers.add(batch.table, _create(connection, batch))
            continue
        changed_at = batch.rows[-1].at if batch.rows else None
        moves.append(
            (
                *(batch.head + len(batch.rows), batch.deadline, batch.wake_at, changed_at),
                *(batch.deadline is None, batch.given_back, numbers.of(connection, batch), batch.head),
            )
        )
    if moves and connection.executemany(_MOVE_HEAD, moves).rowcount != len(moves):
        raise HeadMoved.of(batches[0])


def _create(connection: sqlite3.Connection, batch: Append) -> int:
    about = batch.summary
    if about is None:
        raise ValueError(f"table {batch.table} cannot be created without a summary")
    fields = (
        *(batch.table, len(batch.rows), batch.deadline, batch.wake_at, batch.rows[-1].at),
        *(about.game, about.rules, about.state, about.public, about.created_at, about.about),
    )
    created = connection.execute(_INSERT_TABLE, fields)
    if created.rowcount != 1 or created.lastrowid is None:
        raise HeadMoved.of(batch)
    return created.lastrowid


def _save_rest(connection: sqlite3.Connection, batch: Append) -> None:
    """Save the rare parts of an append: summary, seats, invite, log entries, idempotent response."""
    table, about = batch.table, batch.summary
    if about is not None and batch.head:
        fields = (about.game, about.rules, about.state, about.public, about.created_at, about.about, table)
        connection.execute(_UPDATE_SUMMARY, fields)
    for seat in batch.seats:
        if seat.token:
            connection.execute(_UPSERT_SEAT, (table, seat.seat, seat.person, seat.token, seat.key))
        else:
            connection.execute(_DELETE_SEAT, (table, seat.seat))
    if batch.invite:
        connection.execute("delete from invites where table_id = ?", (table,))
        connection.execute("insert into invites (code, table_id) values (?, ?)", (batch.invite, table))
    connection.executemany(_INSERT_FAULT, batch.faults)
    for entry in batch.log_entries:
        connection.execute(_INSERT_LOG_ENTRY, (entry, leaf_hash(entry)))
    response = batch.response
    if response is None:
        return
    at = batch.rows[-1].at if batch.rows else 0
    saved = (response.person, response.key, response.body, response.digest, at)
    if connection.execute(_INSERT_RESPONSE, saved).rowcount != 1:
        raise CommandKnown("a request with this idempotency key is saved already", text=response.key)
