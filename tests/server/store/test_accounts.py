"""People, keys, accounts, seat tokens, invites, subscriptions and single values."""

from __future__ import annotations

import asyncio

import pytest

from facedown.server.store.accounts import (
    CodeDraft,
    SessionOrigin,
    StoredAccount,
    StoredHandover,
)
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.values import Person, SeatHolder, Subscription
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio


async def test_people_have_names_that_may_change(any_store: Store) -> None:
    assert await any_store.person("p1") is None
    await any_store.add_person("p1", "Ann", 5)
    assert await any_store.person("p1") == Person("p1", "Ann", 5)
    await any_store.accounts.rename("p1", "Anna")
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
    await any_store.add_key(b"k1", "p1", "browser", 5, 100)
    await any_store.add_key(b"k2", "p1", "browser", 100, 200)
    assert await any_store.person_of(b"k1", "browser", 150) is None
    assert await any_store.person_of(b"k1", "browser", 50) is not None


async def test_a_handover_is_claimed_once_and_makes_one_session(any_store: Store) -> None:
    rows = any_store.accounts
    await rows.add_handover(b"other", StoredHandover("p1", "s1", 90), 5)
    await rows.add_handover(b"code", StoredHandover("p1", "s1", 100), 6)
    device = ("Firefox", "Android")
    assert not await rows.claim_handover(b"code", b"x", 100, 200, "47", *device)
    claims = [rows.claim_handover(b"code", bytes([n]), 7, 107, f"{n:02d}", *device) for n in range(9)]
    claimed = (await asyncio.gather(*claims)).index(True)
    claim, digits = bytes([claimed]), f"{claimed:02d}"
    asking = StoredHandover("p1", "s1", 107, "claimed", digits, *device)
    await rows.add_handover(b"later", StoredHandover("p1", "s1", 200), 8)
    assert await rows.handover("p1", "s1", 8) == await rows.claimed_handover(claim) == asking
    assert await rows.handover("p1", "s1", 108) == StoredHandover("p1", "s1", 200)
    assert await rows.handover("p1", "s1", 200) is None

    async def take(now: int, key: bytes = b"key") -> str | None:
        return await any_store.take_handover(claim, now, key, "browser", None, SessionOrigin("public"))

    assert await take(8) is None  # no one has let it in
    assert not await rows.answer_handover("p1", "s2", digits, "allowed", 8)
    assert not await rows.answer_handover("p1", "s1", digits, "allowed", 107)
    assert await rows.answer_handover("p1", "s1", digits, "allowed", 8)
    assert not await rows.answer_handover("p1", "s1", digits, "refused", 8)
    assert await take(107) is None
    taken = await asyncio.gather(*(take(8, bytes([n])) for n in range(9)))
    assert sorted(filter(None, taken)) == ["p1"]
    made = await any_store._select("select person, made from keys where id = 'public'")
    assert [tuple(each) for each in made] == [("p1", "guest")]


async def test_an_account_is_kept_once_its_code_is_confirmed(any_store: Store) -> None:
    rows = any_store.accounts
    await rows.set_draft("p1", CodeDraft(b"old", b"first", "ann", b"ann", 4))
    await rows.set_draft("p1", CodeDraft(b"code", b"answer", "ann", b"ann", 5))
    assert await rows.draft("p1") == CodeDraft(b"code", b"answer", "ann", b"ann", 5)
    assert await rows.confirm_draft("p1", b"first", "ann", 6) is None
    assert not await rows.is_taken(b"ann")
    kept = StoredAccount("p1", "ann", b"code", 6)
    assert await rows.confirm_draft("p1", b"answer", "ann", 6) == kept
    assert await rows.by_handle("ann") == kept
    assert await rows.draft("p1") is None
    assert await rows.is_taken(b"ann")

    await rows.set_draft("p1", CodeDraft(b"new", b"answer", "", b"", 7))
    assert await rows.confirm_draft("p1", b"answer", "", 8) == StoredAccount("p1", "ann", b"new", 6)
    assert await rows.is_taken(b"ann")
    assert not await rows.is_taken(b"")


async def test_one_of_many_who_want_a_handle_gets_it_and_no_one_after_its_erasure(any_store: Store) -> None:
    rows, people = any_store.accounts, [f"p{number}" for number in range(8)]
    for person in people:
        await any_store.add_person(person, person, 5)
        await rows.set_draft(person, CodeDraft(b"code", b"answer", f"ann{person[1:]}", b"looks like ann", 5))

    kept = await asyncio.gather(
        *(rows.confirm_draft(person, b"answer", f"ann{person[1:]}", 6) for person in people)
    )

    (one,) = [each for each in kept if each is not None]
    await any_store.erase_person(one.person, "gone")
    assert await rows.account(one.person) is None
    other = next(person for person in people if person != one.person)
    await rows.set_draft(other, CodeDraft(b"code", b"answer", "ann", b"looks like ann", 7))
    assert await rows.confirm_draft(other, b"answer", "ann", 8) is None


async def test_sessions_end_alone_or_all_but_one(any_store: Store) -> None:
    rows = any_store.accounts
    await seated(any_store)
    for key in ("a", "b", "c"):
        await any_store.add_key(key.encode(), "ann", "program", 5, None, SessionOrigin(key))
        await any_store.subscribe("ann", Subscription(f"https://push/{key}", "p", "a"), key)
    await rows.end_session("eve", "a")  # not hers
    await rows.end_session("ann", "a")
    assert {each.id for each in await rows.sessions("ann")} == {"b", "c"}
    assert await any_store.seat_of("T", b"t0") is None
    assert await any_store.seat_of("T", b"u0") == (2, "ben")
    await rows.rotate(b"b", b"B")
    await rows.end_other_sessions("ann", b"B", b"new")
    assert [each.id for each in await rows.sessions("ann")] == ["b"]
    assert await any_store.subscriptions("ann") == []  # others may have known the session, too
    await any_store.subscribe("ann", Subscription("https://push/b", "p", "a"), "b")
    await any_store.drop_key(b"new")
    assert await any_store.subscriptions("ann") == []


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
