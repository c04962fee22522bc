"""Tournaments of each kind to their end, through the real service and real tables; some people leave."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial

import msgspec
import pytest

from facedown.bots.find import bots_of
from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Ack, Cmd, Nak
from facedown.protocol.tournaments import NewTournament, TournamentEntry, TournamentOrder
from facedown.server.clock import MINUTE_MS, now
from facedown.server.forgetting import Forgetting
from facedown.server.store.base import Store
from facedown.server.store.values import Person
from facedown.server.table import commands
from facedown.server.table.actor import Actor
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from facedown.server.tournaments import service
from facedown.server.tournaments.facts import PlannedTable, Tournament
from facedown.server.tournaments.service import Tournaments
from tests.patience import PATIENCE
from tests.server.conftest import anywhere
from tests.server.playing import entropy_of
from tests.server.table.test_table import running_tables

__all__ = ["anywhere"]
pytestmark = pytest.mark.anyio
KINDS = ("arena", "rounds", "pairs")
"""`pairs` are rounds of two."""
_STEP_MS = MINUTE_MS
_STEPS = 60
"""Minutes after which a tournament hangs: an arena lasts ten, and waits half an hour for people."""
ENTER, PAUSE = TournamentEntry(), TournamentEntry(paused=True)


class Hall:
    """A server with a tournament, whose time and people the test moves."""

    def __init__(self, store: Store, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.tables = store, tables
        self.tournaments = Tournaments(store, tables)
        self.id = ""
        self.ahead = 0
        self.erased: set[int] = set()
        monkeypatch.setattr(service, "now", lambda: now() + self.ahead)

    async def open(self, kind: str, people: int, machines: tuple[str, ...] = ()) -> None:
        wanted = {
            "kind": "arena" if kind == "arena" else "rounds",
            "title": "Evening",
            "game": "davenport" if kind == "rounds" else "ecard",
            "starts_in": 0,
            "minutes": 10,
            "rounds": 3,
            "seats": 3 if kind == "rounds" else 2,
            "clock": {"kind": "decision"},
            "machines": machines,
        }
        made = await self.tournaments.create(None, msgspec.convert(wanted, NewTournament))
        self.id = made.id
        self.first = len(machines)
        for number in range(1, people + 1):
            person = self.person(self.first + number)
            await self.store.add_person(person.id, person.name, 1)
            assert await self.tournaments.enter(self.id, person, ENTER) == self.first + number

    def person(self, number: int) -> Person:
        return Person(f"P{number}", f"Person {number}", 1)

    async def state(self) -> Tournament:
        return await self.tournaments.load(self.id)

    async def step(self) -> Tournament:
        """A minute goes by: what is due is done, as it is claimed; nobody sits at two tables."""
        self.ahead += _STEP_MS
        due = "update tournaments set wake_at = 1 where wake_at is not null"
        await self.store._execute(due)
        await self.tournaments.run_due()
        assert not self.tables.backoff.failing
        state = await self.state()
        seated = Counter(number for each in state.tables.values() for number in each.numbers)
        assert set(seated.values()) <= {1}
        assert state.ended or await self.store._select("select 1 from tournaments where wake_at is not null")
        return state

    async def play(self, state: Tournament, absent: frozenset[int]) -> None:
        """Let all tables be played; those to which not everyone comes are closed, as their clocks do."""
        for planned in list(state.tables.values()):
            table = await self.tables.get(planned.table)
            if not await self._sit_down(table, planned, state, absent):
                await table.close("not everyone came")
                continue
            async with asyncio.timeout(PATIENCE):
                await self._play_out(table, planned, state)

    async def _sit_down(
        self, table: Table, planned: PlannedTable, state: Tournament, absent: frozenset[int]
    ) -> bool:
        people = [n for n in planned.numbers if not state.entrants[n].machine]
        for number in people:
            seat = 1 + planned.numbers.index(number)
            if number not in absent | self.erased:
                commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
                await table.join(seat, self.person(number), commit)
        if absent.union(self.erased) & set(people):
            return False
        for number in people:
            seat = 1 + planned.numbers.index(number)
            opened: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
            cmd = Cmd(f"open{seat}", "open", entropy=entropy_of(seat).hex())
            table.submit(seat, cmd, opened.set_result, person=f"P{number}", name=f"Person {number}")
            assert isinstance(await opened, Ack)
        return True

    async def _play_out(self, table: Table, planned: PlannedTable, state: Tournament) -> None:
        """The people resign, the last of them wins; machines play among themselves."""
        people = [n for n in planned.numbers if not state.entrants[n].machine]
        for number in people[:-1] if len(people) == len(planned.numbers) else people:
            if table.phase != "playing":
                break
            actor = Actor(1 + planned.numbers.index(number), f"P{number}", f"Person {number}")
            cmd = Cmd(f"r{number}", "resign", decision=table._state.match.decision)
            await table.inbox.transact(partial(commands.execute, actor=actor, cmd=cmd))
        while table.phase not in ("over", "closed"):
            await asyncio.sleep(0.005)
        await table.finish_writing()


@pytest.fixture
async def hall(anywhere: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hall]:
    async with running_tables(anywhere) as (store, tables):
        made = Hall(store, tables, monkeypatch)
        yield made
        await made.tournaments.close()


async def check_end(hall: Hall, state: Tournament) -> None:
    """Everyone has a place, equals share theirs, and no table is left waiting."""
    assert state.state == "over"
    places = sorted(state.places().values())
    assert len(places) == len(state.entrants)
    assert all(
        place in (index, before)
        for index, (place, before) in enumerate(zip(places, [0, *places[:-1]], strict=True), 1)
    )
    rows = await hall.store._select("select place, points from entrants where tournament_id = $1", hall.id)
    assert sorted(place for place, _ in rows) == places
    assert sum(points for _, points in rows) == sum(each.points for each in state.entrants.values())
    listed = await hall.store.tournaments.one(hall.id)
    assert listed is not None
    assert listed.state == "over"
    assert not [each.id for each in await hall.store.tables(state="open")]
    assert not await hall.store._select("select 1 from tournaments where wake_at is not null")


async def to_the_end(hall: Hall, leaving: bool) -> Tournament:
    people = [*(await hall.state()).entrants][hall.first :]
    absent = frozenset(people[1:2] if leaving else ())
    for step in range(_STEPS):
        state = await hall.step()
        if state.ended:
            return state
        if leaving and step == 1:
            for number in people[2:3]:
                await hall.tournaments.withdraw(hall.id, f"P{number}")
            for number in people[3:4]:
                await hall.tournaments.enter(hall.id, hall.person(number), PAUSE)
            for number in people[4:5]:
                await Forgetting(hall.store, hall.tables).erase(f"P{number}")
                hall.erased.add(number)
        await hall.play(state, absent)
    raise AssertionError("it hangs")


@pytest.mark.parametrize("people", [2, 3, 5, 12])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_tournament_ends_though_some_leave(hall: Hall, kind: str, people: int) -> None:
    await hall.open(kind, people)
    await check_end(hall, await to_the_end(hall, leaving=True))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tournament_with_machines_ends(hall: Hall, kind: str) -> None:
    game = "davenport" if kind == "rounds" else "ecard"
    await hall.open(kind, 3, tuple(bots_of(game))[:2])
    state = await to_the_end(hall, leaving=False)
    await check_end(hall, state)
    assert all(each.scores for each in state.entrants.values())


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tournament_that_all_have_left_ends(hall: Hall, kind: str) -> None:
    await hall.open(kind, 3)
    await hall.step()
    for number in (1, 2, 3):
        await hall.tournaments.withdraw(hall.id, f"P{number}")
    await check_end(hall, await to_the_end(hall, leaving=False))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tournament_to_which_nobody_comes_ends(hall: Hall, kind: str) -> None:
    await hall.open(kind, 5)
    for _ in range(_STEPS):
        state = await hall.step()
        if state.ended:
            break
        await hall.play(state, frozenset(state.entrants))
    await check_end(hall, state)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tournament_with_too_few_people_ends(hall: Hall, kind: str) -> None:
    await hall.open(kind, 1)
    for _ in range(_STEPS):
        state = await hall.step()
        if state.ended:
            break
    assert (state.state, state.ended) == ("cancelled", "too few")


async def test_a_paused_tournament_goes_on_once_its_organiser_is_erased(hall: Hall) -> None:
    ann = Person("ann", "Ann", 1)
    await hall.store.add_person(ann.id, ann.name, 1)
    await hall.open("pairs", 2)
    await hall.store._execute("update tournaments set person = 'ann' where id = $1", hall.id)
    await hall.tournaments.order(hall.id, ann.id, TournamentOrder("pause"))
    assert not (await hall.step()).tables
    await Forgetting(hall.store, hall.tables).erase(ann.id)
    await check_end(hall, await to_the_end(hall, leaving=False))


async def test_people_have_two_minutes_to_come_to_their_table(hall: Hall) -> None:
    await hall.open("arena", 2)
    state = await hall.step()
    (table,) = [await hall.tables.get(each) for each in state.tables]
    assert table._state.deadline is not None
    assert table._state.deadline - now() > 100_000
