"""The contract of both stores: appends, claims, lists, forgetting."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from facedown.core.errors import NotNow
from facedown.core.merkle import Subtree, leaf_hash
from facedown.protocol.errors import NotFound
from facedown.server.store import forget
from facedown.server.store.base import Store
from facedown.server.store.cases import AuditEntry, Report, Sanction
from facedown.server.store.failures import CommandKnown, HeadMoved, StoreFailed
from facedown.server.store.log import new_nodes
from facedown.server.store.values import (
    Append,
    EventRow,
    ForgetBefore,
    Forgotten,
    Notice,
    PersonalText,
    Relation,
    SeatHolder,
    StoredResponse,
    WrittenText,
)
from tests.server.store.steps import (
    OPEN,
    creation,
    credit_outage,
    deadline_of,
    end_game,
    head_of,
    row,
    step,
    waiting_notices,
)

pytestmark = pytest.mark.anyio

FAR = 1 << 50
"""A time in the far future."""


async def test_an_append_for_another_head_saves_nothing(any_store: Store) -> None:
    await any_store.append(creation("T", 2))
    for head in (1, 3):
        with pytest.raises(HeadMoved):
            await any_store.append(
                Append("T", head, (row(head + 1),), 1, notices=(Notice("p", "T", 1, "turn"),))
            )
    with pytest.raises(HeadMoved):
        await any_store.append(creation("T"))
    with pytest.raises(HeadMoved):
        await any_store.append(step("nowhere", 4))
    assert await head_of(any_store, "T") == 2
    assert len(await any_store.rows("T")) == 2
    assert await waiting_notices(any_store) == []
    assert await deadline_of(any_store, "T") is None
    assert await head_of(any_store, "nowhere") is None


async def test_of_two_appends_for_the_same_head_one_is_saved(any_store: Store) -> None:
    await any_store.append(creation("T"))
    racing = [any_store.append(step("T", 1, body=body)) for body in (b"first", b"second")]
    outcomes = await asyncio.gather(*racing, return_exceptions=True)
    assert outcomes[0] is None
    assert isinstance(outcomes[1], HeadMoved)
    assert [each.public for each in await any_store.rows("T", 1)] == [b"first"]


async def test_steps_of_one_table_may_follow_each_other_in_one_commit(any_store: Store) -> None:
    waiting = [any_store.append(creation("T"))]
    waiting += [any_store.append(step("T", head, deadline=head)) for head in range(1, 50)]
    await asyncio.gather(*waiting)
    assert [each.v for each in await any_store.rows("T")] == list(range(1, 51))
    assert await head_of(any_store, "T") == 50
    assert await deadline_of(any_store, "T") == 49


async def test_steps_of_one_commit_leave_no_gap_between_them(any_store: Store) -> None:
    await any_store.append(creation("T"))
    waiting = [any_store.append(step("T", head)) for head in (1, 5, 2)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in outcomes] == [type(None), HeadMoved, type(None)]
    assert [each.v for each in await any_store.rows("T")] == [1, 2, 3]


async def test_rows_with_a_gap_are_refused_at_once(any_store: Store) -> None:
    with pytest.raises(ValueError, match="without a gap"):
        any_store.append(Append("T", 0, (row(1), row(3)), None, OPEN))


async def test_a_cancelled_append_is_saved(any_store: Store) -> None:
    given_up, other = any_store.append(creation("T")), any_store.append(creation("U"))
    given_up.cancel()
    await other
    assert await head_of(any_store, "T") == 1


async def test_what_goes_with_a_step_is_saved_with_it(any_store: Store) -> None:
    answer = StoredResponse("host", "key-1", b"made it", b"asked for")
    first = creation("T")._replace(seats=(SeatHolder(1, "ann", b"t1"),), invite="CODE", response=answer)
    await any_store.append(first)
    assert await any_store.seat_of("T", b"t1") == (1, "ann")
    assert await any_store.table_of_invite("CODE") == "T"
    assert await any_store.stored_response("host", "key-1") == answer
    with pytest.raises(CommandKnown):
        await any_store.append(creation("U")._replace(response=answer))
    assert await head_of(any_store, "U") is None
    playing = dataclasses.replace(OPEN, state="playing", about=b"[]")
    freed = step("T", 1)._replace(seats=(SeatHolder(1, "ann", b""),), summary=playing)
    await any_store.append(freed)
    assert await any_store.seat_of("T", b"t1") is None
    assert [each.summary for each in await any_store.tables()] == [playing]
    assert await any_store.invite_of("T") == "CODE"


async def test_notices_wait_until_they_are_delivered(any_store: Store) -> None:
    turn, over = Notice("ann", "T", 3, "turn"), Notice("ben", "T", 3, "over")
    await any_store.append(creation("T")._replace(notices=(turn, over)))
    await any_store.append(step("T", 1)._replace(notices=(turn,)))  # still waiting: not twice
    waiting = await waiting_notices(any_store)
    assert [notice for _, notice in waiting] == [turn, over]
    await any_store.delete_notices([waiting[0][0]])
    assert await waiting_notices(any_store) == waiting[1:]
    await any_store.delete_notices([])


async def test_deadlines(any_store: Store) -> None:
    for table, deadline in (("late", 300), ("soon", 100), ("next", 200), ("far", FAR), ("never", None)):
        await any_store.append(creation(table)._replace(deadline=deadline))
    assert await any_store.claim_due(999, 0, 1, FAR) == ["soon"]
    assert await any_store.claim_due(999, 0, 9, FAR) == ["soon", "next", "late"]
    await any_store.append(Append("soon", 1, (), 500))  # a clock alone may move, without an event
    assert await any_store.claim_due(999, 0, 9, FAR) == ["next", "late", "soon"]
    await any_store.append(step("next", 1, deadline=None))
    assert await any_store.claim_due(999, 0, 9, FAR) == ["late", "soon"]


async def test_an_outage_is_owed_to_all_clocks_that_ran(any_store: Store) -> None:
    for table, deadline in (("soon", 100), ("late", 300), ("never", None), ("stops", 500)):
        await any_store.append(creation(table)._replace(deadline=deadline))
    ms = await credit_outage(any_store)
    assert ms > 0
    assert await any_store.owed_tables(["soon", "never", "no table"]) == ["soon"]
    assert await any_store.outage_of("soon") == ms
    await any_store.append(creation("new")._replace(deadline=700))
    await any_store.append(step("never", 1, deadline=900))
    await any_store.append(step("stops", 1, deadline=None))
    await any_store.append(step("stops", 2, deadline=900))
    assert await any_store.owed_tables(["new", "never", "stops"]) == []
    await any_store.append(step("soon", 1, deadline=1100))  # by a server that does not know of it yet
    assert await any_store.outage_of("soon") == ms
    more = await credit_outage(any_store)  # after a server has read what it gives back, before it appends
    given = row(3)._replace(kind="outage")
    await any_store.append(Append("soon", 2, (given,), 1100, given_back=ms))
    assert [await any_store.outage_of(table) for table in ("soon", "late", "new")] == [more, ms + more, more]
    await any_store.append(Append("soon", 3, (row(4)._replace(kind="outage"),), 1100, given_back=more))
    assert await any_store.owed_tables(["soon", "late", "never"]) == ["late", "never"]


async def test_lists(any_store: Store) -> None:
    def listed_at(table: str, at: int, **changes: object) -> Append:
        summary = dataclasses.replace(OPEN, created_at=at, **changes)  # type: ignore[arg-type]
        return creation(table)._replace(summary=summary, rows=(row(1)._replace(at=1000 - at),))

    await any_store.append(listed_at("A", 1))
    await any_store.append(
        listed_at("B", 2, state="over")._replace(
            seats=(SeatHolder(2, "ann", b"x"), SeatHolder(1, "ann", b"y"))
        )
    )
    await any_store.append(
        listed_at("C", 3, public=False, state="over")._replace(seats=(SeatHolder(1, "ann", b"z"),))
    )
    await any_store.append(listed_at("D", 4, game="davenport"))

    def ids(found: list[object]) -> str:
        return "".join(getattr(each, "id", "?") for each in found)

    assert ids([*await any_store.tables()]) == "DCBA"
    assert ids([*await any_store.tables(limit=2)]) == "DC"
    assert ids([*await any_store.tables(state="open")]) == "DA"
    assert ids([*await any_store.tables(game="ecard", public=True)]) == "BA"
    assert ids([*await any_store.tables(public=False)]) == "C"
    assert ids([*await any_store.tables(person="ann")]) == "BC"  # B was the last to change
    assert ids([*await any_store.tables(person="unknown")]) == ""
    assert [each.seats for each in await any_store.tables(person="ann")] == [(1, 2), (1,)]
    assert (await any_store.tables(game="davenport"))[0].summary.public is True


CLOSED = dataclasses.replace(OPEN, state="closed")


async def test_only_unused_things_are_forgotten(any_store: Store) -> None:
    for person, at in (("new", 100), ("old", 10), ("came back", 10), ("sat", 10)):
        await any_store.add_person(person, person, at)
        await any_store.add_key(person.encode(), person, "program", at, None)
    await any_store.use_key(b"came back", 90, None)
    await any_store.add_key(b"expired", "sat", "browser", 10, 20)
    await any_store.add_key(b"valid", "sat", "browser", 10, 60)
    for table, at, rows in (
        ("EMPTY", 10, ("made", "closed")),
        ("SAT", 10, ("made", "sat", "closed")),
        ("NEW", 90, ("made", "closed")),
    ):
        events = tuple(EventRow(v, kind, at, b"{}") for v, kind in enumerate(rows, 1))
        answer = StoredResponse("sat", table, b"")
        seats = (SeatHolder(1, "sat", b"token"),) if table == "SAT" else ()
        await any_store.append(Append(table, 0, events, None, CLOSED, seats=seats, response=answer))
    await any_store.append(creation("OPEN"))

    done = await any_store.forget(ForgetBefore(expired=50, unused=5, guests=50, answers=50, empty=50))

    assert done == Forgotten(keys=1, guests=1, answers=2, tables=1)
    assert await any_store.person("old") is None
    assert await any_store.person_of(b"old", "program", 100) is None
    for person in ("new", "came back", "sat"):
        assert await any_store.person(person) is not None
    assert await any_store.rows("EMPTY") == []
    assert await any_store.rows("SAT")
    assert await any_store.rows("NEW")
    assert await any_store.rows("OPEN")
    assert await any_store.person_of(b"valid", "browser", 50) is not None


async def test_guests_to_forget_are_found_page_by_page(
    any_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget, "PAGE", 2)
    for number in range(7):
        await any_store.add_person(f"guest {number}", "guest", 10 + number // 3)
    await any_store.add_person("new", "new", 60)
    await end_game(any_store, "T", "guest 3", "guest 5")
    for person in "abcde":
        await any_store._execute("insert into ratings values ($1, 'ecard', 1, 1, 25, 8)", person)
    await any_store._execute("update ended set rated = 1")

    assert (await any_store.forget(ForgetBefore(50, 50, 50, 50, 50))).guests == 5

    left = [each for (each,) in await any_store._select("select id from people order by id")]
    assert left == ["guest 3", "guest 5", "new"]
    assert await any_store._select("select person from ratings") == []


async def test_all_of_a_row_is_read_back(any_store: Store) -> None:
    texts = (PersonalText("name", "ann", "Änn"), PersonalText("said", "ann", "こんにちは"))
    rows = (
        EventRow(1, "made", 5, b'{"a":1}', b"\x00seed"),
        EventRow(2, "said", 6, b"{}", b"pick", 2, "01ABC", 1 << 40, b"digest", texts),
        EventRow(3, "sealed", 7, b"{}"),
    )
    await any_store.append(Append("T", 0, rows, 99, OPEN))
    assert await any_store.rows("T") == list(rows)
    assert await any_store.rows("T", after=2) == [rows[2]]
    assert await any_store.rows("other") == []
    assert await any_store.heads(["T", "other"]) == {"T": 3}
    listed = await any_store.listed("T")
    assert listed is not None
    assert (listed.head, listed.deadline, listed.changed_at, listed.summary) == (3, 99, 7, OPEN)


async def test_many_tables_append_at_once(any_store: Store) -> None:
    tables = [f"T{number}" for number in range(300)]
    await asyncio.gather(*(any_store.append(creation(table)) for table in tables))
    await asyncio.gather(*(any_store.append(step(table, 1)) for table in tables))
    assert await any_store.heads(tables) == dict.fromkeys(tables, 2)
    assert any_store.stats.appends == 600
    assert any_store.stats.commits < 300
    assert any_store.stats.largest > 1
    assert any_store.waiting == 0


async def test_the_log_numbers_each_entry_once_and_keeps_its_tree(any_store: Store) -> None:
    entries = [b"entry %d" % number for number in range(7)]
    first, *others = [
        creation(f"T{number}")._replace(log_entries=(entry,)) for number, entry in enumerate(entries)
    ]
    await any_store.append(first)
    assert await any_store.log_size() == 0
    assert await any_store.number_log_entries(100) == 1
    await asyncio.gather(*[any_store.append(each) for each in others])
    with pytest.raises(HeadMoved):
        await any_store.append(first)
    await any_store.append(step("T0", 1)._replace(log_entries=(b"end", entries[0])))
    assert await any_store.log_index(leaf_hash(b"end")) is None
    assert [await any_store.number_log_entries(5) for _ in range(3)] == [5, 2, 0]
    kept = await any_store.log_entries(0, 100)
    assert set(kept) == {*entries, b"end"}
    assert (kept[0], kept[7], len(kept), await any_store.log_size()) == (entries[0], b"end", 8, 8)
    assert await any_store.log_entries(6, 1) == [kept[6]]
    assert [await any_store.log_index(leaf_hash(each)) for each in kept] == list(range(8))
    assert await any_store.log_index(leaf_hash(b"unknown")) is None
    rows = new_nodes(0, [leaf_hash(each) for each in kept], {})
    tree = {Subtree(level, place): found for level, place, found in rows}
    assert await any_store.log_hashes(list(tree)) == tree
    assert await any_store.log_hashes([Subtree(9, 9)]) == {}


async def test_a_table_that_is_due_is_claimed_once(any_store: Store) -> None:
    for table, deadline, wake in (("A", 20, None), ("B", FAR, 10), ("C", None, FAR), ("D", None, None)):
        await any_store.append(creation(table)._replace(deadline=deadline, wake=wake))
    assert await any_store.claim_due(1000, 60_000, 1, FAR) == ["B"]
    assert await any_store.claim_due(1000, 60_000, 9, FAR) == ["A"]
    assert await any_store.claim_due(1000, 60_000, 9, FAR) == []
    assert any_store.stats.claims == 2
    await any_store.append(step("B", 1)._replace(wake=30))  # every append ends the claim
    assert await any_store.claim_due(1000, 60_000, 9, FAR) == ["B"]
    await any_store.rearm("B", 1, 5)  # not at that head any more
    assert await any_store.claim_due(1000, 60_000, 9, FAR) == []
    await any_store.rearm("B", 2, FAR)
    await any_store.rearm("A", 1, None)  # its deadline is still there
    assert await any_store.claim_due(1000, 0, 9, FAR) == ["A"]
    assert await any_store.claim_due(1001, 0, 9, FAR) == ["A"]  # that lease is over


async def test_after_an_outage_nothing_is_due_before_it_is_credited(any_store: Store) -> None:
    await any_store.append(creation("A")._replace(deadline=20))
    await any_store.beat("one", 1000, 3000)
    assert await any_store.claim_due(1000, 0, 9, -1) == []  # no server has beaten for longer than that
    assert await any_store.claim_due(1000, 0, 9, FAR) == ["A"]


async def test_a_notice_is_claimed_once(any_store: Store) -> None:
    turn, over = Notice("ann", "T", 3, "turn"), Notice("ben", "T", 3, "over")
    await any_store.append(creation("T")._replace(notices=(turn, over)))
    first = await any_store.claim_notices(1000, 60_000, 1)
    assert [notice for _, notice in first] == [turn]
    second = await any_store.claim_notices(1000, 60_000, 9)
    assert [notice for _, notice in second] == [over]
    assert await any_store.claim_notices(1000, 60_000, 9) == []
    await any_store.delete_notices([number for number, _ in (*first, *second)])
    assert await any_store.claim_notices(FAR, 0, 9) == []


async def test_a_gap_in_which_no_server_lived_is_credited_once(any_store: Store) -> None:
    await any_store.append(creation("T")._replace(deadline=FAR, wake=FAR - 1))
    before = await any_store.time()
    assert await any_store.beat("one", before, FAR) == 0  # no server lived before: that is no outage
    assert await any_store.beat("two", before + 1, FAR) == 0
    last = max(before + 1, await any_store.time())
    while await any_store.time() <= last + 50:
        await asyncio.sleep(0.001)
    assert await any_store.owed_tables(["T", "no table"]) == []
    at = await any_store.time()
    credited = await asyncio.gather(*(any_store.beat(name, at, 20) for name in ("one", "two", "three")))
    assert max(credited) >= 50
    assert sum(credited) <= await any_store.time() - before  # the same time is not credited twice
    assert await any_store.outage_of("T") == sum(credited)
    assert await any_store.owed_tables(["T", "no table"]) == ["T"]


async def test_people_are_seen_on_their_seats(any_store: Store) -> None:
    seats = (SeatHolder(1, "ann", b"t0"), SeatHolder(2, "ben", b"u0"))
    await any_store.append(creation("T")._replace(seats=seats))
    assert await any_store.last_seen("T") == {1: 0, 2: 0}
    at = await any_store.time()
    written = await any_store.mark_seen("T", [2], at)
    seen = await any_store.last_seen("T")
    assert seen == {1: 0, 2: written[2]}
    assert abs(seen[2] - at) < 60_000
    again = step("T", 1)._replace(seats=(SeatHolder(2, "eve", b"e0"),))
    await any_store.append(again)
    assert await any_store.last_seen("T") == {1: 0, 2: 0}


async def test_the_first_value_is_kept(any_store: Store) -> None:
    asked = await asyncio.gather(*(any_store.set_value_once("key", bytes([n])) for n in range(9)))
    assert len(set(asked)) == 1
    assert await any_store.get_value("key") == asked[0]


async def test_one_of_those_who_replace_a_value_at_once_does(any_store: Store) -> None:
    assert not await any_store.replace_value("key", b"", b"new"), "there is none to replace"
    await any_store.set_value("key", b"old")
    new = [bytes([n]) for n in range(9)]
    is_replaced = await asyncio.gather(*(any_store.replace_value("key", b"old", each) for each in new))
    assert sum(is_replaced) == 1
    assert await any_store.get_value("key") == new[is_replaced.index(True)]


async def test_erasing_a_person_erases_their_texts(any_store: Store) -> None:
    texts = (PersonalText("name", "ann", "Ann"), PersonalText("said", "ann", "hello"))
    theirs = (PersonalText("name", "ben", "Ben"),)
    rows = (row(1)._replace(texts=texts), row(2)._replace(texts=theirs))
    await any_store.append(Append("T", 0, rows, None, OPEN, seats=(SeatHolder(1, "ann", b"t"),)))
    await any_store.add_person("ann", "Ann", 5)
    await any_store.add_key(b"k", "ann", "browser", 5, None)
    await any_store.relate(Relation(0, "ben", "ann", "block", "Ann", 6))
    for reporter in ("ann", "ben"):
        for text in ("hello", "hello!"):
            await any_store.report(Report(0, 0, "ann", reporter, 7, "words", "T", 1, "Ann", text, "rude"))
    await any_store.report(Report(0, 0, "ben", "ann", 7, "words", "T", 2, "Ben", "hi", "rude"))
    assert await any_store.texts_of("ann") == [
        WrittenText("T", 1, "name", 1001, "Ann"),
        WrittenText("T", 1, "said", 1001, "hello"),
    ]

    assert await any_store.erase_person("ann", "erased") == ["T"]

    kept = [[text.text for text in each.texts] for each in await any_store.rows("T")]
    assert kept == [["erased", "…"], ["Ben"]]
    assert await any_store.person("ann") is None
    assert await any_store.accounts.sessions("ann") == []
    assert await any_store.relations() == []
    assert await any_store.seat_of("T", b"t") is None
    assert await any_store.cases.cases_of("ann") == []
    assert await any_store.cases.reports_about("ann") == []
    (report,) = await any_store.cases.reports_about("ben")
    assert (report.other, report.name, report.text, report.why) == ("", "Ben", "hi", "")


async def test_moderation(any_store: Store) -> None:
    await any_store.add_person("p1", "Ann_1", 5)
    await any_store.add_person("p2", "ann 2", 6)
    assert [each.id for each in await any_store.cases.find_people("ANN")] == ["p2", "p1"]
    assert [each.id for each in await any_store.cases.find_people("n_1")] == ["p1"]
    assert [each.id for each in await any_store.cases.find_people("p2")] == ["p2"]
    muted = await any_store.relate(Relation(0, "p1", "p2", "mute", "ann 2", 7))
    blocked = await any_store.relate(Relation(0, "p1", "p2", "block", "ann 2", 8))
    assert await any_store.relations() == [blocked]
    assert muted.kind == "mute"
    await any_store.drop_relation("p2", blocked.id)
    await any_store.drop_relation("p1", blocked.id)
    assert await any_store.relations() == []


async def test_reports_gather_in_a_case_until_it_is_decided(any_store: Store) -> None:
    for person in ("p1", "p2"):
        await any_store.add_person(person, person, 5)
    report = Report(0, 0, "p2", "p1", 9, "name", "T", 0, "ann 2", "", "why")
    for _ in range(2):
        await any_store.report(report)
    (case,) = await any_store.cases.listed("open")
    (kept,) = await any_store.cases.reports_in(case.id)
    assert kept == report._replace(id=kept.id, case=case.id)
    decided = case._replace(state="decided", sanction="no_chat", until=99, why="be kind", decided_by="p1")

    await any_store.change_case(case.id, lambda *_: decided)

    assert await any_store.cases.case(case.id) == decided
    assert await any_store.cases.sanctions() == [Sanction("p2", "no_chat", 99, case.id)]
    with pytest.raises(NotNow):
        await any_store.change_case(case.id, lambda *_: NotNow("refused"))
    with pytest.raises(NotFound):
        await any_store.change_case(case.id + 1, lambda *_: NotNow("unknown"))
    await any_store.report(report)
    assert [each.state for each in await any_store.cases.cases_of("p2")] == ["decided", "open"]


async def test_the_audit_list_outlives_who_is_on_it(any_store: Store) -> None:
    for person in ("p1", "p2"):
        await any_store.add_person(person, person, 5)
    await any_store.cases.appoint("p1", 11)
    assert await any_store.cases.is_moderator("p1")
    noted = await any_store.cases.note(AuditEntry(0, 12, "p1", "p2", "decide_case", "1"))
    await any_store.cases.note_outcome(noted, "done")
    (named,) = await any_store.cases.audit(1 << 62)
    assert (named.by_name, named.entry.outcome) == ("p1", "done")
    await any_store.erase_person("p1", "gone")
    ((entry, *_),) = await any_store.cases.audit(1 << 62)
    assert entry.person.startswith("erased-"), "it says that it was one person, and no longer which"
    assert await any_store.cases.find_people("", moderators=True) == []


async def test_a_closed_store_refuses(any_store: Store) -> None:
    await any_store.append(creation("T"))
    await any_store.ready()
    await any_store.close()
    with pytest.raises(StoreFailed, match="closed"):
        await any_store.append(step("T", 1))
    with pytest.raises(StoreFailed, match="closed"):
        await any_store.rows("T")
    with pytest.raises(StoreFailed, match="closed"):
        await any_store.ready()


async def test_an_append_without_a_future_is_answered_once_it_is_saved(any_store: Store) -> None:
    answers: asyncio.Queue[BaseException | None] = asyncio.Queue()
    for batch in (creation("T"), step("T", 1), step("T", 7)):
        any_store.append_then(batch, lambda _, failure: answers.put_nowait(failure))
    failures = [await answers.get() for _ in range(3)]
    assert [type(each) for each in failures] == [type(None), type(None), HeadMoved]
    assert await head_of(any_store, "T") == 2
