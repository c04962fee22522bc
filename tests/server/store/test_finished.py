"""Finished games in both stores: each is folded into ratings once, and noted for its players once."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import Sequence

import pytest

from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.profiles import COURSE, Shows, StoredResult
from facedown.server.store.values import (
    KEPT,
    LATEST,
    EndedGame,
    ForgetBefore,
    KnownRatings,
    MetPair,
    Outcome,
    PlayedSeat,
    StoredRating,
)
from tests import postgresql
from tests.server.store.steps import OVER, end_game

pytestmark = pytest.mark.anyio

FORGET = ForgetBefore(0, 0, 0, 0, 0)

# --- ratings ---------------------------------------------------------------------------------------------


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


async def test_games_are_given_once_and_in_an_order_that_stays(any_store: Store) -> None:
    fold = Counting()
    assert await any_store.rate(fold, 9) == 0
    for table in "BAC":
        await end_game(any_store, table, "ann", f"ben {table}")
        assert await any_store.rate(fold, 9) == 1
    await end_game(any_store, "D", "ann")
    await end_game(any_store, "E", "ann")
    assert [await any_store.rate(fold, 1) for _ in range(3)] == [1, 1, 0]
    assert [each.people[-1][1] for each in fold.given] == ["ben B", "ben A", "ben C", "ann", "ann"]
    assert fold.given[0].people == ((1, "ann"), (2, "ben B"))
    assert {(each.at, each.game, each.about) for each in fold.given} == {(50, OVER.game, OVER.about)}
    numbers = [each.number for each in fold.given]
    assert numbers == sorted(set(numbers))


async def test_ratings_are_kept_to_the_last_bit(any_store: Store) -> None:
    fold = Counting()
    for number in range(3):
        await end_game(any_store, f"T{number}", "ann", "ben")
    assert await any_store.rate(fold, 2) == 2
    assert await any_store.rate(fold, 2) == 1
    expected = [StoredRating("ann", OVER.game, n, 50, 25.0 + n / 3, 1 / 3) for n in (1, 2, 3)]
    assert await any_store.ratings("ann") == expected
    assert await any_store.ratings("unknown") == []


async def test_the_history_of_a_rating_is_limited(any_store: Store) -> None:
    await end_game(any_store, "T", "ann")
    games = KEPT + 5
    many = [StoredRating("ann", "ecard", n, n, 25.0, 8.0) for n in range(1, games + 1)]
    assert await any_store.rate(lambda *_: many, 9) == 1
    assert [each.games for each in await any_store.ratings("ann")] == list(range(6, games + 1))


async def test_a_failed_fold_is_repeated(any_store: Store) -> None:
    await end_game(any_store, "T", "ann")

    def fail(*_: object) -> list[StoredRating]:
        raise EOFError

    with pytest.raises(EOFError):
        await any_store.rate(fail, 9)
    assert await any_store.rate(Counting(), 9) == 1
    assert len(await any_store.ratings("ann")) == 1


async def test_concurrent_folds_fold_each_game_once(any_store: Store) -> None:
    for number in range(20):
        await end_game(any_store, f"T{number}", "ann", "ben")
    while sum(await asyncio.gather(*(any_store.rate(Counting(), 3) for _ in range(4)))):
        pass
    assert [each.games for each in await any_store.ratings("ann")] == list(range(1, 21))


async def test_games_that_another_server_has_folded_are_not_saved_again() -> None:
    url = postgresql.clean_database()
    one, two = open_store(url), open_store(url)
    begun, gate = threading.Event(), threading.Event()

    def slowly(ended: Sequence[EndedGame], known: KnownRatings) -> list[StoredRating]:
        begun.set()
        gate.wait()
        return Counting()(ended, known)

    try:
        await end_game(one, "T", "ann")
        slow = asyncio.create_task(one.rate(slowly, 9))
        await asyncio.to_thread(begun.wait)
        await end_game(two, "U", "ann", at=60)  # an append does not wait for the fold
        assert await two.rate(Counting(), 1) == 1
        gate.set()
        assert await slow == 0
        assert await one.rate(Counting(), 9) == 1
        assert await one.ratings("ann") == await two.ratings("ann")
        assert [each.games for each in await one.ratings("ann")] == [1, 2]
    finally:
        gate.set()
        await one.close()
        await two.close()


async def test_erasing_a_person_deletes_their_ratings_only(any_store: Store) -> None:
    for person in ("ann", "ben"):
        await any_store.add_person(person, person, 5)
    await end_game(any_store, "T", "ann", "ben")
    await any_store.rate(Counting(), 9)
    theirs = await any_store.ratings("ben")

    await any_store.erase_person("ann", "erased")

    assert await any_store.ratings("ann") == []
    assert await any_store.ratings("ben") == theirs
    await end_game(any_store, "late", "ann", "ben")  # it was over before, and is folded only now
    await any_store.forget(FORGET)
    await any_store.rate(Counting(), 9)
    assert await any_store.ratings("ann")
    await any_store.forget(FORGET)
    assert await any_store.ratings("ann") == []
    assert len(await any_store.ratings("ben")) == 2


# --- who played ------------------------------------------------------------------------------------------


class Finding:
    """Finds that the first seat won, and remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[EndedGame] = []

    def __call__(self, ended: Sequence[EndedGame]) -> list[PlayedSeat]:
        self.given.extend(ended)
        return [
            PlayedSeat(
                *(
                    person,
                    each.at,
                    each.table,
                    seat,
                    each.game,
                    _outcome(seat),
                    each.rules,
                    1 if seat == 1 else -1,
                ),
                tuple((other, _outcome(seat)) for _, other in each.people if other != person),
            )
            for each in ended
            for seat, person in each.people
        ]


def _outcome(seat: int) -> Outcome:
    return "won" if seat == 1 else "lost"


@pytest.fixture
async def store(any_store: Store) -> Store:
    """A store with two people."""
    for person in ("ann", "ben"):
        await any_store.add_person(person, person, 5)
    return any_store


async def test_the_latest_games_are_listed_and_all_are_counted(store: Store) -> None:
    await end_game(store, "B", "ann", "ben", at=30)
    await end_game(store, "A", "ben", "ann", at=10)
    await end_game(store, "C", "ann", "ben", at=20)
    await end_game(store, "D", "ann", game="davenport", at=40)
    assert await store.person_games("ann") == []
    assert await store.note_played(Finding(), 9) == 4

    listed = await store.person_games("ann", 3)

    assert [(each.id, each.seats) for each, _ in listed] == [("D", (1,)), ("B", (1,)), ("C", (1,))]
    assert listed[0][0].summary == dataclasses.replace(OVER, game="davenport")
    assert await store.person_games("unknown") == []
    assert await store.profiles.results("unknown") == []
    assert await store.profiles.results("ann") == [
        StoredResult("ecard", "classic", 1, 2, 0, 0),
        StoredResult("davenport", "classic", 1, 1, 0, 0),
        StoredResult("ecard", "classic", -1, 0, 0, 1),
    ]


async def test_games_are_listed_from_a_place_on_and_since_a_time(store: Store) -> None:
    for number, table in enumerate("ABCDE"):
        await end_game(store, table, "ann", "ben", at=10 * (number // 2))
    await store.note_played(Finding(), 9)

    found, place = [], LATEST
    while page := await store.person_games("ann", 2, place):
        found += [each.id for each, _ in page]
        place = page[-1][1]

    assert found == ["E", "D", "C", "B", "A"], "those that ended at the same time, by their tables"
    assert [each.id for each, _ in await store.person_games("ann", 9, LATEST, 20)] == ["E"]


async def test_games_against_each_other_are_counted_for_both(store: Store) -> None:
    await store.add_person("cy", "Cy", 5)
    for number, (one, other) in enumerate((("ann", "ben"), ("ben", "ann"), ("ann", "cy"), ("ann", "ben"))):
        await end_game(store, f"T{number}", one, other, at=number)
        await store.note_played(Finding(), 9)

    bens, cys = await store.profiles.rivals("ann")
    (anns,) = await store.profiles.rivals("ben")

    assert (bens.person, bens.name, bens.handle, bens.games) == ("ben", "ben", None, 3)
    assert (bens.won, bens.tied, bens.lost, bens.at, bens.course) == (2, 0, 1, 3, "wlw")
    assert (anns.won, anns.tied, anns.lost, anns.course) == (1, 0, 2, "lwl")
    assert (cys.person, cys.course) == ("cy", "w")
    await store.erase_person("cy", "gone")
    assert [each.person for each in await store.profiles.rivals("ann")] == ["ben"]


async def test_the_last_games_of_two_are_known_one_by_one(store: Store) -> None:
    for number in range(COURSE + 5):
        one, other = ("ann", "ben") if number >= 5 else ("ben", "ann")
        await end_game(store, f"T{number}", one, other, at=number)
        await store.note_played(Finding(), 9)
    (bens,) = await store.profiles.rivals("ann")
    assert (bens.games, bens.lost, bens.course) == (COURSE + 5, 5, "w" * COURSE)


async def test_handles_are_found_by_their_beginning(store: Store) -> None:
    for handle in ("anna", "annb", "an_c", "bea", "はなこ", "annz"):
        insert = "insert into accounts (person, handle, folded, skeleton, kept_at) values ($1, $2, $2, $3, 1)"
        await store._execute(insert, handle, handle, handle.encode())
    await store.profiles.show("annz", Shows.RATING)
    assert await store.profiles.find("an", "", 9) == ["an_c", "anna", "annb"]
    assert await store.profiles.find("an", "an_c", 1) == ["anna"]
    assert await store.profiles.find("は", "", 9) == ["はなこ"]
    assert await store.profiles.find("x", "", 9) == []


async def test_a_game_is_noted_once(store: Store) -> None:
    find = Finding()
    assert await store.note_played(find, 9) == 0
    for number, table in enumerate("CABD"):
        await end_game(store, table, "ann", "ben", at=number)
    assert [await store.note_played(find, 3) for _ in range(3)] == [3, 1, 0]
    assert sorted(each.table for each in find.given) == ["A", "B", "C", "D"]
    assert find.given[0].people == ((1, "ann"), (2, "ben"))
    assert await store.profiles.results("ben") == [StoredResult("ecard", "classic", -1, 0, 0, 4)]


async def test_concurrent_notes_count_each_game_once(store: Store) -> None:
    for number in range(20):
        await end_game(store, f"T{number}", "ann", "ben", at=number)
    while sum(await asyncio.gather(*(store.note_played(Finding(), 3) for _ in range(4)))):
        pass
    assert await store.profiles.results("ann") == [StoredResult("ecard", "classic", 1, 20, 0, 0)]
    (bens,) = await store.profiles.rivals("ann")
    assert (bens.games, bens.won) == (20, 20)


async def test_a_failed_note_is_repeated(store: Store) -> None:
    await end_game(store, "T", "ann", at=5)

    def fail(_: object) -> list[PlayedSeat]:
        raise EOFError

    with pytest.raises(EOFError):
        await store.note_played(fail, 9)
    assert await store.note_played(Finding(), 9) == 1
    assert len(await store.person_games("ann")) == 1


async def test_erasing_a_person_deletes_their_finished_games(store: Store) -> None:
    await end_game(store, "T", "ann", "ben", at=5)
    await end_game(store, "late", "ann", "ben", at=6)
    await store.note_played(Finding(), 1)

    await store.erase_person("ann", "erased")
    await store.note_played(Finding(), 9)

    assert await store.person_games("ann") == []
    assert await store.profiles.results("ann") == []
    assert await store.profiles.rivals("ben") == []
    assert len(await store.person_games("ben")) == 2


async def test_pairs_are_counted_beside_all_games_of_both(store: Store) -> None:
    await store.add_person("cleo", "Cleo", 5)
    for number in range(4):
        await end_game(store, f"P{number}", "ann", "ben", at=10 + number)
    await end_game(store, "Q", "ben", "cleo", at=20)
    await end_game(store, "R", "ann", "ben", "cleo", at=21)
    await end_game(store, "S", "ann", "cleo", at=2)
    await store.note_played(Finding(), 9)
    assert await store.ladders.met_pairs(5, 4) == [MetPair("ann", "ann", "ben", "ben", 4, 4, 4, 4, 5, 1)]
    assert await store.ladders.met_pairs(5, 5) == []
