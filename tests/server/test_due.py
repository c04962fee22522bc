"""What is due and fails again and again waits longer each time, and keeps nothing else from its turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from facedown.protocol.messages import Clock
from facedown.protocol.tournaments import NewTournament, TournamentEntry
from facedown.server.accounts.finished_games import FoldedGames, PlayedGames, Ratings
from facedown.server.bus import Bus
from facedown.server.contacts.friends import Friends
from facedown.server.contacts.here import PeopleHere
from facedown.server.contacts.notices import Notices
from facedown.server.forgetting import Forgetting
from facedown.server.moderation import Moderation
from facedown.server.node import Node
from facedown.server.ops.backoff import LONGEST_S, Backoff
from facedown.server.ops.metrics import Metrics
from facedown.server.push import PushSender
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store.base import Store
from facedown.server.store.tournaments import TournamentAppend, TournamentMoved
from facedown.server.store.values import Notice, Person
from facedown.server.table.tables import Tables
from facedown.server.tournaments.service import Tournaments
from tests.patience import PATIENCE
from tests.server.accounts.test_ratings import ended
from tests.server.playing import order
from tests.server.table.test_table import begun

pytestmark = pytest.mark.anyio
FREE = "update {} set claimed_until = null"
"""Ends all leases, as time does."""


class Steady:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


class House:
    """A server in this process, whose background work is done by hand."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self.store, self.tables = store, tables
        self.time = Steady()
        tables.backoff = Backoff(self.time)
        self.tries: Counter[str] = Counter()

    async def person(self, name: str) -> Person:
        await self.store.add_person(name, name, 1)
        return Person(name, name, 1)

    def breaks(
        self, owner: object, method: str, is_broken: Callable[..., bool], error: type[Exception]
    ) -> None:
        """Let a method fail for some of what it is called with; counts these calls."""
        whole = getattr(owner, method)

        async def broken(*values: Any, **named: Any) -> Any:
            if is_broken(*values, **named):
                self.tries[method] += 1
                assert self.tries[method] < 200, "it spins"
                raise error("poisoned")
            return await whole(*values, **named)

        setattr(owner, method, broken)


@pytest.fixture
async def house(anywhere: str) -> AsyncIterator[House]:
    services = open_services(Settings(data=Path(), store=anywhere, machine_pause=0))
    await services.start()
    await services.node.stop()  # it would do what is due, too
    try:
        yield House(services.store, services.tables)
    finally:
        await services.close()


# --- tournaments -----------------------------------------------------------------------------------------


async def tournament(house: House, tournaments: Tournaments, name: str) -> str:
    """A tournament of two, due now."""
    wanted = {"kind": "arena", "title": name, "game": "ecard", "starts_in": 0, "clock": {"kind": "decision"}}
    made = await tournaments.create(None, msgspec.convert(wanted, NewTournament))
    for number in (1, 2):
        await tournaments.enter(made.id, await house.person(f"{name} {number}"), TournamentEntry())
    await house.store._execute("update tournaments set wake_at = 1 where id = $1", made.id)
    return made.id


async def is_paired(tournaments: Tournaments, tournament: str) -> bool:
    return bool((await tournaments.load(tournament)).tables)


async def test_a_tournament_that_never_saves_lets_the_others_go_on(house: House) -> None:
    tournaments = Tournaments(house.store, house.tables)
    stuck = await tournament(house, tournaments, "stuck")
    fine = [await tournament(house, tournaments, f"fine {number}") for number in range(30)]
    house.breaks(tournaments._rows, "append", lambda batch: batch.id == stuck, TournamentMoved)
    for _ in range(10):
        await tournaments.run_due()
        await house.store._execute(FREE.format("tournaments"))
    assert all([await is_paired(tournaments, each) for each in fine])
    assert house.tries["append"] <= 5, "one turn, until its time has come again"
    tried = house.tries["append"]
    house.time.at += LONGEST_S
    await tournaments.run_due()
    assert tried < house.tries["append"] <= 2 * tried


async def test_a_tournament_that_cannot_be_read_lets_the_others_go_on(house: House) -> None:
    made = Tournaments(house.store, house.tables)
    broken = await tournament(house, made, "broken")
    fine = await tournament(house, made, "fine")
    update = "update tournament_events set body = $1 where tournament_id = $2 and v = 1"
    await house.store._execute(update, b"{}", broken)
    tournaments = Tournaments(house.store, house.tables)
    house.breaks(tournaments, "load", lambda _: False, KeyError)
    load = tournaments.load

    async def counted(tournament: str) -> Any:
        house.tries[tournament] += 1
        return await load(tournament)

    tournaments.load = counted  # type: ignore[method-assign]
    for _ in range(10):
        await tournaments.run_due()
        await house.store._execute(FREE.format("tournaments"))
    assert await is_paired(tournaments, fine)
    assert house.tries[broken] == 1


async def test_a_slow_tournament_keeps_no_other_from_its_turn(house: House) -> None:
    tournaments = Tournaments(house.store, house.tables)
    slow, fine = [await tournament(house, tournaments, name) for name in ("slow", "fine")]
    append, go_on, paired = tournaments._rows.append, asyncio.Event(), asyncio.Event()

    async def append_slowly(batch: TournamentAppend) -> None:
        if batch.id == slow:
            await go_on.wait()
        await append(batch)
        if batch.id == fine:
            paired.set()

    tournaments._rows.append = append_slowly  # type: ignore[method-assign]
    await house.store._execute("update tournaments set wake_at = 0 where id = $1", slow)
    due = asyncio.create_task(tournaments.run_due())
    async with asyncio.timeout(PATIENCE):
        await paired.wait()
        go_on.set()
        await due
    await tournaments.close()


# --- tables ----------------------------------------------------------------------------------------------


async def due_tables(house: House, *counts: int) -> tuple[Node, list[str]]:
    """A node, and tables whose clocks are to be looked at."""
    node = Node(house.store, Bus(), house.tables)
    await node._beat()
    made = [
        (await begun(house.tables, "ecard", 2, clock=Clock("correspondence"))).id for _ in range(sum(counts))
    ]
    await house.store._execute("update tables set wake_at = 1, claimed_until = null")
    return node, made


async def test_a_table_whose_clock_fails_lets_the_others_be_looked_at(house: House) -> None:
    node, (poisoned, *fine) = await due_tables(house, 3)
    house.breaks(house.tables, "check_clocks", lambda table, _: table.id == poisoned, KeyError)
    for _ in range(10):
        await node._claim()
        await house.store._execute(FREE.format("tables"))
    found = await house.store._select("select id from tables where wake_at = 1")
    assert [table for (table,) in found] == [poisoned], "the clocks of the others are set again"
    assert house.tries["check_clocks"] == 1
    house.time.at += LONGEST_S
    await node._claim()
    assert house.tries["check_clocks"] == 2
    assert len(fine) == 2


async def test_a_table_that_cannot_be_read_is_not_read_for_ever(house: House) -> None:
    node, (poisoned, *_) = await due_tables(house, 2)
    house.tables._remove(poisoned)
    rows, read = house.store.rows, []

    async def broken(table: str, after: int = 0) -> Any:
        found = await rows(table, after)
        if table != poisoned:
            return found
        read.append(table)
        return [each._replace(public=b"{}") for each in found]

    house.store.rows = broken  # type: ignore[method-assign]
    for _ in range(10):
        await node._claim()
        await house.store._execute(FREE.format("tables"))
    assert len(read) == 1


async def test_a_table_that_hangs_keeps_no_other_from_its_turn(house: House) -> None:
    node, (hanging, *_) = await due_tables(house, 1)
    check, free = house.tables.check_clocks, asyncio.Event()

    async def check_slowly(table: Any, at: int) -> bool:
        if table.id == hanging:
            house.tries[hanging] += 1
            await free.wait()
        return await check(table, at)

    house.tables.check_clocks = check_slowly  # type: ignore[method-assign]
    async with asyncio.timeout(PATIENCE):
        await node._claim()
        _, (other,) = await due_tables(house, 1)
        await node._claim()
    found = await house.store._select("select wake_at from tables where id = $1", other)
    assert found[0][0] != 1
    assert house.tries[hanging] == 1, "it is not begun twice"
    free.set()
    await node._due.close()


async def test_tables_are_read_again_though_one_of_them_fails(house: House) -> None:
    node, tables = await due_tables(house, 2)
    loaded = [await house.tables.get(table) for table in tables]
    again: list[str] = []

    async def reload(table: Any) -> None:
        again.append(table.id)
        raise KeyError("poisoned")

    for each in loaded:
        object.__setattr__(each.inbox, "reload", lambda each=each: reload(each))
    house.store.epoch += 1
    await node._sweep()
    assert sorted(again) == sorted(tables)


async def test_repeated_work_that_fails_pauses_longer(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    node = Node(house.store, Bus(), house.tables)
    pauses: list[float] = []
    sleep, repeating = asyncio.sleep, asyncio.current_task()

    async def count_pause(seconds: float) -> None:
        if asyncio.current_task() is not repeating:  # the bus and the store sleep, too
            await sleep(seconds)
            return
        pauses.append(seconds)
        if len(pauses) >= 8:
            raise asyncio.CancelledError
        house.time.at += seconds
        await sleep(0)

    house.breaks(house.store, "number_log_entries", lambda _: True, ValueError)
    monkeypatch.setattr(asyncio, "sleep", count_pause)
    with pytest.raises(asyncio.CancelledError):
        await node._repeat(0.25, node._number_log)
    assert pauses[0] < 0.9 < pauses[1] < pauses[2] < pauses[3]
    assert [round(each) for each in pauses[4:]] == [5] * 4, "not for ever longer: clocks depend on it"


# --- notices ---------------------------------------------------------------------------------------------


async def test_a_notice_that_fails_keeps_no_other_from_its_turn(house: House) -> None:
    tables = [(await begun(house.tables, "ecard", 2)).id for _ in range(2)]
    push = PushSender(house.store, house.tables, Metrics())
    delivered: list[str] = []

    async def deliver(notice: Notice) -> list[str]:
        if notice.table == tables[0]:
            house.tries["notice"] += 1
            raise KeyError("poisoned")
        delivered.append(f"{notice.person} {notice.table}")
        return ["sent"]

    push._deliver_one = deliver  # type: ignore[method-assign, assignment]
    await house.store._execute("delete from notices")
    for person in ("ann", "ben"):
        for table in tables:
            insert = "insert into notices (person, table_id, decision, kind) values ($1, $2, 1, 'turn')"
            await house.store._execute(insert, person, table)
    for _ in range(10):
        await push.deliver()
        await house.store._execute(FREE.format("notices"))
    assert sorted(delivered) == [f"ann {tables[1]}", f"ben {tables[1]}"]
    assert house.tries["notice"] == 2, "once for each person"
    for _ in range(5):
        house.time.at += LONGEST_S
        await push.deliver()
        await house.store._execute(FREE.format("notices"))
    assert house.tries["notice"] == 2 * 3, "then it is given up"
    assert await house.store._select("select 1 from notices") == []


async def test_a_table_that_cannot_be_read_hides_no_other_notice(house: House) -> None:
    broken, fine = [await begun(house.tables, "ecard", 2) for _ in range(2)]
    person = fine._state.place(1).person or ""
    house.tables._remove(broken.id)
    rows = house.store.rows

    async def read(table: str, after: int = 0) -> Any:
        found = await rows(table, after)
        return [each._replace(public=b"{}") for each in found] if table == broken.id else found

    house.store.rows = read  # type: ignore[method-assign]
    here = PeopleHere(house.tables.bus, shared=False)
    friends = Friends(house.store, house.tables, PlayedGames(house.store), here)
    moderation = Moderation(house.store, house.tables)
    notices = await Notices(house.store, house.tables, friends, moderation).of(person, "en")
    assert [each.table for each in notices.notices if each.kind == "turn"] == [fine.id]


# --- folds and sweeps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [PlayedGames, Ratings])
async def test_a_game_that_cannot_be_folded_is_left_out(house: House, kind: type[FoldedGames]) -> None:
    first, broken, last = [await ended(house.tables, 1) for _ in range(3)]
    for seat in (1, 2):
        await house.person(first._state.place(seat).person or "")
    update = "update tables set about = $1 where id = $2"
    await house.store._execute(update, b"broken", broken.id)
    games = kind(house.store, house.tables.backoff)
    fold_some = games.fold_some

    async def counted(limit: int) -> int:
        house.tries["fold"] += 1
        return await fold_some(limit)

    games.fold_some = counted  # type: ignore[method-assign]
    for _ in range(10):
        await games.catch_up()
    assert house.tries["fold"] <= 4, "it is not read again and again"
    for _ in range(5):
        house.time.at += LONGEST_S
        await games.catch_up()
    left = await house.store._select(
        f"select 1 from ended where {'noted' if kind is PlayedGames else 'rated'} = 0"
    )
    assert left == []
    found = await house.store._select("select distinct table_id from played order by table_id")
    if kind is PlayedGames:
        assert [table for (table,) in found] == sorted((first.id, last.id))
    else:
        (ladder,) = (await games.of(first._state.place(1).person or "")).values()  # type: ignore[attr-defined]
        assert ladder[-1].games == 2


async def test_an_erasure_that_fails_keeps_no_other_from_being_finished(house: House) -> None:
    forgetting = Forgetting(house.store, house.tables)
    await house.store.set_value("erasing ann", b"broken")
    await house.store.set_value("erasing ben", b"1 erased")
    await forgetting.finish_erasures(1 << 50)
    assert [name for name, _ in await house.store.values_of("erasing ")] == ["erasing ann"]


async def test_a_stale_table_that_fails_stops_no_sweep(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    stale, other = [(await house.tables.create(order("ecard"), "ann")).id for _ in range(2)]
    await house.store._execute("update tables set changed_at = 1")
    house.breaks(house.tables, "get", lambda table: table == stale, KeyError)
    await Forgetting(house.store, house.tables).sweep()
    found = await house.store._select("select id from tables where state = 'open'")
    assert [table for (table,) in found] == [stale]
    assert other != stale
