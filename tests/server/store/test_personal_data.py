"""Every column that names a person is exported and erased: a walk through both schemas.

A new column fails here until it is listed as harmless, or `Forgetting` and the store handle it.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from typing import Any

import msgspec
import pytest

from facedown.protocol.messages import Clock
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.forgetting import Forgetting
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Person, SeatHolder
from facedown.server.table.summary import SummaryDetails, SummarySeat, details_of
from facedown.server.table.tables import Tables
from tests.server.store.steps import OVER, creation

pytestmark = pytest.mark.anyio

PERSON, OTHER, TABLE = "THE PERSON", "SOMEONE ELSE", "A TABLE"
NAMES_PERSON = {"person", "other", "reporter", "account", "owner", "decided_by"}
HARMLESS = {
    *("credential", "host", "user_handle"),
    *("about", "answer", "app", "auth", "body", "claim", "code", "command"),
    *("card", "position", "challenges", "machine", "found", "course", "day", "digest", "digits"),
    *(
        "endpoint",
        "entry",
        "folded",
        "game",
        "handle",
        "hash",
        "id",
        "key",
        "kind",
        "made",
        "name",
        "node",
        "outcome",
    ),
    *(
        "p256dh",
        "pool",
        "previous",
        "public",
        "rules",
        "scopes",
        "secret",
        "session",
        "previous_session",
        "skeleton",
        "slot",
        "state",
        "system",
    ),
    *("text", "token", "value", "why", "sanction", "answer", "action", "detail"),
    *("title", "tournament_id"),
}
"""Columns of texts and bytes that are about a person at most together with one that names the person."""
NUMBERS = {"integer", "bigint", "real", "double precision", "boolean"}
"""Types of columns that name no one: people have ids of letters and digits."""
STAYS = {("seats", "person"), ("texts", "person")}
"""A random id without a person: games of others need it, and their events hold it."""
NOT_EXPORTED = {
    ("notices", "person"): "sent within seconds, about tables that are in the export",
    ("answers", "person"): "repeats answers of the last days, about tables that are in the export",
    ("bots", "person"): "a bot is exported with its owner, who alone has a session",
    ("bots", "owner"): "has nothing but the bot's id; its account is in the export",
    ("code_drafts", "person"): "hashes of a code that is being confirmed",
    ("passkey_challenges", "person"): "random bytes for minutes",
    ("handovers", "person"): "for minutes, about a device that is not in the account yet",
    ("relations", "other"): "whom others have muted, blocked or follow is theirs",
    ("reports", "person"): "what others have reported is theirs; decisions are in the export",
    ("cases", "decided_by"): "what a moderator did for the server",
    ("moderators", "person"): "has no text; the export says `moderates`",
    ("audit", "person"): "what an operator did for the server",
    ("audit", "other"): "what operators did, whose list it is",
}


async def columns_of(store: Store) -> dict[str, dict[str, str]]:
    """The type of each column, by table."""
    query = """select table_name, column_name, data_type from information_schema.columns
        where table_schema = 'facedown'"""
    if isinstance(store, SqliteStore):
        query = """select m.name, c.name, lower(c.type) from sqlite_master m
            join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%'"""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for table, column, kind in await store._select(query):
        found[table][column] = kind
    return dict(found)


def personal(columns: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    return [(table, each) for table, kinds in columns.items() for each in kinds if each in NAMES_PERSON]


def made_up(table: str, column: str, kind: str) -> object:
    """A value for a column; a text says where it is."""
    if column == "table_id":
        return TABLE
    if kind == "text":
        return f"{table}.{column}"
    return f"{table}.{column}".encode() if kind in ("blob", "bytea") else 1


async def insert(store: Store, table: str, of: str, kinds: dict[str, str]) -> None:
    """A row in which this column names the person, and all others that could name someone else."""
    values: dict[str, object] = {}
    for column, kind in kinds.items():
        if column == "id" and kind != "text":
            continue  # the store numbers it
        named = {of: PERSON, **dict.fromkeys(NAMES_PERSON - {of}, OTHER)}
        values[column] = named.get(column) or made_up(table, column, kind)
    places = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    await store._execute(f"insert into {table} ({', '.join(values)}) values ({places})", *values.values())


async def rows_with(store: Store, table: str, column: str) -> list[Any]:
    return await store._select(f"select * from {table} where {column} = $1", PERSON)


async def test_every_column_is_known(any_store: Store) -> None:
    columns = await columns_of(any_store)
    unknown = {
        (table, column)
        for table, kinds in columns.items()
        for column, kind in kinds.items()
        if kind not in NUMBERS and column not in NAMES_PERSON | HARMLESS | {"table_id"}
    }

    assert len(personal(columns)) > 10
    assert unknown == set()


async def test_whatever_names_a_person_is_exported_and_erased(any_store: Store) -> None:
    columns = await columns_of(any_store)
    await any_store.append(creation(TABLE))
    for person in (PERSON, OTHER):
        await any_store.add_person(person, f"name of {person}", 5)
    for table, column in personal(columns):
        await insert(any_store, table, column, columns[table])
    tables = Tables(any_store, Bus())
    await tables.relations.load()
    forgetting = Forgetting(any_store, tables)

    data = await forgetting.export(Person(PERSON, f"name of {PERSON}", 5))
    exported = json.loads(msgspec.json.encode(data))
    for table, column in personal(columns):
        (row,) = await rows_with(any_store, table, column)
        texts = {value for value in row if isinstance(value, str)} - {PERSON, OTHER}
        is_exported = any(text in str(exported) for text in texts)
        assert is_exported or (table, column) in NOT_EXPORTED, f"{table}.{column} is not in the export"
    await any_store.erase_person(PERSON, "gone")

    for table, column in {*personal(columns)} - STAYS:
        left = await rows_with(any_store, table, column)
        assert all("gone" in tuple(row) for row in left), f"{table}.{column} is not erased"
    assert not await rows_with(any_store, "people", "id")
    assert [tuple(row) for row in await any_store._select("select text from texts")] == [("gone",)]


@pytest.mark.parametrize("pulled_before", ["erase_person", "set_about", "drop_traces"])
async def test_an_interrupted_erasure_is_finished(
    any_store: Store, pulled_before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await any_store.add_person(PERSON, "Name", 5)
    seats = (SummarySeat(1, "Name", "person"),)
    details = SummaryDetails(seats, Clock("none"), hotseat=False, result=None, ended_at=None)
    summary = dataclasses.replace(OVER, about=msgspec.json.encode(details))
    made = creation(TABLE)._replace(summary=summary, seats=(SeatHolder(1, PERSON, b"token"),))
    await any_store.append(made)
    forgetting = Forgetting(any_store, Tables(any_store, Bus()))

    async def pulled(*_: object) -> None:
        raise StoreFailed("the plug is pulled")

    with monkeypatch.context() as patch:
        patch.setattr(any_store, pulled_before, pulled)
        with pytest.raises(StoreFailed):
            await forgetting.erase(PERSON)
    await forgetting.finish_erasures(before=0)  # it may be going on
    await forgetting.finish_erasures(before=now())

    (listed,) = await any_store.tables(person=PERSON)
    names = [seat.name for seat in details_of(listed.summary.about).seats]
    if pulled_before == "erase_person":  # nothing was erased, and the request failed
        assert (await any_store.person(PERSON), names) == (Person(PERSON, "Name", 5), ["Name"])
    else:
        assert (await any_store.person(PERSON), "Name" in names) == (None, False)
    assert await any_store.values_of("erasing") == []
