"""Servers that die or hang behind HAProxy, as `deploy/haproxy.cfg` sets it up, and clients of programs."""

from __future__ import annotations

import asyncio
import os
import time

from bench.nemeses.programs import Programs, missing, run_proxy, wait_until_up
from bench.nemeses.stage import Stage, percentile
from facedown.client import BlockingTable, RestClient, SeatKey
from tests.patience import PATIENCE
from tests.server.programs import Chair, set_table

_BACK_S = 3.0
_NOTICED_S = 5.0
"""A server that stands still keeps its connections: the proxy has to notice first."""
_FAULTS = 4
"""Servers that are killed, and then that hang, one after the other."""


async def proxy(stage: Stage) -> None:
    """Our client behind HAProxy: a server is killed, another one hangs; seats are answered by the others."""
    if missing("haproxy"):
        print("  there is no haproxy here: not run")
        return
    nodes = stage.nodes(FACEDOWN_PROXIES="127.0.0.1", FACEDOWN_OPERATORS="127.0.0.1", FACEDOWN_CHAT="100000")
    programs = Programs(stage.new_folder("haproxy"))
    seats: list[BlockingTable] = []
    try:
        base = run_proxy(programs, [int(node.base.rpartition(":")[2]) for node in nodes.all])
        for _ in range(stage.tables):
            chairs = await set_table(base, "ecard", 2)
            seats += [await asyncio.to_thread(_connect, chair, base) for chair in chairs]
        killed, hung = [], []
        for number in range(_FAULTS):
            victim = nodes.all[number % len(nodes.all)]
            nodes.kill(victim)
            killed += await _answers(seats)
            await asyncio.to_thread(nodes.rise, victim)
            await asyncio.to_thread(wait_until_up, base)
        for number in range(_FAULTS):
            victim = nodes.all[number % len(nodes.all)]
            nodes.freeze(victim)
            hung += await _answers(seats)
            nodes.thaw(victim)
            await asyncio.to_thread(wait_until_up, base)
        for what, took, most in (("was killed", killed, _BACK_S), ("stood still", hung, _NOTICED_S)):
            took.sort()
            stage.report.at_most(
                f"answers after a server {what}, p99", percentile(took, 0.99), most, len(took)
            )
            print(f"         p50 {percentile(took, 0.5):.3f} s; load {os.getloadavg()[0]:.1f}")
    finally:
        await asyncio.gather(*(asyncio.to_thread(seat.close) for seat in seats))
        programs.close()
        nodes.close()


async def _answers(seats: list[BlockingTable]) -> list[float]:
    """All seats say something: how long those waited who lost their connection."""
    lost: set[BlockingTable] = set()

    def ask(seat: BlockingTable) -> float:
        seat.listen(lambda: None if seat.table.connected else lost.add(seat))
        began = time.monotonic()
        seat.say("still there?")
        return time.monotonic() - began

    waits = await asyncio.gather(*(asyncio.to_thread(ask, seat) for seat in seats))
    return [wait for seat, wait in zip(seats, waits, strict=True) if seat in lost]


def _connect(chair: Chair, base: str) -> BlockingTable:
    key = SeatKey(base, chair.table, chair.seat, chair.token, chair.entropy.hex())
    seat = BlockingTable(RestClient(base), chair.table, key)
    seat.open(PATIENCE)
    return seat
