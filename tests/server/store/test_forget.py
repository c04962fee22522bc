"""Forgetting in the store: personal texts of older databases move out of events, and unused things go."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from facedown.server.store.base import (
    PersonalText,
)
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.schema import MIGRATIONS, OURS
from facedown.server.store.sqlite.store import SqliteStore

pytestmark = pytest.mark.anyio

OLD = (
    (
        1,
        "made",
        0,
        "",
        b'{"type":"made","chairs":[{"kind":"person","kept_for":"P1","kept_name":"Ann"}]}',
        b"",
    ),
    (2, "sat", 1, "", b'{"type":"sat","seat":1,"name":"Ann","commit":"c"}', b'{"person":"P1"}'),
    (3, "named", 1, "", b'{"type":"named","seat":1,"name":"Anna"}', b""),
    (4, "said", 1, "s1", b'{"type":"said","seat":1,"name":"Anna","text":"hi","preset":null}', b""),
    (5, "said", 0, "P2:s1", b'{"type":"said","seat":0,"name":"Bo","text":null,"preset":"nice"}', b""),
    (6, "over", 0, "", b'{"type":"over"}', b""),
)


def an_older_database(folder: Path) -> None:
    """A database as 0.1 left it."""
    folder.mkdir()
    with sqlite3.connect(folder / DATABASE) as connection:
        for statement in (*MIGRATIONS[0], *MIGRATIONS[1]):
            assert isinstance(statement, str)
            connection.execute(statement)
        connection.execute(f"pragma application_id = {OURS}")
        connection.execute("pragma user_version = 2")
        connection.execute(
            "insert into tables values ('T', 6, null, 1, 'ecard', 'classic', 'over', 1, 1, ?)", (b"{}",)
        )
        for v, kind, seat, command, public, secret in OLD:
            connection.execute(
                "insert into events values ('T', ?, ?, 7, ?, ?, 0, ?, ?)",
                (v, kind, seat, command, public, secret),
            )
        connection.execute("insert into keys values (x'01', 'P1', 'browser', 5, 6)")
    connection.close()


async def test_an_older_database_is_read_as_it_was_and_can_be_erased(folder: Path) -> None:
    an_older_database(folder)
    store = SqliteStore(folder)
    try:
        rows = await store.rows("T")
        assert [each.texts for each in rows] == [
            (PersonalText("kept0", "P1", "Ann"),),
            (PersonalText("name", "P1", "Ann"),),
            (PersonalText("name", "P1", "Anna"),),
            (PersonalText("name", "P1", "Anna"), PersonalText("said", "P1", "hi")),
            (PersonalText("name", "P2", "Bo"),),
            (),
        ]
        assert not any(b"Ann" in each.public for each in rows)
        assert rows[5].public == OLD[5][4]
        assert await store.erase_person("P1", "nobody") == ["T"]
        texts = {text.text for each in await store.rows("T") for text in each.texts}
        assert texts == {"nobody", "…", "Bo"}
        with pytest.raises(Exception, match="events are never deleted"):
            await store.write(lambda connection: connection.execute("delete from events"))
        assert await store.key_times(b"\x01") is None
    finally:
        await store.close()
