"""Every question to a store, one after the other: how long each takes, and the plans of slow ones."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from statistics import median
from typing import Any, Final, NamedTuple

from bench.scaling.games import Filled
from facedown.core.merkle import Subtree
from facedown.server.clock import DAY_MS, now
from facedown.server.ids import hash_token
from facedown.server.store.accounts import UNKNOWN_ORIGIN
from facedown.server.store.acquaintances import StoredAcquaintance
from facedown.server.store.base import Store
from facedown.server.store.cases import Report
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.tickets import Ticket
from facedown.server.store.values import (
    Append,
    EventRow,
    ForgetBefore,
    GamePlace,
    Relation,
    Subscription,
)

TIMES: Final = 7
SLOW_MS: Final = 10.0
LEFT_OUT: Final = frozenset(
    {"add_person", "add_key", "add_log_entry", "append_then", "close", "ready", "drop_traces"}
)
"""What only inserts, asks nothing or begins again; `append_then` asks what `append` does."""

Ask = Callable[[], Awaitable[Any]]


class Timed(NamedTuple):
    """A question, and how long it took, in ms: the median, and the least processor time of this process."""

    name: str
    median: float
    cpu: float
    plan: list[str]


def questions(store: Store, filled: Filled) -> Iterator[tuple[str, Ask]]:
    """Whatever can be asked of a store, and small writes."""
    person, table, at = filled.usual, filled.table, now()
    yield "rows", lambda: store.rows(table)
    yield "outage_of", lambda: store.outage_of(table)
    yield "tables: open, public", lambda: store.tables(state="open", public=True)
    yield "tables: over, public", lambda: store.tables(state="over", public=True)
    yield "tables: over, public, of a game", lambda: store.tables(state="over", game="davenport", public=True)
    yield "tables: over, of an unknown game", lambda: store.tables(state="over", game="none", public=True)
    yield "tables: all, for operators", lambda: store.tables(limit=200)
    yield "tables: of a game, for operators", lambda: store.tables(game="none", limit=200)
    yield "tables: of a person", lambda: store.tables(person=person)
    yield "tables: of the busiest person", lambda: store.tables(person=filled.busy)
    yield "listed", lambda: store.listed(table)
    yield "person_games", lambda: store.person_games(person)
    yield "person_games: the busiest", lambda: store.person_games(filled.busy)
    yield "played", lambda: store.played(person)
    yield "person_games: further back", lambda: store.person_games(filled.busy, 500, GamePlace(at, "T"), 5)
    profiles = store.profiles
    yield "profiles: results", lambda: profiles.results(filled.busy)
    yield "profiles: rivals", lambda: profiles.rivals(filled.busy)
    yield "profiles: page", lambda: profiles.page(person)
    yield "profiles: by_handle", lambda: profiles.by_handle("none")
    yield "profiles: find", lambda: profiles.find("no", "", 21)
    yield "profiles: handles_at", lambda: profiles.handles_at([table] * 10)
    yield "profiles: friends_standings", lambda: profiles.friends_standings("ecard", person)
    acquaintances = store.acquaintances
    known = StoredAcquaintance("ecard", "pip", 20, 3, 1, 20, "")
    yield "acquaintances: note", lambda: acquaintances.note(person, known)
    yield "acquaintances: of", lambda: acquaintances.of(person)
    minds = store.minds
    yield "minds: seal", lambda: minds.seal("2026-11-18", person, 1, 5)
    yield "minds: seals", lambda: minds.seals(person)
    yield "minds: people", lambda: minds.people("2026-11-18")
    yield "minds: counts", lambda: minds.counts("2026-11-18")
    yield "note_played", lambda: store.note_played(lambda _: [], 200)
    yield "ratings", lambda: store.ratings(filled.busy)
    yield "ladders: top", lambda: store.ladders.top("ecard")
    yield "ladders: around", lambda: store.ladders.around("ecard", person, 1500)
    yield "ladders: own_standings", lambda: store.ladders.own_standings(person)
    yield "ladders: people_listed", lambda: store.ladders.people_listed("ecard")
    yield "pools", lambda: store.pools()
    yield "was_seen", lambda: store.was_seen(person, at)
    yield "ends_since", lambda: store.ends_since(at, 200)
    yield "look_at_ticket", lambda: store.look_at_ticket(person)
    yield "ticket_of", lambda: store.ticket_of(person)
    yield "put_ticket", lambda: store.put_ticket(_ticket(person), lambda *_: (), _no_table)
    yield "challenge", lambda: store.challenge(person, "nobody", lambda: _no_table(()))
    contacts = store.contacts
    yield "contacts: followed", lambda: contacts.followed(person)
    yield "contacts: people met", lambda: contacts.met(person)
    yield "contacts: challenges received", lambda: contacts.received_challenges(person)
    yield "contacts: challenges answered", lambda: contacts.answered_challenges(person, 0)
    yield "contacts: seats found", lambda: contacts.found_seats(person)
    yield "contacts: games that ended", lambda: contacts.ended_away(person, 0)
    yield "withdraw_ticket", lambda: store.withdraw_ticket(person)
    yield "rate", lambda: store.rate(lambda *_: [], 200)
    yield "person", lambda: store.person(person)
    yield "person_of", lambda: store.person_of(hash_token(filled.token), "program", at)
    yield "key_times", lambda: store.key_times(hash_token(filled.token))
    yield "accounts: sessions", lambda: store.accounts.sessions(person)
    yield "accounts: session", lambda: store.accounts.session(hash_token(filled.token))
    yield "accounts: account", lambda: store.accounts.account(person)
    yield "accounts: by_handle", lambda: store.accounts.by_handle("none")
    tokens = store.accounts.tokens
    yield "tokens: of", lambda: tokens.of(person)
    yield "tokens: holder", lambda: tokens.holder(b"none")
    yield "tokens: bots", lambda: tokens.bots(person)
    yield "tokens: owner", lambda: tokens.owner(person)
    yield "tokens: drop", lambda: store.accounts.end_session(person, "none")
    yield "accounts: code_uses", lambda: store.accounts.code_uses(person)
    yield "texts_of", lambda: store.texts_of(person)
    yield "texts_of: the busiest", lambda: store.texts_of(filled.busy)
    yield "stale_tables", lambda: store.stale_tables(at - DAY_MS)
    yield "seat_of", lambda: store.seat_of(table, b"t" * 32)
    yield "invite_of", lambda: store.invite_of(table)
    yield "table_of_invite", lambda: store.table_of_invite("none")
    yield "stored_response", lambda: store.stored_response(person, "none")
    yield "subscriptions", lambda: store.subscriptions(person)
    yield "log_entries", lambda: store.log_entries(1000, 1000)
    yield "log_size", lambda: store.log_size()
    yield "log_index", lambda: store.log_index(bytes(32))
    yield "log_hashes", lambda: store.log_hashes([Subtree(level, 0) for level in range(20)])
    yield "number_log_entries", lambda: store.number_log_entries(100)
    yield "get_value", lambda: store.get_value("none")
    yield "values_of", lambda: store.values_of("none")
    yield "relations", lambda: store.relations()
    yield "nodes", lambda: store.nodes()
    yield "cases: listed", lambda: store.cases.listed("open")
    yield "cases: cases_of", lambda: store.cases.cases_of(person)
    yield "cases: case", lambda: store.cases.case(1)
    yield "cases: reports_in", lambda: store.cases.reports_in(1)
    yield "cases: reports_about", lambda: store.cases.reports_about(person)
    yield "cases: reports_by", lambda: store.cases.reports_by(person)
    yield "cases: sanctions", lambda: store.cases.sanctions()
    yield "cases: audit", lambda: store.cases.audit(1 << 62)
    yield "find_people", lambda: store.cases.find_people("Name 77")
    yield "time", lambda: store.time()
    yield "heads", lambda: store.heads([table] * 50)
    yield "owed_tables", lambda: store.owed_tables([table])
    yield "tournaments: done_tables", lambda: store.tournaments.done_tables([table])
    yield "last_seen", lambda: store.last_seen(table)
    yield "append", _append(store, table)
    yield "claim_due", lambda: store.claim_due(at, 1000, 50, at)
    yield "claim_notices", lambda: store.claim_notices(at, 1000, 50)
    yield "rearm", lambda: store.rearm(table, 1, None)
    yield "beat", lambda: store.beat("bench", now(), 10**15)
    yield "mark_seen", lambda: store.mark_seen(table, [1, 2], at)
    yield "rename", lambda: store.accounts.rename(person, "Somebody")
    yield "use_key", lambda: store.use_key(hash_token(filled.token), at, None)
    yield "set_value", lambda: store.set_value("bench", b"value")
    yield "replace_value", lambda: store.replace_value("bench", b"", b"value")
    yield "drop_value", lambda: store.drop_value("none")
    yield "set_value_once", lambda: store.set_value_once("bench", b"value")
    yield "accounts: end_other_sessions", lambda: store.accounts.end_other_sessions("nobody", b"", b"")
    yield "drop_key", lambda: store.drop_key(b"none")
    yield "accounts: handover", lambda: store.accounts.handover(person, "none", at)
    yield "take_handover", lambda: store.take_handover(b"none", at, b"key", "browser", None, UNKNOWN_ORIGIN)
    yield "set_about", lambda: store.set_about("none", b"{}", b"{}")
    yield "rotate_seat_token", lambda: store.rotate_seat_token("none", 1, b"t")
    yield "subscribe", lambda: store.subscribe(person, Subscription("https://none", "p", "a"))
    yield "unsubscribe", lambda: store.unsubscribe(person)
    yield "delete_notices", lambda: store.delete_notices([0])
    yield "relate", lambda: store.relate(Relation(0, person, "other", "mute", "Name", at))
    yield "drop_relation", lambda: store.drop_relation(person, 0)
    yield "report", lambda: store.report(Report(0, 0, "other", person, at, "name", table, 1, "Name", "", ""))
    yield "change_case", lambda: store.change_case(1, lambda case, _: case)
    yield "erase_person", lambda: store.erase_person("nobody", "Name")
    yield "forget", lambda: store.forget(ForgetBefore(*[at - 90 * DAY_MS] * 5))


def _ticket(person: str) -> Ticket:
    return Ticket(person, "Name", "pool", 2, 2, 1500, 400)


def _no_table(_: object) -> Append:
    raise AssertionError("no person was chosen")


def _append(store: Store, table: str) -> Ask:
    async def append() -> None:
        head = (await store.heads([table]))[table]
        await store.append(Append(table, head, (EventRow(head + 1, "said", now(), b"{}"),), None))

    return append


async def time_all(store: Store, filled: Filled) -> list[Timed]:
    """All of them, the slowest first; the slow ones with their plans."""
    found = []
    for name, ask in questions(store, filled):
        took, cpu = [], []
        await ask()
        for _ in range(TIMES):
            begun, work = time.perf_counter(), time.process_time()
            await ask()
            took.append((time.perf_counter() - begun) * 1000)
            cpu.append((time.process_time() - work) * 1000)
        plan = await _plan(store, ask) if median(took) > SLOW_MS else []
        found.append(Timed(name, median(took), min(cpu), plan))
    return sorted(found, key=lambda each: -each.median)


async def _plan(store: Store, ask: Ask) -> list[str]:
    """How the statements of a question are carried out."""
    if isinstance(store, SqliteStore):
        return await _sqlite_plan(store, ask)
    return await postgresql_plan(store, ask)


async def postgresql_plan(store: Store, ask: Ask) -> list[str]:
    """How PostgreSQL carries out the statements of a question that read."""
    said: list[tuple[str, tuple[object, ...]]] = []
    select = store._select

    async def noted(statement: str, *values: object) -> Any:
        said.append((statement, values))
        return await select(statement, *values)

    store._select = noted  # type: ignore[method-assign]
    await ask()
    del store._select
    lines = []
    for statement, values in said:
        lines += [line for (line,) in await select(f"explain (analyze, costs off) {statement}", *values)]
    return lines


async def _sqlite_plan(store: SqliteStore, ask: Ask) -> list[str]:
    lines = []
    for statement in (await sqlite_statements(store, ask))[:8]:
        lines.append(" ".join(statement.split())[:160])
        lines += [f"  {step}" for step in await plan_of(store, statement)]
    return lines


async def plan_of(store: SqliteStore, statement: str) -> list[str]:
    """The steps by which SQLite carries a statement out."""

    def explain(connection: sqlite3.Connection) -> list[str]:
        return [step for *_, step in connection.execute(f"explain query plan {statement}")]

    return await store.read(explain)


async def sqlite_statements(store: SqliteStore, ask: Ask) -> list[str]:
    """The statements that a question leads to, with their values; those that insert are left out."""
    said: list[str] = []
    for run in (store.read, store.write):
        await run(lambda connection: connection.set_trace_callback(said.append))
    await ask()
    for run in (store.read, store.write):
        await run(lambda connection: connection.set_trace_callback(None))
    return list(dict.fromkeys(each for each in said if each.split()[0] in ("select", "update", "delete")))
