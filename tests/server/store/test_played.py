"""People's finished games in every store: each is noted once, the latest are listed, all are counted."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence

import pytest

from facedown.server.store.base import Append, SeatHolder, Store
from facedown.server.store.finished import EndedGame, Outcome, OutcomeCount, PlayedSeat
from tests.server.store.steps import OPEN, made, row

pytestmark = pytest.mark.anyio

OVER = dataclasses.replace(OPEN, state="over")


class Finding:
    """Finds that the first seat won, and remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[EndedGame] = []

    def __call__(self, ended: Sequence[EndedGame]) -> list[PlayedSeat]:
        self.given.extend(ended)
        return [
            PlayedSeat(person, each.at, each.table, seat, each.game, _outcome(seat))
            for each in ended
            for seat, person in each.people
        ]


def _outcome(seat: int) -> Outcome:
    return "won" if seat == 1 else "lost"


@pytest.fixture
async def store(any_store: Store) -> Store:
    """A store that knows two people."""
    for person in ("ann", "ben"):
        await any_store.add_person(person, person, 5)
    return any_store


async def end(store: Store, table: str, at: int, *people: str, game: str = "ecard") -> None:
    """A game of these people that is over."""
    seats = tuple(SeatHolder(number, person, b"t") for number, person in enumerate(people, 1))
    await store.append(made(table)._replace(seats=seats))
    over = row(2)._replace(kind="over", at=at)
    await store.append(Append(table, 1, (over,), None, dataclasses.replace(OVER, game=game)))


async def test_the_latest_games_are_listed_and_all_are_counted(store: Store) -> None:
    await end(store, "B", 30, "ann", "ben")
    await end(store, "A", 10, "ben", "ann")
    await end(store, "C", 20, "ann", "ben")
    await end(store, "D", 40, "ann", game="davenport")
    assert await store.person_games("ann") == []
    assert await store.note_played(Finding(), 9) == 4

    listed = await store.person_games("ann", 3)

    assert [(each.id, each.seats) for each in listed] == [("D", (1,)), ("B", (1,)), ("C", (1,))]
    assert listed[0].summary == dataclasses.replace(OVER, game="davenport")
    assert await store.person_games("nobody") == []
    assert await store.outcomes("nobody") == []
    assert await store.outcomes("ann") == [
        OutcomeCount("davenport", "won", 1),
        OutcomeCount("ecard", "lost", 1),
        OutcomeCount("ecard", "won", 2),
    ]


async def test_a_game_is_noted_once(store: Store) -> None:
    find = Finding()
    assert await store.note_played(find, 9) == 0
    for number, table in enumerate("CABD"):
        await end(store, table, number, "ann", "ben")
    assert [await store.note_played(find, 3) for _ in range(3)] == [3, 1, 0]
    assert sorted(each.table for each in find.given) == ["A", "B", "C", "D"]
    assert find.given[0].people == ((1, "ann"), (2, "ben"))
    assert await store.outcomes("ben") == [OutcomeCount("ecard", "lost", 4)]


async def test_whoever_notes_at_the_same_time_counts_nothing_twice(store: Store) -> None:
    for number in range(20):
        await end(store, f"T{number}", number, "ann", "ben")
    while sum(await asyncio.gather(*(store.note_played(Finding(), 3) for _ in range(4)))):
        pass
    assert await store.outcomes("ann") == [OutcomeCount("ecard", "won", 20)]


async def test_what_fails_is_noted_later(store: Store) -> None:
    await end(store, "T", 5, "ann")

    def fail(_: object) -> list[PlayedSeat]:
        raise EOFError

    with pytest.raises(EOFError):
        await store.note_played(fail, 9)
    assert await store.note_played(Finding(), 9) == 1
    assert len(await store.person_games("ann")) == 1


async def test_games_of_whoever_is_erased_are_nobodys(store: Store) -> None:
    await end(store, "T", 5, "ann", "ben")
    await end(store, "late", 6, "ann", "ben")
    await store.note_played(Finding(), 1)

    await store.erase_person("ann", "somebody")
    await store.note_played(Finding(), 9)

    assert await store.person_games("ann") == []
    assert await store.outcomes("ann") == []
    assert len(await store.person_games("ben")) == 2
