"""A month of games as open data: which games are in it, under which names, and that it comes whole."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import facedown
from facedown.cli.main import main
from facedown.core.chance import entropy_commitment
from facedown.core.errors import Unreadable
from facedown.protocol.messages import Cmd
from facedown.server.accounts.finished_games import Ratings
from facedown.server.accounts.open_data import Month, open_games
from facedown.server.signing import Signing
from facedown.server.store.base import Store
from facedown.server.store.crowds import BANDS, LEAST
from facedown.server.store.profiles import Shows
from facedown.server.store.values import Person
from facedown.server.table.tables import Tables
from tests.server.playing import entropy_of, order, pick_command
from tests.server.table.test_table import running_tables

pytestmark = pytest.mark.anyio

OCTOBER = Month.read("2026-10")
NOON = OCTOBER.begin + 12 * 3_600_000
SEATS = 7
PEOPLE = [f"person {number:03}" for number in range(LEAST + 1)]


async def add_people(store: Store) -> None:
    for person in PEOPLE:
        await store.add_person(person, f"Name of {person}", 5)


async def play(tables: Tables, people: Sequence[str], *, public: bool = True) -> str:
    """A game of these people: all make one pick, and then give up one after the other; its table."""
    table = await tables.create(order("davenport", len(people), public=public), people[0])
    for seat, person in enumerate(people, 1):
        commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
        await table.join(seat, Person(person, f"Name of {person}", 0), commit)

    async def do(seat: int, cmd: Cmd) -> None:
        answered = asyncio.get_running_loop().create_future()
        table.submit(seat, cmd, answered.set_result, person=people[seat - 1], name="")
        await answered

    for seat in range(1, len(people) + 1):
        await do(seat, Cmd("open", "open", entropy=entropy_of(seat).hex()))
    state = table._state
    for seat in state.match.may_seal:
        await do(seat, pick_command(state, 1, seat, str(state.match.legal(seat)[0])))
    for seat in range(2, len(people) + 1):
        if table.phase == "playing":
            await do(seat, Cmd(f"r{seat}", "resign", decision=state.match.decision))
    assert table.phase == "over"
    return table.id


async def play_month(store: Store, tables: Tables, month: Month = OCTOBER) -> list[str]:
    """Three games with enough people among them, which ended at noon of the first day."""
    await add_people(store)
    played = [await play(tables, PEOPLE[at : at + SEATS]) for at in range(0, len(PEOPLE), SEATS)]
    await end_in(store, month)
    return played


async def end_in(store: Store, month: Month) -> None:
    await Ratings(store).catch_up()
    await store._execute("update ended set at = $1", month.begin + NOON - OCTOBER.begin)


def write(where: str, folder: Path, month: str = "2026-10") -> int:
    return main(["dump", month, str(folder), "--store", where])


async def games_of(store: Store) -> list[facedown.Record]:
    return [each.record async for each in open_games(store, OCTOBER)]


async def test_a_month_is_written_while_a_server_runs_and_read_again(anywhere: str, tmp_path: Path) -> None:
    target = tmp_path / "october"
    async with running_tables(anywhere) as (store, tables):
        played = await play_month(store, tables)
        records = [(await tables.get(table))._state.match for table in played]
        assert await asyncio.to_thread(write, anywhere, target) == 0
        signing = Signing(store)
        await signing.load()

    month = facedown.dataset(target, key=signing.key)
    found = list(month.games())
    assert month.counts == {"davenport": 3}
    assert sorted(each.record.picks for each in found) == sorted(tuple(match.picks) for match in records)
    assert {each.day for each in found} == {"2026-10-01"}
    assert {band for each in found for band in each.bands} == {BANDS[0]}
    assert len({name for each in found for name in each.record.seats}) == len(PEOPLE)
    for each in found:
        assert facedown.replay(each.record).outcome is not None
    rows = list(month.decisions("davenport"))
    assert len(rows) == sum(
        pick is not None for each in found for joint in each.record.picks for pick in joint
    )
    assert {row["day"] for row in rows} == {"2026-10-01"}
    assert sorted(each.name for each in target.iterdir()) == [
        "decisions-davenport.parquet",
        "games-davenport.jsonl",
        "manifest.json",
    ]
    assert [each.name for each in tmp_path.iterdir() if each.name not in ("october", "data")] == []


async def test_only_rated_public_games_of_the_month_among_enough_people(where: str) -> None:
    async with running_tables(where) as (store, tables):
        played = await play_month(store, tables)
        hidden = await play(tables, PEOPLE[:SEATS], public=False)
        other = await play(tables, PEOPLE[:SEATS])
        await end_in(store, OCTOBER)
        await store._execute("update ended set at = $1 where table_id = $2", OCTOBER.end, other)
        assert len(await games_of(store)) == len(played)

        await store._execute("update ended set at = $1 where table_id = $2", OCTOBER.end, played[0])
        assert await games_of(store) == [], f"fewer than {LEAST} people"
        await store._execute("update ended set at = $1 where table_id = $2", NOON, other)
        assert len(await games_of(store)) == len(played)
        assert hidden


async def test_a_handle_is_written_by_consent_and_erased_people_are_left_out(anywhere: str) -> None:
    async with running_tables(anywhere) as (store, tables):
        await play_month(store, tables)
        await play(tables, [*PEOPLE[SEATS:], *PEOPLE[:1]][:SEATS])
        await end_in(store, OCTOBER)
        for number, shows in ((3, Shows.PAGE | Shows.DATASET), (4, Shows(31)), (5, Shows.DATASET)):
            keep = (
                "insert into accounts (person, handle, folded, skeleton, kept_at) values ($1, $2, $2, $3, 5)"
            )
            await store._execute(keep, PEOPLE[number], f"handle{number}", bytes([number]))
            await store.profiles.show(PEOPLE[number], shows)
        names = {name for record in await games_of(store) for name in record.seats}
        assert {name for name in names if not name.startswith("~")} == {"handle3"}

        await store.erase_person(PEOPLE[8], "gone")
        assert await games_of(store) == [], "what is left has too few people"


async def test_a_dump_that_fails_or_is_repeated_leaves_nothing_behind(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out" / "october"
    target.parent.mkdir()
    async with running_tables(where) as (store, tables):
        await play_month(store, tables)
        assert await asyncio.to_thread(write, where, target, "2026-09") == 2
        assert await asyncio.to_thread(write, where, target, "2999-01") == 2
        assert await asyncio.to_thread(write, where, target, "October") == 2
        with monkeypatch.context() as broken:

            def interrupt(*_: object) -> None:
                raise KeyboardInterrupt

            broken.setattr("facedown.library.dataset.write_rows", interrupt)
            assert await asyncio.to_thread(write, where, target) == 130
        assert list(target.parent.iterdir()) == []
        (target.parent / ".october.part").mkdir()
        assert await asyncio.to_thread(write, where, target) == 0
        assert list(target.parent.iterdir()) == [target]
        assert await asyncio.to_thread(write, where, target) == 2
    said = capsys.readouterr().err
    for part in ("2026-09 has no game", "2999-01 is not over", "'October' is not a month", "exists already"):
        assert part in said


def test_a_month_ends_with_its_last_day() -> None:
    leap, december = Month.read("2028-02"), Month.read("2026-12")

    assert datetime.fromtimestamp((leap.end - 1) / 1000, UTC).day == 29
    assert datetime.fromtimestamp(december.end / 1000, UTC) == datetime(2027, 1, 1, tzinfo=UTC)
    for nonsense in ("2026-13", "2026", "0000-01", "9999-12", ""):
        with pytest.raises(Unreadable):
            Month.read(nonsense)
