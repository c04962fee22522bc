"""People, keys, seat tokens, invites, first answers, subscriptions and small facts."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from facedown.server.store.base import Person, SeatHolder, StoreFailed, Subscription
from facedown.server.store.sqlite import SqliteStore
from tests.server.store.steps import made

pytestmark = pytest.mark.anyio


async def test_people_have_names_that_may_change(store: SqliteStore) -> None:
    assert await store.person("p1") is None
    await store.add_person("p1", "Ann", 5)
    assert await store.person("p1") == Person("p1", "Ann", 5)
    await store.rename("p1", "Anna")
    assert await store.person("p1") == Person("p1", "Anna", 5)
    with pytest.raises(StoreFailed):
        await store.add_person("p1", "Other", 6)
    assert await store.person("p1") == Person("p1", "Anna", 5)


async def test_a_key_stands_for_a_person_until_it_expires_or_is_dropped(store: SqliteStore) -> None:
    await store.add_person("p1", "Ann", 5)
    await store.add_key(b"k1", "p1", "session", 5, 100)
    await store.add_key(b"k2", "p1", "bearer", 5, None)
    ann = Person("p1", "Ann", 5)
    assert await store.person_of(b"k1", "session", 99) == ann
    assert await store.person_of(b"k1", "session", 100) is None
    assert await store.person_of(b"k1", "bearer", 99) is None
    assert await store.person_of(b"no", "session", 99) is None
    assert await store.person_of(b"k2", "bearer", 1 << 50) == ann
    await store.drop_key(b"k2")
    assert await store.person_of(b"k2", "bearer", 6) is None


async def test_expired_keys_are_cleared_away(store: SqliteStore) -> None:
    await store.add_person("p1", "Ann", 5)
    await store.add_key(b"k1", "p1", "handover", 5, 100)
    await store.add_key(b"k2", "p1", "handover", 100, 200)
    kept = await store.read(lambda connection: connection.execute("select hash from keys").fetchall())
    assert kept == [(b"k2",)]


async def test_a_one_time_key_is_taken_once(store: SqliteStore) -> None:
    await store.add_person("p1", "Ann", 5)
    await store.add_key(b"k1", "p1", "handover", 5, 100)
    await store.add_key(b"k2", "p1", "handover", 5, 100)
    assert await store.take_key(b"k1", "session", 6) is None  # of another kind: it stays
    taken = await asyncio.gather(*(store.take_key(b"k1", "handover", 6) for _ in range(20)))
    assert [each for each in taken if each] == [Person("p1", "Ann", 5)]
    assert await store.take_key(b"k2", "handover", 100) is None


async def seated(store: SqliteStore) -> None:
    seats = (SeatHolder(1, "ann", b"t0"), SeatHolder(2, "ben", b"u0"))
    await store.append(dataclasses.replace(made("T"), seats=seats))


async def test_a_seat_token_names_seat_and_person(store: SqliteStore) -> None:
    await seated(store)
    assert await store.seat_of("T", b"t0") == (1, "ann")
    assert await store.seat_of("T", b"u0") == (2, "ben")
    assert await store.seat_of("U", b"t0") is None
    assert await store.seat_of("T", b"") is None


async def test_the_old_token_dies_with_the_first_use_of_the_new_one(store: SqliteStore) -> None:
    await seated(store)
    await store.rotate_seat_token("T", 1, b"t1")
    assert await store.seat_of("T", b"t0") == (1, "ann")
    assert await store.seat_of("T", b"t0") == (1, "ann")
    assert await store.seat_of("T", b"t1") == (1, "ann")
    assert await store.seat_of("T", b"t0") is None
    assert await store.seat_of("T", b"t1") == (1, "ann")
    assert await store.seat_of("T", b"u0") == (2, "ben")


async def test_a_new_token_that_never_arrived_does_not_lock_anybody_out(store: SqliteStore) -> None:
    await seated(store)
    await store.rotate_seat_token("T", 1, b"lost")
    await store.rotate_seat_token("T", 1, b"t2")
    assert await store.seat_of("T", b"t0") == (1, "ann")
    assert await store.seat_of("T", b"lost") is None
    assert await store.seat_of("T", b"t2") == (1, "ann")
    assert await store.seat_of("T", b"t0") is None


async def test_whoever_sits_down_next_leaves_no_old_token_valid(store: SqliteStore) -> None:
    await seated(store)
    await store.rotate_seat_token("T", 1, b"t1")
    seats = (SeatHolder(1, "eve", b"e0"),)
    await store.append(dataclasses.replace(made("T"), head=1, rows=(), seats=seats))
    assert await store.seat_of("T", b"t0") is None
    assert await store.seat_of("T", b"t1") is None
    assert await store.seat_of("T", b"e0") == (1, "eve")


async def test_a_table_has_one_invite(store: SqliteStore) -> None:
    assert await store.invite_of("T") is None
    await store.set_invite("T", "ONE")
    await store.set_invite("T", "TWO")
    assert await store.invite_of("T") == "TWO"
    assert await store.table_of_invite("ONE") is None
    assert await store.table_of_invite("TWO") == "T"
    with pytest.raises(StoreFailed):
        await store.set_invite("U", "TWO")
    assert await store.table_of_invite("TWO") == "T"
    await store.set_invite("T", None)
    assert await store.invite_of("T") is None
    assert await store.table_of_invite("TWO") is None


async def test_subscriptions(store: SqliteStore) -> None:
    phone, desk = Subscription("https://a/1", "p", "a"), Subscription("https://b/2", "q", "b")
    await store.subscribe("ann", phone)
    await store.subscribe("ann", desk)
    assert await store.subscriptions("ann") == [phone, desk]
    await store.subscribe("ben", desk)  # the same browser, somebody else
    assert await store.subscriptions("ann") == [phone]
    await store.unsubscribe("ann", desk.endpoint)  # not hers any more
    assert await store.subscriptions("ben") == [desk]
    await store.unsubscribe("ann")
    await store.unsubscribe("ben", desk.endpoint)
    assert await store.subscriptions("ann") == await store.subscriptions("ben") == []


async def test_small_facts(store: SqliteStore) -> None:
    assert await store.get_value("heartbeat") is None
    await store.set_value("heartbeat", b"1")
    await store.set_value("heartbeat", b"2")
    assert await store.get_value("heartbeat") == b"2"
