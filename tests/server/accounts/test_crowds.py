"""What people picked, folded from real games: their own picks, where they had a choice, and nothing else."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.protocol.messages import Ack, Clock, Cmd
from facedown.server.accounts.crowds import CountedGames
from facedown.server.store.base import Store
from facedown.server.table.facts import to_row
from facedown.server.table.record import finished_record, people_picks
from facedown.server.table.table import Table
from facedown.study.explore import explorer_of
from tests.server.playing import Bench, entropy_of, order
from tests.server.table.test_blind import blind, play_out
from tests.server.table.test_conduct import run_out
from tests.server.table.test_table import begun, do, pick, running_tables, sit

pytestmark = pytest.mark.anyio

SHORT = "classic(rounds=2,group=1)"


async def add_people(store: Store) -> None:
    for seat in (1, 2):
        await store.add_person(f"person {seat}", f"Name {seat}", 5)


async def play(table: Table) -> None:
    """Play a game to its end: every person's first pick, while machines play theirs."""
    while table.phase == "playing":
        for seat in table._state.match.may_seal:
            if table._state.place(seat).kind == "person":
                assert isinstance(await pick(table, seat), Ack)
        await asyncio.sleep(0)
    await table.settle()


def choices(text: str, seat: int) -> Counter[tuple[str, int, str]]:
    """What a seat picked where it had a choice, by the record of the game."""
    record, explorer = Record.read(text), explorer_of("ecard")
    assert explorer is not None
    found: Counter[tuple[str, int, str]] = Counter()
    for turn in turns(record, start(record)):
        placed, card = explorer.place_of_seat(turn.before, seat), turn.joint[seat - 1]
        if placed is not None and card is not None:
            found[placed.key, placed.side, str(card)] += 1
    return found


async def counted(store: Store, seat: int) -> Counter[tuple[str, int, str]]:
    await CountedGames(store).catch_up()
    own = await store.crowds.own(f"person {seat}")
    return Counter({(each.position, each.side, each.card): each.n for each in own})


async def test_every_choice_of_a_person_is_counted_once(anywhere: str) -> None:
    async with running_tables(anywhere) as (store, tables):
        await add_people(store)
        table = await begun(tables, "ecard", 2, SHORT)
        await play(table)
        expected = choices(table.record(0), 1), choices(table.record(0), 2)

        assert (await counted(store, 1), await counted(store, 2)) == expected
        assert sum(expected[0].values()) >= 2
        assert {each.rules for each in await store.crowds.own("person 1")} == {SHORT}
    async with running_tables(anywhere) as (store, _):
        assert await counted(store, 1) == expected[0], "once, whatever server reads it next"


async def test_a_machine_is_not_among_the_people(where: str) -> None:
    async with running_tables(where) as (store, tables):
        await add_people(store)
        table = await begun(tables, "ecard", 2, SHORT, machines=(2,))
        await play(table)

        assert await counted(store, 1) == choices(table.record(0), 1)
        assert await store._select("select distinct person from picked where person <> 'person 1'") == []


async def test_games_of_which_no_pick_counts(where: str) -> None:
    async with running_tables(where) as (store, tables):
        await add_people(store)
        game = await begun(tables, "davenport", 2)
        await play(game)
        before = await begun(tables, "ecard", 2, SHORT)
        await play(before)
        first = await counted(store, 1)
        continued = await tables.continue_game(before, 2, 1, "uniform", "person 1")
        await sit(continued, 1)
        await do(continued, 1, Cmd("open", "open", entropy=entropy_of(1).hex()))
        await play(continued)

        assert continued.phase == "over"
        assert await counted(store, 1) == first, "its first decisions were counted where they were made"
        assert {each.game for each in await store.crowds.own("person 1")} == {"ecard"}


def picks_of(bench: Bench, *seats: int) -> Counter[tuple[str, int, str]]:
    explorer = explorer_of("ecard")
    assert explorer is not None
    found = people_picks(bench.table, map(to_row, bench.state.log), explorer)
    return Counter(each[1:] for each in found if each.seat in seats)


def record_of(bench: Bench) -> str:
    return finished_record(bench.state).write()


def test_a_pick_of_the_clock_is_not_counted() -> None:
    bench = Bench(order("ecard", 2, SHORT, clock=Clock("decision")))
    bench.begin()
    while bench.state.playing:
        if 1 in bench.state.match.may_seal:
            bench.pick(1, bench.state.match.legal(1)[0])
        else:
            run_out(bench)  # the table waits only for the other seat

    assert picks_of(bench, 2) == Counter()
    assert picks_of(bench, 1) == choices(record_of(bench), 1)


def test_picks_of_a_blind_table_are_those_that_were_opened() -> None:
    bench = blind(rules=SHORT)
    play_out(bench, random.Random(3))
    assert picks_of(bench, 1) == choices(record_of(bench), 1)
    assert sum(picks_of(bench, 2).values()) > 1

    refused = blind(rules=SHORT)
    play_out(refused, random.Random(3), refusing=2)
    assert picks_of(refused, 2) == Counter()


def test_a_pick_that_a_resignation_discards_is_not_counted() -> None:
    bench = Bench(order("ecard", 2, SHORT))
    bench.begin()
    bench.pick(1, "C")
    bench.act(2, Cmd("r", "resign", decision=1))

    assert not bench.state.playing
    assert picks_of(bench, 1, 2) == Counter()
