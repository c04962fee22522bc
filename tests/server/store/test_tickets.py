"""Tickets in both stores: people who wait, the table that they get, and what becomes of it."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from functools import partial

import pytest

from facedown.server.store import open_store, tickets
from facedown.server.store.base import Store
from facedown.server.store.tickets import Blocks, Ticket, TicketState
from facedown.server.store.values import Append, ForgetBefore, Relation, SeatHolder
from tests.server.store.steps import OPEN, creation, row

pytestmark = pytest.mark.anyio


class Tables:
    """Pairs any two people, and numbers their tables."""

    def __init__(self) -> None:
        self.made: list[list[str]] = []
        self.seen: list[tuple[list[str], Blocks]] = []

    def choose(self, own: Ticket, waiting: Sequence[Ticket], blocks: Blocks, at: int) -> Sequence[Ticket]:
        self.seen.append(([each.person for each in waiting], blocks))
        return (own, waiting[0]) if waiting else ()

    def make(self, group: Sequence[Ticket]) -> Append:
        self.made.append([each.person for each in group])
        return creation(f"T{len(self.made)}{group[0].person}")


async def come(store: Store, *people: str) -> None:
    for person in people:
        await store.add_person(person, person.title(), 1)


async def put(store: Store, tables: Tables, person: str, pool: str = "pool", **more: int) -> TicketState:
    ticket = Ticket(person, person.title(), pool, 2, 2, more.get("rating", 1500), 50)
    return await store.put_ticket(
        ticket._replace(by_days=bool(more.get("by_days")), again=bool(more.get("again"))),
        tables.choose,
        tables.make,
    )


async def move(store: Store, table: str, state: str, *seated: str) -> None:
    """The table gets to this state with these people on its seats."""
    listed = await store.listed(table)
    assert listed is not None
    seats = tuple(SeatHolder(number, person, b"t") for number, person in enumerate(seated, 1))
    summary = dataclasses.replace(OPEN, state=state)
    await store.append(Append(table, listed.head, (row(listed.head + 1),), None, summary, seats=seats))


async def test_two_who_want_the_same_get_one_table(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben", "cleo")
    first = await put(any_store, tables, "ann")
    other = await put(any_store, tables, "cleo", "another pool")
    found = await put(any_store, tables, "ben")
    again = await put(any_store, tables, "ann")

    assert (first.waiting, first.table, other.waiting) == (1, "", 1)
    assert found.table == "T1ben"
    assert found.is_new
    assert [(each.person, each.seat, each.name) for each in found.people] == [
        ("ben", 1, "Ben"),
        ("ann", 2, "Ann"),
    ]
    assert again == found._replace(is_new=False, since=first.since, made_at=OPEN.created_at)
    assert await any_store.pools() == [("another pool", 1)]
    assert await any_store.listed("T1ben") is not None


async def test_a_person_has_one_ticket_whatever_they_ask_for(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await put(any_store, tables, "ann", "one")
    await put(any_store, tables, "ann", "two")
    assert (await put(any_store, tables, "ben", "one")).table == ""
    found = await put(any_store, tables, "ben", "two")
    assert (await put(any_store, tables, "ann", "one")).table == found.table
    assert len(tables.made) == 1


async def test_a_ticket_that_is_not_put_again_expires(
    any_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    monkeypatch.setattr(tickets, "LASTS_MS", -1)
    first = await put(any_store, tables, "ann")
    monkeypatch.setattr(tickets, "LASTS_MS", 60_000)
    assert await any_store.pools() == []
    await asyncio.sleep(0.002)
    assert (await put(any_store, tables, "ben")).waiting == 1
    await any_store.withdraw_ticket("ben")
    assert (await put(any_store, tables, "ann")).since > first.since, "the wait begins again"


async def test_a_request_that_waited_brings_no_withdrawn_ticket_back(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await put(any_store, tables, "ann")
    assert (await put(any_store, tables, "ann", again=True)).waiting == 1
    await any_store.withdraw_ticket("ann")
    late = await put(any_store, tables, "ann", again=True)
    assert (late.waiting, late.table) == (0, "")
    assert (await put(any_store, tables, "ben")).waiting == 1, "ann is not there"


async def test_who_declines_sends_the_others_back_to_the_front(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben", "cleo")
    first = await put(any_store, tables, "ann")
    found = await put(any_store, tables, "ben")
    withdrawn = await any_store.withdraw_ticket("ben")
    assert (withdrawn.table, withdrawn.people) == (found.table, ("ann",))
    assert await any_store.pools() == [("pool", 1)]
    await move(any_store, found.table, "closed")
    assert (await put(any_store, tables, "ann")).since == first.since
    assert await any_store.withdraw_ticket("ben") == tickets.WithdrawnTicket()
    assert await any_store.withdraw_ticket("stranger") == tickets.WithdrawnTicket()


async def test_who_came_keeps_the_wait_and_who_did_not_begins_again(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    first = await put(any_store, tables, "ann")
    found = await put(any_store, tables, "ben")
    await move(any_store, found.table, "closed", "ann")
    await asyncio.sleep(0.002)
    assert (await put(any_store, tables, "ann")).since == first.since
    assert (await put(any_store, tables, "ben")).since > found.since
    assert tables.seen[-1][0] == ["ann"], "they met last: the choice knows by the table"


@pytest.mark.parametrize(("by_days", "state", "is_kept"), [(0, "playing", True), (1, "playing", False)])
async def test_one_game_by_seconds_at_a_time_and_any_number_by_days(
    any_store: Store, by_days: int, state: str, is_kept: bool
) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await put(any_store, tables, "ann", by_days=by_days)
    found = await put(any_store, tables, "ben", by_days=by_days)
    assert (await put(any_store, tables, "ann", by_days=by_days)).table == found.table
    await move(any_store, found.table, state, "ben", "ann")
    later = await put(any_store, tables, "ann", by_days=by_days)
    assert (later.table == found.table, later.playing) == (is_kept, is_kept)
    await any_store.withdraw_ticket("ann")
    assert (await put(any_store, tables, "ann", by_days=by_days)).table != found.table


async def test_the_choice_knows_who_has_blocked_whom(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await any_store.relate(Relation(0, "ann", "ben", "block", "Ben", 1))
    await any_store.relate(Relation(0, "ben", "ann", "mute", "Ann", 1))
    await put(any_store, tables, "ann")
    await put(any_store, tables, "ben")
    assert tables.seen == [(["ann"], frozenset({("ann", "ben")}))]


async def test_old_tickets_are_forgotten(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await put(any_store, tables, "ann")
    now = await any_store.time()
    await any_store.forget(ForgetBefore(0, 0, 0, now, 0))
    assert await any_store.ticket_of("ann") is not None
    await any_store.forget(ForgetBefore(0, 0, 0, now + tickets.LASTS_MS + 1000, 0))
    assert await any_store.ticket_of("ann") is None


async def test_nobody_gets_two_tables_in_a_crowd(any_store: Store) -> None:
    """Everybody asks from several tabs at once; with PostgreSQL also from two servers."""
    stores = [any_store, open_store(any_store.url)] if any_store.shared else [any_store]
    people = [f"p{number}" for number in range(40)]
    await come(any_store, *people)
    tables = Tables()
    asked = [
        partial(put, stores[(number + tab) % len(stores)], tables, person)
        for number, person in enumerate(people)
        for tab in range(3)
    ]
    answers = await asyncio.gather(*(each() for each in asked))
    for store in stores[1:]:
        await store.close()

    seats: dict[str, set[str]] = {}
    found = [answer for answer in answers if answer.table]
    for answer in found:
        for each in answer.people:
            seats.setdefault(each.person, set()).add(answer.table)
    assert all(len(each) == 1 for each in seats.values())
    assert len(seats) == len(people)
    assert sum(answer.is_new for answer in found) == len(people) // 2


async def test_a_request_that_fails_takes_no_other_with_it(any_store: Store) -> None:
    tables = Tables()
    people = [f"p{number}" for number in range(6)]
    await come(any_store, *people)

    def refuse(*_: object) -> Sequence[Ticket]:
        raise tickets.TicketGone

    await put(any_store, tables, "p0")
    failing = any_store.put_ticket(Ticket("p1", "P1", "pool", 2, 2, 1500, 50), refuse, tables.make)
    answers = await asyncio.gather(
        failing, *(put(any_store, tables, person) for person in people[2:]), return_exceptions=True
    )
    assert isinstance(answers[0], Exception)
    assert all(isinstance(answer, TicketState) for answer in answers[1:])
    assert await any_store.ticket_of("p1") is None
    assert (await put(any_store, tables, "p0")).table


async def test_a_game_that_is_over_ends_the_search_and_a_new_one_may_begin(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    await put(any_store, tables, "ann")
    table = (await put(any_store, tables, "ben")).table
    await move(any_store, table, "over", "ann", "ben")
    looked = await any_store.look_at_ticket("ann")
    assert looked is not None
    assert (looked.table, looked.playing) == (table, True), "it was played: nobody waits again by themselves"
    assert (await put(any_store, tables, "ann")).waiting == 1
    again = await any_store.look_at_ticket("ann")
    assert again is not None
    assert (again.table, again.waiting) == ("", 1)


async def test_a_ticket_is_looked_at_and_stays_as_it_is(any_store: Store) -> None:
    tables = Tables()
    await come(any_store, "ann", "ben")
    assert await any_store.look_at_ticket("ann") is None
    first = await put(any_store, tables, "ann")
    assert await any_store.look_at_ticket("ann") == first
    found = await put(any_store, tables, "ben")
    looked = await any_store.look_at_ticket("ann")
    assert looked == found._replace(is_new=False, since=first.since, made_at=OPEN.created_at)
    await move(any_store, found.table, "closed", "ann")
    assert await any_store.look_at_ticket("ann") is None


async def test_the_room_reads_who_was_seen_and_when_games_ended(any_store: Store) -> None:
    await come(any_store, "ann")
    await any_store.append(creation("T"))
    await move(any_store, "T", "playing", "ann")
    assert not await any_store.was_seen("ann", 0)
    seen = await any_store.mark_seen("T", [1], 5)
    assert await any_store.was_seen("ann", seen[1] - 1)
    assert not await any_store.was_seen("ann", seen[1])
    assert await any_store.ends_since(0, 10) == []
