"""Standings in both stores: places, ranks, and the counts from which ranks come."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from facedown.server.store.base import Store
from facedown.server.store.profiles import Shows
from facedown.server.store.standings import StoredStanding
from facedown.server.store.values import Relation, StoredRating
from tests.server.store.steps import end_game

pytestmark = pytest.mark.anyio
GAME = "ecard"
_tables = iter(range(1_000_000))


async def keep(store: Store, person: str) -> None:
    """A person with an account."""
    await store.add_person(person, person.title(), 1)
    insert = "insert into accounts (person, handle, folded, skeleton, kept_at) values ($1, $2, $2, $3, 1)"
    await store._execute(insert, person, f"the {person}", person.encode())


async def stand(store: Store, points: dict[str, int], *, listed: bool = True) -> None:
    """A finished game after which these people have these points."""
    games = next(_tables)
    await end_game(store, f"T{games}", *points)
    rows = [StoredRating(person, GAME, games + 1, 50, float(each), 1.0) for person, each in points.items()]
    await store.rate(
        lambda ended, known: rows,
        9,
        lambda row: StoredStanding(GAME, row.person, round(row.mean), 90, row.games, row.at, int(listed)),
    )


async def ranks(store: Store) -> dict[str, int]:
    return {each.person: each.rank for each in await store.ladders.top(GAME)}


async def check_counts(store: Store) -> None:
    """The counts are those of the rows, whatever was done to them."""
    rows = await store._select("select points from standings where listed = 1 and game = $1", GAME)
    counts = await store._select("select points, people from levels where people <> 0 and game = $1", GAME)
    assert dict(map(tuple, counts)) == Counter(points for (points,) in rows)
    assert await store.ladders.people_listed(GAME) == len(rows)


async def test_people_with_the_most_points_come_first_and_equals_share_a_rank(any_store: Store) -> None:
    for person in ("ann", "ben", "cy", "di"):
        await keep(any_store, person)
    await stand(any_store, {"ann": 1600, "ben": 1700})
    await stand(any_store, {"cy": 1600, "di": 1500})
    assert await ranks(any_store) == {"ben": 1, "ann": 2, "cy": 2, "di": 4}
    (first,) = await any_store.ladders.top(GAME, 1)
    assert (first.handle, first.points, first.error) == ("the ben", 1700, 90)
    await stand(any_store, {"ben": 1400, "di": 1650})
    assert await ranks(any_store) == {"di": 1, "ann": 2, "cy": 2, "ben": 4}
    await check_counts(any_store)


async def test_only_people_with_an_account_and_a_certain_rating_are_listed(any_store: Store) -> None:
    await keep(any_store, "ann")
    await any_store.add_person("guest", "Guest", 1)
    await stand(any_store, {"ann": 1600, "guest": 1700})
    assert await ranks(any_store) == {"ann": 1}
    (own,) = await any_store.ladders.own_standings("guest")
    assert (own.points, own.listed) == (1700, 0)
    await stand(any_store, {"ann": 1610}, listed=False)
    assert await ranks(any_store) == {}
    await check_counts(any_store)


async def test_the_people_around_a_person(any_store: Store) -> None:
    for number in range(20):
        await keep(any_store, f"p{number:02}")
        await stand(any_store, {f"p{number:02}": 1500 + number // 2})
    (own,) = await any_store.ladders.own_standings("p10")
    around = await any_store.ladders.around(GAME, "p10", own.points)
    assert len(around) == 11
    assert [each.points for each in around] == sorted((each.points for each in around), reverse=True)
    assert around[5].person == "p10"
    assert around[5].rank == own.rank == 9
    assert len(await any_store.ladders.around(GAME, "p19", 1509)) == 6


async def test_the_people_whom_a_person_follows(any_store: Store) -> None:
    for number, person in enumerate(("ann", "ben", "cy", "di")):
        await keep(any_store, person)
        await stand(any_store, {person: 1500 + 10 * (number // 2)})
    for other in ("ben", "cy"):
        await any_store.relate(Relation(0, "ann", other, "follow", other, 5))
    await any_store.relate(Relation(0, "ann", "di", "block", "di", 5))

    found = await any_store.profiles.friends_standings(GAME, "ann")

    assert [(each.person, each.rank) for each in found] == [("cy", 1), ("ben", 2), ("ann", 2)]
    await any_store.profiles.show("cy", Shows.PAGE)
    assert [each.person for each in await any_store.profiles.friends_standings(GAME, "ann")] == ["ben", "ann"]
    assert "cy" not in await ranks(any_store)
    await check_counts(any_store)
    await any_store.profiles.show("cy", Shows.PAGE | Shows.RATING)
    assert (await ranks(any_store))["cy"] == 1
    await check_counts(any_store)


async def test_counts_hold_whatever_happens(any_store: Store) -> None:
    source = random.Random(27)
    people = [f"p{number}" for number in range(8)]
    for person in people:
        await keep(any_store, person)
    for _ in range(25):
        one, other = source.sample(people, 2)
        changed = {one: source.randint(1495, 1505), other: source.randint(1495, 1505)}
        await stand(any_store, changed, listed=source.random() < 0.8)
    await any_store.erase_person("p3", "gone")
    assert "p3" not in await ranks(any_store)
    await check_counts(any_store)
