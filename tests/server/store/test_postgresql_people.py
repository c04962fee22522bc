"""People on PostgreSQL: people with very many games, and erased people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from bench.scaling.queries import postgresql_plan
from facedown.server.store.postgresql.store import PostgresStore
from facedown.server.store.values import EndedGame, ForgetBefore, PlayedSeat
from tests import postgresql
from tests.patience import PATIENCE
from tests.server.store.steps import end_game

pytestmark = pytest.mark.anyio

MANY = """
    insert into tables (id, head, changed_at, game, rules, state, public, created_at, about)
        select 'T' || n, 1, n, 'ecard', 'classic', 'over', 1, n, repeat('x', 300)::bytea
        from generate_series(1, 2000) n;
    insert into seats (table_id, seat, person, token)
        select 'T' || n, 1, case when n % 10 = 0 then 'busy' else 'person ' || n % 500 end, ''
        from generate_series(1, 2000) n;
    insert into people (id, name, created_at) select 'person ' || n, 'name', n from generate_series(1, 500) n;
    insert into ratings (person, game, games, at, mean, deviation)
        select 'person ' || n % 500, 'ecard', n, n, 25, 8 from generate_series(1, 5000) n;
    analyze"""
FORGET = ForgetBefore(expired=50, unused=50, guests=50, answers=50, empty=50)


@pytest.fixture
async def store() -> AsyncIterator[PostgresStore]:
    opened = PostgresStore(postgresql.clean_database())
    yield opened
    await opened.close()


async def run(store: PostgresStore, script: str) -> None:
    """Run statements on a connection of their own."""
    await store.ensure_open()
    connection = await store.connect()
    await connection.execute(script)
    await store.release(connection)


def found(ended: Sequence[EndedGame]) -> list[PlayedSeat]:
    return [
        PlayedSeat(person, each.at, each.table, seat, each.game, "won")
        for each in ended
        for seat, person in each.people
    ]


async def people_of_played(store: PostgresStore) -> list[str]:
    return [person for (person,) in await store._select("select distinct person from played order by person")]


async def test_lists_of_a_busy_person_and_the_daily_sweep_do_not_read_everything() -> None:
    store = PostgresStore(postgresql.clean_database("many"))
    try:
        await run(store, MANY)
        listed = await store.tables(person="busy", state="over", limit=3)
        assert [(each.id, each.seats) for each in listed] == [
            ("T2000", (1,)),
            ("T1990", (1,)),
            ("T1980", (1,)),
        ]
        for ask in (lambda: store.tables(person="busy"), lambda: store.forget(FORGET)):
            plan = await postgresql_plan(store, ask)
            assert any("Index" in line for line in plan)
            assert not [
                line for line in plan if "Seq Scan on tables" in line or "Seq Scan on ratings" in line
            ]
        assert await store.ratings("person 0") == []
        assert len(await store.ratings("person 7")) == 10
    finally:
        await store.close()


async def test_a_person_erased_while_games_are_noted_is_left_out(store: PostgresStore) -> None:
    for person in ("ann", "ben"):
        await store.add_person(person, person, 5)
    await end_game(store, "T", "ann", "ben")
    erasing = await store.connect()
    async with erasing.transaction():
        await erasing.execute("delete from people where id = 'ann'")
        noting = asyncio.create_task(store.note_played(found, 9))
        waits = """select exists (select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database())"""
        async with asyncio.timeout(PATIENCE):
            while not (await store._select_one(waits))[0]:
                await asyncio.sleep(0.01)
    assert await noting == 1
    await store.release(erasing)
    assert await people_of_played(store) == ["ben"]
