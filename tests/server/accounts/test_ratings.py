"""Ratings of people: folded from the games that the store holds; only games between people count."""

from __future__ import annotations

import asyncio
from functools import partial
from unittest.mock import Mock

import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Cmd
from facedown.server.accounts import finished_games
from facedown.server.accounts.finished_games import Ratings, fold
from facedown.server.store.values import Person
from facedown.server.table import commands
from facedown.server.table.actor import Actor
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from facedown.sim.ratings import Ladder
from tests.server.playing import entropy_of, order
from tests.server.table.test_table import begun, do, pick, running_tables

pytestmark = pytest.mark.anyio


async def ended(tables: Tables, loser: int, seats: int = 2, **more: object) -> Table:
    """A game that one player gave up, so that the other won."""
    table = await begun(tables, "ecard" if seats == 2 else "davenport", seats, **more)
    await gives_up(table, loser)
    return table


async def gives_up(table: Table, loser: int) -> None:
    person = table._state.place(loser).person or ""
    cmd = Cmd(f"r{loser}", "resign", decision=table._state.match.decision)
    await table.inbox.transact(partial(commands.execute, actor=Actor(loser, person, "Name"), cmd=cmd))


async def test_the_same_whether_folded_at_once_or_game_by_game(anywhere: str) -> None:
    expected = Ladder()
    async with running_tables(anywhere) as (store, tables):
        slowly = Ratings(store)
        for loser in (2, 2, 1, 2):
            await ended(tables, loser)
            expected.add_game(("person 1", "person 2"), 3 - loser)
            found = (await slowly.of("person 1"))["ecard"]
            assert found.rating == expected.of("person 1")
        assert found.games == len(found.course) == 4
        assert [point.at for point in found.course] == sorted(point.at for point in found.course)
    async with running_tables(anywhere) as (store, _):
        ratings = Ratings(store)
        assert (await ratings.of("person 1"))["ecard"] == found
        assert (await ratings.of("person 2"))["ecard"].rating == expected.of("person 2")
        assert list(await ratings.of("person 1")) == ["ecard"]
        assert await ratings.of("a stranger") == {}


async def test_a_winner_rises_and_becomes_better_known(where: str) -> None:
    async with running_tables(where) as (store, tables):
        start = Ladder().of("a stranger")
        await ended(tables, loser=2)
        ratings = Ratings(store)
        winner, loser = [(await ratings.of(f"person {n}"))["ecard"].rating for n in (1, 2)]
        assert winner.mean > start.mean > loser.mean
        assert max(winner.deviation, loser.deviation) < start.deviation


async def test_several_seats_share_the_loss(where: str) -> None:
    async with running_tables(where) as (store, tables):
        table = await begun(tables, "davenport", 3)
        while table.phase == "playing":
            for seat in table._state.match.may_seal:
                await pick(table, seat)
        assert table._state.result is not None
        winner = table._state.result.winner
        ratings = Ratings(store)
        means = [(await ratings.of(f"person {n}"))["davenport"].rating.mean for n in (1, 2, 3)]
        assert winner is not None
        assert max(range(3), key=means.__getitem__) + 1 == winner
        losers = sorted(means)[:2]
        assert losers[0] == pytest.approx(losers[1])


async def test_games_that_do_not_count(where: str) -> None:
    async with running_tables(where) as (store, tables):
        one_device = await begun_by_host(await tables.create(order("ecard", hotseat=True), HOST.id), 1, 2)
        await gives_up(one_device, 1)
        against_machine = await begun(tables, "ecard", machines=[2])
        await gives_up(against_machine, 1)
        taken_over = await begun(tables, "ecard")
        await do(taken_over, 2, Cmd("l", "leave"))
        await do(taken_over, 1, Cmd("o", "replace", seat=2))
        await gives_up(taken_over, 1)
        assert {table.phase for table in (one_device, against_machine, taken_over)} == {"over"}
        assert await Ratings(store).of(HOST.id) == {}

        counts = await ended(tables, loser=1)
        gone_on = await begun_by_host(await tables.continue_game(counts, 0, 1, None, HOST.id), 1)
        await gives_up(gone_on, 1)
        assert gone_on.phase == "over"
        assert (await Ratings(store).of(HOST.id))["ecard"].games == 1


HOST = Person("person 1", "Name 1", 0)


async def begun_by_host(table: Table, *seats: int) -> Table:
    """The host has all seats of people."""
    for seat in seats:
        await table.join(seat, HOST, entropy_commitment(table.id, seat, entropy_of(seat)).hex())
    for seat in seats:
        opening = Cmd("open", "open", entropy=entropy_of(seat).hex())
        await table.inbox.transact(
            partial(commands.execute, actor=Actor(seat, HOST.id, HOST.name), cmd=opening)
        )
    return table


async def test_games_are_read_once_and_not_again_by_the_next_server(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_tables(where) as (store, tables):
        await ended(tables, loser=2)
        before = await Ratings(store).of(HOST.id)
    folded = Mock(side_effect=fold)
    monkeypatch.setattr(finished_games, "fold", folded)
    async with running_tables(where) as (store, tables):
        assert await Ratings(store).of(HOST.id) == before
        folded.assert_not_called()
        await ended(tables, loser=2)
        await Ratings(store).of(HOST.id)
        ((games, _),) = [call.args for call in folded.call_args_list]
        assert len(games) == 1


async def test_many_waiting_games_delay_no_answer(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_tables(where) as (store, tables):
        for loser in (2, 1, 2, 1, 2):
            await ended(tables, loser)
        monkeypatch.setattr(finished_games, "AT_ONCE", 2)
        ratings = Ratings(store)
        assert (await ratings.of(HOST.id))["ecard"].games == 2
        ratings.start()
        while (await store.ratings(HOST.id))[-1].games < 5:
            await asyncio.sleep(0.01)
        await ratings.close()
