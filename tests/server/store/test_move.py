"""Moving a store from SQLite to PostgreSQL, and checking a store."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from facedown.commands import serve as serve_module
from facedown.core.errors import Unsupported
from facedown.server.public_log import PublicLog
from facedown.server.settings import Settings
from facedown.server.signing import Signing
from facedown.server.store import open_store
from facedown.server.store.accounts import CodeDraft, SessionOrigin, StoredCodeUse, StoredHandover
from facedown.server.store.base import Store
from facedown.server.store.cases import AuditEntry, Report
from facedown.server.store.postgresql.check import check_postgresql
from facedown.server.store.postgresql.move import move
from facedown.server.store.sqlite.data_dir import DATABASE, DataInUse
from facedown.server.store.sqlite.moved import TablesMoved
from facedown.server.store.values import (
    Append,
    Notice,
    PersonalText,
    PlayedSeat,
    Relation,
    SeatHolder,
    StoredRating,
    StoredResponse,
    Subscription,
)
from tests import postgresql
from tests.cli.command import failed_in_one_sentence, run
from tests.server.store.steps import OPEN, creation, credit_outage, row, step, waiting_notices

pytestmark = pytest.mark.anyio
NAME = "postgresql://host.example/moved"
TABLES = 250
"""More than are copied in one transaction."""


async def fill(store: Store) -> None:
    """Something of every kind."""
    for number in range(TABLES):
        waiting = store.append(
            creation(f"T{number}")._replace(log_entries=(b"%d" % number,), deadline=number)
        )
    await waiting
    await store.number_log_entries(TABLES - 1)
    words = (PersonalText("said", "p1", "こんにちは"), PersonalText("name", "p1", "Änn"))
    said = row(2, seat=1, command="C", secret=b"\x00\xff")._replace(texts=words)
    extra = {
        "seats": (SeatHolder(1, "p1", b"token"), SeatHolder(2, "p2", b"other")),
        "notices": (Notice("p1", "T1", 1, "turn"),),
        "response": StoredResponse("p1", "key", b"body", b"digest"),
        "invite": "CODE",
    }
    await store.append(Append("T1", 1, (said,), 7, **extra))  # type: ignore[arg-type]
    over = dataclasses.replace(OPEN, state="over")
    for table in ("T9", "T5"):
        await store.append(Append(table, 1, (row(2)._replace(kind="over"),), None, over))
    await store.add_person("p1", "Ann", 5)
    await store.note_played(lambda _: [PlayedSeat("p1", 5, "T9", 2, "ecard", "won")], 1)
    await store.rate(lambda *_: [StoredRating("p1", game, 1, 5, 25 / 3, 1 / 7) for game in "bA"], 1)
    assert await credit_outage(store)
    await store.add_key(b"k1", "p1", "browser", 5, None, SessionOrigin("s1", "Firefox", "Android", "code"))
    for person, handle in (("p1", "ann"), ("p2", "ben")):
        await store.accounts.set_draft(person, CodeDraft(b"code", b"answer", handle, handle.encode(), 5))
    await store.accounts.confirm_draft("p1", b"answer", "p1", 6)
    await store.accounts.add_handover(b"handover", StoredHandover("p1", "s1", 100), 9)
    await store.accounts.add_code_use("p1", StoredCodeUse("s1", 7, "Firefox", "Android"))
    await store.rotate_seat_token("T1", 1, b"token 2")
    for number in (2, 1):
        await store.subscribe("p1", Subscription(f"https://push/{number}", "p", "a"))
    await store.set_value("vapid", b"key")
    await store.relate(Relation(0, "p1", "p2", "mute", "Ben", 6))
    await store.report(Report(0, 0, "p2", "p1", 7, "words", "T1", 3, "Ben", "hello", "rude"))
    await store.cases.appoint("p1", 8)
    await store.cases.note(AuditEntry(0, 9, "p1", "p2", "erase_person", ""))
    await store.beat("one", 99, 10**15)


async def _checkpoint(store: Store) -> str:
    """The signed checkpoint of the public log: a client that kept it sees no second history after a move."""
    signing = Signing(store)
    await signing.load()
    return await PublicLog(store, signing).checkpoint()


async def seen(store: Store) -> dict[str, object]:
    """What a store returns of some kinds; the move itself compares every row of all."""
    tables = await store.tables(limit=1000)
    return {
        "tables": tables,
        "rows": [await store.rows(each.id) for each in tables[:10]],
        "said": await store.rows("T1"),
        "owed": await store.outage_of("T1"),
        "checkpoint": await _checkpoint(store),
        "session": await store.accounts.session(b"k1"),
        "account": await store.accounts.account("p1"),
        "seats": [await store.seat_of("T1", token) for token in (b"token", b"other")],
        "invite": await store.table_of_invite("CODE"),
        "subscriptions": await store.subscriptions("p1"),
        "notices": await waiting_notices(store),
        "cases": [await store.cases.cases_of("p2"), await store.cases.reports_about("p2")],
    }


async def _is_not_open(url: str) -> None:
    half = open_store(url)
    with pytest.raises(Unsupported, match="not finished"):
        await half.tables()
    await half.close()


async def test_an_interrupted_move_is_resumed_and_brings_everything(folder: Path) -> None:
    old = open_store(f"sqlite:{folder}")
    await fill(old)
    before = await seen(old)
    with pytest.raises(DataInUse):
        await move(folder, postgresql.clean_database("moved"), NAME)
    await old.close()
    url = postgresql.clean_database("moved")

    def interrupted(line: str) -> None:
        raise EOFError(line)

    with pytest.raises(EOFError, match="200 of 250 tables"):
        await move(folder, url, NAME, interrupted)
    await _is_not_open(url)
    await open_store(f"sqlite:{folder}").close()  # not moved: its server can go on
    with pytest.raises(EOFError, match="opening"):
        await move(folder, url, NAME, lambda line: interrupted(line) if "opening" in line else None)
    await _is_not_open(url)
    with pytest.raises(TablesMoved, match=NAME):
        open_store(f"sqlite:{folder}")

    counts = await move(folder, url, NAME)
    assert (counts["tables"], counts["events"], counts["log_entries"]) == (TABLES, TABLES + 3, TABLES)
    new = open_store(url)
    try:
        assert await seen(new) == before
        await new.append(step("T2", 1))
        await new.append(creation("new")._replace(log_entries=(b"new",)))
        await new.relate(Relation(0, "p2", "p1", "mute", "Ann", 6))
        assert await new.beat("two", 0, 0) > 10**12  # since 99, the last sign of life that was moved
    finally:
        await new.close()
    assert await check_postgresql(url) == []
    with pytest.raises(Unsupported, match="empty"):
        await move(folder, url, NAME)
    with pytest.raises(TablesMoved, match=NAME):
        await move(folder, postgresql.clean_database("moved"), NAME)


async def test_a_check_finds_what_is_missing(folder: Path) -> None:
    url = postgresql.clean_database("moved")
    store = open_store(url)
    for number in range(3):
        await store.append(creation(f"T{number}", 3)._replace(log_entries=(bytes([number]),)))
    await store.number_log_entries(100)
    await store.close()
    checked = await asyncio.to_thread(run, "admin", "check", "--store", url)
    assert (checked.status, checked.out) == (0, "It is whole.\n")
    database = url.partition("///")[2].partition("?")[0]
    postgresql.of_this_run().sql(
        """set session_replication_role = replica; set search_path = facedown;
        delete from events where v = 2 and table_no = (select min(no) from tables);
        delete from log_entries where n = 1; delete from tables where id = 'T2'""",
        database,
    )
    problems = await check_postgresql(url)
    assert len(problems) == 3
    assert problems[0] == "table T0 is at 3, but has 2 events, from 1 to 3"
    assert "which does not exist" in problems[1]
    assert problems[2] == "the public log is broken at entry 1"


async def test_no_server_starts_on_a_moved_folder_unless_it_is_taken_back(
    folder: Path, tmp_path: Path
) -> None:
    store = open_store(f"sqlite:{folder}")
    await store.append(creation("T"))
    await store.close()
    url = postgresql.clean_database("moved")
    copy = tmp_path / "copy" / DATABASE
    copy.parent.mkdir()
    serve, old = ("serve", "--port", "0", "--data"), str(folder)

    moved = await asyncio.to_thread(run, "admin", "move", f"{url}&password=secret", "--data", old)
    served = await asyncio.to_thread(run, *serve, old)
    copied = await asyncio.to_thread(run, "admin", "backup", str(copy), "--data", old)
    restored = await asyncio.to_thread(run, *serve, str(copy.parent))
    without_folder = await asyncio.to_thread(run, *serve, old, "--store", url, "--take-back")
    serve_module._take_back(Settings(data=folder))

    assert (moved.status, "is marked" in moved.out) == (0, True)
    for ran in (served, restored):
        assert failed_in_one_sentence(ran, "tables_moved")
        assert "password=…" in ran.err
        assert "secret" not in ran.err
    assert copied.status == 0
    assert "Its tables were moved to" in copied.out
    assert failed_in_one_sentence(without_folder, "usage")
    again = open_store(f"sqlite:{folder}")
    assert await again.rows("T")
    await again.close()
    with pytest.raises(Unsupported, match="were not moved"):
        serve_module._take_back(Settings(data=folder))
