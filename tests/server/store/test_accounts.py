"""People, keys, seat tokens, invites, subscriptions and single values."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.store.base import Store, StoreFailed
from facedown.server.store.values import Person, SeatHolder, Subscription
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio


async def test_people_have_names_that_may_change(any_store: Store) -> None:
    assert await any_store.person("p1") is None
    await any_store.add_person("p1", "Ann", 5)
    assert await any_store.person("p1") == Person("p1", "Ann", 5)
    await any_store.rename("p1", "Anna")
    assert await any_store.person("p1") == Person("p1", "Anna", 5)
    with pytest.raises(StoreFailed):
        await any_store.add_person("p1", "Other", 6)
    assert await any_store.person("p1") == Person("p1", "Anna", 5)


async def test_a_key_stands_for_a_person_until_it_expires_or_is_dropped(any_store: Store) -> None:
    await any_store.add_person("p1", "Ann", 5)
    await any_store.add_key(b"k1", "p1", "session", 5, 100)
    await any_store.add_key(b"k2", "p1", "bearer", 5, None)
    ann = Person("p1", "Ann", 5)
    assert await any_store.person_of(b"k1", "session", 99) == ann
    assert await any_store.person_of(b"k1", "session", 100) is None
    assert await any_store.person_of(b"k1", "bearer", 99) is None
    assert await any_store.person_of(b"no", "session", 99) is None
    assert await any_store.person_of(b"k2", "bearer", 1 << 50) == ann
    await any_store.drop_key(b"k2")
    assert await any_store.person_of(b"k2", "bearer", 6) is None


async def test_an_expired_key_is_refused_but_not_deleted(any_store: Store) -> None:
    """The clock may be wrong: what has expired is cleared away later, by the rules of forgetting."""
    await any_store.add_person("p1", "Ann", 5)
    await any_store.add_key(b"k1", "p1", "handover", 5, 100)
    await any_store.add_key(b"k2", "p1", "handover", 100, 200)
    assert await any_store.person_of(b"k1", "handover", 150) is None
    assert await any_store.person_of(b"k1", "handover", 50) is not None


async def test_a_one_time_key_is_taken_once(any_store: Store) -> None:
    await any_store.add_person("p1", "Ann", 5)
    await any_store.add_key(b"k1", "p1", "handover", 5, 100)
    await any_store.add_key(b"k2", "p1", "handover", 5, 100)
    assert await any_store.take_key(b"k1", "session", 6) is None  # of another kind: it stays
    taken = await asyncio.gather(*(any_store.take_key(b"k1", "handover", 6) for _ in range(20)))
    assert [each for each in taken if each] == [Person("p1", "Ann", 5)]
    assert await any_store.take_key(b"k2", "handover", 100) is None


async def seated(any_store: Store) -> None:
    seats = (SeatHolder(1, "ann", b"t0"), SeatHolder(2, "ben", b"u0"))
    await any_store.append(creation("T")._replace(seats=seats))


async def test_a_seat_token_names_seat_and_person(any_store: Store) -> None:
    await seated(any_store)
    assert await any_store.seat_of("T", b"t0") == (1, "ann")
    assert await any_store.seat_of("T", b"u0") == (2, "ben")
    assert await any_store.seat_of("U", b"t0") is None
    assert await any_store.seat_of("T", b"") is None


async def test_the_old_token_dies_with_the_first_use_of_the_new_one(any_store: Store) -> None:
    await seated(any_store)
    await any_store.rotate_seat_token("T", 1, b"t1")
    assert await any_store.seat_of("T", b"t0") == (1, "ann")
    assert await any_store.seat_of("T", b"t0") == (1, "ann")
    assert await any_store.seat_of("T", b"t1") == (1, "ann")
    assert await any_store.seat_of("T", b"t0") is None
    assert await any_store.seat_of("T", b"t1") == (1, "ann")
    assert await any_store.seat_of("T", b"u0") == (2, "ben")


async def test_a_new_token_that_never_arrived_locks_no_player_out(any_store: Store) -> None:
    await seated(any_store)
    await any_store.rotate_seat_token("T", 1, b"lost")
    await any_store.rotate_seat_token("T", 1, b"t2")
    assert await any_store.seat_of("T", b"t0") == (1, "ann")
    assert await any_store.seat_of("T", b"lost") is None
    assert await any_store.seat_of("T", b"t2") == (1, "ann")
    assert await any_store.seat_of("T", b"t0") is None


async def test_the_next_holder_of_a_seat_invalidates_old_tokens(any_store: Store) -> None:
    await seated(any_store)
    await any_store.rotate_seat_token("T", 1, b"t1")
    seats = (SeatHolder(1, "eve", b"e0"),)
    await any_store.append(creation("T")._replace(head=1, rows=(), seats=seats))
    assert await any_store.seat_of("T", b"t0") is None
    assert await any_store.seat_of("T", b"t1") is None
    assert await any_store.seat_of("T", b"e0") == (1, "eve")


async def test_a_table_has_one_invite(any_store: Store) -> None:
    assert await any_store.invite_of("T") is None
    await any_store.set_invite("T", "ONE")
    await any_store.set_invite("T", "TWO")
    assert await any_store.invite_of("T") == "TWO"
    assert await any_store.table_of_invite("ONE") is None
    assert await any_store.table_of_invite("TWO") == "T"
    with pytest.raises(StoreFailed):
        await any_store.set_invite("U", "TWO")
    assert await any_store.table_of_invite("TWO") == "T"
    await any_store.set_invite("T", None)
    assert await any_store.invite_of("T") is None
    assert await any_store.table_of_invite("TWO") is None


async def test_subscriptions(any_store: Store) -> None:
    phone, desk = Subscription("https://a/1", "p", "a"), Subscription("https://b/2", "q", "b")
    await any_store.subscribe("ann", phone)
    await any_store.subscribe("ann", desk)
    assert await any_store.subscriptions("ann") == [phone, desk]
    await any_store.subscribe("ben", desk)  # the same browser, another person
    assert await any_store.subscriptions("ann") == [phone]
    await any_store.unsubscribe("ann", desk.endpoint)  # not hers any more
    assert await any_store.subscriptions("ben") == [desk]
    await any_store.unsubscribe("ann")
    await any_store.unsubscribe("ben", desk.endpoint)
    assert await any_store.subscriptions("ann") == await any_store.subscriptions("ben") == []


async def test_single_values(any_store: Store) -> None:
    assert await any_store.get_value("heartbeat") is None
    await any_store.set_value("heartbeat", b"1")
    await any_store.set_value("heartbeat", b"2")
    assert await any_store.get_value("heartbeat") == b"2"
