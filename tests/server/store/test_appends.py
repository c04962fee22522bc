"""Appends and what is read back: in order, once, at the right head, and many in one commit."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
from pathlib import Path

import pytest

from facedown.server.store import open_store
from facedown.server.store.base import (
    Append,
    CommandKnown,
    EventRow,
    HeadMoved,
    Notice,
    SeatHolder,
    StoredResponse,
    StoreFailed,
)
from facedown.server.store.sqlite import SqliteStore
from tests.server.store.steps import OPEN, head_of, held, made, row, step

pytestmark = pytest.mark.anyio


async def test_what_was_appended_is_read_back_after_opening_again(folder: Path) -> None:
    rows = (
        EventRow(1, "made", 5, b'{"a":1}', b"\x00seed"),
        EventRow(2, "sealed", 6, b"{}", b"pick", seat=2, command="01ABC", spent=250),
    )
    store = open_store(f"sqlite:{folder}")
    await store.append(Append("T", 0, rows, 99, OPEN))
    assert await store.rows("T") == list(rows)
    await store.close()
    again = open_store(f"sqlite:{folder}")
    assert await again.rows("T") == list(rows)
    assert await again.rows("T", after=1) == [rows[1]]
    assert await again.rows("T", after=2) == []
    assert await head_of(again, "T") == 2
    assert await head_of(again, "other") is None
    assert await again.rows("other") == []
    await again.close()


async def test_an_append_for_another_head_saves_nothing(store: SqliteStore) -> None:
    await store.append(made("T", 2))
    for head in (1, 3):
        with pytest.raises(HeadMoved):
            await store.append(Append("T", head, (row(head + 1),), 1, notices=(Notice("p", "T", 1, "turn"),)))
    with pytest.raises(HeadMoved):
        await store.append(made("T"))
    with pytest.raises(HeadMoved):
        await store.append(step("nowhere", 4))
    assert await head_of(store, "T") == 2
    assert len(await store.rows("T")) == 2
    assert await store.notices() == []
    assert await store.next_deadline() is None
    assert await head_of(store, "nowhere") is None


async def test_of_two_appends_for_the_same_head_one_is_saved(store: SqliteStore) -> None:
    await store.append(made("T"))
    with held(store):
        racing = [store.append(step("T", 1, body=body)) for body in (b"first", b"second")]
    outcomes = await asyncio.gather(*racing, return_exceptions=True)
    assert outcomes[0] is None
    assert isinstance(outcomes[1], HeadMoved)
    assert [each.public for each in await store.rows("T", 1)] == [b"first"]


async def test_steps_of_one_table_may_follow_each_other_in_one_commit(store: SqliteStore) -> None:
    with held(store):
        waiting = [store.append(made("T"))]
        waiting += [store.append(step("T", head, deadline=head)) for head in range(1, 50)]
    await asyncio.gather(*waiting)
    assert [each.v for each in await store.rows("T")] == list(range(1, 51))
    assert await head_of(store, "T") == 50
    assert await store.next_deadline() == 49


async def test_steps_of_one_commit_leave_no_gap_between_them(store: SqliteStore) -> None:
    await store.append(made("T"))
    with held(store):
        waiting = [store.append(step("T", head)) for head in (1, 5, 2)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [type(None), HeadMoved, type(None)]
    assert [each.v for each in await store.rows("T")] == [1, 2, 3]


async def test_what_follows_a_refused_step_is_refused_too(store: SqliteStore) -> None:
    await store.append(made("T"))
    await store.append(step("T", 1, command="A"))
    with held(store):
        waiting = [
            store.append(step("T", 2, command="A")),
            store.append(step("T", 3, command="B")),
            store.append(made("U")),
        ]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [CommandKnown, HeadMoved, type(None)]
    assert await head_of(store, "T") == 2
    assert await head_of(store, "U") == 1


async def test_many_appends_share_commits(store: SqliteStore) -> None:
    before = store.stats.commits
    await asyncio.gather(*(store.append(made(f"T{number}", rows=2)) for number in range(1000)))
    assert store.stats.commits - before < 200
    assert store.stats.largest > 1
    assert store.stats.appends == 1000
    assert store.stats.rows == 2000
    assert store.waiting == 0
    assert all([await head_of(store, f"T{number}") == 2 for number in range(1000)])


async def test_a_group_of_any_size_is_saved_whole(store: SqliteStore) -> None:
    for size in (1, 2, 3, 255, 257, 600):
        with held(store):
            waiting = [store.append(made(f"{size}/{number}")) for number in range(size)]
        await asyncio.gather(*waiting)
        with held(store):
            waiting = [store.append(step(f"{size}/{number}", 1)) for number in range(size)]
        await asyncio.gather(*waiting)
        for number in range(size):
            assert [each.v for each in await store.rows(f"{size}/{number}")] == [1, 2]


async def test_a_seat_s_command_is_saved_once(store: SqliteStore) -> None:
    await store.append(made("T"))
    await store.append(step("T", 1, command="A"))
    with pytest.raises(CommandKnown):
        await store.append(step("T", 2, command="A"))
    assert await head_of(store, "T") == 2
    await store.append(Append("T", 2, (row(3, seat=2, command="A"),), None))  # another seat's
    await store.append(step("T", 3))
    await store.append(step("T", 4))  # no command: as often as one likes
    await store.append(made("U"))
    await store.append(step("U", 1, command="A"))


async def test_one_bad_piece_does_not_sink_the_others(store: SqliteStore) -> None:
    await store.append(made("T"))
    bad_type = Append("B", 0, (row(1, public={"not": "bytes"}),), None, OPEN)  # type: ignore[arg-type]
    too_large = Append("L", 0, (dataclasses.replace(row(1), at=1 << 80),), None, OPEN)

    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("insert into notes values ('half', 'done')")
        connection.execute("insert into no_such_table values (1)")

    with held(store):
        waiting = [
            store.append(made("A")),
            store.append(bad_type),
            store.append(step("T", 7)),
            store.write(broken),
            store.append(too_large),
            store.append(Append("S", 0, (row(1),), None)),  # made without a summary
            store.append(made("Z")),
        ]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [
        *(type(None), StoreFailed, HeadMoved, StoreFailed, StoreFailed, StoreFailed),
        type(None),
    ]
    assert [await head_of(store, table) for table in "ABLSTZ"] == [1, None, None, None, 1, 1]
    assert await store.get_value("half") is None
    assert store.stats.failed == 5


async def test_rows_with_a_gap_are_refused_at_once(store: SqliteStore) -> None:
    with pytest.raises(ValueError, match="without a gap"):
        store.append(Append("T", 0, (row(1), row(3)), None, OPEN))


async def test_a_cancelled_append_is_saved_and_harms_nobody(store: SqliteStore) -> None:
    with held(store):
        given_up, other = store.append(made("T")), store.append(made("U"))
        given_up.cancel()
    await other
    assert await head_of(store, "T") == 1


async def test_what_goes_with_a_step_is_saved_with_it(store: SqliteStore) -> None:
    answer = StoredResponse("host", "key-1", b"made it")
    first = dataclasses.replace(
        made("T"), seats=(SeatHolder(1, "ann", b"t1"),), invite="CODE", response=answer
    )
    await store.append(first)
    assert await store.seat_of("T", b"t1") == (1, "ann")
    assert await store.table_of_invite("CODE") == "T"
    assert await store.stored_response("host", "key-1") == b"made it"
    with pytest.raises(CommandKnown):
        await store.append(dataclasses.replace(made("U"), response=answer))
    assert await head_of(store, "U") is None
    playing = dataclasses.replace(OPEN, state="playing", about=b"[]")
    freed = dataclasses.replace(step("T", 1), seats=(SeatHolder(1, "ann", b""),), summary=playing)
    await store.append(freed)
    assert await store.seat_of("T", b"t1") is None
    assert [each.summary for each in await store.tables()] == [playing]
    assert await store.invite_of("T") == "CODE"


async def test_notices_wait_until_they_are_delivered(store: SqliteStore) -> None:
    turn, over = Notice("ann", "T", 3, "turn"), Notice("ben", "T", 3, "over")
    await store.append(dataclasses.replace(made("T"), notices=(turn, over)))
    await store.append(dataclasses.replace(step("T", 1), notices=(turn,)))  # still waiting: not twice
    waiting = await store.notices()
    assert [notice for _, notice in waiting] == [turn, over]
    assert await store.notices(limit=1) == waiting[:1]
    await store.delete_notices([waiting[0][0]])
    assert await store.notices() == waiting[1:]
    await store.delete_notices([])


async def test_deadlines(store: SqliteStore) -> None:
    for table, deadline in (("late", 300), ("soon", 100), ("next", 200), ("never", None)):
        await store.append(dataclasses.replace(made(table), deadline=deadline))
    assert await store.next_deadline() == 100
    assert await store.due(99) == []
    assert await store.due(200) == ["soon", "next"]
    assert await store.due(999, limit=1) == ["soon"]
    assert await store.running() == ["soon", "next", "late"]
    await store.append(Append("soon", 1, (), 500))  # a clock alone may move, without an event
    assert await store.due(300) == ["next", "late"]
    await store.append(step("next", 1, deadline=None))
    assert await store.running() == ["late", "soon"]


async def test_lists(store: SqliteStore) -> None:
    def told(table: str, at: int, **changes: object) -> Append:
        summary = dataclasses.replace(OPEN, created_at=at, **changes)  # type: ignore[arg-type]
        return dataclasses.replace(
            made(table), summary=summary, rows=(dataclasses.replace(row(1), at=1000 - at),)
        )

    await store.append(told("A", 1))
    await store.append(
        dataclasses.replace(
            told("B", 2, state="over"), seats=(SeatHolder(2, "ann", b"x"), SeatHolder(1, "ann", b"y"))
        )
    )
    await store.append(
        dataclasses.replace(told("C", 3, public=False, state="over"), seats=(SeatHolder(1, "ann", b"z"),))
    )
    await store.append(told("D", 4, game="davenport"))

    def ids(found: list[object]) -> str:
        return "".join(getattr(each, "id", "?") for each in found)

    assert ids([*await store.tables()]) == "DCBA"
    assert ids([*await store.tables(limit=2)]) == "DC"
    assert ids([*await store.tables(state="open")]) == "DA"
    assert ids([*await store.tables(game="ecard", public=True)]) == "BA"
    assert ids([*await store.tables(public=False)]) == "C"
    assert ids([*await store.tables(person="ann")]) == "BC"  # B was the last to change
    assert ids([*await store.tables(person="nobody")]) == ""
    assert [each.seats for each in await store.person_games("ann")] == [(1, 2), (1,)]
    assert (await store.tables(game="davenport"))[0].summary.public is True
