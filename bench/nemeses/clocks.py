"""Clocks that are wrong, and deadlines and machines whose server is killed: another one claims them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from bench.nemeses.stage import Stage, percentile
from facedown.server.store.values import EventRow
from tests.cluster.faults import stepped_clock, wrong_clock
from tests.cluster.history import anomalies
from tests.cluster.players import Players
from tests.patience import PATIENCE
from tests.server.programs import call, open_body, program, set_table

_STEPS_S = (5, -5, 0, 5, 0, -5)
_AT_ONCE = 12
"""Tables that are set at the same time."""


async def skew(stage: Stage) -> None:
    """One server's clock is ten minutes ahead, another's ten minutes behind, a third one's steps by 5 s."""
    file = stage.new_folder("clock")
    file.write_text("0")
    before = {0: wrong_clock(600), 1: wrong_clock(-600), 2: stepped_clock(file)}
    nodes = stage.nodes(before=before)
    try:
        clock = {"kind": "decision", "seconds": 20, "bank": 0}
        players = Players(nodes, stage.tables, seed="skew", think=0.1, clock=clock)
        await players.come()
        silent = [await _silent_table(nodes.all[number % 3].base, 4) for number in range(12)]
        for step in _STEPS_S:
            file.write_text(str(step))
            await asyncio.sleep(stage.sizes.seconds / len(_STEPS_S))
        rows = await stage.check(players)  # time that goes back is an anomaly
        stage.report.none_of("false flags", len(_flags(rows)))
        late = _lateness(await stage.rows(silent), 4000)
        stage.report.bar("flags, earliest", f"{late[0]} ms", late[0] >= 0, "not before the deadline")
        stage.report.at_most("flags, latest", late[-1] / 1000, 0.5, len(late))
    finally:
        nodes.close()


async def deadlines(stage: Stage) -> None:
    """A thousand deadlines, and the server that made them is killed."""
    seconds, count = max(10, stage.sizes.deadlines // 8), stage.sizes.deadlines
    nodes = stage.nodes()
    try:
        first, began = nodes.up[0], time.monotonic()
        tables = await _many(count, lambda: _silent_table(first.base, seconds))
        took = time.monotonic() - began
        await asyncio.to_thread(nodes.kill, first)
        left = sum(
            "revealed" not in {row.kind for row in rows} for rows in (await stage.rows(tables)).values()
        )
        print(f"         set in {took:.0f} s, {seconds} s each; {left} deadlines were ahead at the kill")
        await asyncio.sleep(seconds - (time.monotonic() - began) + took + 8)
        rows = await stage.rows(tables)
        late = _lateness(rows, seconds * 1000)
        stage.report.at_most("flags, latest", late[-1] / 1000, 6.0, len(late))
        print(f"         p50 {percentile(late, 0.5):.0f} ms, p99 {percentile(late, 0.99):.0f} ms")
        stage.report.none_of("anomalies, flags that fell twice among them", len(anomalies(rows, ())))
    finally:
        nodes.close()


async def machines(stage: Stage) -> None:
    """Machines play each other, and the server that moves them is killed while they think."""
    nodes = stage.nodes(FACEDOWN_MACHINE_PAUSE="300")
    try:
        first = nodes.up[0]
        bearer = await program(first.base)
        order = {"game": "ecard", "seats": [{"kind": "machine", "machine": "uniform"}] * 2}
        tables = [
            (await call(first.base, "POST", "/tables", order, bearer))["table"] for _ in range(stage.tables)
        ]
        await asyncio.to_thread(nodes.kill, first)
        killed = round(time.time() * 1000)
        rows = await _until_next_picks(stage, tables, killed)
        gaps = sorted(
            (next(row.at for row in events if row.kind == "sealed" and row.at > killed) - killed) / 1000
            for events in rows.values()
            if events[-1].at > killed
        )
        stage.report.at_most("the next pick of machines, slowest", gaps[-1], 4.3, len(gaps))
        print(f"         p50 {percentile(gaps, 0.5):.2f} s; they think for 0.3 s")
        stage.report.none_of("anomalies, two seals in a decision among them", len(anomalies(rows, ())))
    finally:
        nodes.close()


async def _until_next_picks(stage: Stage, tables: Sequence[str], at: int) -> Mapping[str, list[EventRow]]:
    """All events, once every game has a pick after this time, or was over before."""
    async with asyncio.timeout(PATIENCE):
        while True:
            rows = await stage.rows(tables)
            if all(
                events[-1].kind == "over" or any(row.kind == "sealed" and row.at > at for row in events)
                for events in rows.values()
            ):
                return rows
            await asyncio.sleep(0.2)


async def _silent_table(base: str, seconds: int) -> str:
    """A table that is dealt, and whose people do nothing from then on."""
    chairs = await set_table(base, "ecard", 2, clock={"kind": "decision", "seconds": seconds, "bank": 0})
    for chair in chairs:
        path, seat = f"/tables/{chair.table}/commands", {"Facedown_Seat": chair.token}
        await call(base, "POST", path, open_body(chair), chair.bearer, **seat)
    return chairs[0].table


async def _many(count: int, make: Any) -> list[str]:
    """Some at a time, until there are enough."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def one() -> str:
        async with free:
            made: str = await make()
            return made

    return list(await asyncio.gather(*(one() for _ in range(count))))


def _flags(rows: Mapping[str, Sequence[EventRow]]) -> list[EventRow]:
    """The picks that were made because a clock had run out."""
    sealed = (row for events in rows.values() for row in events if row.kind == "sealed")
    return [row for row in sealed if b'"flag":true' in row.public]


def _lateness(rows: Mapping[str, Sequence[EventRow]], ms: int) -> list[int]:
    """How long after its first deadline each table was flagged, sorted; a very long time where none was."""
    late = []
    for events in rows.values():
        dealt = next(row.at for row in events if row.kind == "dealt")
        first = next((row.at for row in events if row.kind == "sealed"), dealt + 10**9)
        late.append(first - dealt - ms)
    return sorted(late)
