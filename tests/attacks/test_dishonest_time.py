"""A dishonest operator and time: what the server's clock may say is bounded by the victim's own one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from facedown.core.chance import clock_stream, table_nonce
from facedown.protocol.messages import Clock
from facedown.server.table import commands
from tests.attacks.operator import FRIEND, LIVE, ME, Operator, ordinary, seats

pytestmark = pytest.mark.anyio


async def test_a_link_from_the_future_is_measured_again_and_then_an_alarm() -> None:
    """The victim's own clock bounds the server's: a link dated a minute ahead needs a new connection."""
    table = Operator(ordinary(LIVE))

    await table.begin()
    await table.claim("sealed", 1, FRIEND, "person", "5e" * 32, at=table.bench.at + 60_000)
    assert table.victim.witness.doubted is not None
    assert table.alarm == ""
    table.victim.witness.asks()
    table.victim.witness.is_welcome(table.bench.at, plays=True)
    assert table.alarm == "clock"


async def test_my_pick_is_not_older_than_the_moment_in_which_i_sealed_it() -> None:
    table = Operator(ordinary(LIVE))

    await table.begin()
    task = await table.pick(ack=False)
    commit = table.line.sent[0].commit
    await table.claim("sealed", 1, ME, "person", commit, at=table.bench.at - 30_000)
    task.cancel()
    assert table.alarm == "clock"


async def test_a_pick_that_was_sent_before_a_sleep_raises_no_alarm() -> None:
    """The victim's clock stood still while it slept: the time of sending is that of the old connection."""
    table = Operator(ordinary())

    await table.begin()
    task = await table.pick(ack=False)
    await table.obey()
    table.victim.witness.is_lost()
    table.bench.at += 3_600_000
    await table.greet()
    await task
    assert table.alarm == ""


@pytest.mark.parametrize("cut", [True, False], ids=["with the line cut", "live"])
async def test_the_clock_does_not_take_time_that_has_not_passed_here(
    cut: bool, clock: Callable[[float], None]
) -> None:
    """The operator puts its clock ahead, and shows the new time with a new connection."""
    table = Operator(ordinary(LIVE))

    await table.begin()
    clock(9)
    if cut:
        table.victim.witness.is_lost()
    table.bench.at += 15_000
    commands.apply_timeouts(table.bench.tx(), table.bench.at, {ME: (1, "C")})
    await (table.greet() if cut else table.show())
    assert table.alarm == "clock"


def test_a_turn_that_began_and_ended_while_i_was_away_took_its_time(clock: Callable[[float], None]) -> None:
    for away, alarm in ((11, "clock"), (18, "")):
        table = Operator(ordinary(LIVE))

        async def story(table: Operator = table, away: int = away) -> None:
            await table.begin()
            await table.pick()
            await table.show()
            table.victim.witness.is_lost()
            table.friend_seals()
            table.bench.at += 17_000  # two of them to read the result
            commands.apply_timeouts(table.bench.tx(), table.bench.at, {ME: (2, "C")})
            clock(away)
            await table.greet()

        asyncio.run(story())
        assert table.alarm == alarm


@pytest.mark.parametrize("lie", ["clock", "rules", "deadline of a snapshot", "deadline of an event"])
def test_the_clock_that_i_am_shown_is_the_one_that_was_signed(lie: str) -> None:
    table = Operator(ordinary(LIVE))

    def later(turn: Any) -> Any:
        return replace(turn, deadlines={seat: at + 60_000 for seat, at in turn.deadlines.items()})

    async def story() -> None:
        await table.begin()
        assert table.alarm == ""
        snap = table.snapshot()
        if lie == "deadline of an event":
            table.friend_seals()
            await table.show(lambda event: replace(event, turn=later(event.turn)))
            return
        info = {
            "clock": replace(snap.table, clock=Clock()),
            "rules": replace(snap.table, rules="classic"),
        }.get(lie) or replace(snap.table, turn=later(snap.table.turn))
        await table._give(replace(snap, table=info))

    asyncio.run(story())
    assert table.alarm == "fork"


async def test_the_clock_picks_what_the_key_of_the_deal_draws_and_the_client_accepts_it(
    clock: Callable[[float], None],
) -> None:
    """An honest flag: the time was up, and nothing was acknowledged."""
    table = Operator(ordinary(LIVE))

    await table.begin()
    state = table.bench.state
    table.friend_seals()
    table.bench.at += 15_000
    legal = state.match.legal(ME)
    drawn = str(legal[clock_stream(state.key, 1, ME).below(len(legal))])
    commands.apply_timeouts(table.bench.tx(), table.bench.at, {ME: (1, drawn)})
    clock(15)
    await table.show()
    assert table.alarm == ""
    assert table.victim.witness.memory.turned[1][0].nonce == table_nonce(state.key, "clock", 1, ME).hex()
    assert seats(table.bench.state.match.pending)
