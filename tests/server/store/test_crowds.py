"""People's picks in both stores: counted once, shown in groups of twenty, forgotten with their people."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import facedown
from facedown.core.parts.explorer import PeoplesPicks
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.crowds import LEAST, CountedCard, SeatPick, ShownCrowd
from tests import postgresql
from tests.cli.command import run
from tests.server.store.steps import end_game

pytestmark = pytest.mark.anyio

AT = "round=1,score=0:0,play=1"
NOTHING = ShownCrowd((), ())


async def add_people(store: Store, *people: str) -> None:
    for person in people:
        await store.add_person(person, person, 5)


async def picked(store: Store, person: str, *cards: str, table: str = "", side: int = 0) -> None:
    """A finished game in which a person picked these cards at one position; its picks are counted."""
    await end_game(store, table or f"{person}'s {len(await store.crowds.own(person))} {side}", person)
    (ended,) = await store.crowds.uncounted(9)
    assert await store.crowds.count(ended, [SeatPick(1, AT, side, card) for card in cards])


async def rate(store: Store, person: str, points: int, error: int = 100) -> None:
    query = """insert into standings (game, person, points, error, games, at, listed)
        values ('ecard', $1, $2, $3, 9, 9, 0)"""
    await store._execute(query, person, points, error)


async def shown(store: Store, band: str = "") -> ShownCrowd:
    return await store.crowds.at("ecard", "classic", AT, band)


def crowd_of(number: int, name: str = "p") -> list[str]:
    return [f"{name}{each}" for each in range(number)]


async def test_nothing_is_shown_before_the_twentieth_person(any_store: Store) -> None:
    people = crowd_of(LEAST)
    await add_people(any_store, *people)
    for person in people[:-1]:
        await picked(any_store, person, "E", "C", "C")
        assert await shown(any_store) == NOTHING
    await picked(any_store, people[0], "E", table="again")
    assert await shown(any_store) == NOTHING, "the same person again is not another one"
    await picked(any_store, people[-1], "C")

    assert await shown(any_store) == ShownCrowd(("new",), (PeoplesPicks(20, {"C": 39, "E": 20}),))
    assert await any_store.crowds.everywhere() == {
        ("ecard", "classic"): {AT: (PeoplesPicks(20, {"C": 39, "E": 20}),)}
    }
    assert await any_store.crowds.at("ecard", "classic(tie=pair)", AT) == NOTHING


async def test_what_is_shown_changes_by_twenty_people_at_a_time(any_store: Store) -> None:
    await add_people(any_store, *crowd_of(2 * LEAST))
    seen = []
    for person in crowd_of(2 * LEAST):
        await picked(any_store, person, "E")
        seen.append((await shown(any_store)).sides)

    assert set(seen[: LEAST - 1]) == {()}
    assert seen[LEAST - 1 : -1] == [(PeoplesPicks(20, {"E": 20}),)] * LEAST
    assert seen[-1] == (PeoplesPicks(40, {"E": 40}),)


async def test_a_band_is_shown_only_if_it_has_twenty_people_and_all_is_the_sum_of_such_bands(
    any_store: Store,
) -> None:
    strong, weak = crowd_of(LEAST, "strong"), crowd_of(LEAST - 1, "weak")
    await add_people(any_store, *strong, *weak, "new")
    for person in strong:
        await rate(any_store, person, 1700)
        await picked(any_store, person, "E")
    for person in weak:
        await rate(any_store, person, 1300)
        await picked(any_store, person, "C")
    await picked(any_store, "new", "C")

    only = ShownCrowd(("from_1600",), (PeoplesPicks(20, {"E": 20}),))
    assert await shown(any_store) == only, "the twenty others are of two bands"
    assert await shown(any_store, "from_1600") == only
    assert (await shown(any_store, "under_1400")).sides == ()
    await rate(any_store, "new", 1200)
    await picked(any_store, "new", "C", table="later")
    both = await shown(any_store)
    assert both == ShownCrowd(("under_1400", "from_1600"), (PeoplesPicks(40, {"C": 20, "E": 20}),))
    assert (await shown(any_store, "under_1400")).sides == (PeoplesPicks(20, {"C": 20}),)
    assert await any_store.crowds.band_of("ecard", "new") == "under_1400"
    assert await any_store.crowds.band_of("ecard", "unknown") == "new"


async def test_sides_are_counted_apart(any_store: Store) -> None:
    await add_people(any_store, *crowd_of(LEAST))
    for person in crowd_of(LEAST):
        await picked(any_store, person, "S", side=1)

    assert (await shown(any_store)).sides == (PeoplesPicks(0, {}), PeoplesPicks(20, {"S": 20}))


async def test_a_game_is_counted_once(any_store: Store) -> None:
    await add_people(any_store, "ann")
    await end_game(any_store, "T", "ann")
    (ended,) = await any_store.crowds.uncounted(9)
    counted = await asyncio.gather(
        *(any_store.crowds.count(ended, [SeatPick(1, AT, 0, "E")] * 2) for _ in range(3))
    )

    assert sorted(counted) == [False, False, True]
    assert await any_store.crowds.uncounted(9) == []
    assert await any_store.crowds.own("ann") == [CountedCard("ecard", "classic", AT, 0, 0, "E", 2)]


async def test_several_servers_show_no_pick_twice() -> None:
    url = postgresql.clean_database()
    stores = [open_store(url), open_store(url)]
    people = crowd_of(3 * LEAST)
    await add_people(stores[0], *people)
    for person in people:
        await end_game(stores[0], f"T {person}", person)

    async def count(store: Store) -> None:
        for ended in await store.crowds.uncounted(100):
            await store.crowds.count(ended, [SeatPick(1, AT, 0, "E")])

    await asyncio.gather(*map(count, stores))

    assert (await shown(stores[0])).sides == (PeoplesPicks(60, {"E": 60}),)
    for store in stores:
        await store.close()


_DIE = """
import asyncio, os, sys
from facedown.server.store import crowds, open_store

count = crowds._count

def die(*arguments):
    steps, rows = count(*arguments), None
    for _ in range(2):  # the game is marked, and its picks are counted
        rows = yield steps.send(rows)
    os._exit(9)

async def main():
    store = open_store(sys.argv[1])
    crowds._count = die
    (ended,) = await store.crowds.uncounted(9)
    await store.crowds.count(ended, [crowds.SeatPick(1, "round=1", 0, card) for card in "ABC"])

asyncio.run(main())
"""


async def test_a_server_that_is_killed_in_the_middle_has_counted_nothing(anywhere: str) -> None:
    store = open_store(anywhere)
    await add_people(store, "ann")
    await end_game(store, "T", "ann")
    before = await store.crowds.uncounted(9)
    await store.close()

    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", _DIE, anywhere)
    assert await killed.wait() == 9

    store = open_store(anywhere)
    assert await store.crowds.own("ann") == []
    assert await store.crowds.uncounted(9) == before
    assert await store.crowds.count(before[0], [SeatPick(1, AT, 0, "E")])
    assert len(await store.crowds.own("ann")) == 1
    await store.close()


async def test_an_erased_person_is_forgotten_and_their_picks_leave_with_the_next_change(
    any_store: Store,
) -> None:
    people = crowd_of(LEAST + 1)
    await add_people(any_store, *people)
    for person in people:
        await picked(any_store, person, "E" if person == "p0" else "C")
    before = await shown(any_store)
    assert before.sides == (PeoplesPicks(20, {"C": 19, "E": 1}),)

    await any_store.erase_person("p0", "gone")

    assert await any_store.crowds.own("p0") == []
    assert await shown(any_store) == NOTHING, "nineteen are left of those who are shown"
    for person in people[1:]:
        await picked(any_store, person, "C", table=f"later {person}")
    assert (await shown(any_store)).sides == (PeoplesPicks(20, {"C": 39, "E": 0}),)


async def test_erasing_one_of_many_shows_nothing_about_them(any_store: Store) -> None:
    people = crowd_of(2 * LEAST)
    await add_people(any_store, *people)
    for person in people:
        await picked(any_store, person, "E" if person == "p0" else "C")
    before = await shown(any_store)

    await any_store.erase_person("p0", "gone")

    assert await shown(any_store) == before, "a change would show what this person picked"
    for person in crowd_of(LEAST, "q"):
        await add_people(any_store, person)
        await picked(any_store, person, "C")
    assert (await shown(any_store)).sides == (PeoplesPicks(59, {"C": 59, "E": 0}),)


async def test_games_of_an_erased_person_are_not_counted(any_store: Store) -> None:
    await add_people(any_store, "ann")
    await end_game(any_store, "T", "ann")
    await any_store.erase_person("ann", "gone")
    (ended,) = await any_store.crowds.uncounted(9)

    assert await any_store.crowds.count(ended, [SeatPick(1, AT, 0, "E")])
    assert await any_store.crowds.own("ann") == []


async def test_a_person_with_two_seats_is_not_counted(any_store: Store) -> None:
    await add_people(any_store, "ann")
    await end_game(any_store, "T", "ann", "ann")
    (ended,) = await any_store.crowds.uncounted(9)

    assert await any_store.crowds.count(ended, [SeatPick(1, AT, 0, "E"), SeatPick(2, AT, 1, "S")])
    assert await any_store.crowds.own("ann") == []


async def test_a_guest_who_joins_an_account_is_one_person_with_it(any_store: Store) -> None:
    people = [*crowd_of(2 * LEAST - 2), "guest", "account"]
    await add_people(any_store, *people)
    for person in people:
        await picked(any_store, person, "E")
    await picked(any_store, "guest", "C", "C", table="later")
    assert (await shown(any_store)).sides == (PeoplesPicks(40, {"E": 40}),)

    await any_store.accounts.merge("guest", "account", 9)

    counts = {each.card: each.n for each in await any_store.crowds.own("account")}
    assert counts == {"C": 2, "E": 2}
    for person in crowd_of(LEAST - 1, "q"):
        await add_people(any_store, person)
        await picked(any_store, person, "C")
    assert (await shown(any_store)).sides == (PeoplesPicks(58, {"C": 21, "E": 40}),), "58 and not 59"


async def test_an_operator_prints_the_sums_and_has_them_counted_again(anywhere: str, tmp_path: Path) -> None:
    store = open_store(anywhere)
    await add_people(store, *crowd_of(LEAST))
    for person in crowd_of(LEAST):
        await picked(store, person, "E")
    await store.close()

    printed = await asyncio.to_thread(run, "store", "people", "--store", anywhere)
    (tmp_path / "people.json").write_text(printed.out)
    crowd = facedown.explore("ecard", "classic", people=tmp_path / "people.json").people
    assert [(each.people, each.picks[0].times) for each in crowd] == [(LEAST, LEAST)]
    again = await asyncio.to_thread(run, "store", "count-again", "--store", anywhere)
    assert (again.status, again.out[:9]) == (0, "The picks")

    store = open_store(anywhere)
    assert await shown(store) == NOTHING
    games = await store.crowds.uncounted(100)
    assert len(games) == LEAST
    for ended in games:
        await store.crowds.count(ended, [SeatPick(1, AT, 0, "C")])
    assert (await shown(store)).sides == (PeoplesPicks(20, {"C": 20}),)
    await store.close()
