"""The SQLite schema, its migrations, and how a connection is opened. Knows no thread."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Final

from facedown.core.errors import Unsupported
from facedown.server.store.failures import StoreFailed

OURS: Final = 0x46414345
"""The application id in the file header that marks a database of Facedown."""
OLDEST_SQLITE: Final = (3, 35)
"""`update … from` and `returning`."""

PAGE_BYTES: Final = 2048
"""A commit writes whole pages but changes little in each, so small pages cost less."""
CHECK_S: Final = 1.0
"""How long the check at the start may take before it continues in the background."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        # A number is never reused: the writer's cache of numbers cannot name another table.
        """create table tables (
            no integer primary key autoincrement, id text not null unique,
            head integer not null, deadline integer, wake_at integer, claimed_until integer,
            owed integer not null default 0, credited integer not null default 0,
            changed_at integer not null,
            game text not null, rules text not null, state text not null, public integer not null,
            created_at integer not null, about blob not null)""",
        "create index tables_by_wake on tables (wake_at) where wake_at is not null",
        "create index tables_by_state on tables (state, created_at)",
        "create index tables_in_public on tables (state, created_at) where public",
        "create index tables_of_game_in_public on tables (state, game, created_at) where public",
        "create index tables_of_game on tables (game, created_at)",
        "create index tables_by_age on tables (created_at)",
        # With row ids, new events go to the end of the file and only the small index is scattered. Commands
        # need no unique index: a caller that appends at a head knows the commands of all events up to it.
        """create table events (
            table_no integer not null, v integer not null, kind text not null, at integer not null,
            seat integer not null, command text not null, spent integer not null,
            public blob not null, secret blob not null, digest blob not null, primary key (table_no, v))""",
        """create trigger events_are_never_changed before update on events
            begin select raise(abort, 'events are never changed'); end""",
        # The events of an empty table are deleted with it.
        """create trigger events_are_never_deleted before delete on events
            when exists (select 1 from tables where no = old.table_no)
            begin select raise(abort, 'events are never deleted'); end""",
        """create table texts (
            table_id text not null, v integer not null, slot text not null, person text not null,
            text text not null, at integer not null, primary key (table_id, v, slot)) without rowid""",
        "create index texts_by_person on texts (person)",
        """create table ended (
            number integer primary key, table_id text not null unique, at integer not null,
            rated integer not null default false, noted integer not null default false)""",
        "create index ended_and_not_rated on ended (number) where not rated",
        "create index ended_and_not_noted on ended (number) where not noted",
        """create table ratings (
            person text not null, game text not null, games integer not null, at integer not null,
            mean real not null, deviation real not null, primary key (person, game, games)) without rowid""",
        """create table played (
            person text not null, at integer not null, table_id text not null, seat integer not null,
            game text not null, outcome text not null, primary key (person, at, table_id)) without rowid""",
        # Counts of `played`, by rules and side, and by opponent; `course` has a letter for each last game.
        """create table results (
            person text not null, game text not null, rules text not null, side integer not null,
            won integer not null, tied integer not null, lost integer not null,
            primary key (person, game, rules, side)) without rowid""",
        """create table rivals (
            person text not null, other text not null, games integer not null, won integer not null,
            tied integer not null, lost integer not null, at integer not null, course text not null,
            primary key (person, other)) without rowid""",
        "create index rivals_by_games on rivals (person, games)",
        "create index rivals_by_other on rivals (other)",
        """create table acquaintances (
            person text not null, game text not null, machine text not null, rounds integer not null,
            games integer not null, won integer not null, asks integer not null, found text not null,
            primary key (person, game, machine)) without rowid""",
        # Chips on the first of two picks, by days such as 2026-11-18.
        """create table minds (
            day text not null, person text not null, seat integer not null, chips integer not null,
            primary key (day, person)) without rowid""",
        "create index minds_by_person on minds (person, day)",
        # A seat token ends with the session or personal token that has fetched it: `session` is its id.
        """create table seats (
            table_id text not null, seat integer not null, person text not null, token blob not null,
            session text not null default '', previous blob, previous_session text not null default '',
            seen_at integer not null default 0, primary key (table_id, seat)) without rowid""",
        "create index seats_by_person on seats (person)",
        """create table notices (
            id integer primary key autoincrement, person text not null, table_id text not null,
            decision integer not null, kind text not null, claimed_until integer,
            unique (person, table_id, decision, kind))""",
        "create table people (id text primary key, name text not null, created_at integer not null)",
        """create table keys (
            hash blob primary key, person text not null, kind text not null, at integer not null,
            expires integer, used integer not null, id text not null, app text not null,
            system text not null, made text not null,
            scopes text not null default '') without rowid""",
        "create index keys_by_person on keys (person)",
        "create index keys_by_expiry on keys (expires) where expires is not null",
        "create index keys_by_use on keys (used) where expires is null",
        # A handle is kept as it was typed, and found by its folded form.
        """create table accounts (
            person text primary key, handle text not null, folded text not null unique,
            skeleton blob not null unique, code blob, kept_at integer not null,
            shows integer not null default 7) without rowid""",
        "create index accounts_with_page on accounts (folded) where shows & 1 = 1",
        # Bots of people: `person` is the bot, `owner` made it.
        "create table bots (person text primary key, owner text not null, at integer not null) without rowid",
        "create index bots_by_owner on bots (owner)",
        # Hashes of all skeletons that were ever taken: no handle is given away twice.
        "create table handles (hash blob primary key) without rowid",
        """create table code_drafts (
            person text primary key, code blob not null, answer blob not null, handle text not null,
            skeleton blob not null, at integer not null) without rowid""",
        """create table code_uses (
            id text primary key, person text not null, at integer not null, app text not null,
            system text not null) without rowid""",
        "create index code_uses_by_person on code_uses (person)",
        """create table passkeys (
            id text primary key, person text not null, credential blob not null unique,
            user_handle blob not null, key blob not null, counter integer not null, host text not null,
            app text not null, system text not null, at integer not null, used integer not null)
            without rowid""",
        "create index passkeys_by_person on passkeys (person)",
        # `person` is empty if the challenge is for anyone who signs in.
        """create table passkey_challenges (
            hash blob primary key, person text not null, at integer not null) without rowid""",
        # `people` counts those at a number of points who have a place in the list.
        """create table standings (
            game text not null, person text not null, points integer not null, error integer not null,
            games integer not null, at integer not null, listed integer not null,
            primary key (game, person)) without rowid""",
        "create index standings_in_order on standings (game, points, person) where listed = 1",
        "create index standings_of_person on standings (person)",
        """create table levels (
            game text not null, points integer not null, people integer not null,
            primary key (game, points)) without rowid""",
        """create trigger standings_are_counted after insert on standings when new.listed = 1
            begin
                insert into levels values (new.game, new.points, 1)
                    on conflict (game, points) do update set people = people + 1;
            end""",
        """create trigger standings_are_moved after update on standings
            begin
                update levels set people = people - old.listed where game = old.game and points = old.points;
                insert into levels values (new.game, new.points, new.listed)
                    on conflict (game, points) do update set people = people + new.listed;
            end""",
        """create trigger standings_are_dropped after delete on standings when old.listed = 1
            begin
                update levels set people = people - 1 where game = old.game and points = old.points;
            end""",
        # `pool` is empty if the person does not wait; `seat` is 0 until a table is
        # found; `shown`: whether an answer has named it.
        """create table tickets (
            person text primary key, pool text not null, least integer not null, most integer not null,
            rating integer not null, error integer not null, since integer not null, expires integer not null,
            table_id text not null, seat integer not null, by_days integer not null,
            slow integer not null, shown integer not null default 0) without rowid""",
        """create table faults (
            person text not null, at integer not null, table_id text not null, kind text not null,
            primary key (person, table_id)) without rowid""",
        "create index tickets_by_pool on tickets (pool) where seat = 0",
        "create index tickets_by_table on tickets (table_id) where seat > 0",
        """create table handovers (
            hash blob primary key, person text not null, session text not null,
            at integer not null, expires integer not null, state text not null, claim blob unique,
            digits text not null, app text not null, system text not null) without rowid""",
        "create index handovers_by_person on handovers (person)",
        "create table invites (code text primary key, table_id text not null unique) without rowid",
        """create table answers (
            person text not null, key text not null, body blob not null, digest blob not null,
            at integer not null, primary key (person, key)) without rowid""",
        "create index answers_by_age on answers (at)",
        """create table subscriptions (
            endpoint text primary key, person text not null, p256dh text not null, auth text not null,
            session text not null)""",
        "create index subscriptions_by_person on subscriptions (person)",
        "create table notes (name text primary key, value blob not null) without rowid",
        """create table relations (
            id integer primary key autoincrement, person text not null, other text not null,
            kind text not null, name text not null, at integer not null, unique (person, other))""",
        "create index relations_by_other on relations (other)",
        # How a person wants to be reached.
        """create table contacts (
            person text primary key, here integer not null, challenges text not null,
            read_at integer not null) without rowid""",
        """create table challenges (
            table_id text not null, person text not null, other text not null, at integer not null,
            answer text not null, answered_at integer not null,
            primary key (table_id, person)) without rowid""",
        "create index challenges_by_person on challenges (person)",
        "create index challenges_by_other on challenges (other)",
        """create table cases (
            id integer primary key autoincrement, person text not null, state text not null,
            at integer not null, sanction text not null, until integer not null, why text not null,
            decided_by text not null, answer text not null)""",
        "create index cases_by_state on cases (state, at)",
        "create index cases_of_person on cases (person)",
        "create index cases_by_moderator on cases (decided_by)",
        "create index cases_with_sanction on cases (person) where sanction <> ''",
        """create table reports (
            id integer primary key autoincrement, case_id integer not null, person text not null,
            other text not null, at integer not null, about text not null, table_id text not null,
            v integer not null, name text not null, text text not null, why text not null)""",
        "create index reports_in_order on reports (case_id, id)",
        "create index reports_of_person on reports (person)",
        "create index reports_by_person on reports (other)",
        "create table moderators (person text primary key, at integer not null) without rowid",
        """create table audit (
            id integer primary key autoincrement, at integer not null, person text not null,
            other text not null, action text not null, detail text not null, outcome text not null)""",
        "create index audit_by_person on audit (person)",
        "create index audit_by_other on audit (other)",
        # Facts name entrants by number: who an entrant is can be erased.
        """create table tournaments (
            id text primary key, head integer not null, state text not null, wake_at integer,
            claimed_until integer, person text not null, title text not null, starts_at integer not null,
            created_at integer not null, about blob not null) without rowid""",
        "create index tournaments_by_wake on tournaments (wake_at) where wake_at is not null",
        "create index tournaments_by_state on tournaments (state, starts_at)",
        "create index tournaments_by_person on tournaments (person)",
        """create table tournament_events (
            tournament_id text not null, v integer not null, at integer not null, body blob not null,
            primary key (tournament_id, v)) without rowid""",
        """create table entrants (
            tournament_id text not null, entrant integer not null, person text not null, name text not null,
            machine text not null, place integer not null, points integer not null,
            primary key (tournament_id, entrant)) without rowid""",
        "create index entrants_by_person on entrants (person)",
        # An entry is numbered when the log has it in an order that no later entry can change.
        """create table log_entries (
            id integer primary key, entry blob not null, hash blob not null unique, n integer unique)""",
        "create index log_entries_without_number on log_entries (id) where n is null",
        """create trigger log_entries_are_never_changed before update on log_entries
            when old.n is not null or new.hash <> old.hash or new.entry <> old.entry
            begin select raise(abort, 'log entries are never changed'); end""",
        """create trigger log_entries_are_never_deleted before delete on log_entries
            begin select raise(abort, 'log entries are never deleted'); end""",
        """create table log_nodes (
            level integer not null, place integer not null, hash blob not null,
            primary key (level, place)) without rowid""",
        "create table nodes (node text primary key, seen_at integer not null) without rowid",
        # All outages since the store was made; `tables.credited` is how much of them a table has been given.
        "create table outages (no integer primary key check (no = 1), ms integer not null)",
    ),
)
"""The statements from each schema version to the next; a released version is never edited."""
VERSION: Final = len(MIGRATIONS)


def connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for locks, and may be handed to another thread."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise Unsupported(f"SQLite {sqlite3.sqlite_version} is too old: {oldest} or later is needed")
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5,
    )
    connection.execute("pragma recursive_triggers = on")  # so that `replace` fires the triggers
    return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection for the writer: every commit is synced to disk. Migrates the schema."""
    connection = connect(path)
    try:
        check_version(connection, path)
        connection.execute(f"pragma page_size = {PAGE_BYTES}")  # takes effect in a new database only
        mode = connection.execute("pragma journal_mode = wal").fetchone()[0]
        if mode != "wal":
            raise StoreFailed(f"{path} is on a file system that does not support SQLite's write-ahead log")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma secure_delete = on")  # erased data is not left in free pages
        connection.execute(f"pragma journal_size_limit = {64 << 20}")
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    connection = connect(path)
    connection.execute("pragma query_only = on")
    return connection


def truncate_journal(path: Path) -> None:
    """Write everything in the write-ahead log into the database, and empty the log.

    Waits for readers; if one of them lasts longer than the timeout, the next checkpoint does it.
    """
    with contextlib.closing(connect(path)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)").fetchall()


def check_quickly(path: Path, seconds: float = CHECK_S) -> bool:
    """Whether the check of the whole database ended in that time (0: no limit); raises if it is damaged.

    SQLite's `quick_check` reads every page, which takes too long for a start with a large database.
    """
    if not path.exists() or path.stat().st_size == 0:
        return True
    until = time.monotonic() + seconds
    with contextlib.closing(open_for_reading(path)) as connection:
        if seconds:
            connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        try:
            found = [line for (line,) in connection.execute("pragma quick_check(1)")]
        except sqlite3.OperationalError:  # interrupted, or unreadable: opening it will raise the reason
            return time.monotonic() <= until
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                return True
            raise StoreFailed(f"{path} is damaged ({error}): restore a backup") from error
    if found != ["ok"]:
        raise StoreFailed(f"{path} is damaged ({found[0]}): restore a backup")
    return True


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `Unsupported` if the database is not Facedown's, or newer than this program."""
    try:
        version = int(connection.execute("pragma user_version").fetchone()[0])
        ours = connection.execute("pragma application_id").fetchone()[0] == OURS
        empty = connection.execute("select count(*) from sqlite_master").fetchone()[0] == 0
    except sqlite3.DatabaseError as error:
        raise StoreFailed(f"{path} cannot be read as a database: {error}") from error
    if not ours and not empty:
        raise Unsupported(f"{path} is a database of another program", text=str(path))
    if version > VERSION:
        message = f"{path} was written by a newer Facedown: schema {version}, this one knows {VERSION}"
        raise Unsupported(message, text=str(path))


def _migrate(connection: sqlite3.Connection) -> None:
    version = int(connection.execute("pragma user_version").fetchone()[0])
    if version == VERSION:
        return
    connection.execute("begin immediate")
    for migration in MIGRATIONS[version:]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"pragma application_id = {OURS}")
    connection.execute(f"pragma user_version = {VERSION}")
    connection.execute("commit")
