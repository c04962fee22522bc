"""Contacts in both stores: following, people met, challenges and what notices follow from."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from facedown.server.store import contacts
from facedown.server.store.base import Store
from facedown.server.store.values import Append, Notice, PlayedSeat, Relation
from tests.server.store.steps import creation, end_game, waiting_notices

pytestmark = pytest.mark.anyio
_numbers = count()


def make() -> Append:
    return creation(f"C{next(_numbers)}")


async def come(store: Store, *people: str) -> None:
    for person in people:
        await store.add_person(person, person.title(), 1)


async def challenge(store: Store, person: str, other: str) -> str:
    """The reason why a challenge is refused, or the word "made"."""
    answer = await store.challenge(person, other, make)
    return "made" if isinstance(answer, Append) else answer


async def test_following(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = any_store.contacts
    await come(any_store, "ann", "ben", "cleo")
    assert await rows.follow("ann", "ben", 5)
    assert await rows.follow("ann", "ben", 6), "twice is once"
    assert not await rows.follow("ann", "nobody", 5)
    await rows.follow("ben", "ann", 7)
    await rows.change_contact("ben", here=1)
    (found,) = await rows.followed("ann")
    assert found[1:] == ("ben", "Ben", "", 5, True, 1, 0, 0, 0)
    assert await any_store.relations() == [], "a mute or block is something else"
    monkeypatch.setattr(contacts, "MOST_FOLLOWED", 1)
    assert not await rows.follow("ann", "cleo", 8)
    await rows.unfollow("ben", found.id)
    assert len(await rows.followed("ann")) == 1, "only one's own"
    await rows.unfollow("ann", found.id)
    assert await rows.followed("ann") == []


async def test_a_block_ends_following_on_both_sides(any_store: Store) -> None:
    rows = any_store.contacts
    await come(any_store, "ann", "ben")
    await rows.follow("ann", "ben", 5)
    await rows.follow("ben", "ann", 5)
    assert await challenge(any_store, "ben", "ann") == "made"
    await any_store.relate(Relation(0, "ann", "ben", "block", "Ben", 6))
    assert await rows.received_challenges("ann") == []
    assert await rows.followed("ann") == await rows.followed("ben") == []
    assert not await rows.follow("ann", "ben", 7)
    assert [each.kind for each in await any_store.relations()] == ["block"]


async def test_people_met_and_games_that_ended(any_store: Store) -> None:
    await come(any_store, "ann", "ben")
    await end_game(any_store, "T", "ann", "ben", at=200_000)
    await any_store.note_played(
        lambda ended: [
            PlayedSeat("ann", 200_000, "T", 1, "ecard", "won", against=(("ben", "won"),)),
            PlayedSeat("ben", 200_000, "T", 2, "ecard", "lost", against=(("ann", "lost"),)),
        ],
        10,
    )
    (met,) = await any_store.contacts.met("ann")
    assert met == ("ben", "Ben", "", 200_000, "T", 2, 1, 0, 1)
    (ended,) = await any_store.contacts.ended_away("ann", 100)
    assert ended[:4] == ("T", 1, "ecard", 200_000)
    assert await any_store.contacts.ended_away("ann", 200_000) == []
    await any_store.erase_person("ben", "gone")
    assert await any_store.contacts.met("ann") == []


async def test_challenges_are_limited(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await come(any_store, "ann", "ben", "cleo", "dan")
    assert await challenge(any_store, "ann", "nobody") == "gone"
    together = [challenge(any_store, "ann", "ben") for _ in range(4)]
    assert sorted(await asyncio.gather(*together)) == ["made", "waiting", "waiting", "waiting"]
    monkeypatch.setattr(contacts, "MOST_SENT", 1)
    assert await challenge(any_store, "ann", "cleo") == "sent"
    monkeypatch.setattr(contacts, "MOST_RECEIVED", 1)
    assert await challenge(any_store, "dan", "ben") == "received"
    await any_store.relate(Relation(0, "cleo", "dan", "block", "Dan", 6))
    assert await challenge(any_store, "dan", "cleo") == "refused"
    await any_store.contacts.change_contact("dan", challenges="followed")
    assert await challenge(any_store, "ben", "dan") == "refused"
    await any_store.contacts.follow("dan", "ben", 7)
    assert await challenge(any_store, "ben", "dan") == "made"


async def test_answers_to_challenges(any_store: Store) -> None:
    rows = any_store.contacts
    await come(any_store, "ann", "ben", "cleo")
    for other in ("ben", "cleo"):
        await challenge(any_store, "ann", other)
    (asked,) = await rows.received_challenges("ben")
    (declined,) = await rows.received_challenges("cleo")
    assert (asked.name, asked.game, asked.answer) == ("Ann", "ecard", "")
    assert await rows.answer_challenge(asked.table, "cleo", "accepted", 50) is None, "it is not theirs"
    assert await rows.answer_challenge(asked.table, "ben", "accepted", 50) == "ann"
    assert await rows.answer_challenge(asked.table, "ben", "declined", 60) is None, "once"
    at = await any_store.time()
    assert await rows.answer_challenge(declined.table, "cleo", "declined", at) == "ann"
    answers = {each.name: each.answer for each in await rows.answered_challenges("ann", 0)}
    assert answers == {"Ben": "accepted", "Cleo": "declined"}
    assert await challenge(any_store, "ann", "cleo") == "again"
    assert await challenge(any_store, "cleo", "ann") == "made"
    assert len(await rows.challenges_of("ann")) == 3
    await any_store.erase_person("cleo", "gone")
    assert len(await rows.challenges_of("ann")) == 1


async def test_notices_are_read_and_queued(any_store: Store) -> None:
    rows = any_store.contacts
    await come(any_store, "ann")
    await rows.change_contact("ann", here=1)
    for at in (5, 9, 7):
        await rows.mark_read("ann", at)
    assert await rows.contact("ann") == (1, "anyone", 9)
    for _ in range(2):
        await rows.queue_notice(Notice("ann", "T", 0, "accepted"))
    assert [notice.kind for _, notice in await waiting_notices(any_store)] == ["accepted"]
