"""The system's clock jumps, the server is restarted: no player wins or loses time, no person is deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.attacks.jumping import JumpingServer
from tests.server.programs import Chair, ask, call, open_body, pick_body, set_table
from tests.server.running import Server, for_sqlite

pytestmark = pytest.mark.anyio

HOUR, YEAR = 3600, 366 * 24 * 3600
BANK = {"kind": "decision", "seconds": 600, "bank": 300}


@pytest.fixture(scope="module")
def jumping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JumpingServer]:
    running = JumpingServer(tmp_path_factory.mktemp("jumping"))
    running.start()
    yield running
    running.close()


@pytest.fixture
def server(jumping: JumpingServer) -> Iterator[JumpingServer]:
    """The one server of these tests, which lives by the true time again before the next of them begins."""
    yield jumping
    jumping.set_clock(0)
    jumping.restart()


async def begun(server: Server) -> tuple[Chair, Chair]:
    """A game with a clock, dealt."""
    one, two = await set_table(server.base, "ecard", 2, clock=BANK)
    for chair in (one, two):
        await send(chair, open_body(chair))
    return one, two


async def send(chair: Chair, body: dict[str, Any]) -> None:
    path = f"/tables/{chair.table}/commands"
    await call(chair.base, "POST", path, body, chair.bearer, Facedown_Seat=chair.token)


def seen(chair: Chair) -> Any:
    return ask(chair.base, "GET", f"/tables/{chair.table}", None, chair.bearer, Facedown_Seat=chair.token)


def left(chair: Chair) -> int:
    """Milliseconds on the clock of a seat."""
    snap = seen(chair)
    return int(snap["table"]["turn"]["deadlines"][str(chair.seat)]) - int(snap["now"])


def banks(chair: Chair) -> Any:
    return seen(chair)["table"]["turn"]["banks"]


async def test_an_hour_back_gives_no_one_an_hour_and_an_hour_on_takes_no_bank(
    server: JumpingServer,
) -> None:
    one, two = await begun(server)
    start = left(one)
    for jump in (-HOUR, HOUR):
        before = left(one)
        server.set_clock(jump)
        assert left(one) <= before
        assert left(one) > 0
        server.restart()
        assert left(one) <= start + 2500  # what the last heartbeat did not know of
        assert left(one) > 0
    for chair in (one, two):
        await send(chair, pick_body(chair, 1, seen(chair)["legal"][0]))
    snap = seen(one)
    assert snap["table"]["turn"]["decision"] == 2
    assert banks(one) == {"1": 300_000, "2": 300_000}
    events = ask(server.base, "GET", f"/tables/{one.table}/events?after=0", None, one.bearer)["events"]
    assert not [event for event in events if event.get("placer") == "clock"]


async def test_a_clock_that_was_years_ahead_deletes_no_person(server: JumpingServer) -> None:
    one, _ = await set_table(server.base, "ecard", 2)
    early = ask(server.base, "POST", "/session/handover", {}, one.bearer)["code"]
    claimed = ask(server.base, "POST", "/handovers", {"code": early})
    answer = {"digits": claimed["digits"], "allow": True}
    ask(server.base, "POST", "/session/handover/answer", answer, one.bearer)
    server.set_clock(2 * YEAR)
    assert ask(server.base, "GET", "/session", None, one.bearer)
    server.restart()
    await set_table(server.base, "ecard", 2)  # new people come, and no one is deleted for them
    server.set_clock(0)
    server.restart()
    assert ask(server.base, "GET", "/session", None, one.bearer)
    taken = {"claim": claimed["claim"], "kind": "program"}
    assert ask(server.base, "POST", "/handovers/session", taken)["session"]["person"]


@for_sqlite
async def test_a_restart_writes_one_fact_for_all_clocks(server: JumpingServer) -> None:
    chairs = [(await begun(server))[0] for _ in range(8)]
    heads = {chair.table: seen(chair)["v"] for chair in chairs}
    server.kill()
    server.set_clock(60)
    server.start()
    counted = ask(server.base.removesuffix("/"), "GET", "/admin/tables", None, operator(server))
    assert counted["loaded"] == 0  # no table was read for it, let alone written
    for chair in chairs:
        after = seen(chair)
        events = ask(
            server.base, "GET", f"/tables/{chair.table}/events?after={heads[chair.table]}", None, chair.bearer
        )["events"]
        assert [event["k"] for event in events] == ["outage"]  # met now: its own fact comes now
        assert events[0]["ms"] >= 60_000
        assert after["v"] == heads[chair.table] + 1
    server.restart()
    assert seen(chairs[0])["v"] >= heads[chairs[0].table] + 1  # and never twice


def operator(server: Server) -> str:
    from facedown.server.ops.runfile import read_runfile

    return read_runfile(server.data).token
