"""Ratings in every store: games that ended are folded in one order, once, and what came out is kept."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Sequence

import pytest

from facedown.server.store import open_store
from facedown.server.store.base import Append, ForgetBefore, SeatHolder, Store
from facedown.server.store.finished import KEPT, EndedGame, KnownRatings, StoredRating
from tests import postgresql
from tests.server.store.steps import OPEN, made, row

pytestmark = pytest.mark.anyio

OVER = dataclasses.replace(OPEN, state="over")
FORGET = ForgetBefore(0, 0, 0, 0, 0)


class Counting:
    """A fold whose ratings say how many games there were, and that remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[EndedGame] = []

    def __call__(self, ended: Sequence[EndedGame], known: KnownRatings) -> list[StoredRating]:
        self.given.extend(ended)
        latest = {key: each.games for key, each in known.items()}
        found = []
        for each in ended:
            for _, person in each.people:
                games = latest[each.game, person] = latest.get((each.game, person), 0) + 1
                found.append(StoredRating(person, each.game, games, each.at, 25.0 + games / 3, 1 / 3))
        return found


async def end(store: Store, table: str, *people: str) -> None:
    """A game of these people that is over."""
    seats = tuple(SeatHolder(number, person, b"t") for number, person in enumerate(people, 1))
    await store.append(made(table)._replace(seats=seats))
    over = row(2)._replace(kind="over", at=50)
    await store.append(Append(table, 1, (over,), None, OVER))


async def test_games_are_given_once_and_in_an_order_that_stays(any_store: Store) -> None:
    fold = Counting()
    assert await any_store.rate(fold, 9) == 0
    for table in "BAC":
        await end(any_store, table, "ann", f"ben {table}")
        assert await any_store.rate(fold, 9) == 1
    await end(any_store, "D", "ann")
    await end(any_store, "E", "ann")
    assert [await any_store.rate(fold, 1) for _ in range(3)] == [1, 1, 0]
    assert [each.people[-1][1] for each in fold.given] == ["ben B", "ben A", "ben C", "ann", "ann"]
    assert fold.given[0].people == ((1, "ann"), (2, "ben B"))
    assert {(each.at, each.game, each.about) for each in fold.given} == {(50, OVER.game, OVER.about)}
    numbers = [each.number for each in fold.given]
    assert numbers == sorted(set(numbers))


async def test_what_came_out_is_kept_to_the_last_bit(any_store: Store) -> None:
    fold = Counting()
    for number in range(3):
        await end(any_store, f"T{number}", "ann", "ben")
    assert await any_store.rate(fold, 2) == 2
    assert await any_store.rate(fold, 2) == 1
    expected = [StoredRating("ann", OVER.game, n, 50, 25.0 + n / 3, 1 / 3) for n in (1, 2, 3)]
    assert await any_store.ratings("ann") == expected
    assert await any_store.ratings("nobody") == []


async def test_the_history_has_an_end(any_store: Store) -> None:
    await end(any_store, "T", "ann")
    games = KEPT + 5
    many = [StoredRating("ann", "ecard", n, n, 25.0, 8.0) for n in range(1, games + 1)]
    assert await any_store.rate(lambda *_: many, 9) == 1
    assert [each.games for each in await any_store.ratings("ann")] == list(range(6, games + 1))


async def test_a_fold_that_fails_is_done_again(any_store: Store) -> None:
    await end(any_store, "T", "ann")

    def fail(*_: object) -> list[StoredRating]:
        raise EOFError

    with pytest.raises(EOFError):
        await any_store.rate(fail, 9)
    assert await any_store.rate(Counting(), 9) == 1
    assert len(await any_store.ratings("ann")) == 1


async def test_whoever_folds_at_the_same_time_changes_nothing(any_store: Store) -> None:
    for number in range(20):
        await end(any_store, f"T{number}", "ann", "ben")
    while sum(await asyncio.gather(*(any_store.rate(Counting(), 3) for _ in range(4)))):
        pass
    assert [each.games for each in await any_store.ratings("ann")] == list(range(1, 21))


async def test_one_server_at_a_time_folds() -> None:
    url = postgresql.clean_database()
    one, two = open_store(url), open_store(url)
    begun, gate = threading.Event(), threading.Event()

    def slowly(ended: Sequence[EndedGame], known: KnownRatings) -> list[StoredRating]:
        begun.set()
        gate.wait()
        return Counting()(ended, known)

    try:
        await end(one, "T", "ann")
        slow = asyncio.create_task(one.rate(slowly, 9))
        await asyncio.to_thread(begun.wait)
        assert await two.rate(Counting(), 9) == 0
        await end(two, "U", "ann")  # nobody waits for the fold
        gate.set()
        assert await slow == 1
        assert await two.rate(Counting(), 9) == 1
        assert await one.ratings("ann") == await two.ratings("ann")
        assert [each.games for each in await one.ratings("ann")] == [1, 2]
    finally:
        gate.set()
        await one.close()
        await two.close()


async def test_whoever_is_erased_has_no_ratings_and_the_others_keep_theirs(any_store: Store) -> None:
    for person in ("ann", "ben"):
        await any_store.add_person(person, person, 5)
    await end(any_store, "T", "ann", "ben")
    await any_store.rate(Counting(), 9)
    theirs = await any_store.ratings("ben")

    await any_store.erase_person("ann", "somebody")

    assert await any_store.ratings("ann") == []
    assert await any_store.ratings("ben") == theirs
    await end(any_store, "late", "ann", "ben")  # it was over before, and is folded only now
    await any_store.forget(FORGET)
    await any_store.rate(Counting(), 9)
    assert await any_store.ratings("ann")
    await any_store.forget(FORGET)
    assert await any_store.ratings("ann") == []
    assert len(await any_store.ratings("ben")) == 2
